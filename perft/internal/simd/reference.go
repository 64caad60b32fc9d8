package simd

import (
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/core"
)

// countEach is the kernel in plain Go, one child after the other: how many replies the siblings have that the
// moves lead to, captures en passant aside. It is what the generated kernel must agree with, and runs where
// there is none.
func countEach(s *siblings, moves []move) int {
	total := 0
	for _, m := range moves {
		child := s.child(m)
		total += child.CountMoves()
	}
	return total
}

// child returns the board after a move, seen by us.
func (s *siblings) child(m move) core.Board {
	from, to := Square(m&63).Bitboard(), Square(m>>toShift&63).Bitboard()
	placed := func(set Bitboard, in move) Bitboard {
		if m&in != 0 {
			return set | to
		}
		return set
	}
	both := from | to
	child := core.Board{
		Us:          s.us &^ to,
		Them:        s.them&^from | to,
		Pawns:       s.pawns&^to | placed(s.theirPawns&^both, placesPawn),
		Knights:     s.knights&^to | placed(s.theirKnights&^both, placesKnight),
		Diagonals:   s.diagonals&^to | placed(s.theirDiagonals&^both, placesDiagonal),
		Orthogonals: s.orthogonals&^to | placed(s.theirOrthogonals&^both, placesOrthogonal),
	}
	if m&capturesEnPassant != 0 {
		child.Us &^= to << 8
		child.Pawns &^= to << 8
	}
	for i, c := range s.castled {
		if m&(castlesFirst<<i) != 0 {
			child.Them ^= c.them
			child.Orthogonals ^= c.orthogonals
		}
	}
	for _, c := range s.castlings {
		child.CastlingAndEnPassant |= c.rook & child.Us & bitboard.Rank1Mask
	}
	return child
}
