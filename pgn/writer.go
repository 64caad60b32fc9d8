package pgn

import (
	"bytes"
	"cmp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/fianchetto-chess/fianchetto"
)

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
// The text reads back as the same game, except for the order of tags, white space in comments, and
// empty comments and variations. The error is a *fianchetto.MoveError for an illegal move, or names
// what the format cannot represent.
func (g *Game) AppendText(text []byte) ([]byte, error) {
	start, err := g.start()
	if err != nil {
		return text, err
	}
	w := export{text: text}
	w.tags(g, &start)
	w.text = append(w.text, '\n')
	begin := len(w.text)
	w.moves(&g.Line, &start, 0)
	if w.err != nil {
		return text, w.err
	}
	w.text = append(append(w.text, g.Result.String()...), "\n\n"...)
	breakLines(w.text[begin:])
	return w.text, nil
}

var roster = Tags{
	{eventTag, "?"}, {"Site", "?"}, {"Date", "????.??.??"}, {"Round", "?"}, {"White", "?"}, {"Black", "?"},
	{resultTag, "*"},
}

// export is the state of an export. The spaces of the movetext are possible line breaks; other
// spaces are tabs until breakLines has run.
type export struct {
	text []byte
	err  error // the first one
}

func (w *export) fail(err error) { w.err = cmp.Or(w.err, err) }

func (w *export) tags(g *Game, start *fianchetto.Position) {
	for _, tag := range roster {
		if i := g.Tags.index(tag.Name); i >= 0 {
			tag.Value = g.Tags[i].Value
		}
		if named := results[tag.Value]; tag.Name == resultTag && (named == Unknown || g.Result == Unknown) {
			tag.Value = g.Result.String()
		}
		w.tag(tag)
	}
	isChess960, hasVariant := start.IsChess960(), false
	for _, tag := range g.Tags {
		isVariant := tag.Name == variantTag
		if roster.index(tag.Name) >= 0 || tag.Name == setUpTag || tag.Name == fenTag ||
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
	value := backslashes.Replace(tag.Value)
	switch {
	case !isTagName(tag.Name):
		w.fail(errTag)
	case !utf8.ValidString(value) || strings.ContainsAny(value, "\r\n"):
		w.fail(errText)
	}
	w.text = append(append(w.text, '['), tag.Name...)
	w.text = append(append(w.text, ` "`...), value...)
	w.text = append(w.text, "\"]\n"...)
}

var backslashes = strings.NewReplacer(`"`, `\"`, `\`, `\\`)

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

// move writes a move and makes it. Black's moves need a number only if numbered is set.
func (w *export) move(pos, next *fianchetto.Position, m fianchetto.Move, numbered bool) {
	switch {
	case m == fianchetto.NoMove && pos.InCheck():
		w.fail(errNullInCheck)
		return
	case m != fianchetto.NoMove && !pos.IsLegal(m):
		w.fail(fianchetto.NewGame(*pos).Play(m))
		return
	case numbered || pos.SideToMove() == fianchetto.White:
		w.text = append(appendMoveNumber(w.text, pos), ' ')
	}
	w.text = append(pos.AppendSAN(w.text, m), ' ')
	play(pos, next, m)
}

func (w *export) note(n *Note, before *fianchetto.Position, depth int) {
	for _, glyph := range n.NAGs {
		w.text = append(strconv.AppendUint(append(w.text, '$'), uint64(glyph), 10), ' ')
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
			w.text = append(w.text, '(')
			w.moves(line, before, depth+1)
			w.text = append(bytes.TrimSuffix(w.text, []byte{' '}), ") "...)
		}
	}
}

// comment writes a comment in braces, or after a semicolon if it contains a closing brace.
func (w *export) comment(comment string) {
	mark, end := byte('{'), "} "
	if strings.Contains(comment, "}") {
		mark, end = ';', "\n"
	}
	if !utf8.ValidString(comment) {
		w.fail(errText)
	}
	begin := len(w.text)
	w.text = appendWords(append(w.text, mark), comment)
	switch text := w.text[begin:]; {
	case len(text) == 1:
		w.text = w.text[:begin]
		return
	case mark == ';' || bytes.Contains(text, []byte(" %")) || bytes.Contains(text, []byte(" [Event")):
		// At the beginning of a line, a reader would take % for an escape and [ for a tag pair.
		copy(text, bytes.ReplaceAll(text, []byte{' '}, []byte{'\t'}))
	}
	w.text = append(w.text, end...)
}

// breakLines breaks lines at the last space before the 80th column, and replaces tabs by spaces.
func breakLines(text []byte) {
	const width = 80 // with the space behind the line
	space, afterSpace, column := -1, 0, 0
	for i, c := range text {
		if utf8.RuneStart(c) {
			column++
		}
		switch c {
		case '\t':
			text[i] = ' '
		case ' ', '\n':
			if column > width && space >= 0 {
				text[space] = '\n'
				column -= afterSpace
			}
			space, afterSpace = i, column
			if c == '\n' {
				space, column = -1, 0
			}
		}
	}
}
