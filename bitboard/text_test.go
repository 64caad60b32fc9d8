package bitboard

import (
	"encoding"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// A textual type writes and reads its values; *T is its pointer type.
type textual[T any] interface {
	*T
	encoding.TextUnmarshaler
}

// roundTrip writes v and reads it back.
func roundTrip[T interface {
	comparable
	encoding.TextMarshaler
	String() string
}, P textual[T]](t *testing.T, v T) {
	t.Helper()
	text, err := v.MarshalText()
	if err != nil || string(text) != v.String() {
		t.Errorf("%T %v is marshalled as %q, %v", v, v, text, err)
	}
	if a, ok := any(v).(encoding.TextAppender); ok {
		if got, err := a.AppendText([]byte("x")); err != nil || string(got) != "x"+v.String() {
			t.Errorf("%T %v is appended as %q, %v", v, v, got, err)
		}
	}
	var back T
	if err := P(&back).UnmarshalText(text); err != nil || back != v {
		t.Errorf("%q is unmarshalled as %v, %v, want %v", text, back, err, v)
	}
}

// refuseToWrite expects that v, a value out of range of its type, is named so and not marshalled.
func refuseToWrite[T interface {
	encoding.TextMarshaler
	String() string
}](t *testing.T, v T, name string) {
	t.Helper()
	if v.String() != name {
		t.Errorf("the name is %v, want %s", v, name)
	}
	if text, err := v.MarshalText(); !errors.Is(err, errRange) || !strings.Contains(err.Error(), name) {
		t.Errorf("%v is marshalled as %q, %v", v, text, err)
	}
	if a, ok := any(v).(encoding.TextAppender); ok {
		if text, err := a.AppendText([]byte("x")); !errors.Is(err, errRange) || string(text) != "x" {
			t.Errorf("%v is appended as %q, %v", v, text, err)
		}
	}
}

func TestTextOfEveryValue(t *testing.T) {
	for s := A1; s <= NoSquare; s++ {
		roundTrip(t, s)
	}
	for _, k := range LineKinds() {
		if back, err := ParseLineKind(k.String()); err != nil || back != k {
			t.Errorf("%v is read as %v, %v", k, back, err)
		}
	}
	for _, c := range []Color{White, Black} {
		roundTrip(t, c)
		for kind := Pawn; kind <= King; kind++ {
			roundTrip(t, PieceOf(c, kind))
		}
	}
	for kind := NoPieceType; kind <= King; kind++ {
		roundTrip(t, kind)
	}
	roundTrip(t, NoPiece)
	for _, b := range []Bitboard{Empty, Full, DarkSquares, A1.Diagonal().Mask(), BitboardOf(A8)} {
		roundTrip(t, b)
	}
}

func TestValuesThatAreNoneOfTheirType(t *testing.T) {
	refuseToWrite(t, Square(65), "Square(65)")
	refuseToWrite(t, Color(2), "Color(2)")
	refuseToWrite(t, PieceType(7), "PieceType(7)")
	refuseToWrite(t, Piece(7), "Piece(7)")
	refuseToWrite(t, Piece(8), "Piece(8)")
	refuseToWrite(t, Piece(17), "Piece(17)")
	for _, v := range []struct {
		value fmt.Stringer
		name  string
	}{
		{File(8), "File(8)"},
		{Rank(200), "Rank(200)"},
		{Diagonal(15), "Diagonal(15)"},
		{AntiDiagonal(255), "AntiDiagonal(255)"},
		{LineKind(4), "LineKind(4)"},
	} {
		if got := v.value.String(); got != v.name {
			t.Errorf("the name is %v, want %s", got, v.name)
		}
	}
}

// texts are refused: what is read, from what, where reading fails, and why.
var refusedTexts = []struct {
	field  string
	input  string
	offset int
	cause  Problem
}{
	{"square", "", 0, ErrShort},
	{"square", "e", 1, ErrShort},
	{"square", "i1", 0, ErrFile},
	{"square", "E4", 0, ErrFile},
	{"square", "-", 0, ErrFile},
	{"square", "e9", 1, ErrRank},
	{"square", "e0", 1, ErrRank},
	{"square", "ee", 1, ErrRank},
	{"square", "e44", 2, ErrLong},
	{"square", " e4", 0, ErrFile},
	{"square", "\xff\xff", 0, ErrFile},
	{"colour", "", 0, errColor},
	{"colour", "x", 0, errColor},
	{"colour", "wx", 1, errColor},
	{"colour", "blue", 2, errColor},
	{"piece type", "", 0, errPieceType},
	{"piece type", "none", 0, errPieceType},
	{"piece type", "kni", 3, errPieceType},
	{"piece type", "x", 0, errPieceType},
	{"piece", "", 0, ErrShort},
	{"piece", ".", 0, ErrPiece},
	{"piece", "x", 0, ErrPiece},
	{"piece", "Kk", 1, ErrLong},
	{"line kind", "anti-diagonal", 4, errLineKind},
	{"bitboard", "", 0, ErrShort},
}

// parsers calls the parser of each field and drops the value.
var parsers = map[string]func(string) error{
	"square":     func(text string) error { _, err := ParseSquare(text); return err },
	"colour":     func(text string) error { _, err := ParseColor(text); return err },
	"piece type": func(text string) error { _, err := ParsePieceType(text); return err },
	"piece":      func(text string) error { _, err := ParsePiece(text); return err },
	"line kind":  func(text string) error { _, err := ParseLineKind(text); return err },
	"bitboard":   func(text string) error { _, err := ParseBitboard(text); return err },
}

func TestRefusedTexts(t *testing.T) {
	for _, r := range refusedTexts {
		err := parsers[r.field](r.input)
		var parseError *ParseError
		if !errors.As(err, &parseError) {
			t.Errorf("%s %q: %v", r.field, r.input, err)
			continue
		}
		if want := (ParseError{r.field, r.input, r.offset, r.cause}); *parseError != want {
			t.Errorf("%s %q:\n%+v, want\n%+v", r.field, r.input, *parseError, want)
		}
		if !errors.Is(err, r.cause) {
			t.Errorf("%s %q: errors.Is does not find %q", r.field, r.input, r.cause)
		}
	}
}

func TestParseErrorNamesFieldInputOffsetAndCause(t *testing.T) {
	_, err := ParseSquare("e9")
	if want := `square "e9", offset 1: invalid rank (want 1 to 8)`; err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

func TestUnmarshalLeavesTheValueAfterAnError(t *testing.T) {
	s, p := E4, WhiteQueen
	if err := s.UnmarshalText([]byte("e9")); !errors.Is(err, ErrRank) || s != E4 {
		t.Errorf("e9 is unmarshalled as %v, %v", s, err)
	}
	if err := p.UnmarshalText([]byte("x")); !errors.Is(err, ErrPiece) || p != WhiteQueen {
		t.Errorf("x is unmarshalled as %v, %v", p, err)
	}
}

func TestShortForms(t *testing.T) {
	for text, want := range map[string]Color{"w": White, "white": White, "b": Black, "black": Black} {
		if c, err := ParseColor(text); err != nil || c != want {
			t.Errorf("%q is %v, %v", text, c, err)
		}
		if c := want.Letter(); c != text[0] {
			t.Errorf("%v has the letter %c", want, c)
		}
	}
	for text, want := range map[string]PieceType{"n": Knight, "N": Knight, "q": Queen, "P": Pawn, "king": King} {
		if kind, err := ParsePieceType(text); err != nil || kind != want {
			t.Errorf("%q is %v, %v", text, kind, err)
		}
	}
}

func TestLetters(t *testing.T) {
	for kind, letter := range ".pnbrqk.." {
		if got := PieceType(kind).Letter(); got != byte(letter) {
			t.Errorf("%v has the letter %c, want %c", PieceType(kind), got, letter)
		}
	}
	for p, letter := range ".PNBRQK..pnbrqk.." {
		if got := Piece(p).Letter(); got != byte(letter) {
			t.Errorf("%v has the letter %c, want %c", Piece(p), got, letter)
		}
	}
}

func TestMustPanicsOnBadConstants(t *testing.T) {
	if MustParseSquare("e4") != E4 || MustParseBitboard(Full.String()) != Full {
		t.Error("Must changes the value")
	}
	for name, f := range map[string]func(){
		"square":   func() { MustParseSquare("e9") },
		"bitboard": func() { MustParseBitboard("x") },
	} {
		func() {
			defer func() {
				if message, _ := recover().(string); !strings.HasPrefix(message, "bitboard: "+name) {
					t.Errorf("the panic of a bad %s is %q", name, message)
				}
			}()
			f()
		}()
	}
}
