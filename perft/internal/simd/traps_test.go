package simd_test

import (
	"testing"

	"github.com/fianchetto-chess/fianchetto/internal/core"
	"github.com/fianchetto-chess/fianchetto/internal/suites"
	"github.com/fianchetto-chess/fianchetto/perft/internal/simd"
)

// Each of these is wrong if what its name describes is left out. The numbers are those of internal/oracle.
var traps = []struct {
	name, fen       string
	children, total int
}{
	{"no child at all", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 0, 0},
	{"a single child", "k7/8/1Q6/8/8/7p/8/6K1 b - - 0 1", 1, 5},
	{"as many children as a game's position can have", "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1", 218, 99},
	{"more children than eight bits count", "KQQQQQnk/Q4Qpp/Q5QQ/Q6Q/Q6Q/Q6Q/Q6Q/QQQQQQQQ w - - 0 1", 263, 11},
	{"more knights than a game can have", "nnnnknnn/nnnnnnnn/8/8/8/8/8/4K3 w - - 0 1", 5, 190},
	{"double check", "4k3/3r1p2/8/8/4N3/8/8/K3R3 w - - 0 1", 19, 198},
	{"check by a pawn and a slider behind it", "8/8/3k4/r7/8/8/2P2P2/B3R1K1 w - - 0 1", 26, 453},
	{"a check that a capture en passant ends", "8/8/8/3k4/5p2/8/4P3/4K3 w - - 0 1", 6, 54},
	{"a pawn between its king and a rook, next to the pawn that it may capture", "8/8/8/8/k4p1R/8/4P3/4K3 w - - 0 1", 15, 78},
	{"a pawn pinned on a diagonal, off which it captures en passant", "k7/8/8/8/4p3/8/3P2B1/6K1 w - - 0 1", 11, 35},
	{"a pawn pinned on the diagonal on which it captures en passant", "8/7k/8/8/4p3/8/2BP4/6K1 w - - 0 1", 13, 70},
	{"a double push between two pawns", "3k4/8/8/8/5p1p/8/4K1P1/8 w - - 0 1", 9, 66},
	{"a capture en passant discovers check", "8/6k1/8/3pP3/8/2B5/8/4K3 w - d6 0 1", 13, 97},
	{"a capture en passant clears the way of a king", "8/8/8/2Pp4/4k3/8/8/K7 w - d6 0 1", 5, 40},
	{"a capture en passant gives a king among its own pieces a square", "8/8/8/2Ppnn2/3nkn2/3nnn2/8/K7 w - d6 0 1", 4, 171},
	{"promotions of either side, by pushes and captures", "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N w - - 0 1", 24, 496},
	{"a promotion gives check through the square the pawn has left", "8/5P2/7K/8/8/5k2/8/8 w - - 0 1", 9, 65},
	{"a piece is pinned by a new queen", "8/8/8/8/8/k7/3p4/5R1K b - - 0 1", 9, 118},
	{"a bishop behind its own king", "8/1b6/2k5/8/8/8/8/4K2R w - - 0 1", 14, 130},
	{"a rook behind its own king", "8/8/8/r2k4/8/8/4B3/4K3 w - - 0 1", 13, 186},
	{"a king that is checked along a line flees along it", "8/8/8/3k4/8/8/8/Q3K3 w - - 0 1", 22, 116},
	{"a king takes the piece that checks it, if nothing defends it", "7k/5ppp/8/8/8/8/1B4R1/3R2K1 w - - 0 1", 34, 167},
	{"a piece pinned on each kind of line", "8/8/8/1Q1nk1bR/3nq3/2B3q1/7B/K3R3 w - - 0 1", 43, 622},
	{"a castling rook is captured", "r3k2r/1P4P1/8/8/8/8/8/4K3 w kq - 0 1", 21, 282},
	{"a castling path is left, entered and attacked", "rN2k1Br/8/8/8/8/8/8/4K3 w kq - 0 1", 15, 273},
	{"a piece that is captured on a castling path", "r2bk2r/8/8/8/7B/8/8/4K3 w kq - 0 1", 11, 294},
	{"a king comes to attack a castling path far from the other king", "r3k3/8/1K6/8/8/3r4/8/8 w q - 0 1", 5, 145},
	{"a knight comes to attack a castling path", "4k2r/8/8/8/7N/8/8/4K3 w k - 0 1", 9, 116},
	{"a rook attacks no square near a king, but one that it castles to", "r3k3/8/8/8/8/8/8/1NRK4 w q - 0 1", 14, 196},
	{"a castling rook that is pinned", "1rk5/8/8/8/8/8/8/R3K3 w b - 0 1", 15, 171},
	{"a castling in which the king stays", "6kr/8/8/8/8/8/1Q6/K7 w h - 0 1", 24, 212},
	{"a castling in which the rook stays", "3r1k2/8/8/8/8/8/8/K6Q w d - 0 1", 23, 294},
	{"the other side castles, its king and rook changing places", "7k/5r2/8/8/8/8/8/5KR1 w G - 0 1", 3, 47},
	{"the other side castles, its king staying", "2k5/8/8/8/8/8/8/R1K3R1 w A - 0 1", 25, 109},
	{"the other side castles either way, in Chess960", "1r1k2r1/8/8/8/8/8/8/1R1K2R1 w BGbg - 0 1", 25, 508},
	{"a castling rook leaves the square that a pawn promotes on", "4k3/8/8/8/8/8/p7/R3K3 w Q - 0 1", 10, 66},
	{"a king castles across the board towards the other king", "8/8/8/8/8/7k/8/1K1R4 w D - 0 1", 18, 78},
	{"castling gives check", "5k2/8/8/8/8/8/8/4K2R w K - 0 1", 15, 66},
	{"castling discovers check", "8/8/8/8/8/8/8/k1KR3R w H - 0 1", 22, 21},
}

func TestTraps(t *testing.T) {
	eachKernel(t, func(c *checker) {
		for _, trap := range traps {
			b := parse(trap.fen)
			c.checkLanes(trap.name, &b)
			if n := len(simd.Children(&b)); n != trap.children {
				c.Errorf("%s: %d children, want %d", trap.name, n, trap.children)
			}
			if n := c.kernel.CountTwo(&b, &c.scratch); n != trap.total {
				c.Errorf("%s: %d moves two plies deep, want %d", trap.name, n, trap.total)
			}
		}
	})
}

// TestBatchesOfEverySize checks a node for each number of children: what is left over from batches of eight is
// a batch by itself, of half the width if it can be.
func TestBatchesOfEverySize(t *testing.T) {
	const most = 48
	bySize := map[int]core.Board{}
	for _, fen := range suites.FENs() {
		b := parse(fen)
		for _, child := range append(simd.Children(&b), b) {
			bySize[len(simd.Children(&child))] = child
		}
	}
	eachKernel(t, func(c *checker) {
		for size := range most + 1 {
			b, isFound := bySize[size]
			if !isFound {
				c.Errorf("no node with %d children", size)
				continue
			}
			c.checkLanes("by size", &b)
		}
	})
}

func TestCountTwoDoesNotAllocate(t *testing.T) {
	b := parse("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
	s := new(simd.Scratch)
	if n := testing.AllocsPerRun(100, func() { simd.CountTwo(&b, s) }); n != 0 {
		t.Errorf("%v allocations per node", n)
	}
}
