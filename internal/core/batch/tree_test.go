package batch_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/core"
	"github.com/fianchetto-chess/fianchetto/internal/core/batch"
)

// boardOf returns the board of a position, seen by the side to move.
func boardOf(t testing.TB, fen string) core.Board {
	t.Helper()
	p, err := fianchetto.ParseFEN(fen)
	if err != nil {
		t.Fatal(err)
	}
	side := p.SideToMove()
	b := core.Board{
		Us:          p.ByColor(side),
		Them:        p.ByColor(side.Opponent()),
		Pawns:       p.ByType(fianchetto.Pawn),
		Knights:     p.ByType(fianchetto.Knight),
		Diagonals:   p.ByType(fianchetto.Bishop) | p.ByType(fianchetto.Queen),
		Orthogonals: p.ByType(fianchetto.Rook) | p.ByType(fianchetto.Queen),
		Rights:      p.CastlingRooks(fianchetto.White) | p.CastlingRooks(fianchetto.Black),
	}
	if s := p.EnPassant(); s != fianchetto.NoSquare {
		b.Rights |= s.Bitboard()
	}
	if side == fianchetto.Black {
		b = b.Mirror()
	}
	return b
}

// suite returns the FENs of all suites in testdata.
func suite(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob("../../../testdata/*.epd")
	if err != nil || len(files) < 6 {
		t.Fatalf("suites: %v, %d files", err, len(files))
	}
	var fens []string
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			fen, _, _ := strings.Cut(line, ";")
			if fen = strings.TrimSpace(fen); fen != "" && fen[0] != '#' {
				fens = append(fens, fen)
			}
		}
	}
	return fens
}

// nodes calls visit with every node of the tree below b, the last plies aside, b included.
func nodes(b *core.Board, depth int, visit func(b *core.Board)) {
	visit(b)
	if depth == 0 {
		return
	}
	for _, child := range batch.Children(b) {
		nodes(&child, depth-1, visit)
	}
}

// playout calls visit with the boards of a random game.
func playout(b core.Board, r *rand.Rand, plies int, visit func(b *core.Board)) {
	for range plies {
		visit(&b)
		children := batch.Children(&b)
		if len(children) == 0 {
			return
		}
		b = children[r.IntN(len(children))]
	}
}

// kernels runs a test with each kernel this machine has.
func kernels(t *testing.T, test func(t *testing.T, k batch.Kernel)) {
	for _, k := range batch.Kernels() {
		t.Run(k.Name, func(t *testing.T) { test(t, k) })
	}
}

// compareLanes fails the test if any child of b is miscounted.
func compareLanes(t testing.TB, k batch.Kernel, b *core.Board, s *batch.Scratch, fen string) {
	t.Helper()
	if why := k.Disagreement(b, s); why != "" {
		t.Fatalf("%s: below %s, at\n%+v\n%s", k.Name, fen, *b, why)
	}
}

// compareTotals fails the test if b is miscounted.
func compareTotals(t testing.TB, k batch.Kernel, b *core.Board, s *batch.Scratch, plain *core.Targets, fen string) {
	t.Helper()
	if got, want := k.CountTwo(b, s), b.CountTwo(plain); got != want {
		t.Fatalf("%s: below %s, at\n%+v\n%d moves two plies deep, want %d; %s", k.Name, fen, *b, got, want, k.Disagreement(b, s))
	}
}

func TestEveryChildOfTheSuites(t *testing.T) {
	kernels(t, func(t *testing.T, k batch.Kernel) {
		s := new(batch.Scratch)
		for _, fen := range suite(t) {
			b := boardOf(t, fen)
			compareLanes(t, k, &b, s, fen)
		}
	})
}

func TestEveryNodeBelowTheSuites(t *testing.T) {
	kernels(t, func(t *testing.T, k batch.Kernel) {
		s, plain, count := new(batch.Scratch), new(core.Targets), 0
		for _, fen := range suite(t) {
			b := boardOf(t, fen)
			nodes(&b, 1, func(b *core.Board) {
				compareTotals(t, k, b, s, plain, fen)
				count++
			})
		}
		t.Logf("%d nodes", count)
	})
}

func TestEveryChildInPlayouts(t *testing.T) {
	kernels(t, func(t *testing.T, k batch.Kernel) {
		s, count := new(batch.Scratch), 0
		r := rand.New(rand.NewPCG(8, 512))
		for _, fen := range suite(t) {
			playout(boardOf(t, fen), r, 8, func(b *core.Board) {
				compareLanes(t, k, b, s, fen)
				count++
			})
		}
		t.Logf("%d nodes", count)
	})
}
