package simd

import (
	"fmt"

	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/core"
)

// Mismatch compares the counts of all children, each with the plain one of the child that core makes. It returns the
// empty string if they agree; if not, what is wrong about which move, as the side to move sees it.
//
// A kernel returns totals only. A child's count is by how much the total grows when the child is added to
// those before it: so each child is counted in batches of every size, in every lane from its own on.
func (k Kernel) Mismatch(b *core.Board, s *Scratch) string {
	plain := plainCounts(b)
	s.prepare(b)
	if s.moves.end != len(plain) {
		return fmt.Sprintf("%d moves listed, want %d", s.moves.end, len(plain))
	}
	before := 0
	for i, m := range s.moves.all() {
		child := placement(s.child(m))
		want, isListed := plain[child]
		if !isListed {
			return fmt.Sprintf("move %d, %v, leads to no child, or to one that another move leads to", i, m)
		}
		delete(plain, child)
		total := k.count(&s.siblings, s.moves.all()[:i+1])
		if got := total - before; got != want {
			return fmt.Sprintf("after move %d, %v, it counts %d replies, want %d", i, m, got, want)
		}
		before = total
	}
	if got, want := k.CountTwo(b, s), b.CountTwo(&s.targets); got != want {
		return fmt.Sprintf("%d replies in all, want %d: captures en passant are wrong", got, want)
	}
	return ""
}

// plainCounts returns the number of replies to each move, captures en passant after double pushes aside, by where the
// pieces stand after the move.
func plainCounts(b *core.Board) map[core.Board]int {
	counts := map[core.Board]int{}
	for _, child := range Children(b) {
		counts[placement(child)] = child.CountMoves() - child.EnPassantCapturers().Len()
	}
	return counts
}

// placement returns the pieces of a board, without its rights.
func placement(b core.Board) core.Board {
	b.CastlingAndEnPassant = bitboard.Empty
	return b
}

// Children returns the boards after all legal moves.
func Children(b *core.Board) []core.Board {
	var t core.TargetSets
	b.FindTargets(&t)
	var children []core.Board
	for _, m := range core.AppendMoves[uint16](nil, &t, b.EnPassant(), 0) {
		var child core.Board
		from, to, kind := core.Decode(m)
		b.Make(&child, from, to, kind)
		children = append(children, child)
	}
	return children
}

// String writes a move as the side that makes it sees the board, and all of its bits.
func (m move) String() string {
	return fmt.Sprintf("%v%v (%#x)", Square(m&63).FlipRank(), Square(m>>toShift&63).FlipRank(), uint32(m))
}
