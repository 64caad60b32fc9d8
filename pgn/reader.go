package pgn

import (
	"bytes"
	"io"
	"iter"
	"math"
	"slices"

	"github.com/fianchetto-chess/fianchetto"
)

// Detail is how much of each game a Reader reads.
type Detail uint8

// The details, each faster than those before it.
const (
	Everything Detail = iota // moves, comments, glyphs and variations
	MainLine                 // the moves that were played; comments, glyphs and variations are passed over
	TagsOnly                 // tags and result; moves are passed over, so that illegal ones go unnoticed
)

// Reader reads games one after the other from a stream, in memory that does not grow with its length. It checks every
// move that it reads.
//
// It takes the import format, and more: any habit with move numbers, dots and line breaks; CRLF, byte order marks; UTF-8 or ISO 8859-1;
// comments in braces and after semicolons; lines that begin with %; glyphs as numbers, as ! and ?, and as the signs = += ± +- and their
// like; variations in variations; moves as Position.ParseSAN takes them; null moves as --, Z0, 0000 or @@@@, which only
// a side that is not in check may make. Tag values may have quotes without backslashes. A game ends with
// its result, or without one where the next tags begin; after a result, comments on the same line still belong to the game. A
// result within a variation is kept as a comment. Comments before the tags of a game, and empty ones, are dropped. A game without
// tags begins behind a result, or behind an empty line if its moves begin with the number 1 and one dot: an empty line alone does not
// end a game, since some programs write them between moves. Time and memory are linear in the input, whatever it is.
//
// The tag FEN gives the position that a game begins with, whether there is a tag SetUp or not; the tag Variant
// tells standard chess from Chess960, and a game of another variant is refused.
type Reader struct {
	Detail Detail // what to read of the games that come; Everything if it is not set

	scanner scanner
	token   token
	pending bool // the token is to be looked at again
	games   int
	failure error // of the stream, for good
	begin   int64 // where in the stream the game begins
	arena   tagArena
	event   bool    // the game has the tag Event
	moved   bool    // the game has a move, or what stands for one if moves are passed over
	words   []byte  // of the last comment
	depth   int     // of variations
	frames  []frame // the game's line, and the variations that are open, unless they are passed over

	fen, variant place // of the tags, in case they are bad
}

// frame is a line that is being read.
type frame struct {
	line   Line
	boards [2]fianchetto.Position // before an even and before an odd number of moves: the current one, and the one before
}

// current returns the position after the last move.
func (f *frame) current() *fianchetto.Position { return &f.boards[len(f.line.Moves)&1] }

// previous returns the position before the last move.
func (f *frame) previous() *fianchetto.Position { return &f.boards[len(f.line.Moves)&1^1] }

// NewReader returns a Reader of r's games. It reads more of r than the games it returns.
func NewReader(r io.Reader) *Reader {
	return &Reader{scanner: newScanner(r), frames: make([]frame, 1)}
}

// Games yields the games that are left, each in memory of its own, or together with an *Error what could be read of one
// that is bad, after which it goes on with the next. If the stream fails, the last error is the stream's.
func (r *Reader) Games() iter.Seq2[*Game, error] {
	return func(yield func(*Game, error) bool) {
		for {
			game := new(Game)
			err := r.Read(game)
			if err == io.EOF || !yield(game, err) || r.failure != nil {
				return
			}
		}
	}
}

// Read reads the next game into g, whose memory it uses again: its Moves and the like are good until g is read into
// once more, its strings for ever. The error is io.EOF if there are no more games. It is an *Error if the
// game is bad; g then has what was read before that and the result of its tag Result, and Read goes on with the next game. An error of the
// stream is returned as it is, with what was read of g, and then at every call.
func (r *Reader) Read(g *Game) error {
	g.reset()
	if r.failure != nil {
		return r.failure
	}
	r.frames[0].line = g.Line
	err := r.readGame(g)
	g.Line, r.frames[0].line = r.frames[0].line, Line{}
	if g.Result == Unknown {
		g.Result, _ = parseResult([]byte(g.Tags.Value(resultTag)))
	}
	if failure := r.scanner.failed(); failure != nil && r.token == endOfInput {
		r.failure, err = failure, failure
	}
	return err
}

// readGame reads tags, moves and result.
func (r *Reader) readGame(g *Game) error {
	if !r.findGame() {
		return io.EOF
	}
	r.games++
	if err := r.readTags(g); err != nil {
		r.skipGame(true)
		return err
	}
	r.frames[0].boards[0] = g.Start
	if err := r.readMoves(g); err != nil {
		r.closeAll()
		r.skipGame(false)
		return err
	}
	return nil
}

// next scans the next token, or takes the one that is to be looked at again.
func (r *Reader) next() token {
	if r.pending {
		r.pending = false
		return r.token
	}
	r.token = r.scanner.scan()
	if r.scanner.offset()-r.begin > MaxGame {
		r.token = r.scanner.refuse(ErrGameTooLong)
	}
	return r.token
}

// findGame takes the comments before a game, drops them if they are not before its moves, and reports whether there is
// a game.
func (r *Reader) findGame() bool {
	r.begin = r.scanner.offset()
	r.depth, r.frames = 0, r.frames[:1]
	for r.next() == comment {
		r.addComment()
	}
	r.scanner.note()
	r.pending = true
	if line := &r.frames[0].line; r.token == tagPair {
		line.Notes = line.Notes[:0]
	}
	return r.token != endOfInput
}

// readTags reads the tags of a game and what they say about its start.
func (r *Reader) readTags(g *Game) error {
	s := &r.scanner
	r.arena.reset()
	r.event, r.moved = false, false
	r.fen, r.variant = place{}, place{}
	for r.next() == tagPair && !r.isNextEvent() {
		r.arena.add(s.name, s.value)
		switch string(s.name) {
		case eventTag:
			r.event = true
		case fenTag:
			s.noteFirst(&r.fen)
		case variantTag:
			s.noteFirst(&r.variant)
		}
	}
	r.pending = true
	g.Tags = r.arena.appendTo(g.Tags)
	if r.token == invalid {
		r.pending = false
		return r.refuse(s.problem)
	}
	start, spoiler, err := g.Tags.start()
	g.Start = start
	switch {
	case err == nil:
		return nil
	case spoiler == fenTag:
		return r.refuseAt(r.fen, g.Tags.Value(fenTag), err)
	}
	return r.refuseAt(r.variant, g.Tags.Value(variantTag), err)
}

// isNextEvent reports whether a tag is a second event, which cannot be the same game's.
func (r *Reader) isNextEvent() bool {
	return r.event && string(r.scanner.name) == eventTag
}

// readMoves reads moves and what is said about them, up to the result or whatever else ends the game.
func (r *Reader) readMoves(g *Game) error {
	for {
		var err error
		switch r.next() {
		case word:
			err = r.readMove()
		case comment:
			r.addComment()
		case annotation:
			r.addGlyph(r.scanner.glyph)
		case open:
			err = r.openVariation()
		case closing:
			err = r.closeVariation()
		case termination:
			if r.depth == 0 {
				g.Result = r.scanner.result
				return r.readLastComments()
			}
			r.addComment()
		case invalid:
			err = r.refuse(r.scanner.problem)
		case firstNumber:
			if !r.moved || r.depth > 0 {
				continue
			}
			fallthrough
		default:
			r.pending = true
			return r.endWithoutResult()
		}
		if err != nil {
			return err
		}
	}
}

func (r *Reader) endWithoutResult() error {
	if r.depth > 0 {
		return r.refuse(ErrParenthesis)
	}
	return nil
}

// readLastComments reads what is said after the result, on its line.
func (r *Reader) readLastComments() error {
	for r.scanner.hasCommentOnLine() {
		if r.next() == invalid {
			return r.refuse(r.scanner.problem)
		}
		r.addComment()
	}
	return nil
}

// passesOver reports whether what is not in the main line is of no interest, or nothing but tags is.
func (r *Reader) passesOver() bool {
	return r.Detail != Everything && (r.depth > 0 || r.Detail == TagsOnly)
}

// top returns the line that is being read.
func (r *Reader) top() *frame { return &r.frames[len(r.frames)-1] }

// readMove reads a move and makes it.
func (r *Reader) readMove() error {
	if r.passesOver() {
		r.moved = true
		return nil
	}
	f := r.top()
	pos := f.current()
	m, err := pos.ParseSANBytes(r.scanner.text)
	if err != nil {
		return r.readNoMove(err)
	}
	pos.CopyMake(f.previous(), m)
	f.line.Moves = append(f.line.Moves, m)
	r.moved = true
	return nil
}

// readNoMove reads a null move or a sign of annotation, or else returns why the word is no move.
func (r *Reader) readNoMove(refusal error) error {
	switch name := string(r.scanner.text); name {
	case "--", "Z0", "0000", "@@@@":
		return r.pass()
	default:
		glyph, ok := glyphs[name]
		if !ok {
			return r.refuse(refusal)
		}
		r.addGlyph(glyph)
		return nil
	}
}

// pass makes a null move.
func (r *Reader) pass() error {
	f := r.top()
	pos := f.current()
	if pos.InCheck() {
		return r.refuse(ErrNullInCheck)
	}
	*f.previous() = pos.Null()
	f.line.Moves = append(f.line.Moves, fianchetto.NoMove)
	r.moved = true
	return nil
}

func (r *Reader) addGlyph(glyph NAG) {
	if r.Detail == Everything {
		note := r.top().line.annotate()
		note.NAGs = append(note.NAGs, glyph)
	}
}

// addComment adds the text of the token, unless it is blank.
func (r *Reader) addComment() {
	if r.Detail != Everything {
		return
	}
	r.words = appendWords(r.words[:0], r.scanner.text)
	if len(r.words) > 0 {
		note := r.top().line.annotate()
		note.Comments = append(note.Comments, toUTF8(r.words))
	}
}

// appendWords appends the words of a comment with single spaces between them.
func appendWords(words, text []byte) []byte {
	begin := len(words)
	for _, c := range text {
		if !isSpace(rune(c)) {
			words = append(words, c)
		} else if len(words) > begin && words[len(words)-1] != ' ' {
			words = append(words, ' ')
		}
	}
	return bytes.TrimSuffix(words, []byte{' '})
}

// isSpace reports whether a comment may be broken into lines at c.
func isSpace(c rune) bool { return c == ' ' || '\t' <= c && c <= '\r' }

// openVariation begins a line that replaces the last move.
func (r *Reader) openVariation() error {
	if r.depth == MaxDepth {
		return r.refuse(ErrDepth)
	}
	if !r.passesOver() && len(r.top().line.Moves) == 0 {
		return r.refuse(ErrVariation)
	}
	r.depth++
	if r.Detail != Everything {
		return nil
	}
	before := *r.top().previous()
	r.frames = slices.Grow(r.frames, 1)[:len(r.frames)+1]
	child := r.top()
	child.line = Line{child.line.Moves[:0], child.line.Notes[:0]}
	child.boards[0] = before
	return nil
}

// closeVariation ends a line and adds it to the note on the move that it replaces, unless it is empty.
func (r *Reader) closeVariation() error {
	if r.depth == 0 {
		return r.refuse(ErrParenthesis)
	}
	r.depth--
	if r.Detail != Everything {
		return nil
	}
	line := r.top().line
	r.frames = r.frames[:len(r.frames)-1]
	if len(line.Moves)+len(line.Notes) > 0 {
		note := r.top().line.annotate()
		note.Variations = append(note.Variations, Line{append([]fianchetto.Move(nil), line.Moves...), append([]Note(nil), line.Notes...)})
	}
	return nil
}

// closeAll ends the variations that are open in a bad game, so that what was read of them is not lost.
func (r *Reader) closeAll() {
	depth := r.depth
	for len(r.frames) > 1 {
		_ = r.closeVariation() // which one is open for
	}
	r.depth = depth
}

// skipGame passes over what is left of a bad game: to its result, or to tags at the beginning of a line, if it is not in its
// tags itself.
func (r *Reader) skipGame(inTags bool) {
	r.begin = math.MaxInt64 // however long it is
	for {
		switch r.next() {
		case endOfInput:
			r.pending = true
			return
		case tagPair:
			if r.scanner.isAtLineStart() && (!inTags || r.isNextEvent()) {
				r.pending = true
				return
			}
			r.event = r.event || string(r.scanner.name) == eventTag
		case firstNumber:
			if !inTags && r.depth <= 0 {
				r.pending = true
				return
			}
		case termination:
			if r.depth <= 0 {
				return
			}
		case open:
			r.depth++
		case closing:
			r.depth--
		}
		inTags = inTags && (r.token == tagPair || r.token == comment || r.token == invalid)
	}
}

// refuse says what is wrong with the token.
func (r *Reader) refuse(cause error) error {
	return r.refuseAt(r.scanner.find(r.scanner.start), string(r.scanner.text[:min(len(r.scanner.text), longestQuote)]), cause)
}

// longestQuote is how much of a token an error has.
const longestQuote = 40

func (r *Reader) refuseAt(at place, text string, cause error) error {
	return &Error{r.games, at.line, at.column, text[:min(len(text), longestQuote)], cause}
}
