package attacks

import (
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/debug"
)

var (
	knights = leaps(func(b bitboard.Bitboard) bitboard.Bitboard {
		beside, beyond := b.Shift(bitboard.East)|b.Shift(bitboard.West), b.Shift(bitboard.North)|b.Shift(bitboard.South)
		return jump(beside, bitboard.North, bitboard.South) | jump(beyond, bitboard.East, bitboard.West)
	})
	kings = leaps(func(b bitboard.Bitboard) bitboard.Bitboard {
		row := b | b.Shift(bitboard.East) | b.Shift(bitboard.West)
		return (row | row.Shift(bitboard.North) | row.Shift(bitboard.South)) &^ b
	})
	pawns = [2][64]bitboard.Bitboard{
		bitboard.White: leaps(func(b bitboard.Bitboard) bitboard.Bitboard { return PawnAttacks(bitboard.White, b) }),
		bitboard.Black: leaps(func(b bitboard.Bitboard) bitboard.Bitboard { return PawnAttacks(bitboard.Black, b) }),
	}
)

// leaps tabulates a set-wise attack for each single square.
func leaps(attack func(bitboard.Bitboard) bitboard.Bitboard) (table [64]bitboard.Bitboard) {
	for s := range table {
		table[s] = attack(bitboard.Square(s).Bitboard())
	}
	return table
}

// jump moves a set two steps in each of two directions.
func jump(b bitboard.Bitboard, directions ...bitboard.Direction) bitboard.Bitboard {
	var landed bitboard.Bitboard
	for _, d := range directions {
		landed |= b.Shift(d).Shift(d)
	}
	return landed
}

// Knight returns the squares a knight on s attacks; s is 0..63.
// Source: https://www.chessprogramming.org/Knight_Pattern
func Knight(s bitboard.Square) bitboard.Bitboard {
	if debug.Enabled {
		debug.Squares("attacks.Knight", s)
	}
	return knights[s&63]
}

// King returns the squares a king on s attacks; s is 0..63.
// Source: https://www.chessprogramming.org/King_Pattern
func King(s bitboard.Square) bitboard.Bitboard {
	if debug.Enabled {
		debug.Squares("attacks.King", s)
	}
	return kings[s&63]
}

// Pawn returns the squares a pawn of colour c on s attacks, whether or not a capture is there; s is 0..63.
// Source: https://www.chessprogramming.org/Pawn_Attacks_(Bitboards)
func Pawn(c bitboard.Color, s bitboard.Square) bitboard.Bitboard {
	if debug.Enabled {
		debug.Squares("attacks.Pawn", s)
	}
	return pawns[c&1][s&63]
}
