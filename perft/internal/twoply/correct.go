package twoply

import (
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/core"
)

// correct sees to a source with something unusual about it. It notes what the sums get wrong about its moves, counts
// those one by one that are beyond correcting, and returns the others, which the sums are to count.
func (s *Scratch) correct(m *source) Bitboard {
	man := m.alone()
	if s.slowOrigins&man != 0 {
		s.countEach(m, m.targets)
		return 0
	}
	checks := s.checks[m.piece&7]
	slow := m.targets & (s.slowTargets | checks)
	if s.odd&man != 0 {
		slow |= s.correctLeaving(m.from, m.targets, slow)
	}
	targets := m.targets &^ slow

	if slow != 0 {
		// A check that does nothing else leaves few replies, which are found without making it.
		if m.kind <= core.QueenMove && man&(s.openers|s.uncoverers) == 0 {
			pure := slow & checks &^ (s.slowTargets | s.pinLines | s.screens&^s.Them)
			if s.pinners&man != 0 { // unless it captures the piece that it pins
				pure &= s.theirPinned & bitboard.Line(s.theirKing, m.from)
			}
			slow &^= pure
			for x := pure; x != 0; x &= x - 1 {
				s.rest += s.evasions(m, x.First())
			}
		}
		s.countEach(m, slow)
	}

	if m.kind == core.DoublePush {
		s.corrections += (targets & s.besideWest).Len() + (targets & s.besideEast).Len()
	}
	for x := targets & (s.pins[m.piece&7] | s.pinLines); x != 0; x &= x - 1 {
		s.corrections += s.repin(m, x.First())
	}
	if s.uncoverers&man|s.screens&targets|s.sole&m.attacks != 0 || m.piece == bitboard.King {
		s.correctCover(m, targets)
	}
	return targets
}

// countEach counts the replies to some moves of a source one by one.
func (s *Scratch) countEach(m *source, targets Bitboard) {
	for x := targets; x != 0; x &= x - 1 {
		s.rest += s.countAfter(m.origin(x.First()), x.First(), m.kind)
	}
}

// repin returns what a move onto a line to their king changes by pinning or by freeing a man there.
func (s *Scratch) repin(m *source, to Square) int {
	origin, target := m.origin(to).Bitboard(), to.Bitboard()
	occupancy, us := s.occupancy&^origin|target, s.Us&^origin|target
	line := bitboard.Line(s.theirKing, to)
	pins := s.pins[m.piece&7].Has(to)
	if !s.pinLines.Has(to) {
		man := (bitboard.Between(s.theirKing, to) & occupancy).First()
		free, _ := s.mobility(man, occupancy, us, bitboard.Full)
		pinned, _ := s.mobility(man, occupancy, us, line)
		return pinned - free
	}
	// It steps between a pinner and the king. The pinned man is free, unless the newcomer pins it too.
	man := (line & s.theirPinned & (bitboard.Between(s.theirKing, to) | beyond[s.theirKing&63][to&63])).First()
	allowed := bitboard.Full
	if pins {
		allowed = line
	}
	after, _ := s.mobility(man, occupancy, us, allowed)
	if s.Pawns.Has(man) { // the sums take its moves for a constant
		occupancy, us = s.occupancy, s.Us
	}
	before, _ := s.mobility(man, occupancy, us, line)
	return after - before
}

// evasions returns the replies to a check by the man that arrives on to, which opens no line and changes no pin.
func (s *Scratch) evasions(m *source, to Square) int {
	target := to.Bitboard()
	occupancy := s.occupancy&^m.origin(to).Bitboard() | target

	covered := s.once&^(s.sole&m.attacks) | attacksOf(m.piece, to, occupancy.Without(s.theirKing))
	total := (s.zone & s.ring &^ covered).Len()
	if s.ring&s.Them&target != 0 && s.openAfter(m, to, target) != 0 {
		total++ // their king captures
	}

	helpers := s.Them &^ (target | s.theirPinned)
	total += s.arriving(helpers, to, occupancy)
	captures := (attacks.Pawn(bitboard.White, to) & s.Pawns & helpers).Len()
	if bitboard.Rank1Mask.Has(to) {
		captures *= 4
	}
	total += captures

	between := bitboard.Between(s.theirKing, to)
	if between == 0 {
		return total
	}
	push := s.Pawns & helpers >> 8 &^ occupancy
	double := push & bitboard.Rank6Mask >> 8 & between
	push &= between
	total += push.Len() + double.Len() + 3*(push&bitboard.Rank1Mask).Len()
	for x := between; x != 0; x &= x - 1 {
		total += s.arriving(helpers, x.First(), occupancy)
	}
	return total
}

// arriving returns how many officers among men can go to a square.
func (s *Scratch) arriving(men Bitboard, to Square, occupancy Bitboard) int {
	return (men & (attacks.Knight(to)&s.Knights |
		attacks.Bishop(to, occupancy)&s.Diagonals |
		attacks.Rook(to, occupancy)&s.Orthogonals)).Len()
}

// attacksOf returns what a man of ours of any kind attacks from a square.
func attacksOf(piece bitboard.PieceType, from Square, occupancy Bitboard) Bitboard {
	switch piece {
	case bitboard.Pawn:
		return attacks.Pawn(bitboard.White, from)
	case bitboard.Knight:
		return attacks.Knight(from)
	case bitboard.Bishop:
		return attacks.Bishop(from, occupancy)
	case bitboard.Rook:
		return attacks.Rook(from, occupancy)
	case bitboard.Queen:
		return attacks.Queen(from, occupancy)
	}
	return attacks.King(from)
}
