package main

import (
	"encoding/xml"
	"testing"

	"github.com/fianchetto-chess/fianchetto/attacks/sliders"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli/clitest"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/drawing"
)

// TestSVGEscapes holds the document well-formed whatever the texts in it.
func TestSVGEscapes(t *testing.T) {
	const title = `<&">` + "'"
	document := drawing.Drawing{Marks: bitboard.Diagram{}.WithSquare(0, '<').WithSquare(1, '&')}.SVG(title)
	var svg struct {
		Title string `xml:"title"`
	}
	if err := xml.Unmarshal([]byte(document), &svg); err != nil || svg.Title != title {
		t.Errorf("title %q (error %v), want %q", svg.Title, err, title)
	}
}

func TestAttacksByEveryAlgorithm(t *testing.T) {
	const want = "b1 c2 c4 d3 d4 d5 e3 e5 f3 f4 f5 g4 g6 h4\n"
	for _, a := range sliders.Algorithms() {
		code, stdout, stderr := clitest.Run(t.Context(), newRootCommand(), "show", "--attacks", "queen:e4",
			"--algorithm", a.Name,
			"--fen", "4k3/7p/6p1/3pp3/2p1Q3/4PP2/8/1N2K2R w K - 0 1")
		if code != 0 || stdout != want {
			t.Errorf("%s: exit code %d, stdout %q, stderr %q; want %q", a.Name, code, stdout, stderr, want)
		}
	}
}
