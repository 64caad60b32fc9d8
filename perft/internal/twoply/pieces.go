package twoply

import (
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/core"
)

// cover is what our men attack of their king's zone.
type cover struct {
	once, twice Bitboard // squares that one man of ours attacks at least, and that two do
	open        Bitboard // squares of the zone that none attacks: the king may go there
	sole        Bitboard // squares of the zone that one alone attacks
	screens     Bitboard // squares where a man of ours would cut cover, or would have captured beside the king
	uncoverers  Bitboard // our men in the way of cover, which they give by leaving

	kingReplies int // the moves of their king if we passed, castlings included
}

// addPieces lists the moves of our pieces and finds what they and our pawns cover.
func (s *Scratch) addPieces() {
	us, occupancy := s.Us, s.occupancy
	s.sourceEnd = 0
	s.once, s.twice, s.uncoverers = 0, 0, 0
	s.screens = s.ring & s.Them

	for x := s.Knights & us; x != 0; {
		from := x.First()
		x &= x - 1
		attack := attacks.Knight(from)
		targets := attack &^ us
		if s.pinned.Has(from) {
			targets = 0
		}
		s.next().set(targets, attack, from, 0, bitboard.Knight, core.KnightMove)
		s.twice |= s.once & attack
		s.once |= attack
	}
	for x := s.Diagonals & us &^ s.Orthogonals; x != 0; {
		from := x.First()
		x &= x - 1
		s.addSlider(from, attacks.Bishop(from, occupancy), emptyBoard[from&63].diagonals, bitboard.Bishop)
	}
	for x := s.Orthogonals & us &^ s.Diagonals; x != 0; {
		from := x.First()
		x &= x - 1
		s.addSlider(from, attacks.Rook(from, occupancy), emptyBoard[from&63].orthogonals, bitboard.Rook)
	}
	for x := s.Diagonals & s.Orthogonals & us; x != 0; {
		from := x.First()
		x &= x - 1
		lines := emptyBoard[from&63].diagonals | emptyBoard[from&63].orthogonals
		s.addSlider(from, attacks.Queen(from, occupancy), lines, bitboard.Queen)
	}
	attack := attacks.King(s.king)
	s.next().set(attack&^us&^s.danger, attack, s.king, 0, bitboard.King, core.KingMove)
	s.twice |= s.once & attack
	s.once |= attack

	pawns := s.Pawns & us
	west, east := pawns&^bitboard.FileAMask<<7, pawns&^bitboard.FileHMask<<9
	s.twice |= s.once&(west|east) | west&east
	s.once |= west | east

	s.open = s.zone &^ s.once
	s.sole = s.zone & s.once &^ s.twice
	s.kingReplies = 0
	if s.open != 0 {
		s.kingReplies = s.kingRepliesTo(s.open)
		s.passed += s.kingReplies
	}
}

// addSlider lists the moves of a slider. lines are all squares it would attack on an empty board.
func (s *Scratch) addSlider(from Square, attack, lines Bitboard, piece bitboard.PieceType) {
	targets := attack &^ s.Us
	if s.pinned.Has(from) {
		targets &= bitboard.Line(s.king, from)
	}
	s.next().set(targets, attack, from, 0, piece, core.Kind(piece))
	s.twice |= s.once & attack
	s.once |= attack
	lines &= s.zone
	for x := lines & attack; x != 0; x &= x - 1 {
		s.screens |= bitboard.Between(from, x.First())
	}
	if attack&s.Us == 0 {
		return
	}
	for x := lines &^ attack; x != 0; x &= x - 1 {
		blockers := bitboard.Between(from, x.First()) & s.occupancy
		if blockers&(blockers-1) == 0 && blockers&s.Us != 0 {
			s.uncoverers |= blockers
		}
	}
}
