package bitboard

import (
	"errors"
	"testing"

	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

func FuzzParseSquare(f *testing.F) {
	for _, seed := range []string{"a1", "h8", "e4", "", "-", "e", "i1", "e9", "e44", "E4", "é4", "\x00\x00"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ParseSquare(text)
		checkParsed(t, text, s.IsValid() && s.String() == text, s == NoSquare, err)
	})
}

// checkParsed expects the text's own value without an error, or none and an error with its offset
// in the text and its cause.
func checkParsed(t *testing.T, text string, same, none bool, err error) {
	t.Helper()
	if err == nil {
		if !same {
			t.Errorf("%q is accepted as something else", text)
		}
		return
	}
	var parseError *quote.Error
	if !errors.As(err, &parseError) || !none {
		t.Fatalf("%q is refused by %v, and yet has a value", text, err)
	}
	if parseError.Input != text || parseError.Offset < 0 || parseError.Offset > len(text) {
		t.Errorf("%q is refused by %+v", text, *parseError)
	}
	if _, ok := parseError.Cause.(Problem); !ok {
		t.Errorf("%q is refused because of %v", text, parseError.Cause)
	}
}
