package main

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto/attacks/sliders"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli/clitest"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/drawing"
)

// svgOf returns the SVG that show writes to stdout.
func svgOf(t *testing.T, args ...string) string {
	t.Helper()
	code, stdout, stderr := clitest.Run(t.Context(), newRootCommand(),
		append([]string{"show", "--svg", "-"}, args...)...)
	if code != 0 || stderr != "" {
		t.Fatalf("show %q: exit code %d, stderr %q", args, code, stderr)
	}
	return stdout
}

// elements parses an XML document to its end and counts its elements by name.
func elements(t *testing.T, document string) map[string]int {
	t.Helper()
	count := make(map[string]int)
	decoder := xml.NewDecoder(strings.NewReader(document))
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return count
		}
		if err != nil {
			t.Fatalf("not well-formed: %v\n%s", err, document)
		}
		if start, ok := token.(xml.StartElement); ok {
			count[start.Name.Local]++
		}
	}
}

func TestSVG(t *testing.T) {
	for _, test := range []struct {
		args   []string
		paths  int // two for each piece, and strokes and arrows
		circle int // marked squares without a piece, and a king in check
	}{
		{[]string{}, 64, 0},
		{[]string{"--fen", "kiwipete"}, 64, 0},
		{[]string{"--fen", "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1"}, 6, 1},
		{[]string{"--between", "a1,h8"}, 0, 8},
		{[]string{"--line", "a1,a2"}, 0, 8},
		{[]string{"--magic", "rook:a1"}, 0, 13},
		{[]string{"--square", "d4"}, 27, 1},
		{[]string{"--intersect", "antidiagonal:d7,rank:a4"}, 10, 0},
		{[]string{"--attacks", "knight:e4"}, 64, 7},
		{[]string{"--checks=knight"}, 64, 2},
		{[]string{"--arrows", "e2e4,g1f3"}, 66, 0},
	} {
		document := svgOf(t, test.args...)
		got := elements(t, document)
		if got["svg"] != 1 || got["title"] != 1 || got["rect"] != 65 {
			t.Errorf("show %q: elements %v, want one svg, one title, 65 rects", test.args, got)
		}
		if got["path"] != test.paths || got["circle"] != test.circle {
			t.Errorf("show %q: %d paths and %d circles, want %d and %d", test.args, got["path"], got["circle"],
				test.paths, test.circle)
		}
	}
}

// TestSVGEscapes holds the document well-formed whatever the texts in it.
func TestSVGEscapes(t *testing.T) {
	const title = `<&">` + "'"
	document := drawing.Drawing{Marks: bitboard.Diagram{}.WithSquare(0, '<').WithSquare(1, '&')}.SVG(title)
	elements(t, document)
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
