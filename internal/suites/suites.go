// Package suites has the perft suites, for the command, which knows them by name, and for tests.
package suites

import (
	"embed"
	"io/fs"
	"slices"
	"strings"
)

//go:embed *.epd
var files embed.FS

var names = []string{"published", "traps", "traps960", "random", "random960", "unreachable"}

// Names returns the names of the suites.
func Names() []string { return slices.Clone(names) }

// Open opens the suite with a name. The error is fs.ErrNotExist, wrapped, if there is none.
func Open(name string) (fs.File, error) { return files.Open(name + ".epd") }

// FENs returns the positions of the suites with the given names, as the suites have them, or of all suites without names. It
// panics for a name that is not that of a suite.
func FENs(suites ...string) (fens []string) {
	if len(suites) == 0 {
		suites = names
	}
	for _, name := range suites {
		text, err := files.ReadFile(name + ".epd")
		if err != nil {
			panic(err)
		}
		for line := range strings.Lines(string(text)) {
			if fen, _, isCase := strings.Cut(line, ";"); isCase && !strings.HasPrefix(line, "#") {
				fens = append(fens, strings.TrimSpace(fen))
			}
		}
	}
	return fens
}
