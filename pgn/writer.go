package pgn

import (
	"io"

	"github.com/fianchetto-chess/fianchetto"
)

// Writer writes games in the export format, as Game.MarshalText describes it.
type Writer struct {
	w    io.Writer
	text []byte
}

// NewWriter returns a Writer to w.
func NewWriter(w io.Writer) *Writer { return &Writer{w: w} }

// Write writes a game in one call of the underlying writer. The error is that of MarshalText, and then nothing is
// written, or that of the writer.
func (w *Writer) Write(g *Game) error {
	text, err := g.appendText(w.text[:0])
	w.text = text
	if err != nil {
		return err
	}
	_, err = w.w.Write(text)
	return err
}

// MarshalText returns the game in the export format, with an empty line at its end. It implements encoding.TextMarshaler.
//
// The seven tags of the roster come first, Event, Site, Date, Round, White, Black and Result, with question marks for those that
// the game does not have, then its other tags in their order. Result, SetUp, FEN and Variant follow the game's Result and
// Start, whatever its tags. Lines have fewer than 80 columns, except tags, comments that contain }, which are
// written after a semicolon, and longer words; no line of a comment begins like an escape or a tag pair.
//
// The text reads back as the same game, with three exceptions: comments become their words with single spaces between them, empty
// comments and variations are dropped, and tags are in the order in which they are written. The error is a *fianchetto.MoveError
// for an illegal move, or names what the format cannot hold.
func (g *Game) MarshalText() ([]byte, error) { return g.appendText(nil) }

// appendText appends what MarshalText returns; after an error, nothing.
func (g *Game) appendText(text []byte) ([]byte, error) {
	w := export{text: text}
	for _, tag := range g.exportTags() {
		if err := w.tag(tag); err != nil {
			return text, err
		}
	}
	w.newLine()
	if err := w.moves(&g.Line, g.Start, 0); err != nil {
		return text, err
	}
	w.word(g.Result.String())
	return append(w.text, "\n\n"...), nil
}

// roster has the tags of every game, with the values of unknown ones.
var roster = Tags{
	{eventTag, "?"}, {"Site", "?"}, {"Date", "????.??.??"}, {"Round", "?"}, {"White", "?"}, {"Black", "?"}, {resultTag, "*"},
}

// exportTags returns the tags in the order in which they are written.
func (g *Game) exportTags() Tags {
	tags := append(make(Tags, 0, len(roster)+len(g.Tags)+3), roster...)
	for i := range tags {
		if g.Tags.has(tags[i].Name) {
			tags[i].Value = g.Tags.Value(tags[i].Name)
		}
	}
	tags.Set(resultTag, g.Result.String())
	taken := append(Tags{{Name: setUpTag}, {Name: fenTag}}, roster...)
	for _, tag := range g.Tags {
		chess960, known := readVariant(tag.Value)
		contradicts := tag.Name == variantTag && !(known && chess960 == g.Start.IsChess960())
		if !taken.has(tag.Name) && !contradicts {
			tags = append(tags, tag)
		}
	}
	if g.Start.IsChess960() && !tags.has(variantTag) {
		tags = append(tags, Tag{variantTag, "Chess960"})
	}
	if g.Start != fianchetto.StartPosition() {
		tags = append(tags, Tag{setUpTag, "1"}, Tag{fenTag, g.Start.FEN()})
	}
	return tags
}
