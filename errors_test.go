package fianchetto_test

import (
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/attacks/sliders"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// TestErrorsQuoteLittle checks that a message quotes the 200 bytes around the problem of an input of a mebibyte, and
// names the offset.
func TestErrorsQuoteLittle(t *testing.T) {
	const before, after = 1 << 19, 1 << 19
	x := strings.Repeat("x", after)
	fen, moveText := fianchetto.StartFEN+strings.Repeat("0", before)+x, "e4"+strings.Repeat("+", before)+x
	pos := fianchetto.StartPosition()
	packed := make([]byte, before)
	for name, c := range map[string]struct {
		err    error
		quoted string // the part of the input that the message has
		offset bool   // the message has an offset
	}{
		"FEN":             {second(fianchetto.ParseFEN(fen)), strings.Repeat("0", 99), true},
		"unplayable FEN":  {second(fianchetto.ParseFEN("8/8/8/8/8/8/8/8 w - - 0 " + strings.Repeat("0", before))), `"8/8/8/8/8/8/8/8 w`, true},
		"SAN":             {second(pos.ParseSAN(moveText)), "+++", true},
		"UCI":             {second(pos.ParseUCI("e2e4" + x)), `"e2e4xxx`, true},
		"packed position": {new(fianchetto.Position).UnmarshalBinary(packed), "0000", true},
		"square":          {second(bitboard.ParseSquare("e4" + x)), `"e4xxx`, true},
		"set":             {second(bitboard.ParseBitboard(x)), `"xxx`, true},
		"algorithm":       {second(sliders.ByName(x)), `"xxx`, false},
		"method":          {second(perft.ParseMethod(x)), `"xxx`, false},
	} {
		if c.err == nil {
			t.Errorf("%s: no error", name)
			continue
		}
		message := c.err.Error()
		if len(message) > 900 || !strings.Contains(message, c.quoted) || c.offset && !strings.Contains(message, "offset ") {
			t.Errorf("%s: %d bytes: %.1000s", name, len(message), message)
		}
	}
}

// second returns the error of a call.
func second[T any](_ T, err error) error { return err }
