package figures

import "fmt"

// Plain writes a number of things: "1 line", "2 lines". The digits are plain, for lines that scripts may read, where Things has commas
// between groups of them.
func Plain(n int, thing string) string { return Plural(n, thing, thing+"s") }

// Plural is Plain for things that take another form than an s: "1 ply", "2 plies".
func Plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// Hex writes the 64 bits of a bitboard or a magic number.
func Hex(n uint64) string { return fmt.Sprintf("%#016x", n) }
