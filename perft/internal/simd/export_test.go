package simd

import (
	"fmt"

	"github.com/fianchetto-chess/fianchetto/internal/core"
)

// WithoutInstructions calls f as on a machine without the instructions.
func WithoutInstructions(f func()) {
	defer func(was bool) { available = was }(available)
	available = false
	f()
}

// CountTwo is CountTwo by this kernel.
func (k *Kernel) CountTwo(b *core.Board, s *Scratch) int {
	s.prepare(b)
	k.prepare(s)
	return k.count(s) + b.EnPassantReplies(&s.targets)
}

// Mismatch compares the number of replies to each move with plain counting on the child that core
// makes, captures en passant in either ply aside. It returns "" if they agree, and otherwise names
// the move, as the side to move sees it, and the difference.
//
// The kernel returns totals only. The count of a child is the growth of the total when the child
// joins those before it. So each child is counted in batches of every size, in every lane from its
// own on.
func (k *Kernel) Mismatch(b *core.Board, s *Scratch) string {
	s.prepare(b)
	k.prepare(s)
	summed, castling, before := s.freeMoves, s.targets.Castling, 0
	s.moves.end, s.free, s.change = 1, 0, [8]int{} // after the null move, none is free
	for _, m := range core.AppendMoves(nil, &s.targets, b.EnPassant(), 0) {
		from, to, kind := core.Decode(m)
		if kind == core.EnPassant {
			continue
		}
		var child core.Board
		b.Make(&child, from, to, kind)
		places, target := placesOf[kind], to
		if kind == core.Castling {
			places <<= (castling & (to.Bitboard() - 1)).Len()
			places |= placesKing
			target, _ = core.CastlingTargets(from, to)
		}
		s.moves.add(from.FlipVertical(), target.FlipVertical(), places)
		total, want := k.count(s), child.CountMoves()-child.EnPassantCapturers().Len()
		if got := total - before; got != want {
			return fmt.Sprintf("after %v%v of kind %d it counts %d replies, want %d", from, to, kind, got, want)
		}
		before = total
	}
	if got, want := k.CountTwo(b, s), b.CountTwo(&s.targets); got != want {
		return fmt.Sprintf("%d replies in all, want %d: free moves are wrong: %+v", got, want, summed)
	}
	return ""
}

// placesOf are the bits of an origin by the kind of move, for the first castling.
var placesOf = [16]origin{
	core.KingMove: placesKing, core.PawnMove: placesPawn, core.DoublePush: placesPawn, core.Castling: castlesFirst,
	core.KnightMove: placesKnight, core.PromoteKnight: placesKnight,
	core.BishopMove: placesDiagonal, core.PromoteBishop: placesDiagonal,
	core.RookMove: placesOrthogonal, core.PromoteRook: placesOrthogonal,
	core.QueenMove: placesDiagonal | placesOrthogonal, core.PromoteQueen: placesDiagonal | placesOrthogonal,
}
