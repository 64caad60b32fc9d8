package oracle

import (
	"os"
	"strings"
	"testing"
)

func TestFENCastlingRights(t *testing.T) {
	for _, test := range []struct{ name, fen, want, shredder string }{
		{"standard", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
			"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1"},
		{"Shredder", "r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1",
			"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1"},
		{"four fields", "4k3/8/8/8/8/8/8/4K3 b - -",
			"4k3/8/8/8/8/8/8/4K3 b - - 0 1", "4k3/8/8/8/8/8/8/4K3 b - - 0 1"},
		{"X-FEN, outermost rooks", "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkq - 0 1",
			"1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1", "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1"},
		{"X-FEN, an inner rook", "4k3/8/8/8/8/8/8/RR2K1RR w GQ - 0 1",
			"4k3/8/8/8/8/8/8/RR2K1RR w GA - 0 1", "4k3/8/8/8/8/8/8/RR2K1RR w GA - 0 1"},
		{"double Chess960", "r1k4r/8/8/8/8/8/8/1R3KR1 w KQkq - 0 1",
			"r1k4r/8/8/8/8/8/8/1R3KR1 w GBha - 0 1", "r1k4r/8/8/8/8/8/8/1R3KR1 w GBha - 0 1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := mustParse(t, test.fen)
			if got := b.FEN(); got != test.want {
				t.Errorf("FEN %s, want %s", got, test.want)
			}
			if got := b.ShredderFEN(); got != test.shredder {
				t.Errorf("Shredder-FEN %s, want %s", got, test.shredder)
			}
			if again := mustParse(t, b.ShredderFEN()); again != b {
				t.Errorf("read back %s", again.FEN())
			}
		})
	}
}

// TestCorpora reads the FENs that the fast generator's parser is tested with: what is
// valid for one must be so for the other.
func TestCorpora(t *testing.T) {
	for _, line := range corpus(t, "valid.fen") {
		fen, canonical := line[0], line[1]
		b, err := Parse(fen)
		if err != nil {
			t.Error(err)
		} else if b.FEN() != canonical && b.ShredderFEN() != canonical {
			t.Errorf("%s: written %s, want %s", fen, b.FEN(), canonical)
		}
	}
	for _, line := range corpus(t, "invalid.fen") {
		if _, err := Parse(line[3]); err == nil {
			t.Errorf("%s is accepted in spite of its %s: %s", line[3], line[0], line[2])
		}
	}
}

// corpus returns the lines of a file of testdata, cut at their tabs, without comments.
func corpus(t *testing.T, name string) [][]string {
	t.Helper()
	text, err := os.ReadFile("../../testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var lines [][]string
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSuffix(line, "\n"); line != "" && line[0] != '#' {
			lines = append(lines, strings.Split(line, "\t"))
		}
	}
	if len(lines) == 0 {
		t.Fatalf("%s is empty", name)
	}
	return lines
}
