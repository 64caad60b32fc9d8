package bitboard

// Diagonal is one of the 15 diagonals, which go from south-west to north-east, a1/h8 the main one.
// Its value is 7 + rank - file: 0 for h1/, 7 for a1/h8, 14 for a8/.
//
// Three enumerations are in use; all squares of a diagonal have one colour, which their parity determines:
//
//	Index  i  7 + rank - file     0..14, Diagonal(i); odd = dark
//	Offset o  rank - file        -7..7, Diagonal(7 + o), the main diagonal 0; even = dark
//	Nexus  n  (rank - file) & 15  0..15 without 8, Diagonal((7 + n) & 15), the main diagonal 0; even = dark
//
// Source: chessprogramming wiki, Diagonals, https://www.chessprogramming.org/Diagonals
type Diagonal uint8

// lastDiagonal is a8/, the farthest to the north-west.
const lastDiagonal Diagonal = 14

// diagonalMasks has an empty 16th entry, so that a value masked to four bits needs no bounds check.
var diagonalMasks = func() (masks [16]Bitboard) {
	for s := A1; s <= H8; s++ {
		masks[s.Diagonal()] |= s.Bitboard()
	}
	return masks
}()

// Diagonal returns the diagonal that s lies on.
func (s Square) Diagonal() Diagonal { return Diagonal(7 + s>>3 - s&7) }

// SameDiagonal reports whether a and b are on one diagonal; a square is on one with itself.
//
// That is so if their rank difference equals their file difference. The wiki's two formulas are
// not that: it masks the square difference with 7 and compares it with the rank difference, which is
// wrong for 224 of the 4,096 pairs, h1 and a2 among them (the mask makes a negative file difference
// positive), or tests the square difference for a multiple of 9, which is wrong for 112, h1 and a3
// among them (steps of 9 that wrap around the edge).
func SameDiagonal(a, b Square) bool { return a.Diagonal() == b.Diagonal() }

// Index returns 7 + rank - file of the squares of d, 0..14.
func (d Diagonal) Index() int { return int(d) }

// Offset returns rank - file of the squares of d, -7..7: how many ranks d lies north of a1/h8.
func (d Diagonal) Offset() int { return int(d) - 7 }

// Nexus returns (rank - file) & 15 of the squares of d, 0..15 but never 8.
func (d Diagonal) Nexus() int { return d.Offset() & 15 }

// Mask returns the squares of d.
func (d Diagonal) Mask() Bitboard { return diagonalMasks[d&15] }

// String names d by its ends, south-west first, "a1/h8"; a diagonal of one square is "a8/" or "h1/".
func (d Diagonal) String() string {
	if d > lastDiagonal {
		return nameless("Diagonal", uint8(d))
	}
	return nameByEnds(d.Mask(), "/")
}

// nameByEnds returns the first and the last square of line around a stroke, or a single square before it.
func nameByEnds(line Bitboard, stroke string) string {
	first, last := line.First(), line.Last()
	if first == last {
		return first.String() + stroke
	}
	return first.String() + stroke + last.String()
}
