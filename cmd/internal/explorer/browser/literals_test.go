package browser

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// rotate turns a set by 90 degrees, square by square.
func rotate(b bitboard.Bitboard) (turned bitboard.Bitboard) {
	for s := range b.Squares() {
		turned = turned.With(bitboard.SquareAt(bitboard.File(s.Rank()), bitboard.Rank(7-s.File())))
	}
	return turned
}

// operators defines the calculator's operators, by their text.
var operators = map[string]func(a, b bitboard.Bitboard) bitboard.Bitboard{
	"a & b":      func(a, b bitboard.Bitboard) bitboard.Bitboard { return a & b },
	"a | b":      func(a, b bitboard.Bitboard) bitboard.Bitboard { return a | b },
	"a ^ b":      func(a, b bitboard.Bitboard) bitboard.Bitboard { return a ^ b },
	"a &^ b":     func(a, b bitboard.Bitboard) bitboard.Bitboard { return a &^ b },
	"a + b":      func(a, b bitboard.Bitboard) bitboard.Bitboard { return a + b },
	"a - b":      func(a, b bitboard.Bitboard) bitboard.Bitboard { return a - b },
	"a * b":      func(a, b bitboard.Bitboard) bitboard.Bitboard { return a * b },
	"^a":         func(a, _ bitboard.Bitboard) bitboard.Bitboard { return ^a },
	"-a":         func(a, _ bitboard.Bitboard) bitboard.Bitboard { return -a },
	"a & -a":     func(a, _ bitboard.Bitboard) bitboard.Bitboard { return a & -a },
	"a & (a-1)":  func(a, _ bitboard.Bitboard) bitboard.Bitboard { return a & (a - 1) },
	"a << 1":     func(a, _ bitboard.Bitboard) bitboard.Bitboard { return a << 1 },
	"a >> 1":     func(a, _ bitboard.Bitboard) bitboard.Bitboard { return a >> 1 },
	"flip ranks": func(a, _ bitboard.Bitboard) bitboard.Bitboard { return a.FlipVertical() },
	"flip files": func(a, _ bitboard.Bitboard) bitboard.Bitboard { return a.FlipHorizontal() },
	"rotate 180": func(a, _ bitboard.Bitboard) bitboard.Bitboard {
		return bitboard.Bitboard(bits.Reverse64(uint64(a)))
	},
	"rotate 90":           func(a, _ bitboard.Bitboard) bitboard.Bitboard { return rotate(a) },
	"rotate -90":          func(a, _ bitboard.Bitboard) bitboard.Bitboard { return rotate(rotate(rotate(a))) },
	"flip a1/h8":          func(a, _ bitboard.Bitboard) bitboard.Bitboard { return rotate(a).FlipVertical() },
	"fill ranks":          func(a, _ bitboard.Bitboard) bitboard.Bitboard { return bitboard.RankLine.Fill(a) },
	"fill files":          func(a, _ bitboard.Bitboard) bitboard.Bitboard { return bitboard.FileLine.Fill(a) },
	"fill diagonals":      func(a, _ bitboard.Bitboard) bitboard.Bitboard { return bitboard.DiagonalLine.Fill(a) },
	"fill anti-diagonals": func(a, _ bitboard.Bitboard) bitboard.Bitboard { return bitboard.AntiDiagonalLine.Fill(a) },
	"↖":                   func(a, _ bitboard.Bitboard) bitboard.Bitboard { return a.Shift(bitboard.NorthWest) },
	"↑":                   func(a, _ bitboard.Bitboard) bitboard.Bitboard { return a.Shift(bitboard.North) },
	"↗":                   func(a, _ bitboard.Bitboard) bitboard.Bitboard { return a.Shift(bitboard.NorthEast) },
	"←":                   func(a, _ bitboard.Bitboard) bitboard.Bitboard { return a.Shift(bitboard.West) },
	"→":                   func(a, _ bitboard.Bitboard) bitboard.Bitboard { return a.Shift(bitboard.East) },
	"↙":                   func(a, _ bitboard.Bitboard) bitboard.Bitboard { return a.Shift(bitboard.SouthWest) },
	"↓":                   func(a, _ bitboard.Bitboard) bitboard.Bitboard { return a.Shift(bitboard.South) },
	"↘":                   func(a, _ bitboard.Bitboard) bitboard.Bitboard { return a.Shift(bitboard.SouthEast) },
}

// TestCalculatorAgreesWithTheLibrary applies every operator to random sets, and reads back every
// form in every layout.
func TestCalculatorAgreesWithTheLibrary(t *testing.T) {
	t.Parallel()
	p := open(t, "http", "#view=bitboards")
	random := rand.New(rand.NewPCG(3, 4))
	for range 40 {
		a, b := bitboard.Bitboard(random.Uint64()&random.Uint64()), bitboard.Bitboard(random.Uint64())
		got := value[map[string]string](p, fmt.Sprintf(`Promise.all([import("/literals.js"), import("/sets.js")])
			.then(([bits, sets]) => Object.fromEntries([
				...bits.operators.map((o) => [o.symbol, sets.hex(bits.operate(o, %[1]sn, %[2]sn))]),
				...bits.layouts.map((l) => [l.squares, [0, 1, 8]
					.map((i) => sets.nameOf([...sets.squaresOf(l.map(1n << BigInt(i)))][0])).join(", ")]),
				...bits.layouts.flatMap((l) => bits.formsOf(l.map(%[1]sn)).map(([name, text]) =>
					["form " + name + " in " + l.name, sets.hex(l.map(bits.parseLiteral(text)))])),
			]))`, hex(a), hex(b)))
		forms := 0
		for name, text := range got {
			switch apply := operators[name]; {
			case apply != nil && text != hex(apply(a, b)):
				t.Errorf("%s of %#x and %#x is %s, want %s", name, uint64(a), uint64(b), text, hex(apply(a, b)))
			case apply == nil && strings.HasPrefix(name, "form "):
				forms++
				if text != hex(a) {
					t.Errorf("%s of %#x is read as %s", name, uint64(a), text)
				}
			case apply == nil && name != text:
				t.Errorf("the layout %s is %s", name, text)
			}
		}
		if forms != 45 || len(got) != len(operators)+forms+5 {
			t.Fatalf("%d operators, forms and layouts, %d forms", len(got), forms)
		}
	}
	for text, want := range map[string]string{"0x1f": "31", " 0b1'0 ": "2", "0o17": "15", "017": "15",
		"-1":           "18446744073709551615",
		"0X_8001_u64;": "32769", "uint64(42)": "42", "12ULL": "12", "-9223372036854775808": "9223372036854775808", "0": "0",
		"": "", "0x": "", "0b2": "", "e4": "", "uint64()": "", "-9223372036854775809": "", "12345678901234567890123": "",
		"1.5": "", "08": "", "--1": ""} {
		got := value[string](p, fmt.Sprintf(`import("/literals.js").then(({parseLiteral}) => {
			try { return String(parseLiteral(%q)); } catch { return ""; }
		})`, text))
		if got != want {
			t.Errorf("%q is read as %q, want %q", text, got, want)
		}
	}
}
