package difftest

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/oracle"
	"github.com/fianchetto-chess/fianchetto/internal/positions"
)

// TestDifferences compares wrong lists, and wants the move, position and rule of the first
// difference.
func TestDifferences(t *testing.T) {
	move := fianchetto.NewMove
	for _, test := range []struct {
		fen       string
		drop, add fianchetto.Move
		want      string
	}{
		{"r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1", move(bitboard.E8, bitboard.A8, fianchetto.Castling), fianchetto.NoMove,
			"missing e8c8 in r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1: castling: king and rook on a8 have not moved"},
		{"r3k2r/8/8/8/8/8/8/4K2R b Kkq - 0 1", fianchetto.NoMove, move(bitboard.E8, bitboard.H1, fianchetto.Castling),
			"extra e8h1 in r3k2r/8/8/8/8/8/8/4K2R b Kkq - 0 1: castling right: black castles on the king's side"},
		{"4k3/3p4/3P4/8/8/8/8/4K3 b - - 0 1", fianchetto.NoMove, move(bitboard.D7, bitboard.D5, fianchetto.DoublePush),
			"extra d7d5 in 4k3/3p4/3P4/8/8/8/8/4K3 b - - 0 1: double push: a pawn does not jump: the pawn on d6 stands"},
		{"4r2k/8/8/8/8/4R3/8/4K3 w - - 0 1", fianchetto.NoMove, move(bitboard.E3, bitboard.D3, fianchetto.RookMove),
			"extra e3d3 in 4r2k/8/8/8/8/4R3/8/4K3 w - - 0 1: pin: the rook on e3 is pinned to the king on e1 by the rook on e8"},
		{"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", move(bitboard.E2, bitboard.E4, fianchetto.DoublePush),
			move(bitboard.E2, bitboard.E4, fianchetto.PawnMove),
			"extra e2e4 in 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1: kind of move: the kind of the move is pawn move"},
		{"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", fianchetto.NoMove, move(bitboard.E2, bitboard.E3, fianchetto.PawnMove),
			"extra e2e3 in 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1: it is listed twice"},
	} {
		n := MustRead(test.fen)
		list := slices.DeleteFunc(slices.Clone(n.Moves), func(m fianchetto.Move) bool { return m == test.drop })
		if test.add != fianchetto.NoMove {
			list = append(list, test.add)
		}
		c := NewChecker(func(n *Node, _ *rand.Rand) { n.CompareMoves("", list, n.Moves) })
		if got := c.Check(n); !strings.HasPrefix(string(got), test.want) {
			t.Errorf("without %v and with %v:\n got %s\nwant %s", test.drop, test.add, got, test.want)
		}
	}
}

// TestFaultsAreFound plants faults that only one aspect can find.
func TestFaultsAreFound(t *testing.T) {
	n := MustRead("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
	for rule, fault := range map[string]func(*Node){
		strings.Fields(n.FEN())[0]:  func(n *Node) { n.Pos = n.Pos.Null() },
		"by the oracle it is legal": func(n *Node) { n.Moves = n.Moves[1:] },
		"GivesCheck(a1b1)": func(n *Node) {
			n.Legal = slices.Clone(n.Legal)
			n.Legal[0] = oracle.Move{From: bitboard.E5, To: bitboard.C7} // a check for another move
		},
	} {
		faulty := *n
		fault(&faulty)
		if found := NewChecker(State, List, Checks).Check(&faulty); !strings.Contains(string(found), rule) {
			t.Errorf("a fault of %s is found as %v", rule, found)
		}
	}
}

// TestPanicsAreDifferences lets an aspect panic.
func TestPanicsAreDifferences(t *testing.T) {
	c := NewChecker(func(*Node, *rand.Rand) { panic("no reason") })
	fen := positions.Random(rand.New(rand.NewPCG(1, 1)))
	if found := c.Play(fen, 0); !strings.HasPrefix(string(found), "panic in "+fen+": no reason") {
		t.Errorf("%v", found)
	}
}
