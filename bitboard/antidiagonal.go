package bitboard

import "iter"

// AntiDiagonal is one of the 15 anti-diagonals, which go from south-east to north-west, h1\a8 the
// main one. Its value is rank + file: 0 for a1\, 7 for h1\a8, 14 for h8\.
//
// Three enumerations are in use, and each has a conversion both ways:
//
//	Index  rank + file          0..14, the value itself; even = dark
//	Offset 7 - rank - file     -7..7,  the main anti-diagonal 0; odd = dark
//	Nexus  (rank + file) ^ 7    0..15 without 8, the main anti-diagonal 0; odd = dark
//
// Nexus is also Offset & 15, as it is for diagonals: flipping the ranks of the board turns each
// anti-diagonal into the diagonal of the same offset.
//
// Source: chessprogramming wiki, Anti-Diagonals, https://www.chessprogramming.org/Anti-Diagonals
type AntiDiagonal uint8

// MainAntiDiagonal is h1\a8, the longest.
const MainAntiDiagonal AntiDiagonal = 7

// lastAntiDiagonal is h8\, the farthest to the north-east.
const lastAntiDiagonal AntiDiagonal = 14

// antiDiagonalMasks has an empty 16th entry, as diagonalMasks has.
var antiDiagonalMasks = func() (masks [16]Bitboard) {
	for s := A1; s <= H8; s++ {
		masks[s.AntiDiagonal()] |= s.Bitboard()
	}
	return masks
}()

// AntiDiagonal returns the anti-diagonal that s lies on.
func (s Square) AntiDiagonal() AntiDiagonal { return AntiDiagonal(s>>3 + s&7) }

// SameAntiDiagonal reports whether a and b are on one anti-diagonal; a square is on one with itself.
//
// That is so if their ranks and files have the same sum. The wiki's formula, the square difference
// masked with 7 plus the rank difference, is wrong for 224 of the 4,096 pairs, b1 and a2 among them; a
// square difference that is a multiple of 7, which it advises against, is wrong for 242.
func SameAntiDiagonal(a, b Square) bool { return a.AntiDiagonal() == b.AntiDiagonal() }

// AntiDiagonalFromIndex returns the anti-diagonal with rank + file = index, and whether there is
// one: index must be 0..14.
func AntiDiagonalFromIndex(index int) (AntiDiagonal, bool) {
	if index < 0 || index > int(lastAntiDiagonal) {
		return 0, false
	}
	return AntiDiagonal(index), true
}

// AntiDiagonalFromOffset returns the anti-diagonal with 7 - rank - file = offset, and whether there
// is one: offset must be -7..7.
func AntiDiagonalFromOffset(offset int) (AntiDiagonal, bool) {
	return AntiDiagonalFromIndex(7 - offset)
}

// AntiDiagonalFromNexus returns the anti-diagonal with (rank + file) ^ 7 = nexus, and whether there
// is one: nexus must be 0..15 but not 8, the gap.
func AntiDiagonalFromNexus(nexus int) (AntiDiagonal, bool) { return AntiDiagonalFromIndex(nexus ^ 7) }

// Index returns rank + file of the squares of a, 0..14.
func (a AntiDiagonal) Index() int { return int(a) }

// Offset returns 7 - rank - file of the squares of a, -7..7: how many ranks a lies south of h1\a8.
func (a AntiDiagonal) Offset() int { return 7 - int(a) }

// Nexus returns (rank + file) ^ 7 of the squares of a, 0..15 but never 8.
func (a AntiDiagonal) Nexus() int { return int(a) ^ 7 }

// IsValid reports whether a is one of the 15 anti-diagonals.
func (a AntiDiagonal) IsValid() bool { return a <= lastAntiDiagonal }

// Len returns the number of squares on a, 1..8.
func (a AntiDiagonal) Len() int { return 8 - max(a.Offset(), -a.Offset()) }

// Color returns the colour that all squares of a have: Black (dark) for the even indices, White
// (light) for the odd ones, h1\a8 among them.
func (a AntiDiagonal) Color() Color { return Color(^a & 1) }

// Mask returns the squares of a.
func (a AntiDiagonal) Mask() Bitboard { return antiDiagonalMasks[a&15] }

// Squares yields the squares of a from south-east to north-west, each 7 above the one before.
func (a AntiDiagonal) Squares() iter.Seq[Square] { return a.Mask().Squares() }

// String names a by its ends, south-east first, "h1\a8"; an anti-diagonal of one square is "a1\"
// or "h8\".
func (a AntiDiagonal) String() string {
	if !a.IsValid() {
		return nameless("AntiDiagonal", uint8(a))
	}
	return nameByEnds(a.Mask(), `\`)
}

// ParseAntiDiagonal reads a name as String writes it. Anything else is a *ParseError.
func ParseAntiDiagonal(text string) (AntiDiagonal, error) {
	return parseName("anti-diagonal", text, 0, lastAntiDiagonal, ErrAntiDiagonal)
}

// AppendText appends the name of a. It implements encoding.TextAppender.
func (a AntiDiagonal) AppendText(text []byte) ([]byte, error) { return appendName(text, a) }

// MarshalText returns the name of a. It implements encoding.TextMarshaler.
func (a AntiDiagonal) MarshalText() ([]byte, error) { return a.AppendText(nil) }

// UnmarshalText reads what ParseAntiDiagonal reads. It implements encoding.TextUnmarshaler.
func (a *AntiDiagonal) UnmarshalText(text []byte) error {
	return unmarshal(a, text, ParseAntiDiagonal)
}
