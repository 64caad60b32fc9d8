package simd

import (
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/core"
)

type (
	// Bitboard is the set of squares of package bitboard.
	Bitboard = bitboard.Bitboard
	// Square is the square of package bitboard.
	Square = bitboard.Square
)

// Scratch is the scratch space of one CountTwo at a time, about six kilobytes. The assembly
// accesses the fields at fixed offsets, so run make generate after a change.
type Scratch struct {
	targets core.TargetSets
	parent
	freeMoves
	moves moveList
}

// CountTwo returns the same number as [core.Board.CountTwo], its specification. It is fast only if
// Available returns true. It leaves boards on which we have only a king and pawns to core, which
// counts them up to 2.6 times as fast.
func CountTwo(b *core.Board, s *Scratch) int {
	if !available || b.IsBare() {
		return b.CountTwo(&s.targets)
	}
	s.prepare(b)
	prepareAVX512(s)
	return countAVX512(s) + b.EnPassantReplies(&s.targets)
}

// Available reports whether this machine has the instructions of the kernel.
func Available() bool { return available }

func (s *Scratch) prepare(b *core.Board) {
	b.FindTargets(&s.targets)
	s.setBoard(b)
	s.listSpecial()
}
