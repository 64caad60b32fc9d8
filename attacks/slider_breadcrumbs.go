package attacks

import "github.com/fianchetto-chess/fianchetto/bitboard"

// breadcrumbs sweeps an 8x8 array once per direction. A square next to the slider, or next to a
// breadcrumb, on the side the ray comes from is reached by the ray and gets a breadcrumb itself. The
// sweep goes the way the ray goes, for up-left backwards from the last cell to the first, so that
// the neighbour is always dealt with before the square that asks for it.
//
// The text works out up-left for a lone bishop. Here are all four diagonals, and the rook's four
// directions by the same rule, and two things it leaves open. Other pieces stop the ray: an occupied square is
// reached but gets no breadcrumb. And each direction has breadcrumbs of its own: with one array for all,
// a breadcrumb of up-right would be taken for one of up-left by the square to its upper left.
var breadcrumbs = Algorithm{
	Name:   "breadcrumbs",
	Source: `blog series "Chess in C", part 5 (2013): potential moves of a bishop`,
	Bishop: func(s bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard {
		return sweep(s, occupancy, -1, -1) | sweep(s, occupancy, -1, +1) |
			sweep(s, occupancy, +1, -1) | sweep(s, occupancy, +1, +1)
	},
	Rook: func(s bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard {
		return sweep(s, occupancy, -1, 0) | sweep(s, occupancy, +1, 0) |
			sweep(s, occupancy, 0, -1) | sweep(s, occupancy, 0, +1)
	},
}

// A cell of the array. Row 0 is at the top, the eighth rank; column 0 is the a-file.
type cell uint8

const (
	emptyCell cell = iota
	pieceCell
	sliderCell
	crumbCell
)

type cells [8][8]cell

// sweep returns the ray from s that goes down rows and right columns at each step, each -1, 0 or +1.
func sweep(s bitboard.Square, occupancy bitboard.Bitboard, down, right int) bitboard.Bitboard {
	board := layOut(s, occupancy)
	var reached bitboard.Bitboard
	for i := range 8 {
		row := along(down, i)
		for j := range 8 {
			column := along(right, j)
			if !board.feeds(row-down, column-right) {
				continue
			}
			reached = reached.With(squareOfCell(row, column))
			if board[row][column] == emptyCell {
				board[row][column] = crumbCell
			}
		}
	}
	return reached
}

// layOut puts the pieces of an occupancy and a slider on s, which may be in it or not, into the array.
func layOut(s bitboard.Square, occupancy bitboard.Bitboard) *cells {
	var board cells
	for row := range 8 {
		for column := range 8 {
			switch square := squareOfCell(row, column); {
			case square == s:
				board[row][column] = sliderCell
			case occupancy.Has(square):
				board[row][column] = pieceCell
			}
		}
	}
	return &board
}

// along returns the i-th of eight indices in the order of a step, backwards if it is negative.
func along(step, i int) int {
	if step < 0 {
		return 7 - i
	}
	return i
}

// feeds reports whether a cell is on the board and holds the slider or a breadcrumb.
func (c *cells) feeds(row, column int) bool {
	if row < 0 || row > 7 || column < 0 || column > 7 {
		return false
	}
	return c[row][column] == sliderCell || c[row][column] == crumbCell
}

func squareOfCell(row, column int) bitboard.Square {
	return bitboard.SquareAt(bitboard.File(column), bitboard.Rank(7-row))
}
