package job

import (
	"errors"
	"strconv"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// TestPublished counts the first totals, and holds that a wrong total is found and others are let be.
func TestPublished(t *testing.T) {
	start, _ := fianchetto.ParseFEN(fianchetto.StartFEN)
	for depth := 1; depth <= 5; depth++ {
		if n, err := perft.Count(start, depth); strconv.FormatUint(n, 10) != published[depth-1] || err != nil {
			t.Errorf("depth %d: %s is published here, counted %d, %v", depth, published[depth-1], n, err)
		}
	}
	summary := func(fen string, depth int, nodes uint64) *Summary {
		return &Summary{Job: Description{Spec: Spec{FEN: fen, Depth: depth}}, Done: true, Nodes: Count{Lo: nodes}}
	}
	const kings = "4k3/8/8/8/8/8/8/4K3 w - - 0 1"
	for _, right := range []*Summary{summary(fianchetto.StartFEN, 3, 8902), summary(kings, 3, 1),
		summary("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 7 9", 3, 8902), summary(fianchetto.StartFEN, 16, 1)} {
		if err := right.CheckPublished(); err != nil {
			t.Error(err)
		}
	}
	if err := summary(fianchetto.StartFEN, 3, 8903).CheckPublished(); !errors.Is(err, ErrPublished) {
		t.Errorf("a wrong total: %v", err)
	}
}
