package bitboard

// Square is a square of the board, 0..63 in little-endian rank-file mapping:
// a1 = 0, h1 = 7, a8 = 56, h8 = 63. The one value beyond is NoSquare.
type Square uint8

// The 64 squares, and NoSquare for "none".
const (
	A1 Square = iota
	B1
	C1
	D1
	E1
	F1
	G1
	H1
	A2
	B2
	C2
	D2
	E2
	F2
	G2
	H2
	A3
	B3
	C3
	D3
	E3
	F3
	G3
	H3
	A4
	B4
	C4
	D4
	E4
	F4
	G4
	H4
	A5
	B5
	C5
	D5
	E5
	F5
	G5
	H5
	A6
	B6
	C6
	D6
	E6
	F6
	G6
	H6
	A7
	B7
	C7
	D7
	E7
	F7
	G7
	H7
	A8
	B8
	C8
	D8
	E8
	F8
	G8
	H8
	NoSquare
)

// SquareAt returns the square on file f and rank r.
func SquareAt(f File, r Rank) Square { return Square(r)<<3 | Square(f) }

// File returns the file of s, the low three bits of its index.
func (s Square) File() File { return File(s & 7) }

// Rank returns the rank of s, the high three bits of its index.
func (s Square) Rank() Rank { return Rank(s >> 3) }

// FlipRank mirrors s vertically: a1 becomes a8. The board seen by the other side.
func (s Square) FlipRank() Square { return s ^ 56 }

// FlipFile mirrors s horizontally: a1 becomes h1.
func (s Square) FlipFile() Square { return s ^ 7 }

// Bitboard returns the set that holds s alone.
func (s Square) Bitboard() Bitboard { return 1 << (s & 63) }

// IsValid reports whether s is one of the 64 squares.
func (s Square) IsValid() bool { return s < NoSquare }

// String returns the name of s, "a1" to "h8", and "-" for NoSquare, as FEN spells it.
func (s Square) String() string {
	if !s.IsValid() {
		return "-"
	}
	return string([]byte{'a' + byte(s.File()), '1' + byte(s.Rank())})
}

// File is a column of the board, 0 (the a-file) to 7 (the h-file).
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

// Rank is a row of the board, 0 (the first rank) to 7 (the eighth).
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
