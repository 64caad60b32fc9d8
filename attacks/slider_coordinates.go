package attacks

import "github.com/fianchetto-chess/fianchetto/bitboard"

// coordinates treats squares as points (x, y) = (file, rank), a1 = (1, 1), d5 = (4, 5), h8 = (8, 8),
// and a bishop's rays as the graph of f(x) = x and its reflections: y = f(x) and y = -f(x) to the
// right, y = f(-x) and y = -f(-x) to the left, all relative to where the bishop stands, cut at the edge.
// The rook's rays are the axes instead.
//
// In the article a coordinate is valid from 1 to 7, which loses the h-file and the eighth rank, and
// d5 is both [5,4] and [4,5]; here it is 1 to 8 and (file, rank). f is defined and called for the
// distances 1..7 only. Rays end at the first occupied square, which the article does not treat.
var coordinates = Algorithm{
	Name:   "coordinates",
	Source: `article "Finding Bishop Moves": rays as a function and its reflections`,
	Bishop: func(s bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard {
		return reflections(s, occupancy, 8)
	},
	Rook: func(s bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard {
		return axes(s, occupancy, 8)
	},
}

// A point is a square in (file, rank) coordinates that start at 1, or a distance between two.
type point struct{ x, y int }

// f is the function whose graph is the diagonal, for x from 1 to 7.
func f(x int) int { return x }

// reflections returns the four diagonal rays; last is the largest valid coordinate.
func reflections(s bitboard.Square, occupancy bitboard.Bitboard, last int) bitboard.Bitboard {
	return trace(s, occupancy, last, func(x int) point { return point{+x, +f(x)} }) | // y = f(x)
		trace(s, occupancy, last, func(x int) point { return point{-x, +f(x)} }) | // y = f(-x)
		trace(s, occupancy, last, func(x int) point { return point{+x, -f(x)} }) | // y = -f(x)
		trace(s, occupancy, last, func(x int) point { return point{-x, -f(x)} }) // y = -f(-x)
}

// axes returns the four rays along file and rank; last is the largest valid coordinate.
func axes(s bitboard.Square, occupancy bitboard.Bitboard, last int) bitboard.Bitboard {
	return trace(s, occupancy, last, func(x int) point { return point{+x, 0} }) |
		trace(s, occupancy, last, func(x int) point { return point{-x, 0} }) |
		trace(s, occupancy, last, func(y int) point { return point{0, +y} }) |
		trace(s, occupancy, last, func(y int) point { return point{0, -y} })
}

// trace adds the moves of a ray at distances 1 to 7 to where s is, until one leads off the board or onto a piece.
func trace(s bitboard.Square, occupancy bitboard.Bitboard, last int, move func(distance int) point) bitboard.Bitboard {
	from := point{int(s.File()) + 1, int(s.Rank()) + 1}
	var ray bitboard.Bitboard
	for distance := 1; distance <= 7; distance++ {
		m := move(distance)
		to := point{from.x + m.x, from.y + m.y}
		if to.x < 1 || to.x > last || to.y < 1 || to.y > last {
			break
		}
		square := bitboard.SquareAt(bitboard.File(to.x-1), bitboard.Rank(to.y-1))
		ray = ray.With(square)
		if occupancy.Has(square) {
			break
		}
	}
	return ray
}
