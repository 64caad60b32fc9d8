package core

import (
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// safety is what the enemy sliders aligned with our king do to us.
type safety struct {
	checkers         Bitboard // sliders that give check
	checkMask        Bitboard // squares that end all of these checks: captures and interpositions
	pinnedDiagonal   Bitboard // lines from the king to a slider that pins a man of ours, the slider
	pinnedOrthogonal Bitboard // included, by the kind of line
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
