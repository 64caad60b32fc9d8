package magic

import "github.com/fianchetto-chess/fianchetto/bitboard"

// A chosenNumber is a row of the generated file numbers.go.
type chosenNumber struct {
	factor uint64
	start  int // of its window in the table; 0 for variable shifts, whose users lay out tables of their own
	tries  int // candidates that the search looked at
}

// Numbers returns the 128 chosen numbers of the default lookup: the bishop's from a1 to h8, then the
// rook's. Bishops shift by 55 and rooks by 52 on every square.
func Numbers() []Magic {
	return list(func(i int) Magic { return chosenWindow(i).Magic })
}

// Windows returns the [Numbers] with their places in the table of the default lookup.
func Windows() []Window { return list(chosenWindow) }

// VariableNumbers returns 128 numbers, in the order of [Numbers], that shift on each square by its own
// [VariableShift].
func VariableNumbers() []Magic {
	return list(func(i int) Magic {
		m := Magic{Piece: pieceAt(i), Square: squareAt(i), Factor: variableNumbers[i].factor, Tries: variableNumbers[i].tries}
		m.Mask, m.Shift = Mask(m.Piece, m.Square), VariableShift(m.Piece, m.Square)
		return m
	})
}

// Of 128 rows the first 64 are the bishop's, the others the rook's, each from a1 to h8.
func pieceAt(row int) bitboard.PieceType {
	if row < 64 {
		return bitboard.Bishop
	}
	return bitboard.Rook
}

func squareAt(row int) bitboard.Square { return bitboard.Square(row & 63) }

func list[T any](row func(int) T) []T {
	all := make([]T, 128)
	for i := range all {
		all[i] = row(i)
	}
	return all
}

func chosenWindow(row int) Window {
	m := Magic{Piece: pieceAt(row), Square: squareAt(row), Factor: fixedNumbers[row].factor, Tries: fixedNumbers[row].tries}
	m.Mask, m.Shift = Mask(m.Piece, m.Square), fixedShift(m.Piece)
	return Window{m, fixedNumbers[row].start}
}
