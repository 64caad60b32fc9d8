module github.com/fianchetto-chess/fianchetto

go 1.25.0

require (
	github.com/dylhunn/dragontoothmg v0.0.0-20220917014754-e79413b50d93
	golang.org/x/sys v0.47.0
	pgregory.net/rapid v1.3.0
)
