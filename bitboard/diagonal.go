package bitboard

import "iter"

// Diagonal is one of the 15 diagonals, which go from south-west to north-east, a1/h8 the main one.
// Its value is 7 + rank - file: 0 for h1/, 7 for a1/h8, 14 for a8/.
//
// Three enumerations are in use, and each has a conversion both ways:
//
//	Index  7 + rank - file     0..14, the value itself; odd = dark
//	Offset rank - file        -7..7,  the main diagonal 0; even = dark
//	Nexus  (rank - file) & 15  0..15 without 8, the main diagonal 0; even = dark
//
// Source: chessprogramming wiki, Diagonals, https://www.chessprogramming.org/Diagonals
type Diagonal uint8

// MainDiagonal is a1/h8, the longest.
const MainDiagonal Diagonal = 7

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

// DiagonalFromIndex returns the diagonal with 7 + rank - file = index, and whether there is one:
// index must be 0..14.
func DiagonalFromIndex(index int) (Diagonal, bool) {
	if index < 0 || index > int(lastDiagonal) {
		return 0, false
	}
	return Diagonal(index), true
}

// DiagonalFromOffset returns the diagonal with rank - file = offset, and whether there is one:
// offset must be -7..7.
func DiagonalFromOffset(offset int) (Diagonal, bool) { return DiagonalFromIndex(offset + 7) }

// DiagonalFromNexus returns the diagonal with (rank - file) & 15 = nexus, and whether there is one:
// nexus must be 0..15 but not 8, the gap.
//
// Flipping bit 3 and subtracting it extends the sign of a four-bit number; the gap and numbers beyond
// four bits come out beyond -7..7.
func DiagonalFromNexus(nexus int) (Diagonal, bool) { return DiagonalFromOffset(nexus ^ 8 - 8) }

// Index returns 7 + rank - file of the squares of d, 0..14.
func (d Diagonal) Index() int { return int(d) }

// Offset returns rank - file of the squares of d, -7..7: how many ranks d lies north of a1/h8.
func (d Diagonal) Offset() int { return int(d) - 7 }

// Nexus returns (rank - file) & 15 of the squares of d, 0..15 but never 8.
func (d Diagonal) Nexus() int { return d.Offset() & 15 }

// IsValid reports whether d is one of the 15 diagonals.
func (d Diagonal) IsValid() bool { return d <= lastDiagonal }

// Len returns the number of squares on d, 1..8.
func (d Diagonal) Len() int { return 8 - max(d.Offset(), -d.Offset()) }

// Color returns the colour that all squares of d have: Black (dark) for the odd indices, a1/h8
// among them, White (light) for the even ones.
func (d Diagonal) Color() Color { return Color(d & 1) }

// Mask returns the squares of d.
func (d Diagonal) Mask() Bitboard { return diagonalMasks[d&15] }

// Squares yields the squares of d from south-west to north-east, each 9 above the one before.
func (d Diagonal) Squares() iter.Seq[Square] { return d.Mask().Squares() }

// String names d by its ends, south-west first, "a1/h8"; a diagonal of one square is "a8/" or "h1/".
func (d Diagonal) String() string {
	if !d.IsValid() {
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

// ParseDiagonal reads a name as String writes it. Anything else is a *ParseError.
func ParseDiagonal(text string) (Diagonal, error) {
	return parseName("diagonal", text, 0, lastDiagonal, ErrDiagonal)
}

// AppendText appends the name of d. It implements encoding.TextAppender.
func (d Diagonal) AppendText(text []byte) ([]byte, error) { return appendName(text, d) }

// MarshalText returns the name of d. It implements encoding.TextMarshaler.
func (d Diagonal) MarshalText() ([]byte, error) { return d.AppendText(nil) }

// UnmarshalText reads what ParseDiagonal reads. It implements encoding.TextUnmarshaler.
func (d *Diagonal) UnmarshalText(text []byte) error { return unmarshal(d, text, ParseDiagonal) }
