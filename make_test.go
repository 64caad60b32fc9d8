package fianchetto

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// readPositions reads every position of the suites.
func readPositions(t *testing.T) (positions []Position) {
	t.Helper()
	names, err := filepath.Glob("testdata/*.epd")
	if err != nil || len(names) < 6 {
		t.Fatalf("suites: %v, %d files", err, len(names))
	}
	for _, name := range names {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		for lines := bufio.NewScanner(f); lines.Scan(); {
			fen, _, _ := strings.Cut(lines.Text(), ";")
			if p, err := ParseFEN(strings.TrimSpace(fen)); err == nil {
				positions = append(positions, p)
			}
		}
	}
	return positions
}

// TestCopyMakeIsGeneric compares copyMake with copyMakeGeneric, which it may be itself, for every move two plies deep below
// all positions of the suites; every fifth position has clocks that are about to end.
func TestCopyMakeIsGeneric(t *testing.T) {
	positions := readPositions(t)
	if len(positions) < 1000 {
		t.Fatalf("%d positions", len(positions))
	}
	kinds := map[MoveKind]int{}
	for i, p := range positions {
		if i%5 == 0 {
			p.state |= fullmoveMask | halfmoveMask - 1<<halfmoveShift
		}
		compareMaking(t, &p, 2, kinds)
		if testing.Short() && i > 50 {
			break
		}
	}
	for kind, man := range pieceOfKind {
		if man != NoPieceType && kinds[MoveKind(kind)] == 0 {
			t.Errorf("no move of kind %d was made", kind)
		}
	}
}

// compareMaking makes all moves of p both ways.
func compareMaking(t *testing.T, p *Position, depth int, kinds map[MoveKind]int) {
	for m := range p.LegalMoves() {
		next := Position{key: 1, state: 2} // what was there does not matter
		copyMake(&next, p, m)
		var want Position
		copyMakeGeneric(&want, p, m)
		if next != want {
			t.Fatalf("%s %v:\ncopyMake        %+v\ncopyMakeGeneric %+v", p.FEN(), m, next, want)
		}
		kinds[m.Kind()]++
		if depth > 1 {
			compareMaking(t, &next, depth-1, kinds)
		}
	}
}
