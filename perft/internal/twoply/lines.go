package twoply

import (
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// lines is what our sliders have to do with their king, and where a man of ours would have to stand to
// check it or to pin something to it.
type lines struct {
	theirPinned Bitboard   // their men pinned to their king
	pinners     Bitboard   // our sliders that pin them
	pinLines    Bitboard   // the free squares between pinner and king
	openers     Bitboard   // our men that stop a slider of ours from pinning a man behind them
	slider      [64]Square // of an opener: that slider

	checks [8]Bitboard // by the kind of man: the squares from which it would check
	pins   [8]Bitboard // likewise, from which a slider would check or would pin a man of theirs
}

// findLines follows the lines from our sliders to their king.
func (s *Scratch) findLines() {
	us, them, occupancy, king := s.Us, s.Them, s.occupancy, s.theirKing
	empty := &emptyBoard[king&63]
	var pinned, pinners, pinLines, openers Bitboard
	for x := (empty.diagonals&s.Diagonals | empty.orthogonals&s.Orthogonals) & us; x != 0; x &= x - 1 {
		between := bitboard.Between(king, x.First())
		blockers := between & occupancy
		rest := blockers & (blockers - 1)
		switch {
		case rest == 0 && blockers&us != 0: // its moves may discover check
			s.slowOrigins |= blockers
		case rest == 0:
			pinned |= blockers
			pinners |= x & -x
			pinLines |= between &^ blockers
		case rest&(rest-1) == 0 && blockers&us != 0 && blockers&them != 0:
			openers |= blockers & us
			s.slider[(blockers&us).First()&63] = x.First()
		}
	}
	s.theirPinned, s.pinners, s.pinLines, s.openers = pinned, pinners, pinLines, openers

	diagonals, orthogonals := attacks.Bishop(king, occupancy), attacks.Rook(king, occupancy)
	s.checks[bitboard.Pawn] = attacks.Pawn(bitboard.Black, king)
	s.checks[bitboard.Knight] = attacks.Knight(king)
	s.checks[bitboard.Bishop] = diagonals
	s.checks[bitboard.Rook] = orthogonals
	s.checks[bitboard.Queen] = diagonals | orthogonals
	// A line seen through the man of theirs that stands first on it is one that man can be pinned on.
	diagonals = attacks.Bishop(king, occupancy&^(diagonals&them))
	orthogonals = attacks.Rook(king, occupancy&^(orthogonals&them))
	s.pins[bitboard.Bishop] = diagonals
	s.pins[bitboard.Rook] = orthogonals
	s.pins[bitboard.Queen] = diagonals | orthogonals
}
