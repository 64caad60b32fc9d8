package twoply

import (
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// lines is how our sliders are aligned with their king, and the squares from which a piece of ours would check it or pin a
// piece to it.
type lines struct {
	theirPinned Bitboard   // their pieces pinned to their king
	pinners     Bitboard   // our sliders that pin them
	pinLines    Bitboard   // the free squares between pinner and king
	pinBlockers Bitboard   // our pieces without which a slider of ours would pin a piece of theirs
	slider      [64]Square // of a pin blocker: that slider

	checks [8]Bitboard // by piece type: the squares from which it would check
	pins   [8]Bitboard // likewise, from which a slider would check or would pin a piece of theirs
}

// findLines follows the lines from our sliders to their king.
func (s *Scratch) findLines() {
	us, them, occupancy, king := s.Us, s.Them, s.occupancy, s.theirKing
	empty := &emptyBoard[king&63]
	var pinned, pinners, pinLines, pinBlockers Bitboard
	for x := (empty.diagonals&s.Diagonals | empty.orthogonals&s.Orthogonals) & us; x != 0; x &= x - 1 {
		between := bitboard.Between(king, x.First())
		blockers := between & occupancy
		rest := blockers & (blockers - 1)
		switch {
		case rest == 0 && blockers&us != 0: // a discovered-check candidate
			s.madeOrigins |= blockers
		case rest == 0:
			pinned |= blockers
			pinners |= x & -x
			pinLines |= between &^ blockers
		case rest&(rest-1) == 0 && blockers&us != 0 && blockers&them != 0:
			pinBlockers |= blockers & us
			s.slider[(blockers&us).First()&63] = x.First()
		}
	}
	s.theirPinned, s.pinners, s.pinLines, s.pinBlockers = pinned, pinners, pinLines, pinBlockers

	diagonals, orthogonals := attacks.Bishop(king, occupancy), attacks.Rook(king, occupancy)
	s.checks[bitboard.Pawn] = attacks.Pawn(bitboard.Black, king)
	s.checks[bitboard.Knight] = attacks.Knight(king)
	s.checks[bitboard.Bishop] = diagonals
	s.checks[bitboard.Rook] = orthogonals
	s.checks[bitboard.Queen] = diagonals | orthogonals
	// A piece of theirs that stands first on a line from the king can be pinned from the squares behind it.
	diagonals = attacks.Bishop(king, occupancy&^(diagonals&them))
	orthogonals = attacks.Rook(king, occupancy&^(orthogonals&them))
	s.pins[bitboard.Bishop] = diagonals
	s.pins[bitboard.Rook] = orthogonals
	s.pins[bitboard.Queen] = diagonals | orthogonals
}
