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

// operationsOn returns the results of the calculator's operators, by their text.
func operationsOn(a, b bitboard.Bitboard) map[string]bitboard.Bitboard {
	return map[string]bitboard.Bitboard{
		"a & b": a & b, "a | b": a | b, "a ^ b": a ^ b, "a &^ b": a &^ b, "a + b": a + b, "a - b": a - b, "a * b": a * b,
		"^a": ^a, "-a": -a, "a & -a": a & -a, "a & (a-1)": a & (a - 1), "a << 1": a << 1, "a >> 1": a >> 1,
		"flip ranks": a.FlipVertical(), "flip files": a.FlipHorizontal(), "flip a1/h8": rotate(a).FlipVertical(),
		"rotate 90": rotate(a), "rotate -90": rotate(rotate(rotate(a))),
		"rotate 180": bitboard.Bitboard(bits.Reverse64(uint64(a))),
		"fill ranks": bitboard.RankLine.Fill(a), "fill files": bitboard.FileLine.Fill(a),
		"fill diagonals": bitboard.DiagonalLine.Fill(a), "fill anti-diagonals": bitboard.AntiDiagonalLine.Fill(a),
		"↖": a.Shift(bitboard.NorthWest), "↑": a.Shift(bitboard.North), "↗": a.Shift(bitboard.NorthEast),
		"←": a.Shift(bitboard.West), "→": a.Shift(bitboard.East), "↙": a.Shift(bitboard.SouthWest),
		"↓": a.Shift(bitboard.South), "↘": a.Shift(bitboard.SouthEast),
	}
}

// TestCalculatorAgreesWithTheLibrary applies every operator to random sets, and reads back every
// form in every layout.
func TestCalculatorAgreesWithTheLibrary(t *testing.T) {
	t.Parallel()
	p := open(t, "http", "#view=learn&lesson=sets")
	random := rand.New(rand.NewPCG(3, 4))
	for range 40 {
		a, b := bitboard.Bitboard(random.Uint64()&random.Uint64()), bitboard.Bitboard(random.Uint64())
		got := value[map[string]string](p, fmt.Sprintf(`Promise.all([import("/learn.js"), import("/sets.js")])
			.then(([bits, sets]) => Object.fromEntries([
				...bits.operators.map((o) => [o.symbol, sets.hex(bits.operate(o, %[1]sn, %[2]sn))]),
				...bits.layouts.map((l) => [l.squares, [0, 1, 8]
					.map((i) => sets.nameOf([...sets.squaresOf(l.map(1n << BigInt(i)))][0])).join(", ")]),
				...bits.layouts.flatMap((l) => bits.formsOf(l.map(%[1]sn)).map(([name, text]) =>
					["form " + name + " in " + l.name, sets.hex(l.map(bits.parseLiteral(text)))])),
			]))`, hex(a), hex(b)))
		forms, results := 0, operationsOn(a, b)
		for name, text := range got {
			want, isResult := results[name]
			switch isForm := strings.HasPrefix(name, "form "); {
			case isResult && text != hex(want):
				t.Errorf("%s of %#x and %#x is %s, want %s", name, uint64(a), uint64(b), text, hex(want))
			case isForm && text != hex(a):
				t.Errorf("%s of %#x is read as %s", name, uint64(a), text)
			case isForm:
				forms++
			case !isResult && name != text:
				t.Errorf("the layout %s is %s", name, text)
			}
		}
		if forms != 45 || len(got) != len(results)+forms+5 {
			t.Fatalf("%d operators, forms and layouts, %d forms", len(got), forms)
		}
	}
	for text, want := range map[string]string{"0x1f": "31", " 0b1'0 ": "2", "0o17": "15", "017": "15",
		"-1":           "18446744073709551615",
		"0X_8001_u64;": "32769", "uint64(42)": "42", "12ULL": "12", "-9223372036854775808": "9223372036854775808", "0": "0",
		"": "", "0x": "", "0b2": "", "e4": "", "uint64()": "", "-9223372036854775809": "", "12345678901234567890123": "",
		"1.5": "", "08": "", "--1": ""} {
		got := value[string](p, fmt.Sprintf(`import("/learn.js").then(({parseLiteral}) => {
			try { return String(parseLiteral(%q)); } catch { return ""; }
		})`, text))
		if got != want {
			t.Errorf("%q is read as %q, want %q", text, got, want)
		}
	}
}
