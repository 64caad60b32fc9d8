package bitboard

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestDrawingsAreReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := sets.Draw(t, "b")
		drawing := b.String()
		lines := strings.Split(drawing, "\n")
		if len(lines) != 8 {
			t.Fatalf("%d lines:\n%s", len(lines), drawing)
		}
		for s := range allSquares {
			if got := lines[7-s.Rank()][2*s.File()] == '1'; got != b.Has(s) {
				t.Fatalf("%v is drawn %v:\n%s", s, got, drawing)
			}
		}
		for _, form := range []string{
			drawing,
			drawing + "\n",
			"\n\n" + drawing + "\n \n",
			strings.ReplaceAll(drawing, " ", ""),
			strings.ReplaceAll(drawing, "\n", "\r\n\t"),
			strings.ReplaceAll(drawing, "\n", "\n\n"),
		} {
			if got, err := ParseBitboard(form); err != nil || got != b {
				t.Fatalf("%q is read as\n%v, %v", form, got, err)
			}
		}
	})
}

func TestRefusedDrawings(t *testing.T) {
	empty := Empty.String()
	row := strings.Repeat(". ", 7) + ".\n"
	for _, r := range []struct {
		name    string
		drawing string
		offset  int
		cause   Problem
	}{
		{"nothing", "", 0, errShort},
		{"only blanks", " \n\t\n", 4, errShort},
		{"seven ranks", strings.Repeat(row, 7), 112, errShort},
		{"nine ranks", strings.Repeat(row, 9), 128, errLong},
		{"a rank of seven", row + row[2:] + strings.Repeat(row, 6), 16 + 13, errShort},
		{"a rank of nine", row + ". " + strings.Repeat(row, 7), 16 + 16, errLong},
		{"one square missing at the end", empty[:len(empty)-1], 126, errShort},
		{"one square too many", empty + ".", 127, errLong},
		{"another mark", strings.Replace(empty, ".", "x", 1), 0, errMark},
		{"a zero", row + "0", 16, errMark},
		{"a rank's digit", "8 " + empty, 0, errMark},
	} {
		b, err := ParseBitboard(r.drawing)
		var parseError *ParseError
		if !errors.As(err, &parseError) || b != Empty {
			t.Errorf("%s is read as\n%v, %v", r.name, b, err)
			continue
		}
		if want := (ParseError{"bitboard", r.drawing, r.offset, r.cause}); *parseError != want {
			t.Errorf("%s:\n%+v, want\n%+v", r.name, *parseError, want)
		}
	}
}

func TestFormatVerbs(t *testing.T) {
	b := BitboardOf(A1, B1, H8)
	for format, want := range map[string]string{
		"%v":    b.String(),
		"%s":    b.String(),
		"%d":    "9223372036854775811",
		"%x":    "8000000000000003",
		"%#X":   "0X8000000000000003",
		"%020x": "00008000000000000003",
	} {
		if got := fmt.Sprintf(format, b); got != want {
			t.Errorf("%s prints %q, want %q", format, got, want)
		}
	}
}

func TestDiagramMarks(t *testing.T) {
	g := Diagram{}.With(Rank1Mask, '-').WithSquare(E1, '♔').WithSquare(NoSquare, '!')
	if got, want := g.String(), strings.Repeat(". . . . . . . .\n", 7)+"- - - - ♔ - - -"; got != want {
		t.Errorf("drawn\n%s\nwant\n%s", got, want)
	}
	if got := (Diagram{}).WithSquare(E4, 'x'); got == (Diagram{}) {
		t.Error("a mark is lost")
	}
}
