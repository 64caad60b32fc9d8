package sliders

import (
	"fmt"
	"math/bits"
	"sync"

	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// The small tables of several algorithms are filled together on first use.
var (
	tablesOnce sync.Once

	lines        [64][4]bitboard.Bitboard // without the square, by square and bitboard.LineKind
	rays         [8][64]bitboard.Bitboard // on an empty board, by the index in rayDirections and square
	firstRank    [8][64]uint8             // first-rank attacks by file and occupancy of files b to g
	rankFills    [8][64]bitboard.Bitboard // the same attacks on all ranks
	aFileAttacks [8][64]bitboard.Bitboard // a-file attacks by rank and gathered occupancy
)

const linesBytes = 64 * 4 * 8

func fillTables() {
	for s := range bitboard.NoSquare {
		for k := range bitboard.AntiDiagonalLine + 1 {
			lines[s][k] = k.Through(s).Without(s)
		}
		for i, d := range rayDirections {
			rays[i][s] = bitboard.Walk(s, d, bitboard.Empty)
		}
	}
	for i := range bitboard.Square(8) {
		for inner := range bitboard.Bitboard(64) {
			attacks := bitboard.Walk(i, bitboard.East, inner<<1) | bitboard.Walk(i, bitboard.West, inner<<1)
			firstRank[i][inner] = uint8(attacks)
			rankFills[i][inner] = attacks * bitboard.FileA.Mask()
		}
		s := bitboard.SquareAt(bitboard.FileA, bitboard.Rank(i))
		for occupancy := range bitboard.FileA.Mask().Subsets() {
			attacks := bitboard.Walk(s, bitboard.North, occupancy) | bitboard.Walk(s, bitboard.South, occupancy)
			aFileAttacks[i][gatherFile(occupancy)] = attacks
		}
	}
}

func linesThrough(s bitboard.Square) *[4]bitboard.Bitboard {
	tablesOnce.Do(fillTables)
	return &lines[s&63]
}

// hyperbola subtracts twice the slider from the pieces on its line. The borrow runs up to the first
// piece and flips exactly the attacked bits, o ^ (o - 2r). For the downward ray a byte swap
// reverses files, diagonals and anti-diagonals. Ranks, which it does not reverse, use a table of
// 512 bytes.
var hyperbola = Algorithm{
	Name: "hyperbola",
	Source: "chessprogramming wiki, Hyperbola Quintessence: " +
		"https://www.chessprogramming.org/Hyperbola_Quintessence",
	TableBytes: linesBytes + 8*64,
	Bishop: func(s bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard {
		l := linesThrough(s)
		return quintessence(s, occupancy, l[bitboard.DiagonalLine]) |
			quintessence(s, occupancy, l[bitboard.AntiDiagonalLine])
	},
	Rook: func(s bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard {
		return quintessence(s, occupancy, linesThrough(s)[bitboard.FileLine]) | alongRank(s, occupancy)
	},
	// The trace rotates the board, because that also reverses ranks.
	trace: func(t *trace) {
		reverse := func(b bitboard.Bitboard) bitboard.Bitboard { return b.FlipVertical().FlipHorizontal() }
		r := t.square.Bitboard()
		for _, kind := range t.lines() {
			line := linesThrough(t.square)[kind]
			o := t.occupancy & line
			up, down := o-2*r, reverse(reverse(o)-2*reverse(r))
			t.squares(o, "o: pieces on the %v", kind)
			t.number(up, "o − 2r: the borrow runs up to the first piece above, or off the board")
			t.number(down, "(o′ − 2r′)′: the same downwards")
			t.number(up^down, "where the two differ")
			t.found((up^down)&line, "only the squares on the %v", kind)
		}
	},
}

// quintessence returns the attacks along a line other than a rank.
func quintessence(s bitboard.Square, occupancy, line bitboard.Bitboard) bitboard.Bitboard {
	pieces := occupancy & line
	upwards := pieces - 2*s.Bitboard()
	downwards := (pieces.FlipVertical() - 2*s.FlipVertical().Bitboard()).FlipVertical()
	return (upwards ^ downwards) & line
}

func alongRank(s bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard {
	rank := s & 56
	return bitboard.Bitboard(firstRank[s&7][occupancy>>(rank+1)&63]) << rank
}

// obstruction subtracts the nearest pieces on both sides of the slider as numbers. The difference
// has all bits from the lower to the upper piece.
var obstruction = Algorithm{
	Name: "obstruction",
	Source: "chessprogramming wiki, Obstruction Difference: " +
		"https://www.chessprogramming.org/Obstruction_Difference",
	TableBytes: linesBytes,
	Bishop: func(s bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard {
		l := linesThrough(s)
		return between(s, occupancy, l[bitboard.DiagonalLine]) | between(s, occupancy, l[bitboard.AntiDiagonalLine])
	},
	Rook: func(s bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard {
		l := linesThrough(s)
		return between(s, occupancy, l[bitboard.FileLine]) | between(s, occupancy, l[bitboard.RankLine])
	},
	trace: func(t *trace) {
		for _, kind := range t.lines() {
			line := linesThrough(t.square)[kind]
			lower, upper, difference := nearest(t.square, t.occupancy, line)
			t.squares(lower, "pieces on the %v below the slider; the highest counts, else a1", kind)
			t.squares(upper, "pieces above it; the lowest counts")
			t.number(difference, "2 · lowest(upper) − highest(lower): every bit from one to the other")
			t.found(difference&line, "only the squares on the %v", kind)
		}
	},
}

func between(s bitboard.Square, occupancy, line bitboard.Bitboard) bitboard.Bitboard {
	_, _, difference := nearest(s, occupancy, line)
	return difference & line
}

// nearest returns the pieces on a line below and above a slider, and the difference of the two
// nearest. Without a piece, the lower end is a1, the upper one 2^64, which is 0 in 64 bits.
func nearest(s bitboard.Square, occupancy, line bitboard.Bitboard) (lower, upper, difference bitboard.Bitboard) {
	below := s.Bitboard() - 1
	lower = line & occupancy & below
	upper = line & occupancy &^ below
	nearestLower := bitboard.Bitboard(1) << (63 - bits.LeadingZeros64(uint64(lower|1)))
	return lower, upper, 2*(upper&-upper) - nearestLower
}

// kindergarten gathers the pieces on a line into six bits by a multiplication without carries. A
// rank or diagonal times the b-file lands on the eighth rank, ordered by file. A file, moved to the
// a-file and multiplied by a diagonal, lands there ordered by rank. The six bits index the attacks
// along an a-file, or along a first rank, repeated on all ranks, so that the line selects the
// attacked squares.
var kindergarten = Algorithm{
	Name: "kindergarten",
	Source: "chessprogramming wiki, Kindergarten Bitboards: " +
		"https://www.chessprogramming.org/Kindergarten_Bitboards",
	TableBytes: linesBytes + 2*8*64*8,
	Bishop: func(s bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard {
		l := linesThrough(s)
		return gathered(s, occupancy, l[bitboard.DiagonalLine]) | gathered(s, occupancy, l[bitboard.AntiDiagonalLine])
	},
	Rook: func(s bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard {
		return gathered(s, occupancy, linesThrough(s)[bitboard.RankLine]) | gatheredFile(s, occupancy)
	},
	trace: func(t *trace) {
		for _, kind := range t.lines() {
			line := linesThrough(t.square)[kind]
			pieces, name := t.occupancy&line, "the b-file"
			product, attacks := pieces*fileB, gathered(t.square, pieces, line)
			if kind == bitboard.FileLine {
				name = "the diagonal c2/h7"
				product, attacks = pieces>>t.square.File()*diagonalC2H7, gatheredFile(t.square, pieces)
			}
			t.squares(pieces, "pieces on the %v", kind)
			t.number(product, "times %s: the six inner squares arrive in the highest six bits", name)
			t.index(uint64(product>>58), fmt.Sprint(uint64(product>>58)), "the index, by a shift right by 58")
			t.found(attacks, "what the table has for that index, on the %v", kind)
		}
	},
}

const (
	fileB bitboard.Bitboard = 0x0202020202020202

	diagonalC2H7 bitboard.Bitboard = 0x0080402010080400
)

// gathered returns the attacks along a line other than a file.
func gathered(s bitboard.Square, occupancy, line bitboard.Bitboard) bitboard.Bitboard {
	inner := (occupancy & line) * fileB >> 58
	return rankFills[s&7][inner&63] & line
}

func gatheredFile(s bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard {
	file := s & 7
	return aFileAttacks[s>>3&7][gatherFile(occupancy>>file&bitboard.FileA.Mask())&63] << file
}

func gatherFile(occupancy bitboard.Bitboard) bitboard.Bitboard {
	return occupancy * diagonalC2H7 >> 58
}
