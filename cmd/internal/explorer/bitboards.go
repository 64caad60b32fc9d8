package explorer

import (
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

// BitboardQuestion asks for the set of a literal.
type BitboardQuestion struct {
	Text   string `json:"text"`   // in any form that parseLiteral takes
	Layout string `json:"layout"` // of the literal; "" is a1
}

// BitboardAnswer is a set of squares in the forms of other programs.
type BitboardAnswer struct {
	Set     set               `json:"set"` // in our layout
	Count   int               `json:"count"`
	First   string            `json:"first,omitempty"` // the lowest square, "" of the empty set
	Last    string            `json:"last,omitempty"`
	Squares []bitboard.Square `json:"squares"`
	Forms   []Form            `json:"forms"` // in the layout of the question
	Layouts []Layout          `json:"layouts"`
}

// Form is a way to write 64 bits.
type Form struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

func answerBitboard(q BitboardQuestion) (BitboardAnswer, error) {
	layout, err := layoutOf(q.Layout)
	if err != nil {
		return BitboardAnswer{}, err
	}
	value, err := parseLiteral(q.Text)
	if err != nil {
		return BitboardAnswer{}, failIn("text", err)
	}
	return describe(layout.toOurs(bitboard.Bitboard(value)), layout), nil
}

func describe(b bitboard.Bitboard, layout Layout) BitboardAnswer {
	a := BitboardAnswer{Set: set(b), Count: b.Len(), Squares: slices.AppendSeq([]bitboard.Square{}, b.Squares()),
		Layouts: layouts}
	if !b.IsEmpty() {
		a.First, a.Last = b.First().String(), b.Last().String()
	}
	v := uint64(layout.fromOurs(b))
	a.Forms = []Form{
		{"Hexadecimal", fmt.Sprintf("0x%016x", v)},
		{"Decimal", fmt.Sprint(v)},
		{"Signed", fmt.Sprint(int64(v))},
		{"Binary", fmt.Sprintf("0b%064b", v)},
		{"Go", fmt.Sprintf("uint64(0x%016x)", v)},
		{"C, C++", fmt.Sprintf("0x%016xULL", v)},
		{"Rust", fmt.Sprintf("0x%016x_u64", v)},
		{"Java", fmt.Sprintf("0x%016xL", v)},
		{"Python", fmt.Sprintf("0x%016x", v)},
	}
	return a
}

// Operator is an operation on one or two sets.
type Operator struct {
	Name   string `json:"name"`
	Symbol string `json:"symbol"` // as Go writes it or as a button shows it
	Arity  int    `json:"arity"`  // 1 or 2
	Group  string `json:"group"`
	apply  func(a, b bitboard.Bitboard) bitboard.Bitboard
}

// OperatorsAnswer lists the operators of the calculator.
type OperatorsAnswer struct {
	Operators []Operator `json:"operators"`
	Layouts   []Layout   `json:"layouts"`
}

var operators = slices.Concat([]Operator{
	{"and", "a & b", 2, "logic", func(a, b bitboard.Bitboard) bitboard.Bitboard { return a & b }},
	{"or", "a | b", 2, "logic", func(a, b bitboard.Bitboard) bitboard.Bitboard { return a | b }},
	{"xor", "a ^ b", 2, "logic", func(a, b bitboard.Bitboard) bitboard.Bitboard { return a ^ b }},
	{"and not", "a &^ b", 2, "logic", func(a, b bitboard.Bitboard) bitboard.Bitboard { return a &^ b }},
	{"not", "^a", 1, "logic", func(a, _ bitboard.Bitboard) bitboard.Bitboard { return ^a }},
	{"plus", "a + b", 2, "arithmetic", func(a, b bitboard.Bitboard) bitboard.Bitboard { return a + b }},
	{"minus", "a - b", 2, "arithmetic", func(a, b bitboard.Bitboard) bitboard.Bitboard { return a - b }},
	{"times", "a * b", 2, "arithmetic", func(a, b bitboard.Bitboard) bitboard.Bitboard { return a * b }},
	{"negate", "-a", 1, "arithmetic", func(a, _ bitboard.Bitboard) bitboard.Bitboard { return -a }},
	{"lowest bit", "a & -a", 1, "arithmetic", func(a, _ bitboard.Bitboard) bitboard.Bitboard { return a & -a }},
	{"without the lowest bit", "a & (a-1)", 1, "arithmetic",
		func(a, _ bitboard.Bitboard) bitboard.Bitboard { return a & (a - 1) }},
	{"flip vertically", "flip ranks", 1, "turn", unary(bitboard.Bitboard.FlipVertical)},
	{"flip horizontally", "flip files", 1, "turn", unary(bitboard.Bitboard.FlipHorizontal)},
	{"rotate by 180 degrees", "rotate 180", 1, "turn", unary(rotate180)},
	{"rotate by 90 degrees clockwise", "rotate 90", 1, "turn", unary(rotateClockwise)},
	{"rotate by 90 degrees counter-clockwise", "rotate -90", 1, "turn", unary(rotateCounterClockwise)},
	{"mirror at a1/h8", "flip a1/h8", 1, "turn", unary(transpose)},
	{"rank fill", "fill ranks", 1, "fill", unary(bitboard.RankLine.Fill)},
	{"file fill", "fill files", 1, "fill", unary(bitboard.FileLine.Fill)},
	{"diagonal fill", "fill diagonals", 1, "fill", unary(bitboard.DiagonalLine.Fill)},
	{"anti-diagonal fill", "fill anti-diagonals", 1, "fill", unary(bitboard.AntiDiagonalLine.Fill)},
}, shifts())

func unary(f func(bitboard.Bitboard) bitboard.Bitboard) func(a, _ bitboard.Bitboard) bitboard.Bitboard {
	return func(a, _ bitboard.Bitboard) bitboard.Bitboard { return f(a) }
}

// shifts has a step in each of the eight directions, and the plain shifts of the number by one bit.
func shifts() []Operator {
	all := []Operator{
		{"shift left", "a << 1", 1, "arithmetic", func(a, _ bitboard.Bitboard) bitboard.Bitboard { return a << 1 }},
		{"shift right", "a >> 1", 1, "arithmetic", func(a, _ bitboard.Bitboard) bitboard.Bitboard { return a >> 1 }},
	}
	arrows := map[bitboard.Direction]string{
		bitboard.NorthWest: "↖", bitboard.North: "↑", bitboard.NorthEast: "↗", bitboard.West: "←",
		bitboard.East: "→", bitboard.SouthWest: "↙", bitboard.South: "↓", bitboard.SouthEast: "↘",
	}
	for _, d := range []bitboard.Direction{
		bitboard.NorthWest, bitboard.North, bitboard.NorthEast, bitboard.West,
		bitboard.East, bitboard.SouthWest, bitboard.South, bitboard.SouthEast,
	} {
		all = append(all, Operator{d.String(), arrows[d], 1, "shift",
			unary(func(b bitboard.Bitboard) bitboard.Bitboard { return b.Shift(d) })})
	}
	return all
}

func rotateClockwise(b bitboard.Bitboard) bitboard.Bitboard { return transpose(b).FlipVertical() }

func rotateCounterClockwise(b bitboard.Bitboard) bitboard.Bitboard {
	return transpose(b).FlipHorizontal()
}

func answerOperators(struct{}) (OperatorsAnswer, error) {
	return OperatorsAnswer{operators, layouts}, nil
}

// OperateQuestion asks for the result of an operator.
type OperateQuestion struct {
	Operator string `json:"operator"`
	A        set    `json:"a"`
	B        set    `json:"b"`
	Layout   string `json:"layout"` // of the forms of the answer
}

func answerOperate(q OperateQuestion) (BitboardAnswer, error) {
	layout, err := layoutOf(q.Layout)
	if err != nil {
		return BitboardAnswer{}, err
	}
	for _, o := range operators {
		if o.Name == q.Operator {
			return describe(o.apply(bitboard.Bitboard(q.A), bitboard.Bitboard(q.B)), layout), nil
		}
	}
	return BitboardAnswer{}, &Failure{"operator", fmt.Sprintf("unknown operator %s", quote.Text(q.Operator, 0))}
}

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

// parseLiteral reads 64 bits as programs write them: hexadecimal (0x), octal (0o), binary (0b) or decimal, the last
// with a sign too; with the suffixes of C, Java and Rust, digits apart by _ or ', and a conversion such as uint64(...)
// around it.
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
	return fmt.Errorf("%s is not a 64-bit number (0x1f, 0b101, 42, -1, with the suffixes of C, Java and Rust)",
		quote.Text(text, 0))
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
