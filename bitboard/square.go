package bitboard

import (
	"fmt"

	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

// Square is a square of the board: a1 = 0, h1 = 7, a8 = 56, h8 = 63.
type Square uint8

// The 64 squares, rank by rank, and NoSquare for none.
const (
	A1, B1, C1, D1, E1, F1, G1, H1 Square = 8 * iota, 8*iota + 1, 8*iota + 2, 8*iota + 3,
		8*iota + 4, 8*iota + 5, 8*iota + 6, 8*iota + 7
	A2, B2, C2, D2, E2, F2, G2, H2
	A3, B3, C3, D3, E3, F3, G3, H3
	A4, B4, C4, D4, E4, F4, G4, H4
	A5, B5, C5, D5, E5, F5, G5, H5
	A6, B6, C6, D6, E6, F6, G6, H6
	A7, B7, C7, D7, E7, F7, G7, H7
	A8, B8, C8, D8, E8, F8, G8, H8

	NoSquare Square = 64
)

// SquareAt returns the square on file f and rank r, both 0..7: d5 is SquareAt(FileD, Rank5).
func SquareAt(f File, r Rank) Square { return Square(r)<<3 | Square(f) }

// File returns the file of s.
func (s Square) File() File { return File(s & 7) }

// Rank returns the rank of s.
func (s Square) Rank() Rank { return Rank(s >> 3) }

// FlipVertical mirrors s vertically: a1 becomes a8.
func (s Square) FlipVertical() Square { return s ^ 56 }

// Bitboard returns the set of s alone.
func (s Square) Bitboard() Bitboard { return 1 << (s & 63) }

// IsValid reports whether s is one of the 64 squares.
func (s Square) IsValid() bool { return s < NoSquare }

// Color returns the colour of the square itself: Black for dark squares such as a1, White for light
// ones.
// Source: https://www.chessprogramming.org/Color_of_a_Square
func (s Square) Color() Color { return Color(^(s ^ s>>3) & 1) }

// Distance returns the number of king moves from a to b on an empty board, 0..7.
// Source: https://www.chessprogramming.org/Distance
func Distance(a, b Square) int {
	files := int(a.File()) - int(b.File())
	ranks := int(a.Rank()) - int(b.Rank())
	return max(files, -files, ranks, -ranks)
}

// squareNames lets String allocate nothing.
const squareNames = "a1b1c1d1e1f1g1h1" + "a2b2c2d2e2f2g2h2" + "a3b3c3d3e3f3g3h3" + "a4b4c4d4e4f4g4h4" +
	"a5b5c5d5e5f5g5h5" + "a6b6c6d6e6f6g6h6" + "a7b7c7d7e7f7g7h7" + "a8b8c8d8e8f8g8h8"

// String returns the name of s, "a1" to "h8", or FEN's "-" for NoSquare.
func (s Square) String() string {
	switch {
	case s.IsValid():
		return squareNames[2*int(s) : 2*int(s)+2]
	case s == NoSquare:
		return "-"
	}
	return quote.Names[Square]{Type: "Square"}.String(s)
}

// ParseSquare reads a lower-case name, "a1" to "h8". For any other text, "-" included, it returns
// NoSquare and an error that names the offset.
func ParseSquare(text string) (Square, error) {
	refuse := func(offset int, cause Problem) (Square, error) {
		return NoSquare, unreadable("square", text, offset, cause)
	}
	if len(text) == 0 {
		return refuse(0, errShort)
	}
	f := File(text[0] - 'a')
	if f > FileH {
		return refuse(0, errFile)
	}
	if len(text) == 1 {
		return refuse(1, errShort)
	}
	r := Rank(text[1] - '1')
	if r > Rank8 {
		return refuse(1, errRank)
	}
	if len(text) > 2 {
		return refuse(2, errLong)
	}
	return SquareAt(f, r), nil
}

// MustParseSquare is like ParseSquare but panics on an error.
func MustParseSquare(text string) Square {
	s, err := ParseSquare(text)
	if err != nil {
		panic("bitboard: " + err.Error())
	}
	return s
}

// MarshalText returns the name of s, or "-" for NoSquare.
func (s Square) MarshalText() ([]byte, error) {
	if s > NoSquare {
		return nil, fmt.Errorf("%w: %v", errRange, s)
	}
	return []byte(s.String()), nil
}

// UnmarshalText reads a name like ParseSquare, and "-" as NoSquare. An error leaves s unchanged.
func (s *Square) UnmarshalText(text []byte) error {
	square, err := ParseSquare(string(text))
	if err != nil && string(text) != NoSquare.String() {
		return err
	}
	*s = square
	return nil
}

// File is a column of the board, 0 (the a-file) to 7 (the h-file).
// Source: https://www.chessprogramming.org/Files
type File uint8

// The eight files.
const (
	FileA File = iota
	FileB
	FileC
	FileD
	FileE
	FileF
	FileG
	FileH
)

// Mask returns the eight squares of f.
func (f File) Mask() Bitboard { return fileA << (f & 7) }

// String returns the letter of f, "a" to "h".
func (f File) String() string { return fileNames.String(f) }

var fileNames = quote.Names[File]{Type: "File", List: []string{"a", "b", "c", "d", "e", "f", "g", "h"}}

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
func (r Rank) Mask() Bitboard { return 0xff << (8 * (r & 7)) }

// String returns the digit of r, "1" to "8".
func (r Rank) String() string { return rankNames.String(r) }

var rankNames = quote.Names[Rank]{Type: "Rank", List: []string{"1", "2", "3", "4", "5", "6", "7", "8"}}

// Problem is the cause of an error, a constant to test for with errors.Is.
type Problem string

// Error returns p.
func (p Problem) Error() string { return string(p) }

const (
	errShort     Problem = "the text ends too soon"
	errLong      Problem = "extra text after the end"
	errFile      Problem = "invalid file (want a to h)"
	errRank      Problem = "invalid rank (want 1 to 8)"
	errPiece     Problem = "unknown piece (want a letter PNBRQKpnbrqk)"
	errPieceType Problem = "unknown piece type (want pawn, knight, bishop, rook, queen, king or a letter pnbrqk)"
	errRange     Problem = "value out of range of its type"
)

func unreadable(field, text string, offset int, cause Problem) error {
	return &quote.Error{Field: field, Input: text, Offset: offset, Cause: cause}
}
