// This module keeps what only the tests of this repository read out of the zip of the library.
module github.com/fianchetto-chess/fianchetto/testdata/agreement

go 1.25.0
