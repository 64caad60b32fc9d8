package divide

import (
	"testing"

	"github.com/fianchetto-chess/fianchetto"
)

// TestReadMove reads moves that are legal or not: the squares that each means.
func TestReadMove(t *testing.T) {
	const castles = "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1"
	const pieces = "4k3/1P6/8/2pN1N2/8/1PB4r/8/4K3 w - - 0 1"
	for _, test := range []struct{ fen, text, want string }{
		{castles, "e2e4", "e2e4"}, {castles, "E2E4", "e2e4"}, {castles, "e2-e4", "e2e4"}, {castles, "e2xe4", "e2e4"},
		{castles, "e7e8q", "e7e8q"}, {castles, "e7e8=N", "e7e8n"}, {castles, "e7e8(R)", "e7e8r"},
		{castles, "E7E8Q", "e7e8q"}, {castles, "e7e8k", "e7e8k"}, {castles, "O-O", "e8g8"}, {castles, "o-o-o", "e8c8"},
		{castles, "0-0-0", "e8c8"}, {castles, "OO", "e8g8"}, {castles, "g1g1", "g1g1"}, {castles, "Ra8xa1+", "a8a1"},
		{castles, "Rg8", "a8g8"}, {castles, "Rad8", "a8d8"}, {castles, "Rhf8", "h8f8"},
		{pieces, "b8=Q", "b7b8q"}, {pieces, "b8Q+", "b7b8q"}, {pieces, "b4", "b3b4"}, {pieces, "Bb4", "c3b4"},
		{pieces, "Ndb6", "d5b6"}, {pieces, "Nd5-b6", "d5b6"}, {pieces, "Nh6#", "f5h6"}, {pieces, "Bd2!?", "c3d2"},
		{pieces, "nh6", ""}, {pieces, "NH6", ""}, {pieces, "bxd2", "b3d2"}, {pieces, "BXD2", ""},
		{pieces, "B1c3", "?"}, {pieces, "bc4 e.p.", "b3c4"}, {pieces, "Qd1", "?"},
		{castles, "e2", "?"}, {castles, "e2e", ""}, {castles, "e9e4", "no e9"}, {castles, "G1-I2", "no i2"}, {castles, "a7a9q", "no a9"}, {castles, "e2i4", "no i4"}, {castles, "e7e8x", ""},
		{castles, "e7e8qq", ""}, {castles, "", ""}, {castles, "O-O-O-O", ""}, {castles, "Ne8-f6", ""},
	} {
		pos := fianchetto.MustParseFEN(test.fen)
		got := ""
		w, err := readMove(&pos, test.text)
		if err == nil {
			if m, err := w.proposal(&pos); w.beyond != "" {
				got = "no " + w.beyond
			} else if err != nil {
				got = "?"
			} else {
				got = m.String()
			}
		}
		if got != test.want {
			t.Errorf("%q is read as %q, %v, want %q", test.text, got, err, test.want)
		}
	}
}

// FuzzReadMove reads any text without a panic.
func FuzzReadMove(f *testing.F) {
	for _, text := range []string{"e2e4", "e7e8=Q", "O-O", "0-0-0", "e2xe4", "ééé", "Nb1-d2+", "BXC3 E.P."} {
		f.Add(text)
	}
	pos := fianchetto.StartPosition()
	f.Fuzz(func(t *testing.T, text string) {
		w, err := readMove(&pos, text)
		if err != nil {
			return
		}
		if m, err := w.proposal(&pos); err == nil && w.beyond == "" && (!m.From.IsValid() || !m.To.IsValid()) {
			t.Errorf("%q is read as %v", text, m)
		}
	})
}
