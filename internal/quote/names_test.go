package quote_test

import (
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/pgn"
)

// TestJSON writes each value of the types that are written by name, reads it back from its name,
// and refuses other text.
func TestJSON(t *testing.T) {
	for _, zero := range []encoding.TextMarshaler{
		fianchetto.White, fianchetto.Pawn, bitboard.NoPiece, fianchetto.Ongoing, pgn.Unknown,
	} {
		kind := reflect.TypeOf(zero)
		read := func(text string) (reflect.Value, error) {
			v := reflect.New(kind)
			return v.Elem(), json.Unmarshal([]byte(text), v.Interface())
		}
		written := 0
		for n := range 256 {
			v := reflect.New(kind).Elem()
			v.SetUint(uint64(n))
			text, err := json.Marshal(v.Interface())
			if err != nil {
				continue
			}
			written++
			if want := fmt.Sprintf("%q", v.Interface()); string(text) != want {
				t.Errorf("%v is written as %s, want %s", v, text, want)
			}
			if named, err := read(string(text)); err != nil || !named.Equal(v) {
				t.Errorf("%s is read as %v with %v", text, named, err)
			}
		}
		if written < 2 || written > 13 {
			t.Errorf("%v has %d values", kind, written)
		}
		for _, text := range []string{`""`, `"x"`, `1`, `-1`, `1.5`, `256`, `{}`, `"WHITE"`} {
			if v, err := read(text); err == nil {
				t.Errorf("%s is read as %v", text, v)
			}
		}
		if _, err := read("null"); err != nil {
			t.Error(err)
		}
	}
}

func TestBitboardJSON(t *testing.T) {
	for _, set := range []fianchetto.Bitboard{0, 1, 0x8100000000000081, 1<<64 - 1} {
		text, err := json.Marshal(set)
		if want := fmt.Sprintf(`"0x%016x"`, uint64(set)); err != nil || string(text) != want {
			t.Errorf("%#x is written as %s, %v", set, text, err)
		}
		var again fianchetto.Bitboard
		if err := json.Unmarshal(text, &again); err != nil || again != set {
			t.Errorf("%s is read as %#x, %v", text, again, err)
		}
	}
	for _, text := range []string{`"g1"`, `7`, `1e3`, `-1`, `"0x10000000000000000"`} {
		if set := fianchetto.Bitboard(5); json.Unmarshal([]byte(text), &set) == nil || set != 5 {
			t.Errorf("%s is read as %#x", text, set)
		}
	}
}
