package oracle

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto/internal/must"
)

// TestCorpora reads the FENs that the fast generator's parser is tested with: what is
// valid for one must be so for the other.
func TestCorpora(t *testing.T) {
	for _, line := range corpus(t, "valid.fen") {
		fen, canonical := line[0], line[1]
		b, err := Parse(fen)
		if again, againErr := Parse(b.ShredderFEN()); err != nil || againErr != nil || again != b {
			t.Errorf("%s: %v, read again as %s, %v", fen, err, again.FEN(), againErr)
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
	text := must.Get(os.ReadFile("../../testdata/" + name))(t)
	var lines [][]string
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSuffix(line, "\n"); line != "" && line[0] != '#' {
			fields := strings.Split(line, "\t")
			for i, field := range fields {
				if unquoted, err := strconv.Unquote(field); err == nil {
					fields[i] = unquoted
				}
			}
			lines = append(lines, fields)
		}
	}
	if len(lines) == 0 {
		t.Fatalf("%s is empty", name)
	}
	return lines
}
