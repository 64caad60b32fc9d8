// Package testdata has the perft suites of this folder, for the command, which knows them by name.
package testdata

import "embed"

// Suites are the files with the name extension epd.
//
//go:embed *.epd
var Suites embed.FS
