package pgn

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/fianchetto-chess/fianchetto"
)

// MarshalText returns the text of AppendText.
func (g *Game) MarshalText() ([]byte, error) { return g.AppendText(nil) }

// AppendText appends the game in the export format, followed by an empty line. After an error it
// returns text as it was.
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
func (g *Game) AppendText(text []byte) ([]byte, error) {
	start, err := g.start()
	if err != nil {
		return text, err
	}
	w := export{text: text}
	w.tags(g, &start)
	w.newLine()
	w.moves(&g.Line, &start, 0)
	w.word([]byte(g.Result.String()))
	if w.err != nil {
		return text, w.err
	}
	return append(w.text, "\n\n"...), nil
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
	err    error  // the first one, after which text is of no use
}

// width is the maximal length of a line.
const width = 79

func (w *export) fail(err error) { w.err = cmp.Or(w.err, err) }

func (w *export) tags(g *Game, start *fianchetto.Position) {
	for _, tag := range roster {
		if i := g.Tags.index(tag.Name); i >= 0 {
			tag.Value = g.Tags[i].Value
		}
		if named, _ := parseResult(tag.Value); tag.Name == resultTag && (named == Unknown || g.Result == Unknown) {
			tag.Value = g.Result.String()
		}
		w.tag(tag)
	}
	isChess960, hasVariant := start.IsChess960(), false
	for _, tag := range g.Tags {
		isVariant := tag.Name == variantTag
		if roster.has(tag.Name) || tag.Name == setUpTag || tag.Name == fenTag ||
			isVariant && (rulesOf(tag.Value) == otherGame || isChess960 != (rulesOf(tag.Value) == chess960)) {
			continue
		}
		hasVariant = hasVariant || isVariant
		w.tag(tag)
	}
	if isChess960 && !hasVariant {
		w.tag(Tag{variantTag, "Chess960"})
	}
	if *start != fianchetto.StartPosition() {
		w.tag(Tag{setUpTag, "1"})
		w.tag(Tag{fenTag, start.FEN()})
	}
}

func (w *export) tag(tag Tag) {
	value, isPlain := tag.Value, true
	for _, c := range []byte(value) { // twice as fast as the searches below
		isPlain = isPlain && ' ' <= c && c < 0x80 && c != '"' && c != '\\'
	}
	switch {
	case !isTagName(tag.Name):
		w.fail(errTag)
	case isPlain:
	case !utf8.ValidString(value) || strings.ContainsAny(value, "\r\n"):
		w.fail(errText)
	default:
		value = backslashes.Replace(value)
	}
	w.text = append(append(w.text, '['), tag.Name...)
	w.text = append(append(w.text, ` "`...), value...)
	w.text = append(w.text, "\"]\n"...)
}

var backslashes = strings.NewReplacer(`"`, `\"`, `\`, `\\`)

// begin returns the text, to which the caller appends a word for end.
func (w *export) begin() []byte {
	if w.column > 0 && !w.tight {
		w.text = append(w.text, ' ')
		w.column++
	}
	w.start, w.tight = len(w.text), false
	return w.text
}

// end ends a word, and moves it to a new line if the current one is too long.
func (w *export) end(text []byte) {
	w.text = text
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

func (w *export) word(text []byte) { w.end(append(w.begin(), text...)) }

func (w *export) newLine() {
	w.text = append(w.text, '\n')
	w.column, w.tight = 0, false
}

// moves writes a line from a position, within depth variations.
func (w *export) moves(l *Line, start *fianchetto.Position, depth int) {
	boards := [2]fianchetto.Position{*start, *start} // by parity of the ply
	notes, numbered := l.Notes, true
	for ply := 0; w.err == nil; ply++ {
		pos, before := &boards[ply&1], &boards[ply&1^1]
		if len(notes) > 0 && notes[0].Ply == ply {
			w.note(&notes[0], before, depth)
			numbered = numbered || len(notes[0].Comments)+len(notes[0].Variations) > 0
			notes = notes[1:]
		}
		if ply == len(l.Moves) {
			break
		}
		w.move(pos, before, l.Moves[ply], numbered)
		numbered = false
	}
	if len(notes) > 0 {
		w.fail(errNotes)
	}
}

// move writes a move and its number, which Black's moves need only if numbered is set, and makes
// it.
func (w *export) move(pos, next *fianchetto.Position, m fianchetto.Move, numbered bool) {
	switch {
	case m == fianchetto.NoMove && pos.InCheck():
		w.fail(errNullInCheck)
		return
	case m != fianchetto.NoMove && !pos.IsLegal(m):
		w.fail(fianchetto.NewGame(*pos).Play(m))
		return
	case numbered || pos.SideToMove() == fianchetto.White:
		w.end(appendMoveNumber(w.begin(), pos))
	}
	w.end(pos.AppendSAN(w.begin(), m))
	play(pos, next, m)
}

// note writes the note on the move made in the position before.
func (w *export) note(n *Note, before *fianchetto.Position, depth int) {
	for _, glyph := range n.NAGs {
		w.end(strconv.AppendUint(append(w.begin(), '$'), uint64(glyph), 10))
	}
	for _, comment := range n.Comments {
		w.comment(comment)
	}
	for i := range n.Variations {
		switch line := &n.Variations[i]; {
		case n.Ply == 0:
			w.fail(errVariation)
		case depth == maxDepth:
			w.fail(errDepth)
		case len(line.Moves)+len(line.Notes) > 0:
			w.word([]byte{'('})
			w.tight = true
			w.moves(line, before, depth+1)
			w.tight = w.column > 0
			w.word([]byte{')'})
		}
	}
}

// comment writes a comment in braces, or after a semicolon if it contains a closing brace.
func (w *export) comment(text string) {
	mark, end := byte('{'), "}"
	if strings.Contains(text, "}") {
		mark, end = ';', ""
	}
	if !utf8.ValidString(text) {
		w.fail(errText)
	}
	if w.words = appendWords(append(slices.Grow(w.words[:0], len(text)+2), mark), text); len(w.words) == 1 {
		return
	}
	w.words = append(w.words, end...)
	space := " "
	if mark == ';' || bytes.Contains(w.words, []byte(" %")) || bytes.Contains(w.words, []byte(" [Event")) {
		space = "\n" // at the beginning of a line, a reader would take % for an escape and [ for a tag pair
	}
	for word := range bytes.SplitSeq(w.words, []byte(space)) {
		w.word(word)
	}
	if mark == ';' {
		w.newLine()
	}
}
