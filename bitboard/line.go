package bitboard

import (
	"math/bits"

	"github.com/fianchetto-chess/fianchetto/internal/debug"
	"github.com/fianchetto-chess/fianchetto/internal/names"
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

// LineKinds returns the four kinds in the order of their values.
func LineKinds() [4]LineKind { return [4]LineKind{RankLine, FileLine, DiagonalLine, AntiDiagonalLine} }

// Through returns all squares of the line of kind k through s, s among them; the empty set if k is
// not one of the four kinds.
func (k LineKind) Through(s Square) Bitboard {
	switch k {
	case RankLine:
		return s.Rank().Mask()
	case FileLine:
		return s.File().Mask()
	case DiagonalLine:
		return s.Diagonal().Mask()
	case AntiDiagonalLine:
		return s.AntiDiagonal().Mask()
	}
	return Empty
}

// lineKindNames are indexed by LineKind.
var lineKindNames = names.Table[LineKind]{Type: "LineKind", Names: []string{"rank", "file", "diagonal", "antidiagonal"}}

// String returns "rank", "file", "diagonal" or "antidiagonal".
func (k LineKind) String() string { return lineKindNames.String(k) }

// Diagonal is one of the 15 diagonals, which go from south-west to north-east, a1/h8 the main one.
// Its value is 7 + rank - file: 0 for h1/, 7 for a1/h8, 14 for a8/.
//
// Three enumerations are in use; all squares of a diagonal have one colour, which their parity
// determines:
//
//	Index  i  7 + rank - file     0..14, Diagonal(i); odd = dark
//	Offset o  rank - file        -7..7, Diagonal(7 + o), the main diagonal 0; even = dark
//	Nexus  n  (rank - file) & 15  0..15 without 8, Diagonal((7 + n) & 15), the main diagonal 0; even = dark
//
// Source: chessprogramming wiki, Diagonals, https://www.chessprogramming.org/Diagonals
type Diagonal uint8

// lastDiagonal is a8/, the farthest to the north-west.
const lastDiagonal Diagonal = 14

// The masks have an empty 16th entry, so that a value masked to four bits needs no bounds check.
var diagonalMasks, antiDiagonalMasks = func() (diagonals, antiDiagonals [16]Bitboard) {
	for s := A1; s <= H8; s++ {
		diagonals[s.Diagonal()] |= s.Bitboard()
		antiDiagonals[s.AntiDiagonal()] |= s.Bitboard()
	}
	return diagonals, antiDiagonals
}()

// Diagonal returns the diagonal that s lies on.
func (s Square) Diagonal() Diagonal { return Diagonal(7 + s>>3 - s&7) }

// SameDiagonal reports whether a and b are on one diagonal; a square is on one with itself.
//
// Two squares share a diagonal if their rank difference equals their file difference. The wiki's
// page has two other formulas. One masks the square difference with 7 and compares it with the rank
// difference; it is wrong for 224 of the 4,096 pairs, among them h1 and a2, because the mask makes
// a negative file difference positive. The other tests the square difference for a multiple of 9;
// it is wrong for 112 pairs, among them h1 and a3, because steps of 9 wrap around the edge.
func SameDiagonal(a, b Square) bool { return a.Diagonal() == b.Diagonal() }

// Index returns 7 + rank - file of the squares of d, 0..14.
func (d Diagonal) Index() int { return int(d) }

// Offset returns rank - file of the squares of d, -7..7: how many ranks d lies north of a1/h8.
func (d Diagonal) Offset() int { return int(d) - 7 }

// Nexus returns (rank - file) & 15 of the squares of d, 0..15 but never 8.
func (d Diagonal) Nexus() int { return d.Offset() & 15 }

// Mask returns the squares of d.
func (d Diagonal) Mask() Bitboard { return diagonalMasks[d&15] }

// String names d by its ends, south-west first, "a1/h8"; a diagonal of one square is "a8/" or
// "h1/".
func (d Diagonal) String() string {
	if d > lastDiagonal {
		return names.Table[Diagonal]{Type: "Diagonal"}.String(d)
	}
	return nameByEnds(d.Mask(), "/")
}

// nameByEnds returns the first and the last square of line around a stroke, or a single square
// before it.
func nameByEnds(line Bitboard, stroke string) string {
	first, last := line.First(), line.Last()
	if first == last {
		return first.String() + stroke
	}
	return first.String() + stroke + last.String()
}

// AntiDiagonal is one of the 15 anti-diagonals, which go from south-east to north-west, h1\a8 the
// main one. Its value is rank + file: 0 for a1\, 7 for h1\a8, 14 for h8\.
//
// Three enumerations are in use; all squares of an anti-diagonal have one colour, which their
// parity determines:
//
//	Index  i  rank + file        0..14, AntiDiagonal(i); even = dark
//	Offset o  7 - rank - file   -7..7, AntiDiagonal(7 - o), the main anti-diagonal 0; odd = dark
//	Nexus  n  (rank + file) ^ 7  0..15 without 8, AntiDiagonal(n ^ 7), the main anti-diagonal 0; odd = dark
//
// Nexus is also Offset & 15, as it is for diagonals: flipping the ranks of the board turns each
// anti-diagonal into the diagonal of the same offset.
//
// Source: chessprogramming wiki, Anti-Diagonals, https://www.chessprogramming.org/Anti-Diagonals
type AntiDiagonal uint8

// lastAntiDiagonal is h8\, the farthest to the north-east.
const lastAntiDiagonal AntiDiagonal = 14

// AntiDiagonal returns the anti-diagonal that s lies on.
func (s Square) AntiDiagonal() AntiDiagonal { return AntiDiagonal(s>>3 + s&7) }

// SameAntiDiagonal reports whether a and b are on one anti-diagonal; a square is on one with
// itself.
//
// Two squares share an anti-diagonal if rank plus file is the same. The formula on the wiki's page,
// the square difference masked with 7 plus the rank difference, is wrong for 224 of the 4,096
// pairs, among them b1 and a2. A square difference that is a multiple of 7, which the page advises
// against, is wrong for 242.
func SameAntiDiagonal(a, b Square) bool { return a.AntiDiagonal() == b.AntiDiagonal() }

// Index returns rank + file of the squares of a, 0..14.
func (a AntiDiagonal) Index() int { return int(a) }

// Offset returns 7 - rank - file of the squares of a, -7..7: how many ranks a lies south of h1\a8.
func (a AntiDiagonal) Offset() int { return 7 - int(a) }

// Nexus returns (rank + file) ^ 7 of the squares of a, 0..15 but never 8.
func (a AntiDiagonal) Nexus() int { return int(a) ^ 7 }

// Mask returns the squares of a.
func (a AntiDiagonal) Mask() Bitboard { return antiDiagonalMasks[a&15] }

// String names a by its ends, south-east first, "h1\a8"; an anti-diagonal of one square is "a1\"
// or "h8\".
func (a AntiDiagonal) String() string {
	if a > lastAntiDiagonal {
		return names.Table[AntiDiagonal]{Type: "AntiDiagonal"}.String(a)
	}
	return nameByEnds(a.Mask(), `\`)
}

// lines and betweens answer Line and Between for every ordered pair, 32 KiB each; pairs that no
// line joins have the empty set.
var lines, betweens [64][64]Bitboard

func init() {
	for a := A1; a <= H8; a++ {
		for _, k := range LineKinds() {
			line := k.Through(a)
			for others := line.Without(a); others != 0; {
				b := others.Pop()
				lines[a][b] = line
				betweens[a][b] = line & indicesBetween(a, b)
			}
		}
	}
}

// indicesBetween returns the squares with an index strictly between a and b. Indices grow along
// every line, so on a line they are the squares between.
func indicesBetween(a, b Square) Bitboard {
	fromLowerUpToHigher := Full<<a ^ Full<<b
	return fromLowerUpToHigher & (fromLowerUpToHigher - 1)
}

// Between returns the squares strictly between a and b on the rank, file, diagonal or anti-diagonal
// that joins them; the empty set if none does, if they are neighbours, or if they are the same.
// Both must be 0..63.
// Source: https://www.chessprogramming.org/Square_Attacked_By#InBetween
func Between(a, b Square) Bitboard {
	if debug.Enabled {
		debug.Squares("bitboard.Between", a, b)
	}
	return betweens[a&63][b&63]
}

// Line returns the whole rank, file, diagonal or anti-diagonal that joins a and b, both included;
// the empty set if none does or if they are the same. Both must be 0..63.
func Line(a, b Square) Bitboard {
	if debug.Enabled {
		debug.Squares("bitboard.Line", a, b)
	}
	return lines[a&63][b&63]
}

// A fill is the union of all lines of one kind through the members of a set, found for all members
// at once: each step doubles the distance covered, so three steps cross the board.
// Source: https://www.chessprogramming.org/Fill_Algorithms

// Fill returns every square on a line of kind k where b has a member: the union of k.Through(s)
// over all s in b. It is the empty set if k is not one of the four kinds.
func (k LineKind) Fill(b Bitboard) Bitboard {
	switch k {
	case RankLine:
		return b.rankFill()
	case FileLine:
		return b.fileFill()
	case DiagonalLine:
		return b.diagonalFill()
	case AntiDiagonalLine:
		return b.antiDiagonalFill()
	}
	return Empty
}

// The files that a shift by one, two or four files to the west or to the east wraps into.
const (
	filesAB   = FileAMask * 0x03
	filesABCD = FileAMask * 0x0f
	filesGH   = FileAMask * 0xc0
	filesEFGH = FileAMask * 0xf0
)

func (b Bitboard) rankFill() Bitboard {
	// In each byte, adding 0x7f to the low seven bits carries into the top bit unless they are all
	// zero.
	const lowSeven = ^FileHMask
	occupied := (b&lowSeven + lowSeven | b) & FileHMask
	return occupied >> 7 * 0xff
}

func (b Bitboard) fileFill() Bitboard {
	x := uint64(b)
	x |= bits.RotateLeft64(x, 8)
	x |= bits.RotateLeft64(x, 16)
	x |= bits.RotateLeft64(x, 32)
	return Bitboard(x)
}

func (b Bitboard) diagonalFill() Bitboard {
	up, down := b, b
	up |= up << 9 &^ FileAMask
	up |= up << 18 &^ filesAB
	up |= up << 36 &^ filesABCD
	down |= down >> 9 &^ FileHMask
	down |= down >> 18 &^ filesGH
	down |= down >> 36 &^ filesEFGH
	return up | down
}

func (b Bitboard) antiDiagonalFill() Bitboard {
	up, down := b, b
	up |= up << 7 &^ FileHMask
	up |= up << 14 &^ filesGH
	up |= up << 28 &^ filesEFGH
	down |= down >> 7 &^ FileAMask
	down |= down >> 14 &^ filesAB
	down |= down >> 28 &^ filesABCD
	return up | down
}
