package twoply

import (
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// replies is their replies to a null move, and what a piece of ours that arrives on a square changes about them.
type replies struct {
	nullReplies int // the number of their replies to a null move; addPieces adds those of the king

	danger            Bitboard // the squares they attack
	attackedBySliders Bitboard // our pieces that an unpinned slider of theirs attacks, or a pinned one along its line

	// How many moves they lose by a piece of ours on a square, what is beyond 15 in sixteens, and how many they gain.
	// Pieces reach a square along eight lines and from eight knight's squares. If a move of ours comes from one of these
	// 16, their pieces gain 15 captures at most; the gain of other squares is not used.
	loss, lossSixteens, gain counter

	freePawns              Bitboard // their pawns that are not pinned, and what these attack, towards
	attackWest, attackEast Bitboard // the a-file and the h-file
	attackedByPawns        Bitboard // our pieces that they attack
	blockingPawns          Bitboard // our pieces that block their pushes
}

// countReplies counts the moves of their pieces, one by one except for the pawns.
func (s *Scratch) countReplies() {
	us, them, occupancy, king, pinned := s.Us, s.Them, s.occupancy, s.theirKing, s.theirPinned
	var loss, lossSixteens, gain counter
	var carry, more, attackedBySliders, danger Bitboard
	nullReplies := 0

	for x := s.Diagonals & them; x != 0; {
		q := x.First()
		x &= x - 1
		attack := attacks.Bishop(q, occupancy)
		danger |= attack
		if pinned.Has(q) {
			attack &= bitboard.Line(king, q)
		}
		attackedBySliders |= attack
		gain, _ = gain.plus(attack & them)
		if free := attack &^ them; free != 0 {
			nullReplies += free.Len()
			loss, carry = loss.plusThreeBits(shadow(bitboard.DiagonalLine, q, free))
			loss, more = loss.plusThreeBits(shadow(bitboard.AntiDiagonalLine, q, free))
			if carry|more != 0 {
				lossSixteens, _ = lossSixteens.plusThreeBits(carry^more, carry&more, 0)
			}
		}
	}
	for x := s.Orthogonals & them; x != 0; {
		q := x.First()
		x &= x - 1
		attack := attacks.Rook(q, occupancy)
		danger |= attack
		if pinned.Has(q) {
			attack &= bitboard.Line(king, q)
		}
		attackedBySliders |= attack
		gain, _ = gain.plus(attack & them)
		if free := attack &^ them; free != 0 {
			nullReplies += free.Len()
			loss, carry = loss.plusThreeBits(shadow(bitboard.RankLine, q, free))
			loss, more = loss.plusThreeBits(shadow(bitboard.FileLine, q, free))
			if carry|more != 0 {
				lossSixteens, _ = lossSixteens.plusThreeBits(carry^more, carry&more, 0)
			}
		}
	}
	for x := s.Knights & them; x != 0; {
		q := x.First()
		x &= x - 1
		attack := attacks.Knight(q)
		danger |= attack
		if pinned.Has(q) {
			continue
		}
		mobility := (attack &^ them).Len()
		nullReplies += mobility
		loss, _ = loss.plusCounter(single(q, mobility))
		gain, _ = gain.plus(attack & them)
	}

	s.nullReplies, s.danger, s.attackedBySliders = nullReplies, danger, attackedBySliders&us
	s.loss, s.lossSixteens, s.gain = loss, lossSixteens, gain
	s.countPawnReplies()
}

// countPawnReplies counts the moves of their pawns, and adds the squares that their pawns and king attack.
func (s *Scratch) countPawnReplies() {
	us, occupancy := s.Us, s.occupancy
	loss, gain := s.loss, s.gain
	pawns := s.Pawns & s.Them
	s.danger |= pawns&^bitboard.FileAMask>>9 | pawns&^bitboard.FileHMask>>7 | attacks.King(s.theirKing)

	// The sums take a pinned pawn's moves for a constant: repin and unpin correct what changes them, or the move is made.
	for x := pawns & s.theirPinned; x != 0; x &= x - 1 {
		q := x.First()
		mobility := s.pawnMobility(q, occupancy, us, bitboard.Line(s.theirKing, q))
		s.nullReplies += mobility
		loss, _ = loss.plusCounter(single(q, mobility))
	}
	pawns &^= s.theirPinned

	const promotion = bitboard.Rank1Mask // there a pawn's move counts four times
	push := pawns >> 8
	double := push &^ occupancy & bitboard.Rank6Mask >> 8
	west, east := pawns&^bitboard.FileAMask>>9, pawns&^bitboard.FileHMask>>7
	s.freePawns, s.attackWest, s.attackEast = pawns, west, east
	s.attackedByPawns, s.blockingPawns = (west|east)&us, (push|double)&us

	// A piece of ours that arrives where a push ends takes that push and the double push behind it; one that captures the pawn, too.
	push, double = push&^occupancy, double&^occupancy
	first := double << 8 // pushes with a double push behind them
	ones, twos, fours := push&^promotion&^first, first, push&promotion
	loss, carry := loss.plusThreeBits(ones|ones<<8|double, twos|twos<<8, fours|fours<<8)
	if carry != 0 {
		s.lossSixteens, _ = s.lossSixteens.plus(carry)
	}
	gain, _ = gain.plusThreeBits(west&^promotion, 0, west&promotion)
	gain, _ = gain.plusThreeBits(east&^promotion, 0, east&promotion)
	west, east = west&us, east&us
	if west|east != 0 {
		loss, _ = loss.plusThreeBits(west&^promotion<<9, 0, west&promotion<<9)
		loss, _ = loss.plusThreeBits(east&^promotion<<7, 0, east&promotion<<7)
	}
	s.loss, s.gain = loss, gain

	// Pushes, captures to one side and double pushes, moved three ranks, share no square: one population count is enough.
	s.nullReplies += (push | west | double<<24).Len() + east.Len()
	if (push|west|east)&promotion != 0 {
		s.nullReplies += 3 * (((push | west) & promotion).Len() + (east & promotion).Len())
	}
}

// pawnMobility returns the number of moves of a pawn of theirs to the squares of allowed.
func (s *Scratch) pawnMobility(q Square, occupancy, us, allowed Bitboard) int {
	push := q.Bitboard() >> 8 &^ occupancy
	moves := (push | push&bitboard.Rank6Mask>>8&^occupancy | attacks.Pawn(bitboard.Black, q)&us) & allowed
	return moves.Len() + 3*(moves&bitboard.Rank1Mask).Len()
}

// mobility returns the number of moves of a piece of theirs, which is not the king, to the squares of allowed, and the
// squares on which a piece of ours would change it.
func (s *Scratch) mobility(q Square, occupancy, us, allowed Bitboard) (int, Bitboard) {
	switch {
	case s.Pawns.Has(q):
		one := q.Bitboard()
		return s.pawnMobility(q, occupancy, us, allowed), one>>8 | one>>16 | attacks.Pawn(bitboard.Black, q)
	case s.Knights.Has(q):
		attack := attacks.Knight(q)
		return (attack & allowed &^ (occupancy &^ us)).Len(), attack
	}
	attack := s.sliderAttacks(q, occupancy)
	return (attack & allowed &^ (occupancy &^ us)).Len(), attack
}

// sliderAttacks returns the squares that the slider on q attacks; a knight, a pawn or a king has none.
func (s *Scratch) sliderAttacks(q Square, occupancy Bitboard) Bitboard {
	var attack Bitboard
	if s.Diagonals.Has(q) {
		attack = attacks.Bishop(q, occupancy)
	}
	if s.Orthogonals.Has(q) {
		attack |= attacks.Rook(q, occupancy)
	}
	return attack
}
