package bitboard

// AntiDiagonal is one of the 15 anti-diagonals, which go from south-east to north-west, h1\a8 the
// main one. Its value is rank + file: 0 for a1\, 7 for h1\a8, 14 for h8\.
//
// Three enumerations are in use; all squares of an anti-diagonal have one colour, which their parity determines:
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
		return nameless("AntiDiagonal", uint8(a))
	}
	return nameByEnds(a.Mask(), `\`)
}
