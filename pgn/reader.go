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

// The details, in order of speed, the slowest first.
const (
	Everything Detail = iota // moves, comments, glyphs and variations
	MainLine                 // the moves of the game; comments, glyphs and variations are skipped
	TagsOnly                 // tags and result; moves are skipped and not checked
)

// Reader reads games one after the other from a stream. It checks every move that it reads. Its
// memory does not grow with the stream, and its time is linear for any input: a game has at most 16
// MiB, a tag pair, a comment or a word 1 MiB, and variations are nested at most 256 deep.
//
// It accepts the import format, and more: move numbers, dots and line breaks of any style; CRLF and
// byte order marks; UTF-8 and ISO 8859-1; comments in braces and after semicolons; lines that begin
// with %; glyphs as numbers, as ! and ?, and as signs such as =, += and ±; nested variations; moves
// as Position.ParseSAN accepts them; null moves as --, Z0, 0000 or @@@@ by a side that is not in
// check. Quotes in tag values need no backslash.
//
// A game ends with its result or where the next tags begin. Comments that follow the result on its
// line belong to the game. A result within a variation is kept as a comment. Comments before the
// tags of a game, and empty ones, are dropped. A game without tags begins after a result, or after
// an empty line if its moves begin with the number 1 and one dot; an empty line alone does not end
// a game, since some programs write them between moves.
//
// The tag FEN gives the position in which a game begins, with or without the tag SetUp. The tag
// Variant distinguishes standard chess from Chess960; a game of another variant is an error. Of
// several tags of a name the first counts.
type Reader struct {
	Detail Detail // how much to read of the next games

	scanner scanner
	token   token
	pending bool // next returns token again
	games   int
	failure error // of the stream; Read returns it from then on
	begin   int64 // where in the stream the game begins
	limit   int64 // where in the stream no more games begin
	arena   tagArena
	event   bool    // the game has the tag Event
	moved   bool    // the game has a move, or a word if moves are skipped
	words   []byte  // of the last comment
	depth   int     // of variations
	frames  []frame // the game's line, and the open variations unless they are skipped

	fen, variant source // for errors
}

// frame is a line that is read, with its current position.
type frame struct {
	line   Line
	boards [2]fianchetto.Position // the current position and the one before, by the parity of the number of moves
}

// current returns the position after the last move.
func (f *frame) current() *fianchetto.Position { return &f.boards[len(f.line.Moves)&1] }

// previous returns the position before the last move.
func (f *frame) previous() *fianchetto.Position { return &f.boards[len(f.line.Moves)&1^1] }

// NewReader returns a Reader of the games in r. It may read more of r than the games that it
// returns.
func NewReader(r io.Reader) *Reader {
	return &Reader{scanner: newScanner(r), limit: math.MaxInt64, frames: make([]frame, 1)}
}

// Games yields the remaining games, each in its own memory. A bad game comes with an *Error and has
// the part before the error; Games continues with the next game. If the stream fails, the last
// error is the stream's.
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

// Read reads the next game into g and reuses the memory of its slices; its strings stay valid. The
// error is io.EOF if there are no more games. It is an *Error if the game is bad: g then has the
// part before the error and the result of its tag Result, and the next call reads the next game.
// Read returns an error of the stream as it is, with the part of g before it, and again at every
// later call.
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

// next returns the next token, or the pending one.
func (r *Reader) next() token {
	if r.pending {
		r.pending = false
		return r.token
	}
	r.token = r.scanner.scan()
	if r.scanner.offset()-r.begin > maxGame {
		r.token = r.scanner.refuse(errGameTooLong)
	}
	return r.token
}

// findGame reads the comments before a game and reports whether there is a game. It keeps the
// comments if moves follow, and drops them if tags follow.
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
	return r.token != endOfInput && r.scanner.offsetOf(r.scanner.start) < r.limit
}

// readTags reads the tags of a game and its start position.
func (r *Reader) readTags(g *Game) error {
	s := &r.scanner
	r.arena.reset()
	r.event, r.moved = false, false
	r.fen.place, r.variant.place = place{}, place{}
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
	start, bad, err := g.Tags.start()
	g.Start = start
	switch {
	case err == nil:
		return nil
	case bad == fenTag:
		return r.refuseAt(r.fen.place, r.fen.value, err)
	}
	return r.refuseAt(r.variant.place, r.variant.value, err)
}

// isNextEvent reports whether a tag pair is a second Event, which belongs to the next game.
func (r *Reader) isNextEvent() bool {
	return r.event && string(r.scanner.name) == eventTag
}

// readMoves reads moves and annotations, up to the result or another end of the game.
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
			if r.depth > 0 {
				return r.refuse(errParenthesis)
			}
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// readLastComments reads the comments after the result, on its line.
func (r *Reader) readLastComments() error {
	for r.scanner.hasCommentOnLine() {
		if r.next() == invalid {
			return r.refuse(r.scanner.problem)
		}
		r.addComment()
	}
	return nil
}

// skips reports whether the current line is skipped: a variation, or any line if only tags are
// read.
func (r *Reader) skips() bool {
	return r.Detail != Everything && (r.depth > 0 || r.Detail == TagsOnly)
}

// top returns the current line.
func (r *Reader) top() *frame { return &r.frames[len(r.frames)-1] }

// readMove reads a move and makes it.
func (r *Reader) readMove() error {
	if r.skips() {
		r.moved = true
		return nil
	}
	f := r.top()
	pos := f.current()
	m, err := pos.ParseSANBytes(r.scanner.text)
	if err != nil {
		return r.readOther(err)
	}
	pos.CopyMake(f.previous(), m)
	f.line.Moves = append(f.line.Moves, m)
	r.moved = true
	return nil
}

// readOther reads a word that is not a legal move: a null move, a sign of annotation, or an error.
func (r *Reader) readOther(refusal error) error {
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
		return r.refuse(errNullInCheck)
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

// addComment adds the token's text unless it is blank.
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

// isSpace reports whether c is a space of a comment, where a line may end.
func isSpace(c rune) bool { return c == ' ' || '\t' <= c && c <= '\r' }

// openVariation begins a line that replaces the last move.
func (r *Reader) openVariation() error {
	if r.depth == maxDepth {
		return r.refuse(errDepth)
	}
	if !r.skips() && len(r.top().line.Moves) == 0 {
		return r.refuse(errVariation)
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

// closeVariation ends a line and adds it to the note on the move that it replaces, unless it is
// empty.
func (r *Reader) closeVariation() error {
	if r.depth == 0 {
		return r.refuse(errParenthesis)
	}
	r.depth--
	if r.Detail != Everything {
		return nil
	}
	line := r.top().line
	r.frames = r.frames[:len(r.frames)-1]
	if len(line.Moves)+len(line.Notes) > 0 {
		note := r.top().line.annotate()
		note.Variations = append(note.Variations, Line{append([]fianchetto.Move(nil), line.Moves...),
			append([]Note(nil), line.Notes...)})
	}
	return nil
}

// closeAll ends the open variations of a bad game and keeps them.
func (r *Reader) closeAll() {
	depth := r.depth
	for len(r.frames) > 1 {
		_ = r.closeVariation() // one is open: there is no error
	}
	r.depth = depth
}

// skipGame skips the rest of a bad game: up to its result, to the first number of the next game, or
// to tags at the beginning of a line. Tags belong to the bad game itself if inTags is set, up to a
// second Event.
func (r *Reader) skipGame(inTags bool) {
	r.begin = math.MaxInt64 // of any length
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

// refuse returns an error at the token.
func (r *Reader) refuse(cause error) error {
	return r.refuseAt(r.scanner.find(r.scanner.start), r.scanner.text, cause)
}

func (r *Reader) refuseAt(at place, token []byte, cause error) error {
	return &Error{r.games, at.line, at.column, string(quotable(token)), cause}
}

// quotable returns the bytes of a token that an error has.
func quotable(token []byte) []byte {
	const longest = 40
	return token[:min(len(token), longest)]
}
