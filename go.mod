module github.com/fianchetto-chess/fianchetto

go 1.25.0

require (
	golang.org/x/sys v0.47.0
	pgregory.net/rapid v1.3.0
)
