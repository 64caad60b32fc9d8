package drawing

import (
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

// colorOf returns the colour that an SGR parameter selects among 256.
func colorOf(t *testing.T, parameter string) rgb {
	t.Helper()
	_, index, _ := strings.Cut(parameter, ";5;")
	code, err := strconv.Atoi(index)
	level := func(i int) int { return [6]int{0, 95, 135, 175, 215, 255}[i%6] }
	switch {
	case err != nil || code < 16 || code > 255:
		t.Fatalf("%q is not a colour that all such terminals have", parameter)
	case code >= 232:
		gray := 8 + 10*(code-232)
		return rgb{gray, gray, gray}
	}
	return rgb{level((code - 16) / 36), level((code - 16) / 6), level(code - 16)}
}

// TestContrast holds both inks to a contrast of at least 4.5 on each square in each tint.
// Source of the number: Web Content Accessibility Guidelines 2.1, success criterion 1.4.3.
func TestContrast(t *testing.T) {
	const least = 4.5
	for _, ink := range inks {
		for tint, squares := range grounds {
			for _, square := range squares {
				if c := contrast(colorOf(t, ink), colorOf(t, square)); c < least {
					t.Errorf("%s on %s, tint %d, has a contrast of %.2f", ink, square, tint, c)
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
		colored bool
		first   string // rank, without colours
		want    string
	}{
		{d, false, " 8  .  .  .  .  k  .  .  *  8", " 1 (R) .  .  .  K  .  .  .  1"},
		{flipped, false, " 1  .  .  .  K  .  .  . (R) 1", " 8  *  .  .  k  .  .  .  .  8"},
		{d, true, " 8              k        *  8", " 1  R           K           1"},
	} {
		text := regexp.MustCompile("\x1b\\[[0-9;]*m").ReplaceAllString(test.drawing.Text(test.colored), "")
		lines := strings.Split(text, "\n")
		if lines[1] != test.first || lines[8] != test.want {
			t.Errorf("colored %v: first rank %q, last %q; want %q, %q", test.colored, lines[1], lines[8], test.first, test.want)
		}
		files := "    a  b  c  d  e  f  g  h"
		if test.drawing.Flipped {
			files = "    h  g  f  e  d  c  b  a"
		}
		if lines[0] != files || lines[9] != files {
			t.Errorf("colored %v: files %q and %q", test.colored, lines[0], lines[9])
		}
	}
}

// TestOriginIsNotInTheSet draws a slider's square, whose circle must not look as if the square
// belonged to the set.
func TestOriginIsNotInTheSet(t *testing.T) {
	board := Drawing{Marks: bitboard.Diagram{}.WithSquare(bitboard.D4, Origin).WithSquare(bitboard.E5, Member)}
	for s, want := range map[bitboard.Square]tint{bitboard.D4: plain, bitboard.E5: marked, bitboard.A1: plain} {
		if got := board.tintOf(s); got != want {
			t.Errorf("%v has tint %d, want %d", s, got, want)
		}
	}
}
