package sliders

import (
	"math/bits"

	"github.com/fianchetto-chess/fianchetto/bitboard"
)

type ray func(s bitboard.Square, d bitboard.Direction, occupancy bitboard.Bitboard) bitboard.Bitboard

func (r ray) bishop(s bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard {
	return r.union(s, bitboard.Bishop.Directions(), occupancy)
}

func (r ray) rook(s bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard {
	return r.union(s, bitboard.Rook.Directions(), occupancy)
}

func (r ray) union(s bitboard.Square, directions [4]bitboard.Direction, occupancy bitboard.Bitboard) bitboard.Bitboard {
	var attacks bitboard.Bitboard
	for _, d := range directions {
		attacks |= r(s, d, occupancy)
	}
	return attacks
}

func (r ray) trace(title string) func(*trace) {
	return func(t *trace) {
		for _, d := range t.piece.Directions() {
			t.attacked |= r(t.square, d, t.occupancy)
			t.squares(t.attacked, title, d)
		}
	}
}

// walker steps from square to square with bitboard.Walk. It is the reference for all others.
var walker = Algorithm{
	Name:   "walker",
	Source: "the definition: step by step along each ray, up to and including the first occupied square",
	Bishop: ray(bitboard.Walk).bishop,
	Rook:   ray(bitboard.Walk).rook,
	trace:  ray(bitboard.Walk).trace("one square %v at a time, up to the first piece"),
}

// breadcrumbs sweeps an 8x8 array in the direction of each ray. A ray reaches a square if the
// previous one holds the slider or a breadcrumb. A reached square gets a breadcrumb if it is empty.
// Each direction uses a new array, so that rays cannot follow each other's breadcrumbs.
var breadcrumbs = Algorithm{
	Name:   "breadcrumbs",
	Source: `blog series "Chess in C", part 5 (2013): potential moves of a bishop`,
	Bishop: ray(sweep).bishop,
	Rook:   ray(sweep).rook,
	trace:  ray(sweep).trace("%v: a square gets a breadcrumb if the one before it has one, and no piece stands there"),
}

func sweep(s bitboard.Square, d bitboard.Direction, occupancy bitboard.Bitboard) bitboard.Bitboard {
	var crumbs [8][8]bool // by rank and file; the slider counts as a breadcrumb
	crumbs[s.Rank()][s.File()] = true
	step := vectorOf(d)
	var reached bitboard.Bitboard
	for i := range 8 {
		rank := along(step.y, i)
		for j := range 8 {
			file := along(step.x, j)
			before := point{file - step.x, rank - step.y}
			if before.x&^7 != 0 || before.y&^7 != 0 || !crumbs[before.y][before.x] {
				continue // off the board, or without a breadcrumb
			}
			square := bitboard.SquareAt(bitboard.File(file), bitboard.Rank(rank))
			reached = reached.With(square)
			crumbs[rank][file] = !occupancy.Has(square)
		}
	}
	return reached
}

// along counts backwards from 7 if step is negative.
func along(step, i int) int {
	if step < 0 {
		return 7 - i
	}
	return i
}

// coordinates treats squares as points (file, rank), both 1 to 8: d5 is (4, 5). A bishop's rays are
// the graph of f(x) = x and its reflections, relative to the bishop. A rook's rays are the axes.
var coordinates = Algorithm{
	Name:   "coordinates",
	Source: `article "Finding Bishop Moves": rays as a function and its reflections`,
	Bishop: ray(graph).bishop,
	Rook:   ray(graph).rook,
	trace: ray(graph).trace(
		"%v: (file, rank) plus k times the direction, k = 1, 2, ... up to the first piece or the edge"),
}

// point is a square in (file, rank) coordinates from 1, or the distance between two squares.
type point struct{ x, y int }

func vectorOf(d bitboard.Direction) point {
	const from = bitboard.E4
	to := bitboard.Square(int(from) + int(d))
	return point{int(to.File()) - int(from.File()), int(to.Rank()) - int(from.Rank())}
}

// graph returns the ray as the graph of a function over the distances 1 to 7.
func graph(s bitboard.Square, d bitboard.Direction, occupancy bitboard.Bitboard) bitboard.Bitboard {
	from, step := point{int(s.File()) + 1, int(s.Rank()) + 1}, vectorOf(d)
	var graph bitboard.Bitboard
	for distance := 1; distance <= 7; distance++ {
		to := point{from.x + step.x*distance, from.y + step.y*distance}
		if to.x < 1 || to.x > 8 || to.y < 1 || to.y > 8 {
			break
		}
		square := bitboard.SquareAt(bitboard.File(to.x-1), bitboard.Rank(to.y-1))
		graph = graph.With(square)
		if occupancy.Has(square) {
			break
		}
	}
	return graph
}

// classical finds the first piece on each ray of the empty board by bit scan, as the lowest bit
// upwards and the highest downwards, and removes the ray behind it.
var classical = Algorithm{
	Name:       "classical",
	Source:     "chessprogramming wiki, Classical Approach: https://www.chessprogramming.org/Classical_Approach",
	TableBytes: 8 * 64 * 8,
	Bishop: func(s bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard {
		tablesOnce.Do(fillTables)
		return upwards(&rays[0], s, occupancy) | upwards(&rays[1], s, occupancy) |
			downwards(&rays[2], s, occupancy) | downwards(&rays[3], s, occupancy)
	},
	Rook: func(s bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard {
		tablesOnce.Do(fillTables)
		return upwards(&rays[4], s, occupancy) | upwards(&rays[5], s, occupancy) |
			downwards(&rays[6], s, occupancy) | downwards(&rays[7], s, occupancy)
	},
	trace: func(t *trace) {
		for _, d := range t.piece.Directions() {
			ray, end, scan := bitboard.Walk(t.square, d, bitboard.Empty), bitboard.H8, "lowest"
			if d < 0 {
				end, scan = bitboard.A1, "highest"
			}
			t.squares(ray, "the ray %v on an empty board", d)
			blockers := (ray & t.occupancy).With(end)
			first := blockers.First()
			if d < 0 {
				first = blockers.Last()
			}
			t.squares(blockers, "pieces on it, and %v; the first is the %s bit, %v", end, scan, first)
			t.found(ray^bitboard.Walk(first, d, bitboard.Empty), "the ray without the squares behind %v", first)
		}
	},
}

// rayDirections is the order of the table of rays. The first two of each piece lead upwards.
var rayDirections = [8]bitboard.Direction{
	bitboard.NorthEast, bitboard.NorthWest, bitboard.SouthEast, bitboard.SouthWest,
	bitboard.North, bitboard.East, bitboard.South, bitboard.West,
}

// upwards adds h8 to the pieces on a ray, so that an empty ray needs no branch.
func upwards(ray *[64]bitboard.Bitboard, s bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard {
	first := bits.TrailingZeros64(uint64(ray[s&63]&occupancy | bitboard.H8.Bitboard()))
	return ray[s&63] ^ ray[first&63]
}

func downwards(ray *[64]bitboard.Bitboard, s bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard {
	first := 63 - bits.LeadingZeros64(uint64(ray[s&63]&occupancy|bitboard.A1.Bitboard()))
	return ray[s&63] ^ ray[first&63]
}

// koggeStone floods the empty squares from the slider and doubles the distance at each of three
// steps, as a parallel prefix adder propagates carries. One more step reaches the piece that stops
// the flood. It needs no table and no branch.
var koggeStone = Algorithm{
	Name:   "kogge-stone",
	Source: "chessprogramming wiki, Kogge-Stone Algorithm: https://www.chessprogramming.org/Kogge-Stone_Algorithm",
	Bishop: func(s bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard {
		return floodUp(s, occupancy, 9, notFileA) | floodUp(s, occupancy, 7, notFileH) |
			floodDown(s, occupancy, 9, notFileH) | floodDown(s, occupancy, 7, notFileA)
	},
	Rook: func(s bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard {
		return floodUp(s, occupancy, 8, bitboard.Full) | floodUp(s, occupancy, 1, notFileA) |
			floodDown(s, occupancy, 8, bitboard.Full) | floodDown(s, occupancy, 1, notFileH)
	},
	trace: func(t *trace) {
		for _, d := range t.piece.Directions() {
			arrivals := bitboard.Full.Shift(d)
			flooded, open := t.square.Bitboard(), ^t.occupancy&arrivals
			for distance := 1; distance <= 4; distance *= 2 {
				flooded |= open & shiftBits(flooded, int(d)*distance)
				open &= shiftBits(open, int(d)*distance)
				t.squares(flooded, "flood %v by %d", d, distance)
			}
			t.found(flooded.Shift(d), "one more step %v, onto the first piece if there is one", d)
		}
	},
}

// A step to the east never arrives on the a-file, a step to the west never on the h-file.
const (
	notFileA bitboard.Bitboard = 0xfefefefefefefefe
	notFileH                   = notFileA >> 1
)

func floodUp(s bitboard.Square, occupancy bitboard.Bitboard, step uint, arrivals bitboard.Bitboard) bitboard.Bitboard {
	flooded, open := s.Bitboard(), ^occupancy&arrivals
	flooded |= open & (flooded << step)
	open &= open << step
	flooded |= open & (flooded << (2 * step))
	open &= open << (2 * step)
	flooded |= open & (flooded << (4 * step))
	return flooded << step & arrivals
}

func floodDown(s bitboard.Square, occupancy bitboard.Bitboard, step uint,
	arrivals bitboard.Bitboard) bitboard.Bitboard {
	flooded, open := s.Bitboard(), ^occupancy&arrivals
	flooded |= open & (flooded >> step)
	open &= open >> step
	flooded |= open & (flooded >> (2 * step))
	open &= open >> (2 * step)
	flooded |= open & (flooded >> (4 * step))
	return flooded >> step & arrivals
}

func shiftBits(b bitboard.Bitboard, by int) bitboard.Bitboard {
	if by < 0 {
		return b >> -by
	}
	return b << by
}
