package core

import (
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// safety is what the enemy men that attack our king, or would if ours were away, do to us.
type safety struct {
	checkers         Bitboard // men that give check
	checkMask        Bitboard // squares that end all of these checks, by a capture or between; all without a check
	pinnedDiagonal   Bitboard // lines from the king to a slider that pins a man of ours, the slider
	pinnedOrthogonal Bitboard // included, by the kind of line
}

// isDouble reports whether two men or more give check, so that only the king may move.
func (s *safety) isDouble() bool { return s.checkers&(s.checkers-1) != 0 }

// bishopTargets returns what a bishop of ours attacks that is not pinned on a rank or file: if it is pinned, on its line.
func (s *safety) bishopTargets(from Square, occupancy Bitboard) Bitboard {
	to := attacks.Bishop(from, occupancy)
	if s.pinnedDiagonal.Has(from) {
		to &= s.pinnedDiagonal
	}
	return to
}

// rookTargets returns what a rook of ours attacks that is not pinned on a diagonal: if it is pinned, on its line.
func (s *safety) rookTargets(from Square, occupancy Bitboard) Bitboard {
	to := attacks.Rook(from, occupancy)
	if s.pinnedOrthogonal.Has(from) {
		to &= s.pinnedOrthogonal
	}
	return to
}

// queenTargets returns what a queen of ours attacks, if it is pinned on its line.
func (s *safety) queenTargets(from Square, occupancy Bitboard) Bitboard {
	switch {
	case s.pinnedDiagonal.Has(from):
		return attacks.Bishop(from, occupancy) & s.pinnedDiagonal
	case s.pinnedOrthogonal.Has(from):
		return attacks.Rook(from, occupancy) & s.pinnedOrthogonal
	}
	return attacks.Queen(from, occupancy)
}

// alongLines follows each sniper's line to the king: with no man of ours between it gives check, with one
// it pins that man. A sniper is an enemy slider that sees the king through our men alone.
func alongLines(king Square, us, diagonalSnipers, orthogonalSnipers Bitboard) safety {
	s := safety{checkMask: bitboard.Full}
	for x := diagonalSnipers; x != 0; x &= x - 1 {
		line := bitboard.Between(king, x.First()) | x&-x
		if blockers := line & us; blockers == 0 {
			s.checkers |= x & -x
			s.checkMask &= line
		} else if blockers&(blockers-1) == 0 {
			s.pinnedDiagonal |= line
		}
	}
	for x := orthogonalSnipers; x != 0; x &= x - 1 {
		line := bitboard.Between(king, x.First()) | x&-x
		if blockers := line & us; blockers == 0 {
			s.checkers |= x & -x
			s.checkMask &= line
		} else if blockers&(blockers-1) == 0 {
			s.pinnedOrthogonal |= line
		}
	}
	return s
}

// safe returns the squares of wanted that no enemy man attacks. The occupancy is without our king, so
// that it cannot hide behind itself; only the men in their zones are looked at.
func safe(wanted Bitboard, z *zones, them, pawns, knights, diagonals, orthogonals, occupancy Bitboard) Bitboard {
	attackers := pawns & them
	wanted &^= (attackers&^bitboard.FileAMask)>>9 | (attackers&^bitboard.FileHMask)>>7
	if king := them &^ (pawns | knights | diagonals | orthogonals); king&z.kings != 0 {
		wanted &^= attacks.King(king.First())
	}
	for x := knights & them & z.knights; x != 0; {
		s := x.First()
		x &= x - 1
		wanted &^= attacks.Knight(s)
	}
	for x := diagonals & them & z.diagonals; x != 0; {
		s := x.First()
		x &= x - 1
		wanted &^= attacks.Bishop(s, occupancy)
	}
	for x := orthogonals & them & z.orthogonals; x != 0; {
		s := x.First()
		x &= x - 1
		wanted &^= attacks.Rook(s, occupancy)
	}
	return wanted
}
