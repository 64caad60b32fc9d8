package pgn

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

// Detail tells how much of each game a Reader reads.
type Detail uint8

// The details, the slowest first.
const (
	Everything Detail = iota // moves, comments, NAGs and variations
	MainLine                 // the moves of the game; the rest is skipped
)

// Reader reads games from a stream and checks every move. Its memory is bounded and its time is
// linear for any input: a game has at most 16 MiB, a tag pair, comment or word 1 MiB, and
// variations are nested at most 256 deep.
//
// It accepts the import format and more:
//
//   - any style of move numbers, dots and line breaks (LF, CRLF or CR); tag pairs on several lines,
//     many games on one line; byte order marks; UTF-8, and Windows-1252 outside it
//   - comments in braces, which end at the first closing brace, and after semicolons
//   - annotations as numbers and as signs such as !?, += and →, alone or glued to a move; a sign
//     without a number, such as ∆, becomes a comment; check signs after a space
//   - moves as Position.ParseSAN reads them, perhaps with a result glued on; null moves as --, <>,
//     Z0, 0000 or @@@@, except in check
//   - unescaped quotes in tag values
//
// A game ends with its result or before the next tags. Comments after the result on the same line
// belong to it, later ones to the next game. A result within a variation becomes a comment. Without
// tags, a game begins after a result, or after an empty line with "1.".
//
// The tag FEN gives the start position, with or without SetUp, and the tag Variant selects standard
// chess or Chess960. For standard chess, fianchetto.ParseStandardFEN reads the FEN, also without
// Variant if ParseFEN refuses it. If a tag is repeated, the first one wins.
//
// The Reader reports a malformed token, skips it and reads on. A move that cannot be played ends
// its line, because later moves depend on it. An unreadable word counts as such a move unless later
// moves and move numbers show that no move is missing. Game.Bytes counts the skipped bytes, also
// those between games, and the error or the warnings of the game tell their place.
type Reader struct {
	Detail Detail // for the next games

	scanner  scanner
	token    token
	part     token // the kind as which the token will be counted
	pending  bool
	begun    bool // the first preface was read
	games    int
	failure  error // returned by all later calls
	begin    int64 // of the game or preface in the stream, for its limit
	limit    int64 // where no more games begin
	arena    tagArena
	tagged   bool
	event    bool // a tag Event was read
	started  bool // the start position is that of the tags, which are too many to look at after each run
	moved    bool // a move was read or skipped
	ended    bool // by a result
	words    []byte
	depth    int     // open variations
	frames   []frame // the game and its open variations, unless skipped
	account  account
	preface  []string // comments before the game
	errs     []error
	warnings []*Error

	prefacePlace, endPlace place

	fen, variant source // for errors
	dropped      string // castling rights of the FEN
}

// maxErrors is the number of errors of a game that are kept. The tokens of the others count as
// skipped.
const maxErrors = 16

// frame is a line under construction.
type frame struct {
	line   Line
	boards [2]fianchetto.Position // the current position and the one before, by parity of the ply
	broken bool                   // a move is missing, so the rest is skipped
	quiet  bool                   // the line may replace a missing move, so its errors are not reported
	doubt  *doubt                 // non-nil while a move may be missing
}

func (f *frame) current() *fianchetto.Position { return &f.boards[len(f.line.Moves)&1] }

func (f *frame) previous() *fianchetto.Position { return &f.boards[len(f.line.Moves)&1^1] }

// NewReader returns a Reader of the games in r. It reads ahead.
func NewReader(r io.Reader) *Reader {
	return &Reader{scanner: newScanner(r), limit: math.MaxInt64, frames: make([]frame, 1)}
}

// Games yields the remaining games and the errors of Read. Each game has its own memory. If the
// stream fails, its error comes last.
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

// Read reads the next game into g, whose slices it reuses; strings stay valid. It reads ahead to
// the beginning of the game after it. After the last game it returns io.EOF.
//
// A malformed game is an *Error, or several joined by errors.Join, and g contains what could be
// read, with a zero Start if the FEN or Variant was refused. The next call reads the next game.
//
// If the stream contains something, but no game, the first call returns an empty game and an *Error
// with the cause ErrNoGame. An error of the stream is returned unchanged by this and every later
// call.
func (r *Reader) Read(g *Game) error {
	g.reset()
	if r.failure != nil {
		return r.failure
	}
	if !r.begun {
		r.begun = true
		r.scanner.detectUTF16()
		r.readPreface()
	}
	if r.token == endOfInput {
		r.failure = r.scanner.failed()
		if r.failure == nil && r.games == 0 {
			return r.noGame(g)
		}
		return cmp.Or(r.failure, io.EOF)
	}
	r.readGame(g)
	if failure := r.scanner.failed(); failure != nil && r.token == endOfInput && !r.ended {
		r.failure = failure
		return failure
	}
	return r.closeGame(g)
}

// noGame accounts for a stream without a game.
func (r *Reader) noGame(g *Game) error {
	r.games = -1 // only once
	a := &r.account
	if a.skipped += a.kept[comment]; a.skipped == 0 {
		return io.EOF
	}
	if a.places == 0 {
		a.first = r.prefacePlace
	}
	a.places = max(a.places+len(r.preface), 1)
	a.kept[comment] = 0
	g.Bytes = a.close(r.scanner.offset())
	var cause error = ErrNoGame
	if r.scanner.isUTF16 {
		cause = errUTF16
	}
	return &Error{0, a.first.line, a.first.column, "", fmt.Errorf("%w; %w", cause, skippedBytes{g.Bytes})}
}

// readGame reads a game whose first token is pending.
func (r *Reader) readGame(g *Game) {
	r.games++
	for _, err := range r.errs {
		err.(*Error).Game = r.games
	}
	r.scanner.note()
	r.begin = r.scanner.offsetOf(r.scanner.start)
	r.frames[0].line = Line{g.Moves, g.Notes}
	r.annotate(r.preface...)
	r.preface = r.preface[:0]
	for again := true; again; {
		r.readTags(g)
		r.frames[0].boards[0] = g.Start
		again = r.readMoves(g)
	}
	r.closeAll()
	r.endDoubt()
	if len(r.dropped) > 0 {
		r.warn(r.fen.place, "", "castling rights "+r.dropped+
			" of the tag FEN dropped: king or rook not at home in standard chess")
	}
}

// closeGame completes a game and its account, and reads the preface of the next one, which belongs
// to this game if it is the last.
func (r *Reader) closeGame(g *Game) error {
	r.checkResult(g)
	if !r.pending {
		r.next()
		r.unread()
	}
	errs, warnings, closed := r.errs, r.warnings, r.account
	end := min(r.limit, r.scanner.offsetOf(r.scanner.start))
	r.startAccount(end)
	r.readPreface()
	if r.token == endOfInput {
		end = min(r.limit, r.scanner.offset())
		closed.add(&r.account)
		r.annotate(r.preface...)
	}
	g.Line, r.frames[0].line = r.frames[0].line, Line{}
	g.Bytes = closed.close(end)
	if closed.skipped > 0 {
		skipped := &Error{0, closed.first.line, closed.first.column, "", skippedBytes{g.Bytes}}
		if len(errs) == 0 {
			warnings = append(warnings, skipped)
		} else {
			skipped.Game = r.games
			errs = append(errs, skipped)
		}
	}
	g.Warnings = warnings
	if len(errs) == 1 {
		return errs[0]
	}
	return errors.Join(errs...)
}

// checkResult completes the result, and warns of a tag that names another one.
func (r *Reader) checkResult(g *Game) {
	tag := g.Tags.Value(resultTag)
	result, ok := parseResult([]byte(tag))
	if r.ended && tag != "" && tag != "?" && !(ok && result == g.Result) {
		r.warn(r.endPlace, g.Result.String(), "the tag Result is "+quote.Text(tag, 0))
	}
	if g.Result == Unknown {
		g.Result = result
	}
}

func (r *Reader) startAccount(begin int64) {
	r.account = account{begin: begin}
	r.begin = begin
	r.errs, r.warnings = nil, nil
}

func (r *Reader) next() token {
	s := &r.scanner
	if r.pending {
		r.pending = false
	} else {
		r.settle()
		if r.token = s.scan(); s.offset()-r.begin > maxGame && r.exceedsGame() {
			r.token = s.refuse(errGameTooLong)
			r.begin = math.MaxInt64
		}
	}
	if r.part = r.token; r.depth > 0 {
		r.part = open
	}
	return r.token
}

// exceedsGame reports whether the token belongs to the game, which is too long.
func (r *Reader) exceedsGame() bool {
	switch r.token {
	case endOfInput, termination, firstNumber, remainder:
		return false
	case tagPair:
		return !r.moved
	}
	return true
}

func (r *Reader) isTooLong() bool { return r.begin == math.MaxInt64 }

// readTags reads the tags and the start position. It continues the tags if it is called again.
func (r *Reader) readTags(g *Game) {
	for more := true; more; {
		kind := r.next()
		if kind == word && r.scanner.takeBareTag() {
			kind = invalid
		}
		switch {
		case kind == tagPair && !r.isNextEvent():
			r.addTag()
		case kind == comment:
			r.addComment()
		case kind == escape, kind == remainder:
			r.skip()
		case kind == invalid && r.scanner.problem != errUnexpected:
			r.readBadTag()
		default:
			r.unread()
			more = false
		}
	}
	g.Tags = r.arena.appendTo(g.Tags)
	if r.started {
		return
	}
	r.started = true
	start, dropped, bad, err := g.Tags.start()
	source := &r.variant
	if bad == fenTag {
		source = &r.fen
	}
	if g.Start, r.dropped = start, dropped; err != nil && !r.frames[0].broken {
		r.refuse(source.place, source.value, err)
		r.frames[0].broken = true
	}
}

// readBadTag reports a malformed token among the tags. It keeps a FEN or Variant, without which the
// game would begin in another position.
func (r *Reader) readBadTag() {
	s := &r.scanner
	r.report(s.problem)
	if s.problem == errTag && s.selectsStart() {
		s.value = bytes.Trim(s.value, " \t\"]")
		r.addTag()
	}
}

func (s *scanner) selectsStart() bool {
	return string(s.name) == fenTag || string(s.name) == variantTag
}

func (r *Reader) addTag() {
	s := &r.scanner
	if r.isTooLong() {
		r.skip()
		return
	}
	r.arena.add(s.name, s.value)
	r.tagged = true
	switch string(s.name) {
	case eventTag:
		r.event = true
	case fenTag:
		r.started = r.started && r.fen.line > 0
		s.noteFirst(&r.fen)
	case variantTag:
		r.started = r.started && r.variant.line > 0
		s.noteFirst(&r.variant)
	}
}

// isNextEvent reports whether the tag pair begins the next game.
func (r *Reader) isNextEvent() bool {
	return r.event && string(r.scanner.name) == eventTag
}

// report skips the token and adds an error.
func (r *Reader) report(cause error) {
	if r.skip(); len(r.errs) < maxErrors {
		r.refuse(r.scanner.find(r.scanner.start), r.scanner.text, cause)
	}
}

// refuse adds an error.
func (r *Reader) refuse(at place, token []byte, cause error) {
	r.errs = append(r.errs, &Error{r.games, at.line, at.column, string(quotable(token)), cause})
}

// quotable returns the quoted part of a token.
func quotable(token []byte) []byte {
	const longest = 40
	return token[:min(len(token), longest)]
}
