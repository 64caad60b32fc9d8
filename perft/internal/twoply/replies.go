package twoply

import (
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// replies is what they could do if we passed, and what a man of ours arriving on a square changes about it.
type replies struct {
	passed int // the number of their moves if we passed, the king's aside

	danger Bitboard // the squares they attack
	seen   Bitboard // our men that an unpinned slider of theirs attacks, or a pinned one along its line

	// How many moves they lose by a man of ours on a square, what is beyond 15 in sixteens, and how many they gain.
	// A square has eight lines and eight knight's leaps: where one of them is ours, their men gain 15 captures at most,
	// and where none is, no move of ours asks.
	loss, lossSixteens, gain counter

	freePawns              Bitboard // their pawns that are not pinned, and what these attack, towards
	attackWest, attackEast Bitboard // the a-file and the h-file
	attacked               Bitboard // our men that they attack
	blocking               Bitboard // our men that stand in the way of their pushes
}

// countReplies looks at their men, one by one but for the pawns.
func (s *Scratch) countReplies() {
	us, them, occupancy, king, pinned := s.Us, s.Them, s.occupancy, s.theirKing, s.theirPinned
	var loss, lossSixteens, gain counter
	var carry, more, seen, danger Bitboard
	passed := 0

	for x := s.Diagonals & them; x != 0; {
		q := x.First()
		x &= x - 1
		attack := attacks.Bishop(q, occupancy)
		danger |= attack
		if pinned.Has(q) {
			attack &= bitboard.Line(king, q)
		}
		seen |= attack
		gain, _ = gain.plus(attack & them)
		if free := attack &^ them; free != 0 {
			passed += free.Len()
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
		seen |= attack
		gain, _ = gain.plus(attack & them)
		if free := attack &^ them; free != 0 {
			passed += free.Len()
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
		passed += mobility
		loss, _ = loss.plusCounter(single(q, mobility))
		gain, _ = gain.plus(attack & them)
	}

	s.passed, s.danger, s.seen = passed, danger, seen&us
	s.loss, s.lossSixteens, s.gain = loss, lossSixteens, gain
	s.countPawnReplies()
}

// countPawnReplies looks at their pawns, and at the squares their king attacks.
func (s *Scratch) countPawnReplies() {
	us, occupancy := s.Us, s.occupancy
	loss, gain := s.loss, s.gain
	pawns := s.Pawns & s.Them
	s.danger |= pawns&^bitboard.FileAMask>>9 | pawns&^bitboard.FileHMask>>7 | attacks.King(s.theirKing)

	// A pinned pawn's moves are a constant: only slow moves and those that a correction knows about change them.
	for x := pawns & s.theirPinned; x != 0; x &= x - 1 {
		q := x.First()
		mobility := s.pawnMobility(q, occupancy, us, bitboard.Line(s.theirKing, q))
		s.passed += mobility
		loss, _ = loss.plusCounter(single(q, mobility))
	}
	pawns &^= s.theirPinned

	const promotion = bitboard.Rank1Mask // there a pawn's move counts four times
	push := pawns >> 8
	double := push &^ occupancy & bitboard.Rank6Mask >> 8
	west, east := pawns&^bitboard.FileAMask>>9, pawns&^bitboard.FileHMask>>7
	s.freePawns, s.attackWest, s.attackEast = pawns, west, east
	s.attacked, s.blocking = (west|east)&us, (push|double)&us

	// A push is lost where it ends, with the double push behind it, and just as much with the pawn itself.
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

	// Pushes, captures to one side and double pushes moved out of their way never meet: one count does.
	s.passed += (push | west | double<<24).Len() + east.Len()
	if (push|west|east)&promotion != 0 {
		s.passed += 3 * (((push | west) & promotion).Len() + (east & promotion).Len())
	}
}

// pawnMobility returns the number of moves of a pawn of theirs, if only those to allowed are.
func (s *Scratch) pawnMobility(q Square, occupancy, us, allowed Bitboard) int {
	push := q.Bitboard() >> 8 &^ occupancy
	moves := (push | push&bitboard.Rank6Mask>>8&^occupancy | attacks.Pawn(bitboard.Black, q)&us) & allowed
	return moves.Len() + 3*(moves&bitboard.Rank1Mask).Len()
}

// mobility returns the number of moves of any man of theirs but the king among such men, if only those
// to allowed are, and the squares on which a man of ours would change it.
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
