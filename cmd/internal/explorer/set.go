package explorer

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

// set is a set of squares in a request or a reply: "0x" and sixteen digits.
type set bitboard.Bitboard

// MarshalText writes the set as "0x" and sixteen hexadecimal digits.
func (s set) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "0x%016x", uint64(s)), nil }

// UnmarshalText reads a literal in any form that parseLiteral takes.
func (s *set) UnmarshalText(text []byte) error {
	value, err := parseLiteral(string(text))
	*s = set(value)
	return err
}

// parseLiteral reads 64 bits as programs write them: hexadecimal (0x), octal (0o), binary (0b) or decimal, the last with
// a sign too; with the suffixes of C, Java and Rust, digits apart by _ or ', and a conversion such as
// uint64(...) around it.
func parseLiteral(text string) (uint64, error) {
	literal := strings.TrimSpace(text)
	if open, last := strings.IndexByte(literal, '('), len(literal)-1; open >= 0 && literal[last] == ')' {
		literal = strings.TrimSpace(literal[open+1 : last])
	}
	literal = strings.TrimRight(literal, ";, ")
	lower := strings.ToLower(strings.NewReplacer("_", "", "'", "").Replace(literal))
	for _, suffix := range []string{"u64", "i64", "ull", "llu", "ul", "lu", "ll", "u", "l", "n"} {
		if cut, ok := strings.CutSuffix(lower, suffix); ok {
			lower = cut
			break
		}
	}
	if rest, negative := strings.CutPrefix(lower, "-"); negative {
		value, err := strconv.ParseUint(rest, 0, 64)
		if err != nil || value > 1<<63 {
			return 0, badLiteral(text)
		}
		return -value, nil
	}
	value, err := strconv.ParseUint(lower, 0, 64)
	if err != nil {
		return 0, badLiteral(text)
	}
	return value, nil
}

func badLiteral(text string) error {
	const most = 60
	if len(text) > most {
		text = text[:most] + "..."
	}
	return fmt.Errorf("%s is not a 64-bit number (0x1f, 0b101, 42, -1, with the suffixes of C, Java and Rust)", quote.Text(text, 0))
}

// Layout maps the bits of a program's bitboards to squares. Fianchetto has a1 = 0, b1 = 1, h8 = 63.
type Layout struct {
	Name   string `json:"name"`   // "a1"
	Square string `json:"square"` // what bits 0, 1 and 8 stand for: "a1, b1, a2"
	// toOurs reorders bits of this layout to ours; all of these mappings are their own inverse, except for the two
	// that rotate the board by 90 degrees.
	toOurs, fromOurs func(bitboard.Bitboard) bitboard.Bitboard
}

var layouts = []Layout{
	selfInverse("a1", "a1, b1, a2", func(b bitboard.Bitboard) bitboard.Bitboard { return b }),
	selfInverse("h1", "h1, g1, h2", bitboard.Bitboard.FlipHorizontal),
	selfInverse("a8", "a8, b8, a7", bitboard.Bitboard.FlipVertical),
	selfInverse("h8", "h8, g8, h7", rotate180),
	selfInverse("a1 by files", "a1, a2, b1", transpose),
}

func selfInverse(name, squares string, mapping func(bitboard.Bitboard) bitboard.Bitboard) Layout {
	return Layout{name, squares, mapping, mapping}
}

func layoutOf(name string) (Layout, error) {
	if name == "" {
		return layouts[0], nil
	}
	for _, l := range layouts {
		if l.Name == name {
			return l, nil
		}
	}
	return Layout{}, &Failure{"layout", fmt.Sprintf("unknown layout %s", quote.Text(name, 0))}
}

func rotate180(b bitboard.Bitboard) bitboard.Bitboard {
	return bitboard.Bitboard(bits.Reverse64(uint64(b)))
}

// transpose mirrors the board at the diagonal a1/h8.
func transpose(b bitboard.Bitboard) bitboard.Bitboard {
	var mirrored bitboard.Bitboard
	for s := range b.Squares() {
		mirrored = mirrored.With(bitboard.SquareAt(bitboard.File(s.Rank()), bitboard.Rank(s.File())))
	}
	return mirrored
}
