package drawing

import (
	"encoding/xml"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// luminance is that of a colour in sRGB, 0 for black to 1 for white.
// Source: Web Content Accessibility Guidelines 2.1, relative luminance.
func luminance(c rgb) float64 {
	linear := func(part int) float64 {
		v := float64(part) / 255
		if v <= 0.04045 {
			return v / 12.92
		}
		return math.Pow((v+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(c.r) + 0.7152*linear(c.g) + 0.0722*linear(c.b)
}

func contrast(a, b rgb) float64 {
	la, lb := luminance(a), luminance(b)
	return (max(la, lb) + 0.05) / (min(la, lb) + 0.05)
}

// ansi are the first sixteen colours of terminals.
var ansi = map[string][16]rgb{
	"xterm": {
		{0, 0, 0}, {205, 0, 0}, {0, 205, 0}, {205, 205, 0}, {0, 0, 238}, {205, 0, 205}, {0, 205, 205}, {229, 229, 229},
		{127, 127, 127}, {255, 0, 0}, {0, 255, 0}, {255, 255, 0}, {92, 92, 255}, {255, 0, 255}, {0, 255, 255},
		{255, 255, 255},
	},
	"VGA": {
		{0, 0, 0}, {170, 0, 0}, {0, 170, 0}, {170, 85, 0}, {0, 0, 170}, {170, 0, 170}, {0, 170, 170}, {170, 170, 170},
		{85, 85, 85}, {255, 85, 85}, {85, 255, 85}, {255, 255, 85}, {85, 85, 255}, {255, 85, 255}, {85, 255, 255},
		{255, 255, 255},
	},
	"Windows console": {
		{12, 12, 12}, {197, 15, 31}, {19, 161, 14}, {193, 156, 0}, {0, 55, 218}, {136, 23, 152}, {58, 150, 221},
		{204, 204, 204},
		{118, 118, 118}, {231, 72, 86}, {22, 198, 12}, {249, 241, 165}, {59, 120, 255}, {180, 0, 158}, {97, 214, 214},
		{242, 242, 242},
	},
}

// colorOf returns the colour that an SGR parameter selects.
func colorOf(t *testing.T, parameter string, first16 [16]rgb) rgb {
	t.Helper()
	ground, index, is256 := strings.Cut(parameter, ";5;")
	code, err := strconv.Atoi(ground)
	if is256 {
		code, err = strconv.Atoi(index)
	}
	level := func(i int) int { return [6]int{0, 95, 135, 175, 215, 255}[i%6] }
	switch {
	case err != nil:
		t.Fatalf("%q: %v", parameter, err)
	case is256 && code >= 232 && code < 256:
		gray := 8 + 10*(code-232)
		return rgb{gray, gray, gray}
	case is256 && code >= 16 && code < 232:
		return rgb{level((code - 16) / 36), level((code - 16) / 6), level(code - 16)}
	case !is256 && (code/10 == 3 || code/10 == 4) && code%10 < 8:
		return first16[code%10]
	case !is256 && code/10 == 9 && code%10 < 8:
		return first16[code%10+8]
	}
	t.Fatalf("%q is not a colour that all such terminals have", parameter)
	return rgb{}
}

// TestContrast holds both inks to a contrast of at least 4.5 on each square in each tint.
// Source of the number: Web Content Accessibility Guidelines 2.1, success criterion 1.4.3.
func TestContrast(t *testing.T) {
	const least = 4.5
	for terminal, first16 := range ansi {
		for _, colors := range []Palette{Colors16, Colors256} {
			for _, ink := range colors.ink {
				for tint, squares := range colors.square {
					for _, square := range squares {
						if c := contrast(colorOf(t, ink, first16), colorOf(t, square, first16)); c < least {
							t.Errorf("%s: %s on %s, tint %d, has a contrast of %.2f", terminal, ink, square, tint, c)
						}
					}
				}
			}
		}
	}
}

// TestText draws the same board in every style.
func TestText(t *testing.T) {
	pos := fianchetto.MustParseFEN("4k3/8/8/8/8/8/4P3/R3K3 w Q - 0 1")
	d := Drawing{Position: &pos, Marks: bitboard.Diagram{}.With(bitboard.A1.Bitboard()|bitboard.H8.Bitboard(), Member)}
	flipped := d
	flipped.Flipped = true
	for _, test := range []struct {
		drawing Drawing
		style   Style
		first   string // rank, without colours
		want    string
	}{
		{d, Style{}, " 8  .  .  .  .  k  .  .  *  8", " 1 (R) .  .  .  K  .  .  .  1"},
		{d, Style{Symbols: true}, " 8  .  .  .  .  ♚  .  .  *  8", " 1 (♖) .  .  .  ♔  .  .  .  1"},
		{flipped, Style{}, " 1  .  .  .  K  .  .  . (R) 1", " 8  *  .  .  k  .  .  .  .  8"},
		{d, Style{Colors: &Colors256}, " 8              k        *  8", " 1  R           K           1"},
		{d, Style{Colors: &Colors256, Symbols: true}, " 8              ♚        *  8", " 1  ♜           ♚           1"},
	} {
		text := regexp.MustCompile("\x1b\\[[0-9;]*m").ReplaceAllString(test.drawing.Text(test.style), "")
		lines := strings.Split(text, "\n")
		if lines[1] != test.first || lines[8] != test.want {
			t.Errorf("%+v: first rank %q, last %q; want %q, %q", test.style, lines[1], lines[8], test.first, test.want)
		}
		files := "    a  b  c  d  e  f  g  h"
		if test.drawing.Flipped {
			files = "    h  g  f  e  d  c  b  a"
		}
		if lines[0] != files || lines[9] != files {
			t.Errorf("%+v: files %q and %q", test.style, lines[0], lines[9])
		}
	}
}

// TestOriginIsNotInTheSet draws a slider's square, whose circle must not look as if the square
// belonged to the set.
func TestOriginIsNotInTheSet(t *testing.T) {
	board := Drawing{Marks: bitboard.Diagram{bitboard.D4: Origin, bitboard.E5: Member}}
	for s, want := range map[bitboard.Square]tint{bitboard.D4: plain, bitboard.E5: marked, bitboard.A1: plain} {
		if got := board.tintOf(s); got != want {
			t.Errorf("%v has tint %d, want %d", s, got, want)
		}
	}
}

// TestSVGEscapes holds the document well-formed whatever the texts in it.
func TestSVGEscapes(t *testing.T) {
	const title = `<&">` + "'"
	document := Drawing{Marks: bitboard.Diagram{'<', '&'}}.SVG(title)
	var svg struct {
		Title string `xml:"title"`
	}
	if err := xml.Unmarshal([]byte(document), &svg); err != nil || svg.Title != title {
		t.Errorf("title %q (error %v), want %q", svg.Title, err, title)
	}
}
