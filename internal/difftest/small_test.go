package difftest_test

import (
	"iter"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/difftest"
	"github.com/fianchetto-chess/fianchetto/internal/positions"
)

// smallPieces are the letters of the pieces beside the kings.
const smallPieces = "PNBRQpnbrq"

// smallWorld returns the playable positions of the given pieces for either side to move, without
// and with the castling right or the double push of the piece on s. There are none if a pawn is on
// a back rank.
func smallWorld(pieces [64]byte, s bitboard.Square) []string {
	none := bitboard.NoSquare
	fens := positions.Playable(pieces, 0, none)
	king, theirs := strings.IndexByte(string(pieces[:]), 'K'), strings.IndexByte(string(pieces[:]), 'k')
	switch piece := pieces[s]; {
	case piece == 'R' && s <= bitboard.H1 && king <= int(bitboard.H1),
		piece == 'r' && s >= bitboard.A8 && theirs >= int(bitboard.A8):
		fens = append(fens, positions.Playable(pieces, s.Bitboard(), none)...)
	case piece == 'p' && s.Rank() == bitboard.Rank5 && pieces[s+8] == 0 && pieces[s+16] == 0:
		fens = append(fens, positions.Playable(pieces, 0, s+8)...)
	}
	return fens
}

// smallWorlds yields the playable positions of two kings and at most one other piece of either
// side, with the king of the side to move on a given square. It yields both sides to move, both
// with and without castling rights, and every double push.
func smallWorlds(king bitboard.Square) iter.Seq[string] {
	return func(yield func(string) bool) {
		for n := range 64 * (1 + 64*len(smallPieces)) {
			theirs, third := bitboard.Square(n&63), n>>6-1
			var pieces [64]byte
			pieces[king], pieces[theirs] = 'K', 'k'
			s := theirs
			if third >= 0 {
				s = bitboard.Square(third & 63)
				pieces[s] = smallPieces[third>>6]
			}
			if king == theirs || king == s || third >= 0 && s == theirs {
				continue
			}
			for _, fen := range smallWorld(pieces, s) {
				if !yield(fen) {
					return
				}
			}
		}
	}
}

// TestSmallWorlds compares the moves of positions with two kings and one piece. Long tests compare
// all 3,962,680.
func TestSmallWorlds(t *testing.T) {
	t.Parallel()
	var total atomic.Int64
	t.Run("kings", func(t *testing.T) {
		for king := range bitboard.Full.Squares() {
			if !difftest.Long && king != bitboard.E1 && king != bitboard.D5 {
				continue
			}
			t.Run(king.String(), func(t *testing.T) {
				t.Parallel()
				c := difftest.NewChecker(difftest.List)
				count := 0
				for fen := range smallWorlds(king) {
					if count++; difftest.Long || count%20 == 0 {
						c.Game(t, fen, 0)
					}
				}
				if king == bitboard.E1 && count != 64_346 {
					t.Errorf("%d positions with the king on e1, want 64,346", count)
				}
				total.Add(int64(c.Nodes))
			})
		}
	})
	if got := total.Load(); difftest.Long && got != 3_962_680 {
		t.Errorf("%d positions, want 3,962,680", got)
	}
	t.Logf("%d positions of two kings and one piece", total.Load())
}

// TestSmallWorldsBySample compares random positions with two kings and two pieces, many of them
// with a castling right or after a double push.
func TestSmallWorldsBySample(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(13, 0))
	c := difftest.NewChecker(difftest.State, difftest.List, difftest.Checks, castlings)
	const samples = 5000
	rights, pushes := 0, 0
	for range difftest.Breadth(samples) {
		fen := randomSmallWorld(random)
		if fields := strings.Fields(fen); fields[2] != "-" {
			rights++
		} else if fields[3] != "-" {
			pushes++
		}
		c.Game(t, fen, 1)
	}
	if least := difftest.Breadth(samples) / 100; rights < least || pushes < least {
		t.Errorf("%d positions with castling rights and %d after a double push, want %d", rights, pushes, least)
	}
}

func randomSmallWorld(random *rand.Rand) string {
	for {
		var pieces [64]byte
		squares := random.Perm(64)
		king, s := squares[0], squares[2]
		piece := smallPieces[random.IntN(len(smallPieces))]
		switch random.IntN(4) {
		case 0: // often enough a double push
			s, piece = int(bitboard.A5)+s&7, 'p'
		case 1: // or a rook that may castle
			s, king, piece = s&7, king&7, 'R'
		}
		pieces[squares[3]] = smallPieces[random.IntN(len(smallPieces))]
		pieces[s], pieces[squares[1]], pieces[king] = piece, 'k', 'K'
		distinct := king != s && king != squares[1] && king != squares[3] && s != squares[1] && s != squares[3]
		if fens := smallWorld(pieces, bitboard.Square(s)); distinct && len(fens) > 0 {
			return fens[random.IntN(len(fens))]
		}
	}
}
