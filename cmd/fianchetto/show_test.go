package main

import (
	"encoding/xml"
	"testing"

	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/drawing"
)

// TestSVGEscapes holds the document well-formed whatever the texts in it.
func TestSVGEscapes(t *testing.T) {
	const title = `<&">` + "'"
	document := drawing.Drawing{Marks: bitboard.Diagram{'<', '&'}}.SVG(title)
	var svg struct {
		Title string `xml:"title"`
	}
	if err := xml.Unmarshal([]byte(document), &svg); err != nil || svg.Title != title {
		t.Errorf("title %q (error %v), want %q", svg.Title, err, title)
	}
}
