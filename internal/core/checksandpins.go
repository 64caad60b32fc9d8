package core

import (
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// checksAndPins is how the enemy pieces that attack our king, or would if one of ours were away, restrict our pieces.
type checksAndPins struct {
	checkers         Bitboard // pieces that give check
	checkMask        Bitboard // squares that end all of these checks, by a capture or between; all without a check
	pinnedDiagonal   Bitboard // lines from the king to a slider that pins a piece of ours, the slider
	pinnedOrthogonal Bitboard // included, by the kind of line
}

// checksAndPins finds what gives check and what is pinned. A sniper is an enemy slider in line with our king: with
// nothing between them it gives check, with one piece of ours it pins that piece.
func (k *kingLookup) checksAndPins(us, them, pawns, knights, diagonals, orthogonals Bitboard) checksAndPins {
	occupancy := us | them
	c := checksAndPins{checkers: (k.knights&knights | k.pawns&pawns) & them, checkMask: bitboard.Full}
	if c.checkers != 0 {
		c.checkMask = c.checkers
	}
	for x := k.diagonals & diagonals & them; x != 0; x &= x - 1 {
		between := bitboard.Between(k.square, x.First())
		switch blockers := between & occupancy; {
		case blockers == 0:
			c.checkers |= x & -x
			c.checkMask &= between | x&-x
		case blockers&us != 0 && blockers&(blockers-1) == 0:
			c.pinnedDiagonal |= between | x&-x
		}
	}
	for x := k.orthogonals & orthogonals & them; x != 0; x &= x - 1 {
		between := bitboard.Between(k.square, x.First())
		switch blockers := between & occupancy; {
		case blockers == 0:
			c.checkers |= x & -x
			c.checkMask &= between | x&-x
		case blockers&us != 0 && blockers&(blockers-1) == 0:
			c.pinnedOrthogonal |= between | x&-x
		}
	}
	return c
}

// isDoubleCheck reports whether two pieces or more give check, so that only the king may move.
func (c *checksAndPins) isDoubleCheck() bool { return c.checkers&(c.checkers-1) != 0 }

// bishopTargets returns what a bishop of ours attacks that is not pinned on a rank or file: if it is pinned, on its line.
func (c *checksAndPins) bishopTargets(from Square, occupancy Bitboard) Bitboard {
	to := attacks.Bishop(from, occupancy)
	if c.pinnedDiagonal.Has(from) {
		to &= c.pinnedDiagonal
	}
	return to
}

// rookTargets returns what a rook of ours attacks that is not pinned on a diagonal: if it is pinned, on its line.
func (c *checksAndPins) rookTargets(from Square, occupancy Bitboard) Bitboard {
	to := attacks.Rook(from, occupancy)
	if c.pinnedOrthogonal.Has(from) {
		to &= c.pinnedOrthogonal
	}
	return to
}

// queenTargets returns what a queen of ours attacks, if it is pinned on its line.
func (c *checksAndPins) queenTargets(from Square, occupancy Bitboard) Bitboard {
	switch {
	case c.pinnedDiagonal.Has(from):
		return attacks.Bishop(from, occupancy) & c.pinnedDiagonal
	case c.pinnedOrthogonal.Has(from):
		return attacks.Rook(from, occupancy) & c.pinnedOrthogonal
	}
	return attacks.Queen(from, occupancy)
}
