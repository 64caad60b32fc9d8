package batch

import (
	"fmt"

	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/core"
)

// Kernel is one of the ways to count children.
type Kernel struct {
	Name  string
	count func(s *siblings, moves []move) int
}

// Kernels returns all kernels that this machine can run.
func Kernels() []Kernel {
	kernels := []Kernel{{"go", countEach}}
	if Available() {
		kernels = append(kernels, Kernel{"avx512", countChildren})
	}
	return kernels
}

// CountTwo is the function of that name, with this kernel.
func (k Kernel) CountTwo(b *core.Board, s *Scratch) int {
	s.prepare(b)
	return k.count(&s.siblings, s.moves.all()) + s.enPassantReplies(b)
}

// Disagreement compares the count of every child with the plain one of the child made by core. It returns the
// empty string if all agree, or else what is wrong with which move.
//
// The kernel returns nothing but totals. Each child's count is by how much the total grows when the child is added to those
// before it, so each lane is looked at in batches of every size.
func (k Kernel) Disagreement(b *core.Board, s *Scratch) string {
	want := plainCounts(b)
	s.prepare(b)
	if s.moves.end != len(want) {
		return fmt.Sprintf("%d moves listed, want %d", s.moves.end, len(want))
	}
	before := 0
	for i, m := range s.moves.all() {
		child := placement(s.child(m))
		plain, listed := want[child]
		if !listed {
			return fmt.Sprintf("move %d, %v, leads to no child or twice to one", i, m)
		}
		delete(want, child)
		total := k.count(&s.siblings, s.moves.all()[:i+1])
		if total-before != plain {
			return fmt.Sprintf("move %d, %v: %d replies, want %d", i, m, total-before, plain)
		}
		before = total
	}
	return ""
}

// String writes where a move starts and ends, as they see the board, and all that it says.
func (m move) String() string {
	return fmt.Sprintf("%v%v (%#x)", Square(m&63).FlipRank(), Square(m>>toShift&63).FlipRank(), uint32(m))
}

// plainCounts returns the number of replies to each move, captures en passant aside, by the board it leads to.
func plainCounts(b *core.Board) map[core.Board]int {
	counts := map[core.Board]int{}
	for _, child := range Children(b) {
		counts[placement(child)] = child.CountMoves() - child.EnPassantCapturers().Len()
	}
	return counts
}

// placement returns the men of a board without its rights. No two moves lead to the same.
func placement(b core.Board) core.Board {
	b.Rights = bitboard.Empty
	return b
}

// Children returns the boards after all legal moves.
func Children(b *core.Board) []core.Board {
	var t core.Targets
	b.Targets(&t)
	var children []core.Board
	for _, m := range core.AppendMoves[uint16](nil, &t, b.EnPassant(), 0) {
		var child core.Board
		from, to, kind := core.Decode(m)
		b.Make(&child, from, to, kind)
		children = append(children, child)
	}
	return children
}
