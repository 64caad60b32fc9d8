package bitboard

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
func (f File) Mask() Bitboard { return FileAMask << (f & 7) }

// SameFile reports whether a and b are on one file; a square is on one with itself.
func SameFile(a, b Square) bool { return (a^b)&7 == 0 }

// String returns the letter of f, "a" to "h".
func (f File) String() string {
	if f > FileH {
		return nameless("File", uint8(f))
	}
	return "abcdefgh"[f : f+1]
}
