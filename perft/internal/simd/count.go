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

// Scratch is the scratch space of CountTwo, about six kilobytes. Its zero value is ready for use by
// one CountTwo at a time. The assembly accesses the fields at fixed offsets, so run make generate
// after a change.
type Scratch struct {
	targets core.TargetSets
	parent
	freeMoves
	moves moveList
}

// CountTwo returns the same number as [core.Board.CountTwo], its specification: the legal moves two
// plies deep. It is fast only if Available returns true. It leaves boards on which we have only
// a king and pawns to core, which counts them up to 2.6 times as fast. It overwrites s.
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

// prepare finds the moves, turns the board and lists the special moves. The assembly does the rest.
func (s *Scratch) prepare(b *core.Board) {
	b.FindTargets(&s.targets)
	s.setBoard(b)
	s.listSpecial()
}
