module github.com/fianchetto-chess/fianchetto/tools

go 1.25.0

require (
	github.com/fianchetto-chess/fianchetto v0.1.0
	github.com/mmcloughlin/avo v0.6.0
	golang.org/x/tools v0.44.0
)

require (
	golang.org/x/mod v0.35.0 // indirect
	golang.org/x/sync v0.20.0 // indirect
	golang.org/x/sys v0.47.0 // indirect
)
