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

// Scratch is what CountTwo works in. The zero value is ready for use, for one CountTwo at a time; it is
// about six kilobytes and best made once.
type Scratch struct {
	targets core.TargetSets
	siblings
	moves moveList
}

// CountTwo returns the number of legal moves two plies deep, exactly as [core.Board.CountTwo] does, which is
// its specification. It is right everywhere, but fast only if Available reports true. It overwrites s.
func CountTwo(b *core.Board, s *Scratch) int {
	s.prepare(b)
	return countChildren(&s.siblings, s.moves.all()) + s.enPassantReplies(b)
}

// prepare does what is done once for all children.
func (s *Scratch) prepare(b *core.Board) {
	b.FindTargets(&s.targets)
	s.setBoard(b)
	s.list(b)
	s.plan()
}

// enPassantReplies counts our captures en passant, which double pushes of theirs allow. They are rare, so
// that the kernel leaves them out.
func (s *Scratch) enPassantReplies(b *core.Board) int {
	ours := b.Pawns & b.Them
	neighbors := (ours&^bitboard.FileAMask)>>1 | (ours&^bitboard.FileHMask)<<1
	total := 0
	var child core.Board
	for x := s.targets.DoublePush & neighbors; x != 0; x &= x - 1 {
		to := x.First()
		b.Make(&child, to-16, to, core.DoublePush)
		total += child.EnPassantCapturers().Len()
	}
	return total
}
