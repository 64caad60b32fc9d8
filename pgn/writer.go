package pgn

import (
	"bytes"
	"cmp"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/fianchetto-chess/fianchetto"
)

// Writer writes games as Game.MarshalText describes.
type Writer struct {
	w      io.Writer
	export export
}

// NewWriter returns a Writer to w.
func NewWriter(w io.Writer) *Writer { return &Writer{w: w} }

// Write writes a game with one call of the underlying writer. If MarshalText fails, it returns that
// error and writes nothing.
func (w *Writer) Write(g *Game) error {
	w.export = export{text: w.export.text[:0], words: w.export.words}
	if err := w.export.game(g); err != nil {
		return err
	}
	_, err := w.w.Write(w.export.text)
	return err
}

// MarshalText returns the game in the export format, followed by an empty line.
//
// The seven tags of the roster come first, then the others in their order. SetUp, FEN and Variant
// are written from Start, and Result from Game.Result, unless the tag names another winner or a
// draw. Lines have fewer than 80 columns, except tags, long words and some comments.
//
// A zero Start means the start position of standard chess. It is an error beside a tag with another
// FEN or a refused Variant.
//
// The text reads back as the same game, except that tags may be in another order, white space in
// comments becomes single spaces, and empty comments and variations are gone. The error is a
// *fianchetto.MoveError for an illegal move, or names what the format cannot represent.
func (g *Game) MarshalText() ([]byte, error) {
	var w export
	if err := w.game(g); err != nil {
		return nil, err
	}
	return w.text, nil
}

// roster lists the required tags with the values for unknown.
var roster = Tags{
	{eventTag, "?"}, {"Site", "?"}, {"Date", "????.??.??"}, {"Round", "?"}, {"White", "?"}, {"Black", "?"},
	{resultTag, "*"},
}

// export is the state of an export.
type export struct {
	text   []byte
	start  int    // of the last word in text
	column int    // of the next byte, from 0
	tight  bool   // no space before the next word
	words  []byte // of a comment
}

// width is the maximal length of a line.
const width = 79

func (w *export) game(g *Game) error {
	start, err := g.start()
	if err != nil {
		return err
	}
	if err := w.tags(g, &start); err != nil {
		return err
	}
	w.newLine()
	if err := w.moves(&g.Line, &start, 0); err != nil {
		return err
	}
	w.word([]byte(g.Result.String()))
	w.text = append(w.text, "\n\n"...)
	return nil
}

func (w *export) tags(g *Game, start *fianchetto.Position) (err error) {
	write := func(tag Tag) { err = cmp.Or(err, w.tag(tag)) }
	for _, tag := range roster {
		if i := g.Tags.index(tag.Name); i >= 0 {
			tag.Value = g.Tags[i].Value
		}
		if tag.Name == resultTag {
			if named, _ := parseResult([]byte(tag.Value)); named == Unknown || g.Result == Unknown {
				tag.Value = g.Result.String()
			}
		}
		write(tag)
	}
	isChess960, hasVariant := start.IsChess960(), false
	for _, tag := range g.Tags {
		if roster.has(tag.Name) || tag.Name == setUpTag || tag.Name == fenTag {
			continue
		}
		if tag.Name == variantTag {
			if rules := rulesOf(tag.Value); rules == otherGame || (rules == chess960) != isChess960 {
				continue
			}
			hasVariant = true
		}
		write(tag)
	}
	if isChess960 && !hasVariant {
		write(Tag{variantTag, "Chess960"})
	}
	if *start != fianchetto.StartPosition() {
		write(Tag{setUpTag, "1"})
		write(Tag{fenTag, start.FEN()})
	}
	return err
}

func (w *export) tag(tag Tag) error {
	isName, value, isPlain := tag.Name != "", tag.Value, true
	for _, c := range []byte(tag.Name) {
		isName = isName && classes[c]&naming != 0
	}
	for _, c := range []byte(value) { // twice as fast as the searches below
		isPlain = isPlain && ' ' <= c && c < 0x80 && c != '"' && c != '\\'
	}
	switch {
	case !isName:
		return errTag
	case isPlain:
	case !utf8.ValidString(value) || strings.ContainsAny(value, "\r\n"):
		return errText
	default:
		value = backslashes.Replace(value)
	}
	w.text = append(append(w.text, '['), tag.Name...)
	w.text = append(append(w.text, ` "`...), value...)
	w.text = append(w.text, "\"]\n"...)
	return nil
}

var backslashes = strings.NewReplacer(`"`, `\"`, `\`, `\\`)

// begin begins a word, which the caller appends to the text.
func (w *export) begin() {
	if w.column > 0 && !w.tight {
		w.text = append(w.text, ' ')
		w.column++
	}
	w.start, w.tight = len(w.text), false
}

// end ends a word, and moves it to a new line if the current one is too long.
func (w *export) end() {
	columns := utf8.RuneCount(w.text[w.start:])
	if w.column > 0 && w.column+columns > width {
		if w.column = 0; w.text[w.start-1] == ' ' {
			w.text[w.start-1] = '\n'
		} else {
			w.text = slices.Insert(w.text, w.start, '\n')
		}
	}
	w.column += columns
}

func (w *export) newLine() {
	w.text = append(w.text, '\n')
	w.column, w.tight = 0, false
}

func (w *export) word(text []byte) {
	w.begin()
	w.text = append(w.text, text...)
	w.end()
}

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
	if numbered || pos.SideToMove() == fianchetto.White {
		w.begin()
		w.text = appendMoveNumber(w.text, pos)
		w.end()
	}
	w.begin()
	w.text = pos.AppendSAN(w.text, m)
	w.end()
	play(pos, next, m)
	return nil
}

// note writes the note on the move made in the position before.
func (w *export) note(n *Note, before *fianchetto.Position, depth int) error {
	for _, glyph := range n.NAGs {
		w.begin()
		w.text = strconv.AppendUint(append(w.text, '$'), uint64(glyph), 10)
		w.end()
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
	w.word([]byte{'('})
	w.tight = true
	if err := w.moves(l, before, depth); err != nil {
		return err
	}
	w.tight = w.column > 0
	w.word([]byte{')'})
	return nil
}

// comment writes a comment in braces, or after a semicolon if it contains a closing brace.
func (w *export) comment(text string) error {
	if !utf8.ValidString(text) {
		return errText
	}
	mark := byte('{')
	if strings.Contains(text, "}") {
		mark = ';'
	}
	w.words = appendWords(append(w.words[:0], mark), text)
	switch {
	case len(w.words) == 1: // no words
	case mark == ';':
		w.word(w.words)
		w.newLine()
	default:
		w.words = append(w.words, '}')
		// At the beginning of a line, a reader would take such a word for an escape or a tag pair.
		if bytes.Contains(w.words, []byte(" %")) || bytes.Contains(w.words, []byte(" [Event")) {
			w.word(w.words)
			return nil
		}
		for word := range bytes.SplitSeq(w.words, []byte{' '}) {
			w.word(word)
		}
	}
	return nil
}
