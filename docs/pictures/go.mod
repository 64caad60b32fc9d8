// This module keeps the pictures out of the zip of the library.
module github.com/fianchetto-chess/fianchetto/docs/pictures

go 1.25.0
