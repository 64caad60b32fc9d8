package perft

import (
	"testing"

	"github.com/fianchetto-chess/fianchetto"
)

// TestDistinctPositions compares the guess with the numbers of perft --unique.
func TestDistinctPositions(t *testing.T) {
	for _, test := range []struct {
		fen   string
		plies int
		truth float64
	}{
		{start, 4, 72078},
		{start, 5, 822518},
		{"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 3, 57548},
		{"r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 3, 49377},
		{"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 5, 126911},
		{"r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 4, 248212}, // in check
	} {
		guess := distinctPositions(fianchetto.MustParseFEN(test.fen), test.plies)
		t.Logf("%s, %d plies: %.0f guessed of %.0f", test.fen, test.plies, guess, test.truth)
		if guess < test.truth/3 || guess > test.truth*3 {
			t.Errorf("%s, %d plies: %.0f positions guessed, and there are %.0f", test.fen, test.plies, guess, test.truth)
		}
	}
}

func TestAutoHashMB(t *testing.T) {
	pos := fianchetto.StartPosition()
	const enough = 1 << 50
	for _, test := range []struct {
		depth     int
		available uint64
		least     int
		most      int
	}{
		{3, enough, 0, 0},
		{4, enough, 0, 0},
		{5, enough, 1, 1},
		{7, enough, 12, 32},
		{8, enough, 150, 350},
		{9, enough, 1500, 5000},
		{8, 1 << 28, 128, 128}, // half of the memory
		{8, 1 << 20, 0, 0},     // there is none
		{9, 0, 0, 0},
		{14, enough, MaxHashMB, MaxHashMB},
		{MaxDepth, enough, MaxHashMB, MaxHashMB}, // the guess is infinite
	} {
		if got := autoHashMB(pos, test.depth, test.available); got < test.least || got > test.most {
			t.Errorf("depth %d, %d bytes available: %d MiB, want %d to %d", test.depth, test.available, got,
				test.least, test.most)
		}
	}
	mated := fianchetto.MustParseFEN("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")
	for depth := range 9 {
		if got := autoHashMB(mated, depth, enough); got != 0 {
			t.Errorf("depth %d: %d MiB for a position without moves", depth, got)
		}
	}
	for _, depth := range []int{-1, 0, 3, 4, MaxDepth + 1} {
		if got := AutoHashMB(pos, depth); got != 0 {
			t.Errorf("depth %d: %d MiB", depth, got)
		}
	}
	if size := AutoHashMB(pos, 12); checkHashMB(size) != nil || uint64(size) > availableMemory()>>20 {
		t.Errorf("%d MiB, of %d that are available", size, availableMemory()>>20)
	}
}
