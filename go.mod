module github.com/fianchetto-chess/fianchetto

go 1.25.0
