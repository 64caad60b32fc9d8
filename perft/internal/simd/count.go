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

// Scratch is what CountTwo works in. The zero value is ready for use, for one CountTwo at a time;
// it is about six kilobytes and best made once. The assembly reads and writes these fields where
// its generator found them: after a change, run make generate.
type Scratch struct {
	targets core.TargetSets
	siblings
	freeMoves
	moves moveList
}

// CountTwo returns the number of legal moves two plies deep, exactly as [core.Board.CountTwo] does,
// which is its specification. It is fast only if Available returns true. It overwrites s.
func CountTwo(b *core.Board, s *Scratch) int {
	if !available {
		return b.CountTwo(&s.targets)
	}
	s.prepare(b)
	prepareAVX512(s)
	return countAVX512(s) + b.EnPassantReplies(&s.targets)
}

// Available reports whether this machine has the instructions: CountTwo is fast then.
func Available() bool { return available }

// prepare finds what is rare or found in scalar registers: the board as we see it, and the moves of
// special kinds.
func (s *Scratch) prepare(b *core.Board) {
	b.FindTargets(&s.targets)
	s.setBoard(b)
	s.listSpecial(b)
}
