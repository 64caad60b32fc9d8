package bitboard

import (
	"fmt"
	"io"
)

// String draws b as eight lines, rank 8 first, a 1 for a member and a dot for any other square.
func (b Bitboard) String() string { return Diagram{}.With(b, '1').String() }

// Format draws b for the verbs %v and %s, and prints its 64 bits for the others, so that %#x and %d
// mean what they mean for every unsigned number. It implements fmt.Formatter.
func (b Bitboard) Format(state fmt.State, verb rune) {
	if verb == 'v' || verb == 's' {
		io.WriteString(state, b.String())
		return
	}
	fmt.Fprintf(state, fmt.FormatString(state, verb), uint64(b))
}

// ParseBitboard reads a drawing as String makes it: eight lines from rank 8 down to rank 1, eight
// marks in each, 1 for a member and a dot for any other square. Spaces, tabs and empty lines do not
// count, so that a drawing may be indented in code. Anything else is a *ParseError with Empty.
func ParseBitboard(drawing string) (Bitboard, error) {
	refuse := func(offset int, cause Problem) (Bitboard, error) {
		return Empty, &ParseError{"bitboard", drawing, offset, cause}
	}
	var set Bitboard
	ranks, files := 0, 0 // ranks read, and marks read of the next one
	for offset, c := range []byte(drawing) {
		switch {
		case c == ' ' || c == '\t' || c == '\r' || c == '\n' && files == 0:
		case c == '\n' && files < 8:
			return refuse(offset, errShort)
		case c == '\n':
			ranks, files = ranks+1, 0
		case c != '1' && c != '.':
			return refuse(offset, errMark)
		case ranks == 8 || files == 8:
			return refuse(offset, errLong)
		default:
			if c == '1' {
				set = set.With(SquareAt(File(files), Rank8-Rank(ranks)))
			}
			files++
		}
	}
	if 8*ranks+files < 64 { // the last line may end without a newline
		return refuse(len(drawing), errShort)
	}
	return set, nil
}

// MustParseBitboard is ParseBitboard for drawings in code; it panics on an error.
func MustParseBitboard(drawing string) Bitboard { return must(ParseBitboard(drawing)) }
