package bitboard

import (
	"github.com/fianchetto-chess/fianchetto/internal/debug"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

// LineKind is one of the four kinds of lines that sliding pieces move along.
type LineKind uint8

// The four kinds.
const (
	RankLine LineKind = iota
	FileLine
	DiagonalLine
	AntiDiagonalLine
)

// Through returns the line of kind k through s, including s, or the empty set for an invalid k.
func (k LineKind) Through(s Square) Bitboard {
	if k > AntiDiagonalLine {
		return Empty
	}
	return [...]Bitboard{s.Rank().Mask(), s.File().Mask(), s.Diagonal().Mask(), s.AntiDiagonal().Mask()}[k]
}

var lineKindNames = quote.Names[LineKind]{Type: "LineKind", List: []string{"rank", "file", "diagonal", "antidiagonal"}}

// String returns "rank", "file", "diagonal" or "antidiagonal".
func (k LineKind) String() string { return lineKindNames.String(k) }

// Diagonal is one of the 15 diagonals, which run from south-west to north-east. Its value is
// 7 + rank - file: 0 for h1/, 7 for the main diagonal a1/h8, 14 for a8/.
//
// Three enumerations are in use. The parity of each gives the colour of the diagonal's squares:
//
//	value  d  7 + rank - file      0..14; odd = dark
//	Offset o  rank - file         -7..7, Diagonal(7 + o), the main diagonal 0; even = dark
//	Nexus  n  (rank - file) & 15   0..15 without 8, Diagonal((7 + n) & 15), the main diagonal 0; even = dark
//
// A square difference divisible by 9 does not imply a common diagonal, because steps of 9 wrap
// around the edge (h1, a3).
//
// Source: chessprogramming wiki, Diagonals, https://www.chessprogramming.org/Diagonals
type Diagonal uint8

const lastDiagonal Diagonal = 14

// An empty 16th entry saves the bounds check of a four-bit index.
var diagonalMasks, antiDiagonalMasks = func() (diagonals, antiDiagonals [16]Bitboard) {
	for s := A1; s <= H8; s++ {
		diagonals[s.Diagonal()] |= s.Bitboard()
		antiDiagonals[s.AntiDiagonal()] |= s.Bitboard()
	}
	return diagonals, antiDiagonals
}()

// Diagonal returns the diagonal through s.
func (s Square) Diagonal() Diagonal { return Diagonal(7 + s>>3 - s&7) }

// Offset returns rank - file, -7..7: how many ranks d lies north of a1/h8.
func (d Diagonal) Offset() int { return int(d) - 7 }

// Nexus returns (rank - file) & 15, 0..15 but never 8.
func (d Diagonal) Nexus() int { return d.Offset() & 15 }

// Mask returns the squares of d.
func (d Diagonal) Mask() Bitboard { return diagonalMasks[d&15] }

// String names d by its ends, south-west first: "a1/h8". A diagonal of one square is "a8/" or
// "h1/".
func (d Diagonal) String() string {
	if d > lastDiagonal {
		return quote.Names[Diagonal]{Type: "Diagonal"}.String(d)
	}
	return nameByEnds(d.Mask(), "/")
}

// nameByEnds returns the ends of line with a stroke between, or a single square before the stroke.
func nameByEnds(line Bitboard, stroke string) string {
	first, last := line.First(), line.Last()
	if first == last {
		return first.String() + stroke
	}
	return first.String() + stroke + last.String()
}

// AntiDiagonal is one of the 15 anti-diagonals, which run from south-east to north-west. Its value
// is rank + file: 0 for a1\, 7 for the main anti-diagonal h1\a8, 14 for h8\.
//
// Three enumerations are in use. The parity of each gives the colour of the anti-diagonal's
// squares:
//
//	value  a  rank + file         0..14; even = dark
//	Offset o  7 - rank - file    -7..7, AntiDiagonal(7 - o), the main anti-diagonal 0; odd = dark
//	Nexus  n  (rank + file) ^ 7   0..15 without 8, AntiDiagonal(n ^ 7), the main anti-diagonal 0; odd = dark
//
// Flipping the board vertically turns each anti-diagonal into the diagonal of the same offset.
//
// Source: chessprogramming wiki, Anti-Diagonals, https://www.chessprogramming.org/Anti-Diagonals
type AntiDiagonal uint8

const lastAntiDiagonal AntiDiagonal = 14

// AntiDiagonal returns the anti-diagonal through s.
func (s Square) AntiDiagonal() AntiDiagonal { return AntiDiagonal(s>>3 + s&7) }

// Offset returns 7 - rank - file, -7..7: how many ranks a lies south of h1\a8.
func (a AntiDiagonal) Offset() int { return 7 - int(a) }

// Nexus returns (rank + file) ^ 7, 0..15 but never 8.
func (a AntiDiagonal) Nexus() int { return int(a) ^ 7 }

// Mask returns the squares of a.
func (a AntiDiagonal) Mask() Bitboard { return antiDiagonalMasks[a&15] }

// String names a by its ends, south-east first: "h1\a8". An anti-diagonal of one square is "a1\" or
// "h8\".
func (a AntiDiagonal) String() string {
	if a > lastAntiDiagonal {
		return quote.Names[AntiDiagonal]{Type: "AntiDiagonal"}.String(a)
	}
	return nameByEnds(a.Mask(), `\`)
}

// lines and betweens hold the results of Line and Between, 32 KiB each.
var lines, betweens [64][64]Bitboard

func init() {
	for a := A1; a <= H8; a++ {
		for k := range AntiDiagonalLine + 1 {
			line := k.Through(a)
			for others := line.Without(a); others != 0; {
				b := others.Pop()
				lines[a][b] = line
				betweens[a][b] = line & indicesBetween(a, b)
			}
		}
	}
}

// indicesBetween returns the squares with an index strictly between a and b. On a line they are the
// squares between, because indices grow along it.
func indicesBetween(a, b Square) Bitboard {
	fromLowerUpToHigher := Full<<a ^ Full<<b
	return fromLowerUpToHigher & (fromLowerUpToHigher - 1)
}

// Between returns the squares strictly between a and b, each 0..63, on their common rank, file,
// diagonal or anti-diagonal, or the empty set if they share none.
// Source: https://www.chessprogramming.org/Square_Attacked_By#InBetween
func Between(a, b Square) Bitboard {
	if debug.Enabled {
		debug.Squares("bitboard.Between", a, b)
	}
	return betweens[a&63][b&63]
}

// Line returns the whole rank, file, diagonal or anti-diagonal through a and b, each 0..63, or the
// empty set if they share no line or are equal.
func Line(a, b Square) Bitboard {
	if debug.Enabled {
		debug.Squares("bitboard.Line", a, b)
	}
	return lines[a&63][b&63]
}

// Fill returns the union of k.Through(s) over all members s of b, or the empty set for an invalid
// k. Each step doubles the distance covered, so three steps cross the board.
// Source: https://www.chessprogramming.org/Fill_Algorithms
func (k LineKind) Fill(b Bitboard) Bitboard {
	if k > AntiDiagonalLine {
		return Empty
	}
	fill := &fills[k]
	step, arriveUp, arriveDown := fill.step, fill.arriveUp, fill.arriveDown
	up, down := b, b
	for range 3 {
		up |= up << step & arriveUp
		down |= down >> step & arriveDown
		arriveUp &= arriveUp << step
		arriveDown &= arriveDown >> step
		step *= 2
	}
	return up | down
}

// fills holds, for each kind of line, the step upwards and the squares where a step up or down
// arrives. A step to the east never arrives on the a-file, a step to the west never on the h-file.
var fills = [...]struct {
	step                 uint
	arriveUp, arriveDown Bitboard
}{
	RankLine:         {1, ^fileA, ^fileH},
	FileLine:         {8, Full, Full},
	DiagonalLine:     {9, ^fileA, ^fileH},
	AntiDiagonalLine: {7, ^fileH, ^fileA},
}

// An intersection square is where a line through a meets a line of another kind through b.
//
// Each of the six functions is named after its lines: rankDiagonal(a, b) is the square on the rank
// of a and the diagonal of b. The functions take squares 0..63, have no branches, and return
// NoSquare if the lines meet beyond the edge or, for a diagonal and an anti-diagonal of different
// colours, between squares.
//
// Each solves the two linear equations for rank and file. The result is a 0x88 coordinate,
// 16*rank + file: one of its bits 0x88 is set exactly if rank or file is outside 0..7.
// Source: https://www.chessprogramming.org/Intersection_Squares

// rankFile always finds a square.
func rankFile(a, b Square) Square { return a&56 | b&7 }

// rankDiagonal: the file is rank(a) - (rank(b) - file(b)).
func rankDiagonal(a, b Square) Square {
	return squareOf0x88(17*rankOf(a) - rankOf(b) + fileOf(b))
}

// rankAntiDiagonal: the file is rank(b) + file(b) - rank(a).
func rankAntiDiagonal(a, b Square) Square {
	return squareOf0x88(15*rankOf(a) + rankOf(b) + fileOf(b))
}

// fileDiagonal: the rank is file(a) + (rank(b) - file(b)).
func fileDiagonal(a, b Square) Square {
	return squareOf0x88(17*fileOf(a) + 16*rankOf(b) - 16*fileOf(b))
}

// fileAntiDiagonal: the rank is rank(b) + file(b) - file(a).
func fileAntiDiagonal(a, b Square) Square {
	return squareOf0x88(16*rankOf(b) + 16*fileOf(b) - 15*fileOf(a))
}

// diagonalAntiDiagonal: the rank is half the sum of the two enumerations, the file half their
// difference. The computed coordinate is therefore doubled, and odd if the lines differ in colour.
func diagonalAntiDiagonal(a, b Square) Square {
	return squareOfDoubled0x88(17*int32(b.AntiDiagonal()) + 15*(int32(a.Diagonal())-7))
}

// Intersect returns the square on the line of kind ka through a and the line of kind kb through b,
// and whether it exists. It does not if the lines meet beyond the edge or between squares, if the
// kinds are equal, or if an argument is invalid.
//
// For sets, ka.Fill(a) & kb.Fill(b) is the union of the results for all pairs.
func Intersect(ka LineKind, a Square, kb LineKind, b Square) (Square, bool) {
	if max(ka, kb) > AntiDiagonalLine || !a.IsValid() || !b.IsValid() || ka == kb {
		return NoSquare, false
	}
	if ka > kb {
		ka, a, kb, b = kb, b, ka, a
	}
	s := intersections[ka][kb](a, b)
	return s, s.IsValid()
}

var intersections = [4][4]func(a, b Square) Square{
	RankLine:     {FileLine: rankFile, DiagonalLine: rankDiagonal, AntiDiagonalLine: rankAntiDiagonal},
	FileLine:     {DiagonalLine: fileDiagonal, AntiDiagonalLine: fileAntiDiagonal},
	DiagonalLine: {AntiDiagonalLine: diagonalAntiDiagonal},
}

func rankOf(s Square) int32 { return int32(s >> 3) }
func fileOf(s Square) int32 { return int32(s & 7) }

func squareOf0x88(s88 int32) Square {
	return squareUnless(s88&0x88, s88>>1&56|s88&7)
}

// squareOfDoubled0x88 returns the square at half a 0x88 coordinate, or NoSquare if the coordinate
// is odd or off the board.
func squareOfDoubled0x88(s88x2 int32) Square {
	return squareUnless(s88x2&0x111, s88x2>>2&56|s88x2>>1&7)
}

// squareUnless returns s, 0..63, if off is zero, and NoSquare if off is positive, without a branch:
// the arithmetic shift by 31 makes every bit of none the sign of -off.
func squareUnless(off, s int32) Square {
	none := -off >> 31
	return Square(s&^none | int32(NoSquare)&none)
}
