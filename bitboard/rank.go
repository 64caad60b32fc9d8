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

// IsValid reports whether r is one of the eight ranks.
func (r Rank) IsValid() bool { return r <= Rank8 }

// Mask returns the eight squares of r.
func (r Rank) Mask() Bitboard { return Rank1Mask << (8 * (r & 7)) }

// SameRank reports whether a and b are on one rank; a square is on one with itself.
func SameRank(a, b Square) bool { return (a^b)&^7 == 0 }

// String returns the digit of r, "1" to "8".
func (r Rank) String() string {
	if !r.IsValid() {
		return nameless("Rank", uint8(r))
	}
	return "12345678"[r : r+1]
}

// ParseRank reads a digit "1" to "8". Anything else is a *ParseError.
func ParseRank(text string) (Rank, error) { return parseName("rank", text, Rank1, Rank8, ErrRank) }

// AppendText appends the name of r. It implements encoding.TextAppender.
func (r Rank) AppendText(text []byte) ([]byte, error) { return appendName(text, r) }

// MarshalText returns the name of r. It implements encoding.TextMarshaler.
func (r Rank) MarshalText() ([]byte, error) { return r.AppendText(nil) }

// UnmarshalText reads what ParseRank reads. It implements encoding.TextUnmarshaler.
func (r *Rank) UnmarshalText(text []byte) error { return unmarshal(r, text, ParseRank) }
