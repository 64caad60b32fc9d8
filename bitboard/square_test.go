package bitboard

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

func TestSquareMapping(t *testing.T) {
	for index := range 64 {
		s := Square(index)
		f, r := File(index%8), Rank(index/8)
		if s.File() != f || s.Rank() != r || SquareAt(f, r) != s {
			t.Errorf("%d: file %v, rank %v", index, s.File(), s.Rank())
		}
		if s.FlipVertical() != SquareAt(f, 7-r) {
			t.Errorf("%v flips to %v", s, s.FlipVertical())
		}
		if want := string(rune('a'+f)) + string(rune('1'+r)); s.String() != want || !s.IsValid() {
			t.Errorf("%d is %v, want %s", index, s, want)
		}
		// A square is dark if it is reached from a1 by an even number of single steps.
		if dark := (index%8+index/8)%2 == 0; (s.Color() == Black) != dark || DarkSquares.Has(s) != dark ||
			LightSquares.Has(s) == dark {
			t.Errorf("%v is %v, want dark %v", s, s.Color(), dark)
		}
		if s.Bitboard() != 1<<index {
			t.Errorf("the set of %v is\n%v", s, s.Bitboard())
		}
		if got, err := ParseSquare(s.String()); got != s || err != nil {
			t.Errorf("%v is read as %v, %v", s, got, err)
		}
	}
	if NoSquare.IsValid() || NoSquare.String() != "-" {
		t.Errorf("NoSquare is %v", NoSquare)
	}
}

func TestPieces(t *testing.T) {
	for i, letter := range []byte("PNBRQKpnbrqk") {
		c, kind := Color(i/6), Pawn+PieceType(i%6)
		p := PieceOf(c, kind)
		if p.Color() != c || p.Type() != kind || !p.IsValid() || p.Index() != i || p.Letter() != letter ||
			p.String() != string(letter) || kind.Letter() != letter|0x20 {
			t.Errorf("%v: %v %v, index %d, letters %c and %c", p, p.Color(), p.Type(), p.Index(), p.Letter(), kind.Letter())
		}
		if back, err := ParsePiece(string(letter)); err != nil || back != p {
			t.Errorf("%c is read as %v, %v", letter, back, err)
		}
		for _, name := range []string{string(letter), kind.String()} {
			if back, err := ParsePieceType(name); err != nil || back != kind {
				t.Errorf("%s is read as a %v, %v", name, back, err)
			}
		}
		if c.Opponent() == c || c.Opponent().Opponent() != c || PieceOf(c, NoPieceType) != NoPiece {
			t.Errorf("the opponent of %v is %v, its piece of no type %v", c, c.Opponent(), PieceOf(c, NoPieceType))
		}
	}
	for _, p := range []Piece{NoPiece, 7, 8, 15, 16, 17} {
		if p.IsValid() || p.Letter() != '.' || p.Type() > King && p.Type().Letter() != '.' {
			t.Errorf("%v is valid: %v, with the letter %c", p, p.IsValid(), p.Letter())
		}
	}
	if NoPiece.Type() != NoPieceType || NoPieceType.Letter() != '.' || NoPiece.Index() != -1 {
		t.Error("an empty square has a piece")
	}
}

func TestTextOfSquares(t *testing.T) {
	for s := A1; s <= NoSquare; s++ {
		text, err := s.MarshalText()
		back := E4
		refused := back.UnmarshalText([]byte("e9"))
		if err != nil || string(text) != s.String() || !errors.Is(refused, errRank) || back != E4 ||
			back.UnmarshalText(text) != nil || back != s {
			t.Errorf("%v is marshalled as %q, %v, and unmarshalled as %v", s, text, err, back)
		}
	}
	if text, err := Square(65).MarshalText(); !errors.Is(err, errRange) || !strings.Contains(err.Error(),
		"Square(65)") {
		t.Errorf("square 65 is marshalled as %q, %v", text, err)
	}
}

func TestNamesOfOtherValues(t *testing.T) {
	for _, v := range []struct {
		value fmt.Stringer
		name  string
	}{
		{White, "white"},
		{Black, "black"},
		{NoPieceType, "none"},
		{NoPiece, "."},
		{RankLine, "rank"},
		{AntiDiagonalLine, "antidiagonal"},
		{A1.Diagonal(), "a1/h8"},
		{A8.Diagonal(), "a8/"},
		{B1.Diagonal(), "b1/h7"},
		{H8.AntiDiagonal(), `h8\`},
		{D3.AntiDiagonal(), `f1\a6`},
		{Square(65), "Square(65)"},
		{Color(2), "Color(2)"},
		{PieceType(7), "PieceType(7)"},
		{Piece(7), "Piece(7)"},
		{Piece(8), "Piece(8)"},
		{Piece(17), "Piece(17)"},
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

// parsers calls the parser of each field, and reports whether it returns a value.
var parsers = map[string]func(string) (bool, error){
	"square":     func(text string) (bool, error) { s, err := ParseSquare(text); return s != NoSquare, err },
	"piece type": func(text string) (bool, error) { pt, err := ParsePieceType(text); return pt != NoPieceType, err },
	"piece":      func(text string) (bool, error) { p, err := ParsePiece(text); return p != NoPiece, err },
}

// FuzzParse refuses a text with an offset in it and a cause, or returns a value.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{"a1", "h8", "", "-", "e", "i1", "e9", "e44", "E4", "é4", "\x00\x00", "N", "king"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if s, err := ParseSquare(text); err == nil && (s.String() != text || !s.IsValid()) {
			t.Errorf("%q is read as %v", text, s)
		}
		for field, parse := range parsers {
			value, err := parse(text)
			var refusal *quote.Error
			if value != (err == nil) || err != nil && (!errors.As(err, &refusal) || refusal.Input != text ||
				refusal.Offset < 0 || refusal.Offset > len(text) || !errors.As(refusal.Cause, new(Problem))) {
				t.Errorf("%q is a %s: %v, %+v", text, field, value, err)
			}
		}
	})
}

func TestRefusedTexts(t *testing.T) {
	for _, r := range []struct {
		field  string
		input  string
		offset int // where reading fails
		cause  Problem
	}{
		{"square", "", 0, errShort},
		{"square", "e", 1, errShort},
		{"square", "i1", 0, errFile},
		{"square", "E4", 0, errFile},
		{"square", "-", 0, errFile},
		{"square", "e9", 1, errRank},
		{"square", "e0", 1, errRank},
		{"square", "ee", 1, errRank},
		{"square", "e44", 2, errLong},
		{"square", " e4", 0, errFile},
		{"square", "\xff\xff", 0, errFile},
		{"piece type", "", 0, errPieceType},
		{"piece type", "none", 0, errPieceType},
		{"piece type", "kni", 0, errPieceType},
		{"piece type", "x", 0, errPieceType},
		{"piece", "", 0, errShort},
		{"piece", ".", 0, errPiece},
		{"piece", "x", 0, errPiece},
		{"piece", "Kk", 1, errLong},
	} {
		value, err := parsers[r.field](r.input)
		var parseError *quote.Error
		if !errors.As(err, &parseError) || value {
			t.Errorf("%s %q: it has a value: %v, %v", r.field, r.input, value, err)
			continue
		}
		if want := (quote.Error{Field: r.field, Input: r.input, Offset: r.offset, Cause: r.cause}); *parseError != want {
			t.Errorf("%s %q:\n%+v, want\n%+v", r.field, r.input, *parseError, want)
		}
		if !errors.Is(err, r.cause) {
			t.Errorf("%s %q: errors.Is does not find %q", r.field, r.input, r.cause)
		}
	}
}

func TestMustPanicsOnBadConstants(t *testing.T) {
	defer func() {
		if message, _ := recover().(string); !strings.HasPrefix(message, "bitboard: square") {
			t.Errorf("the panic of a bad square is %q", message)
		}
	}()
	MustParseSquare("e9")
}
