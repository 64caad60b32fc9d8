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

// IsValid reports whether f is one of the eight files.
func (f File) IsValid() bool { return f <= FileH }

// Mask returns the eight squares of f.
func (f File) Mask() Bitboard { return FileAMask << (f & 7) }

// SameFile reports whether a and b are on one file; a square is on one with itself.
func SameFile(a, b Square) bool { return (a^b)&7 == 0 }

// String returns the letter of f, "a" to "h".
func (f File) String() string {
	if !f.IsValid() {
		return nameless("File", uint8(f))
	}
	return "abcdefgh"[f : f+1]
}

// ParseFile reads a letter "a" to "h". Anything else is a *ParseError.
func ParseFile(text string) (File, error) { return parseName("file", text, FileA, FileH, ErrFile) }

// AppendText appends the name of f. It implements encoding.TextAppender.
func (f File) AppendText(text []byte) ([]byte, error) { return appendName(text, f) }

// MarshalText returns the name of f. It implements encoding.TextMarshaler.
func (f File) MarshalText() ([]byte, error) { return f.AppendText(nil) }

// UnmarshalText reads what ParseFile reads. It implements encoding.TextUnmarshaler.
func (f *File) UnmarshalText(text []byte) error { return unmarshal(f, text, ParseFile) }
