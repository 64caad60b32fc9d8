package twoply

import (
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/core"
)

// correct corrects what the sums get wrong about the moves of a source. It makes those that it cannot correct, and returns the
// targets of the others, which the sums count.
func (s *Scratch) correct(m *source) Bitboard {
	mover := m.mover()
	if s.madeOrigins&mover != 0 {
		s.countEach(m, m.targets)
		return 0
	}
	checks := s.checks[m.piece&7]
	made := m.targets & (s.madeTargets | checks)
	if s.corrected&mover != 0 {
		made |= s.correctLeaving(m.from, m.targets, made)
	}
	targets := m.targets &^ made

	if made != 0 {
		// A check that changes no line and no pin is pure: the evasions are found without making it.
		if m.kind <= core.QueenMove && mover&(s.pinBlockers|s.attackBlockers) == 0 {
			pure := made & checks &^ (s.madeTargets | s.pinLines | s.interpositions&^s.Them)
			if s.pinners&mover != 0 { // unless the pinner captures the piece that it pins
				pure &= s.theirPinned & bitboard.Line(s.theirKing, m.from)
			}
			made &^= pure
			for x := pure; x != 0; x &= x - 1 {
				s.rest += s.evasions(m, x.First())
			}
		}
		s.countEach(m, made)
	}

	if m.kind == core.DoublePush {
		s.corrections += (targets & s.enPassantWest).Len() + (targets & s.enPassantEast).Len()
	}
	for x := targets & (s.pins[m.piece&7] | s.pinLines); x != 0; x &= x - 1 {
		s.corrections += s.repin(m, x.First())
	}
	if s.attackBlockers&mover|s.interpositions&targets|s.attackedOnce&m.attacks != 0 || m.piece == bitboard.King {
		s.correctKingReplies(m, targets)
	}
	return targets
}

// countEach makes some moves of a source one by one and counts the replies.
func (s *Scratch) countEach(m *source, targets Bitboard) {
	for x := targets; x != 0; x &= x - 1 {
		s.rest += s.countAfter(m.origin(x.First()), x.First(), m.kind)
	}
}

// repin returns what a move onto a line to their king changes by pinning or unpinning a piece of theirs.
func (s *Scratch) repin(m *source, to Square) int {
	origin, target := m.origin(to).Bitboard(), to.Bitboard()
	occupancy, us := s.occupancy&^origin|target, s.Us&^origin|target
	line := bitboard.Line(s.theirKing, to)
	pins := s.pins[m.piece&7].Has(to)
	if !s.pinLines.Has(to) {
		piece := (bitboard.Between(s.theirKing, to) & occupancy).First()
		free, _ := s.mobility(piece, occupancy, us, bitboard.Full)
		pinned, _ := s.mobility(piece, occupancy, us, line)
		return pinned - free
	}
	// The moved piece stands between a pinner and their king. That unpins the pinned piece, unless the moved piece pins it, too.
	piece := (line & s.theirPinned & (bitboard.Between(s.theirKing, to) | beyond[s.theirKing&63][to&63])).First()
	allowed := bitboard.Full
	if pins {
		allowed = line
	}
	after, _ := s.mobility(piece, occupancy, us, allowed)
	if s.Pawns.Has(piece) { // the sums take its moves for a constant
		occupancy, us = s.occupancy, s.Us
	}
	before, _ := s.mobility(piece, occupancy, us, line)
	return after - before
}

// evasions returns the replies to a pure check by the piece that arrives on to.
func (s *Scratch) evasions(m *source, to Square) int {
	target := to.Bitboard()
	occupancy := s.occupancy&^m.origin(to).Bitboard() | target

	attacked := s.attacked&^(s.attackedOnce&m.attacks) | attacksOf(m.piece, to, occupancy.Without(s.theirKing))
	total := (s.kingTargets & s.kingAttacks &^ attacked).Len()
	if s.kingAttacks&s.Them&target != 0 && s.safeAfter(m, to, target) != 0 {
		total++ // their king captures
	}

	others := s.Them &^ (target | s.theirPinned)
	total += s.arriving(others, to, occupancy)
	captures := (attacks.Pawn(bitboard.White, to) & s.Pawns & others).Len()
	if bitboard.Rank1Mask.Has(to) {
		captures *= 4
	}
	total += captures

	between := bitboard.Between(s.theirKing, to)
	if between == 0 {
		return total
	}
	push := s.Pawns & others >> 8 &^ occupancy
	double := push & bitboard.Rank6Mask >> 8 & between
	push &= between
	total += push.Len() + double.Len() + 3*(push&bitboard.Rank1Mask).Len()
	for x := between; x != 0; x &= x - 1 {
		total += s.arriving(others, x.First(), occupancy)
	}
	return total
}

// arriving returns how many of some pieces, other than pawns and kings, can go to a square.
func (s *Scratch) arriving(pieces Bitboard, to Square, occupancy Bitboard) int {
	return (pieces & (attacks.Knight(to)&s.Knights |
		attacks.Bishop(to, occupancy)&s.Diagonals |
		attacks.Rook(to, occupancy)&s.Orthogonals)).Len()
}

// attacksOf returns what a piece of ours attacks from a square.
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
