package bitboard

// Rank is a row of the board, 0 (the first rank) to 7 (the eighth).
// Source: https://www.chessprogramming.org/Ranks
type Rank uint8

// The eight ranks.
const (
	Rank1 Rank = iota
	Rank2
	Rank3
	Rank4
	Rank5
	Rank6
	Rank7
	Rank8
)

// Mask returns the eight squares of r.
func (r Rank) Mask() Bitboard { return Rank1Mask << (8 * (r & 7)) }

// SameRank reports whether a and b are on one rank; a square is on one with itself.
func SameRank(a, b Square) bool { return (a^b)&^7 == 0 }

// String returns the digit of r, "1" to "8".
func (r Rank) String() string {
	if r > Rank8 {
		return nameless("Rank", uint8(r))
	}
	return "12345678"[r : r+1]
}
