package twoply

import (
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/core"
)

// ourAttacks is what our pieces attack, and what that leaves to their king.
type ourAttacks struct {
	attacked, attackedTwice Bitboard // squares that one piece of ours attacks at least, and that two do
	safe                    Bitboard // safe king targets: those that none of our pieces attacks
	attackedOnce            Bitboard // king targets that exactly one piece of ours attacks
	interpositions          Bitboard // squares between a slider of ours and a king target that it attacks, and captures next to their king
	attackBlockers          Bitboard // our pieces that block an attack of our slider on a king target

	kingReplies int // the replies of their king to a null move, castlings included
}

// addPieces lists the moves of our non-pawn pieces, and finds what they and our pawns attack.
func (s *Scratch) addPieces() {
	us, occupancy := s.Us, s.occupancy
	s.sourceEnd = 0
	s.attacked, s.attackedTwice, s.attackBlockers = 0, 0, 0
	s.interpositions = s.kingAttacks & s.Them

	for x := s.Knights & us; x != 0; {
		from := x.First()
		x &= x - 1
		attack := attacks.Knight(from)
		targets := attack &^ us
		if s.pinned.Has(from) {
			targets = 0
		}
		s.next().set(targets, attack, from, 0, bitboard.Knight, core.KnightMove)
		s.attackedTwice |= s.attacked & attack
		s.attacked |= attack
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
	s.attackedTwice |= s.attacked & attack
	s.attacked |= attack

	pawns := s.Pawns & us
	west, east := pawns&^bitboard.FileAMask<<7, pawns&^bitboard.FileHMask<<9
	s.attackedTwice |= s.attacked&(west|east) | west&east
	s.attacked |= west | east

	s.safe = s.kingTargets &^ s.attacked
	s.attackedOnce = s.kingTargets & s.attacked &^ s.attackedTwice
	s.kingReplies = 0
	if s.safe != 0 {
		s.kingReplies = s.kingRepliesTo(s.safe)
		s.nullReplies += s.kingReplies
	}
}

// addSlider lists the moves of a slider. lines are all squares it would attack on an empty board.
func (s *Scratch) addSlider(from Square, attack, lines Bitboard, piece bitboard.PieceType) {
	targets := attack &^ s.Us
	if s.pinned.Has(from) {
		targets &= bitboard.Line(s.king, from)
	}
	s.next().set(targets, attack, from, 0, piece, core.Kind(piece))
	s.attackedTwice |= s.attacked & attack
	s.attacked |= attack
	lines &= s.kingTargets
	for x := lines & attack; x != 0; x &= x - 1 {
		s.interpositions |= bitboard.Between(from, x.First())
	}
	if attack&s.Us == 0 {
		return
	}
	for x := lines &^ attack; x != 0; x &= x - 1 {
		blockers := bitboard.Between(from, x.First()) & s.occupancy
		if blockers&(blockers-1) == 0 && blockers&s.Us != 0 {
			s.attackBlockers |= blockers
		}
	}
}
