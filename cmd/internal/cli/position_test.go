package cli

import (
	"testing"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/suite"
	"github.com/fianchetto-chess/fianchetto/internal/suites"
)

// TestNamedPositions holds the positions that have names to those that were published under them.
func TestNamedPositions(t *testing.T) {
	file, err := suites.Open("published")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	published := make(map[string]suite.Case)
	for c, err := range suite.Read(file, "published.epd") {
		if err != nil {
			t.Fatal(err)
		}
		published[c.Name] = c
	}

	for _, p := range namedPositions {
		c, ok := published[p.name]
		if !ok || c.FEN != p.fen {
			t.Errorf("%s is %q, published as %q", p.name, p.fen, c.FEN)
			continue
		}
		flags := PositionFlags{FEN: p.name}
		if pos, err := flags.Position(); err != nil || pos.FEN() != c.FEN {
			t.Errorf("--fen %s is %q, %v; want %q", p.name, pos.FEN(), err, c.FEN)
		}
	}
}
