// Package suites contains the perft suites for the command and for tests.
package suites

import (
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

//go:embed *.epd
var files embed.FS

var names = []string{"published", "traps", "state", "published960", "traps960", "random", "random960", "unreachable"}

// Names returns the names of the suites.
func Names() []string { return slices.Clone(names) }

// Open opens a suite by name. The error of an unknown name wraps fs.ErrNotExist.
func Open(name string) (fs.File, error) { return files.Open(name + ".epd") }

// Case is a position of a suite with its counts.
type Case struct {
	Name   string // the operand of id, or ""
	FEN    string
	Counts []Count // in order of depth
	Line   int     // of the file, from 1
}

// Count is the number of leaves of a perft.
type Count struct {
	Depth int // in plies
	Nodes uint64
}

// Cases returns the positions of a suite, in the form FEN ;D1 20 ;D2 400 ;id "start". It panics for
// an unknown name.
func Cases(suite string) (cases []Case) {
	text, err := files.ReadFile(suite + ".epd")
	if err != nil {
		panic(err)
	}
	number := 0
	for line := range strings.Lines(string(text)) {
		number++
		fields := strings.Split(strings.TrimSpace(line), " ;")
		if len(fields) == 1 || strings.HasPrefix(line, "#") {
			continue
		}
		c := Case{FEN: fields[0], Line: number}
		for _, field := range fields[1:] {
			var count Count
			if name, isName := strings.CutPrefix(field, "id "); isName {
				c.Name = strings.Trim(name, `"`)
			} else if _, err := fmt.Sscanf(field, "D%d %d", &count.Depth, &count.Nodes); err != nil {
				panic(fmt.Sprintf("%s:%d: %q: %v", suite, number, field, err))
			} else {
				c.Counts = append(c.Counts, count)
			}
		}
		cases = append(cases, c)
	}
	return cases
}

// Published returns the published number of leaves of a position at a depth in plies. fen must be
// as Position.FEN writes it.
func Published(fen string, depth int) (nodes uint64, ok bool) {
	for _, c := range slices.Concat(Cases("published"), Cases("published960")) {
		for _, count := range c.Counts {
			if c.FEN == fen && count.Depth == depth {
				return count.Nodes, true
			}
		}
	}
	return 0, false
}

// FENs returns the positions of the named suites, or of all suites without a name. It panics for an
// unknown name.
func FENs(suites ...string) (fens []string) {
	if len(suites) == 0 {
		suites = names
	}
	for _, name := range suites {
		for _, c := range Cases(name) {
			fens = append(fens, c.FEN)
		}
	}
	return fens
}
