package pgn

import (
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/fianchetto-chess/fianchetto"
)

// Writer writes games in the export format, as Game.MarshalText describes it.
type Writer struct {
	w    io.Writer
	text []byte
}

// NewWriter returns a Writer to w.
func NewWriter(w io.Writer) *Writer { return &Writer{w: w} }

// Write writes a game in one call of the underlying writer. The error is MarshalText's, and then
// nothing is written, or the writer's.
func (w *Writer) Write(g *Game) error {
	text, err := g.appendText(w.text[:0])
	w.text = text
	if err != nil {
		return err
	}
	_, err = w.w.Write(text)
	return err
}

// MarshalText returns the game in the export format, with an empty line at its end. It implements
// encoding.TextMarshaler.
//
// The seven tags of the roster come first, Event, Site, Date, Round, White, Black and Result, with
// question marks for those that the game does not have, then its other tags in their order. Result,
// SetUp, FEN and Variant follow the game's Result and Start, not its tags. Lines have fewer than 80
// columns, except tags, comments that contain }, which are written after a semicolon, and longer
// words; no line of a comment begins like an escape or a tag pair.
//
// A zero Start stands for the start position, unless the game has a tag FEN, which a Reader could
// not read: that is an error.
//
// The text reads back as the same game, with three exceptions: comments become their words with
// single spaces between them, empty comments and variations are dropped, and tags are in the order
// in which they are written. The error is a *fianchetto.MoveError for an illegal move, or names
// what the format cannot hold.
func (g *Game) MarshalText() ([]byte, error) { return g.appendText(nil) }

// appendText appends what MarshalText returns; after an error, nothing.
func (g *Game) appendText(text []byte) ([]byte, error) {
	start, err := g.start()
	if err != nil {
		return text, err
	}
	w := export{text: text}
	for _, tag := range g.exportTags(start) {
		if err := w.tag(tag); err != nil {
			return text, err
		}
	}
	w.newLine()
	if err := w.moves(&g.Line, start, 0); err != nil {
		return text, err
	}
	w.word(g.Result.String())
	return append(w.text, "\n\n"...), nil
}

// roster has the tags of every game, with the values of unknown ones.
var roster = Tags{
	{eventTag, "?"}, {"Site", "?"}, {"Date", "????.??.??"}, {"Round", "?"}, {"White", "?"}, {"Black", "?"},
	{resultTag, "*"},
}

// exportTags returns the tags of a game that begins at start, in the order in which they are
// written.
func (g *Game) exportTags(start fianchetto.Position) Tags {
	tags := append(make(Tags, 0, len(roster)+len(g.Tags)+3), roster...)
	for i := range tags {
		if g.Tags.has(tags[i].Name) {
			tags[i].Value = g.Tags.Value(tags[i].Name)
		}
	}
	tags.Set(resultTag, g.Result.String())
	taken := append(Tags{{Name: setUpTag}, {Name: fenTag}}, roster...)
	for _, tag := range g.Tags {
		rules := rulesOf(tag.Value)
		contradicts := tag.Name == variantTag && (rules == otherGame || start.IsChess960() == (rules != chess960))
		if !taken.has(tag.Name) && !contradicts {
			tags = append(tags, tag)
		}
	}
	if start.IsChess960() && !tags.has(variantTag) {
		tags = append(tags, Tag{variantTag, "Chess960"})
	}
	if start != fianchetto.StartPosition() {
		tags = append(tags, Tag{setUpTag, "1"}, Tag{fenTag, start.FEN()})
	}
	return tags
}

// export is the state of an export.
type export struct {
	text   []byte
	column int  // of the next byte, from 0
	tight  bool // no space before the next word
}

// width is the greatest number of columns of a line: the standard wants fewer than 80.
const width = 79

func (w *export) newLine() {
	w.text = append(w.text, '\n')
	w.column, w.tight = 0, false
}

// word writes a word on the line, or on the next if the line is full.
func (w *export) word(text string) {
	columns, space := utf8.RuneCountInString(text), 1
	if w.tight || w.column == 0 {
		space = 0
	}
	switch {
	case w.column > 0 && w.column+space+columns > width:
		w.newLine()
	case space > 0:
		w.text = append(w.text, ' ')
		w.column++
	}
	w.text = append(w.text, text...)
	w.column += columns
	w.tight = false
}

func (w *export) tag(tag Tag) error {
	if name, rest := cutTagName([]byte(tag.Name)); len(name) == 0 || len(name) != len(tag.Name) || len(rest) > 0 {
		return errTag
	}
	if !utf8.ValidString(tag.Value) || strings.ContainsAny(tag.Value, "\r\n") {
		return errText
	}
	w.text = append(append(w.text, '['), tag.Name...)
	w.text = append(append(w.text, ` "`...), escape.Replace(tag.Value)...)
	w.text = append(w.text, "\"]\n"...)
	return nil
}

// escape writes backslashes before quotes and backslashes.
var escape = strings.NewReplacer(`"`, `\"`, `\`, `\\`)

// moves writes a line that begins in a position, at a depth of variations.
func (w *export) moves(l *Line, pos fianchetto.Position, depth int) error {
	before, notes, numbered := pos, l.Notes, true
	for ply := 0; ; ply++ {
		if len(notes) > 0 && notes[0].Ply == ply {
			if err := w.note(&notes[0], before, depth); err != nil {
				return err
			}
			numbered = numbered || len(notes[0].Comments)+len(notes[0].Variations) > 0
			notes = notes[1:]
		}
		if ply == len(l.Moves) {
			break
		}
		if err := w.move(pos, l.Moves[ply], numbered); err != nil {
			return err
		}
		before, pos, numbered = pos, after(pos, l.Moves[ply]), false
	}
	if len(notes) > 0 {
		return errNotes
	}
	return nil
}

// move writes a move, with its number if White makes it or numbered is set.
func (w *export) move(pos fianchetto.Position, m fianchetto.Move, numbered bool) error {
	switch {
	case m == fianchetto.NoMove && pos.InCheck():
		return errNullInCheck
	case m != fianchetto.NoMove && !pos.IsLegal(m):
		return fianchetto.NewGame(pos).Play(m)
	}
	if number := moveNumber(&pos, numbered); number != "" {
		w.word(number)
	}
	w.word(string(pos.AppendSAN(make([]byte, 0, 16), m)))
	return nil
}

// note writes the note on the move that was made in a position.
func (w *export) note(n *Note, before fianchetto.Position, depth int) error {
	for _, glyph := range n.NAGs {
		w.word("$" + strconv.Itoa(int(glyph)))
	}
	for _, comment := range n.Comments {
		if err := w.comment(comment); err != nil {
			return err
		}
	}
	for i := range n.Variations {
		switch {
		case n.Ply == 0:
			return errVariation
		case depth == maxDepth:
			return errDepth
		}
		if err := w.variation(&n.Variations[i], before, depth+1); err != nil {
			return err
		}
	}
	return nil
}

func (w *export) variation(l *Line, before fianchetto.Position, depth int) error {
	if len(l.Moves)+len(l.Notes) == 0 {
		return nil
	}
	w.word("(")
	w.tight = true
	if err := w.moves(l, before, depth); err != nil {
		return err
	}
	w.tight = w.column > 0
	w.word(")")
	return nil
}

// comment writes a comment in braces, or after a semicolon if it contains the brace that would end
// it.
func (w *export) comment(text string) error {
	if !utf8.ValidString(text) {
		return errText
	}
	parts := strings.FieldsFunc(text, isSpace)
	if len(parts) == 0 {
		return nil
	}
	if strings.Contains(text, "}") {
		w.word(";" + strings.Join(parts, " "))
		w.newLine()
		return nil
	}
	parts[0] = "{" + parts[0]
	parts[len(parts)-1] += "}"
	for _, part := range joinMarkers(parts) {
		w.word(part)
	}
	return nil
}

// joinMarkers joins each word that a reader would take for an escape or a tag pair at the beginning
// of a line to the word before it.
func joinMarkers(words []string) []string {
	joined := words[:1]
	for _, word := range words[1:] {
		if strings.HasPrefix(word, "%") || strings.HasPrefix(word, "[Event") {
			joined[len(joined)-1] += " " + word
		} else {
			joined = append(joined, word)
		}
	}
	return joined
}
