package compare

import (
	"testing"

	"github.com/fianchetto-chess/fianchetto"
)

func TestParseMove(t *testing.T) {
	pos := fianchetto.MustParseFEN("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1")
	for text, want := range map[string]string{
		"e2e4": "e2e4", "E2E4": "e2e4", "e2-e4": "e2e4", "e2xe4": "e2e4", "e7e8q": "e7e8q", "e7e8=N": "e7e8n",
		"E7E8Q": "e7e8q", "e7e8k": "e7e8k", "O-O": "e8g8", "0-0-0": "e8c8", "g1g1": "g1g1",
		"e2": "", "e2e": "", "e9e4": "", "e2i4": "", "e7e8x": "", "e7e8qq": "", "": "", "Nf3": "", "O-O-O-O": "",
	} {
		m, err := parseMove(&pos, text)
		if (err == nil) != (want != "") || err == nil && m.String() != want {
			t.Errorf("%q is read as %v, %v, want %q", text, m, err, want)
		}
	}
}

func FuzzParseMove(f *testing.F) {
	for _, text := range []string{"e2e4", "e7e8=Q", "O-O", "0-0-0", "e2xe4", "ééé"} {
		f.Add(text)
	}
	pos := fianchetto.StartPosition()
	f.Fuzz(func(t *testing.T, text string) {
		m, err := parseMove(&pos, text)
		if err == nil && (!m.From.IsValid() || !m.To.IsValid()) {
			t.Errorf("%q is read as %v", text, m)
		}
	})
}
