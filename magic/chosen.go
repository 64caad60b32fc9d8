package magic

import "github.com/fianchetto-chess/fianchetto/bitboard"

// A chosenNumber is a row of the generated file numbers.go.
type chosenNumber struct {
	factor uint64
	start  int // of its window in the table; 0 for variable shifts, whose users lay out tables of their own
	tries  int // candidates that the search looked at
}

// Numbers returns the 128 chosen numbers of the default lookup: the bishop's from a1 to h8, then the
// rook's. Bishops shift by 55 and rooks by 52 on every square. Their windows overlap in one
// table, in each other's holes.
func Numbers() []Magic { return list(&fixedNumbers, fixedShift) }

// VariableNumbers returns 128 numbers, in the order of [Numbers], that shift on each square by 64 minus the number of relevant
// squares, for tables of their own.
// Source: chessprogramming wiki, Magic Bitboards, "Fancy".
func VariableNumbers() []Magic { return list(&variableNumbers, variableShift) }

// Of 128 rows the first 64 are the bishop's, the others the rook's, each from a1 to h8.
func pieceAt(row int) bitboard.PieceType {
	if row < 64 {
		return bitboard.Bishop
	}
	return bitboard.Rook
}

func squareAt(row int) bitboard.Square { return bitboard.Square(row & 63) }

func list(numbers *[128]chosenNumber, shift func(bitboard.PieceType, bitboard.Square) uint8) []Magic {
	all := make([]Magic, 128)
	for i, n := range numbers {
		pt, s := pieceAt(i), squareAt(i)
		all[i] = Magic{Piece: pt, Square: s, Mask: Mask(pt, s), Factor: n.factor, Shift: shift(pt, s), Start: n.start, Tries: n.tries}
	}
	return all
}
