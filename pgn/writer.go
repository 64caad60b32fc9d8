package pgn

import (
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/fianchetto-chess/fianchetto"
)

// Writer writes games as Game.MarshalText describes.
type Writer struct {
	w    io.Writer
	text []byte
}

// NewWriter returns a Writer to w.
func NewWriter(w io.Writer) *Writer { return &Writer{w: w} }

// Write writes a game with one call of the underlying writer. If MarshalText fails, it returns that
// error and writes nothing.
func (w *Writer) Write(g *Game) error {
	text, err := g.appendText(w.text[:0])
	w.text = text
	if err != nil {
		return err
	}
	_, err = w.w.Write(text)
	return err
}

// MarshalText returns the game in the export format, followed by an empty line.
//
// The seven tags of the roster come first, with question marks for missing ones, then the other
// tags in their order. SetUp, FEN and Variant are written from Game.Start, and Result from
// Game.Result, unless both the tag and Game.Result name a winner or a draw. Lines have fewer than
// 80 columns, except tags, long words, comments that contain }, which follow a semicolon, and
// comments with a word that begins like an escape or a tag.
//
// A zero Start means the start position of standard chess. If the tags contain another FEN or
// a refused Variant, a zero Start is an error.
//
// The text reads back as the same game, except that tags may be in another order, white space in
// comments becomes single spaces, and empty comments and variations are gone. The error is a
// *fianchetto.MoveError for an illegal move, or names what the format cannot represent.
func (g *Game) MarshalText() ([]byte, error) { return g.appendText(nil) }

// appendText appends what MarshalText returns. After an error it appends nothing.
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
	if err := w.moves(&g.Line, &start, 0); err != nil {
		return text, err
	}
	w.word(g.Result.String())
	return append(w.text, "\n\n"...), nil
}

// taken lists the tags that are not copied.
var taken = append(Tags{{Name: setUpTag}, {Name: fenTag}}, roster...)

// contradicts reports whether a variant is not that of the start position.
func contradicts(variant string, start fianchetto.Position) bool {
	rules := rulesOf(variant)
	return rules == otherGame || start.IsChess960() == (rules != chess960)
}

// roster lists the required tags with the values for unknown.
var roster = Tags{
	{eventTag, "?"}, {"Site", "?"}, {"Date", "????.??.??"}, {"Round", "?"}, {"White", "?"}, {"Black", "?"},
	{resultTag, "*"},
}

func (g *Game) exportTags(start fianchetto.Position) Tags {
	tags := append(make(Tags, 0, len(roster)+len(g.Tags)+3), roster...)
	for i := range tags {
		if g.Tags.has(tags[i].Name) {
			tags[i].Value = g.Tags.Value(tags[i].Name)
		}
	}
	if result, _ := parseResult([]byte(tags.Value(resultTag))); result == Unknown || g.Result == Unknown {
		tags.Set(resultTag, g.Result.String())
	}
	for _, tag := range g.Tags {
		if !taken.has(tag.Name) && !(tag.Name == variantTag && contradicts(tag.Value, start)) {
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
	buffer [16]byte
	column int  // of the next byte, from 0
	tight  bool // no space before the next word
}

// width is the maximal length of a line.
const width = 79

func (w *export) newLine() {
	w.text = append(w.text, '\n')
	w.column, w.tight = 0, false
}

// word writes a word, on a new line if the current one is full.
func (w *export) word(text string) {
	w.advance(utf8.RuneCountInString(text))
	w.text = append(w.text, text...)
}

// ascii writes a word of ASCII characters.
func (w *export) ascii(text []byte) {
	w.advance(len(text))
	w.text = append(w.text, text...)
}

// advance begins a word of so many columns.
func (w *export) advance(columns int) {
	if columns == 0 {
		return
	}
	space := 1
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
	w.column += columns
	w.tight = false
}

func (w *export) tag(tag Tag) error {
	if tag.Name == "" || strings.ContainsFunc(tag.Name, func(c rune) bool { return c >= 0x80 || classes[c]&naming == 0 }) {
		return errTag
	}
	if !utf8.ValidString(tag.Value) || strings.ContainsAny(tag.Value, "\r\n") {
		return errText
	}
	w.text = append(append(w.text, '['), tag.Name...)
	w.text = append(append(w.text, ` "`...), backslashes.Replace(tag.Value)...)
	w.text = append(w.text, "\"]\n"...)
	return nil
}

var backslashes = strings.NewReplacer(`"`, `\"`, `\`, `\\`)

// moves writes a line from a position, within depth variations.
func (w *export) moves(l *Line, start *fianchetto.Position, depth int) error {
	boards := [2]fianchetto.Position{*start, *start} // by parity of the ply
	notes, numbered := l.Notes, true
	for ply := 0; ; ply++ {
		pos, before := &boards[ply&1], &boards[ply&1^1]
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
		if err := w.move(pos, before, l.Moves[ply], numbered); err != nil {
			return err
		}
		numbered = false
	}
	if len(notes) > 0 {
		return errNotes
	}
	return nil
}

// move writes a move and its number, which Black's moves need only if numbered is set, and makes
// it.
func (w *export) move(pos, next *fianchetto.Position, m fianchetto.Move, numbered bool) error {
	switch {
	case m == fianchetto.NoMove && pos.InCheck():
		return errNullInCheck
	case m != fianchetto.NoMove && !pos.IsLegal(m):
		return fianchetto.NewGame(*pos).Play(m)
	}
	w.ascii(appendMoveNumber(w.buffer[:0], pos, numbered))
	w.ascii(pos.AppendSAN(w.buffer[:0], m))
	play(pos, next, m)
	return nil
}

// note writes the note on the move made in the position before.
func (w *export) note(n *Note, before *fianchetto.Position, depth int) error {
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

func (w *export) variation(l *Line, before *fianchetto.Position, depth int) error {
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

// comment writes a comment in braces, or after a semicolon if it contains a closing brace.
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
	if slices.ContainsFunc(parts, isMarker) {
		parts = []string{strings.Join(parts, " ")}
	}
	for _, part := range parts {
		w.word(part)
	}
	return nil
}

// isMarker reports whether a reader would take a word at the beginning of a line for an escape or a
// tag pair.
func isMarker(word string) bool {
	return strings.HasPrefix(word, "%") || strings.HasPrefix(word, "[Event")
}
