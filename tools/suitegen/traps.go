package main

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/oracle"
)

// trap is a position on which move generators fail, and the moves that show whether one
// does. Castling is written as king takes own rook.
type trap struct {
	name, why, fen string
	moves          map[string]string // with spaces between, by "legal" and "illegal"
}

// The lists of traps have a paragraph for each: its name and reason, its FEN, and lines of moves.
var (
	//go:embed traps/traps.txt
	standardTraps string
	//go:embed traps/traps960.txt
	chess960Traps string
	//go:embed traps/unreachable.txt
	unreachableTraps string
)

// readTraps returns the traps of a list.
func readTraps(list string) ([]trap, error) {
	var traps []trap
	for paragraph := range strings.SplitSeq(strings.TrimSpace(list), "\n\n") {
		lines := strings.Split(paragraph, "\n")
		if strings.HasPrefix(lines[0], "#") {
			continue
		}
		name, why, named := strings.Cut(lines[0], ": ")
		if !named || len(lines) < 2 {
			return nil, fmt.Errorf("trap %q: want NAME: REASON, then a FEN", lines[0])
		}
		t := trap{name, why, lines[1], map[string]string{}}
		for _, line := range lines[2:] {
			kind, moves, _ := strings.Cut(line, " ")
			if kind != "legal" && kind != "illegal" {
				return nil, fmt.Errorf("trap %s: invalid line %q (want legal or illegal, and moves)", name, line)
			}
			t.moves[kind] = moves
		}
		traps = append(traps, t)
	}
	return traps, nil
}

// trapEntries returns each trap of a list and its mirror image, after trying the moves it names.
func trapEntries(list string, format func(oracle.Board) string) ([]entry, error) {
	traps, err := readTraps(list)
	if err != nil {
		return nil, err
	}
	var entries []entry
	for _, t := range traps {
		b, err := oracle.Parse(t.fen)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", t.name, err)
		}
		if err := t.check(b); err != nil {
			return nil, err
		}
		pos := fianchetto.MustParseFEN(t.fen)
		other := must(oracle.Parse(pos.FlipColors().FEN()))
		entries = append(entries,
			entry{name: t.name, remark: t.why, board: b, fen: format(b)},
			entry{name: t.name + "-mirrored", board: other, fen: format(other)})
	}
	return entries, nil
}

// check returns an error unless the moves that t names are legal, and illegal, in b.
func (t trap) check(b oracle.Board) error {
	legal := map[string]bool{}
	for _, m := range b.LegalMoves() {
		legal[m.String()] = true
	}
	for kind, moves := range t.moves {
		for _, m := range strings.Fields(moves) {
			if legal[m] != (kind == "legal") {
				return fmt.Errorf("%s: %s should be %s in %s", t.name, m, kind, t.fen)
			}
		}
	}
	return nil
}
