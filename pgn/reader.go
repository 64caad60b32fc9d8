package pgn

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

// Reader reads games from a stream and checks every move. For any input its memory is bounded and
// its time linear: a game has at most 16 MiB, a tag pair, comment or word 1 MiB, and variations are
// at most 256 deep.
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
// Variant if ParseFEN refuses it. The first of repeated tags wins.
//
// The Reader reports a malformed token and skips it. An unplayable move ends its line. So does an
// unreadable word, unless later moves and move numbers show that no move is missing. Game.Bytes
// counts the skipped bytes, also those between games, and the error or warnings of the game tell
// their place.
type Reader struct {
	MainLine bool // reads no comments, NAGs and variations, which is faster

	scanner  scanner
	token    token // not read yet
	games    int
	failure  error // returned by all later calls
	first    place // of the first token; its line is 0 before
	limit    int64 // where no more games begin
	words    []byte
	account  account
	errs     []error
	warnings []*Error
	game     *Game
	preface
	state
	frames  []frame // the game and its open variations, unless they are not read
	arena   tagArena
	fen     source
	variant source
}

// preface describes the text before a game.
type preface struct {
	comments   []string
	sameLine   bool    // as the end of the game before, so a result is only another end
	junk       bool    // the line contains something that is no game
	parens     int     // open parentheses on the line
	numbered   bool    // a move number precedes
	unnumbered account // before the number was skipped
}

// state describes the game being read.
type state struct {
	begin   int64 // in the stream, for its limit
	tooLong bool
	event   bool   // a tag Event was read
	moving  bool   // the tags ended
	started bool   // the start position is that of the tags, which are too many to look at after each run
	moved   bool   // a move was read or skipped
	depth   int    // open variations
	ended   bool   // by a result
	end     place  // of the result
	dropped string // castling rights of the FEN
}

// maxErrors is the number of errors kept of a game.
const maxErrors = 16

// NewReader returns a Reader of the games in r.
func NewReader(r io.Reader) *Reader {
	s := scanner{in: &stream{in: r}, buffer: make([]byte, firstBuffer), place: place{line: 1, column: 1}}
	return newReader(s, math.MaxInt64)
}

func newReader(s scanner, limit int64) *Reader {
	return &Reader{scanner: s, limit: limit, frames: make([]frame, 1)}
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
// read.
//
// If the stream contains something, but no game, the first call returns an empty game and an *Error
// with the cause ErrNoGame. This and every later call returns an error of the stream unchanged.
func (r *Reader) Read(g *Game) error {
	*g = Game{Tags: g.Tags[:0], Line: Line{g.Moves[:0], g.Notes[:0]}}
	s := &r.scanner
	switch {
	case r.failure != nil:
		return r.failure
	case r.first.line == 0:
		if s.fill(4); isUTF16(s.buffer) {
			s.terminators = neverInUTF16 // so that all of it is skipped
		}
		r.next()
		r.first = s.here()
		r.readPreface()
	}
	r.game = g
	if r.token == endOfInput {
		if r.failure = s.failure; r.failure == io.EOF && r.games == 0 {
			return r.noGame()
		}
		return r.failure
	}
	r.readGame()
	if r.token == endOfInput && s.failure != io.EOF && !r.ended {
		r.failure = s.failure
		return r.failure
	}
	return r.closeGame()
}

// noGame accounts for a stream without a game.
func (r *Reader) noGame() error {
	a, cause := &r.account, error(ErrNoGame)
	if a.skipped += a.kept[comment]; a.skipped == 0 {
		return io.EOF
	}
	if a.places == 0 || r.first.offset < a.first.offset {
		a.first = r.first
	}
	a.kept[comment], a.places = 0, max(a.places+len(r.comments), 1)
	r.game.Bytes = a.close(r.scanner.offset())
	if r.scanner.terminators == neverInUTF16 {
		cause = errUTF16
	}
	return newError(a.first, "", fmt.Errorf("%w; %w", cause, skippedBytes{r.game.Bytes}))
}

// readPreface reads up to the first token of the next game: a tag pair, a result at the beginning
// of a line, or a move that is legal or numbered. It skips the rest, except comments.
func (r *Reader) readPreface() {
	r.preface = preface{comments: r.comments[:0], sameLine: r.games > 0}
	r.state, r.frames = state{}, r.frames[:1]
	r.fen.line, r.variant.line = 0, 0
	for ; !r.beginsGame(r.token); r.next() {
	}
}

// beginsGame reports whether the token begins a game or ends the input, and reads other tokens.
func (r *Reader) beginsGame(kind token) bool {
	s := &r.scanner
	if s.lineEndsBefore() > 0 {
		r.sameLine, r.junk, r.parens = false, false, 0
	}
	numbered, isTag := r.numbered, kind == invalid && s.problem == errTag
	r.numbered = false
	switch kind {
	case endOfInput, tagPair:
		return true
	case comment:
		if s.offset()-r.account.begin > maxGame {
			kind = invalid
		} else if text := r.comment(); text != "" {
			r.comments = append(r.comments, text)
		}
		r.count(kind)
		return false
	case number:
		if !r.junk || string(s.text) == "1" {
			r.numbered, r.unnumbered = true, r.account
			r.unnumbered.kept[number] += int64(s.next - s.start)
		}
	case termination:
		if !r.junk && !r.sameLine && s.buffer[s.next] != '*' {
			return true
		}
	case word:
		if r.parens == 0 && opensGame(s.text, numbered, r.junk) {
			if numbered {
				r.account = r.unnumbered
			}
			return true
		}
	case open:
		r.parens++
	case closing:
		r.parens--
	}
	switch {
	case isTag && r.source(s.name) != nil: // which decides the start position
		return true
	case isTag:
		r.report(errTag)
	case kind != number:
		r.junk = true
	}
	r.count(invalid)
	return false
}

func opensGame(text []byte, numbered, junk bool) bool {
	start := fianchetto.StartPosition()
	text = cutResult(text)
	m, err := start.ParseSAN(view(text))
	if err != nil {
		m, _ = parseGlued(&start, string(text), maxGlued)
	}
	if m != fianchetto.NoMove {
		return numbered || !junk
	}
	return numbered && !junk && (!errors.Is(err, fianchetto.ErrMoveSyntax) || isNull(string(text)))
}

// readGame reads a game from its pending first token up to the next game.
func (r *Reader) readGame() {
	s, g := &r.scanner, r.game
	r.begin = s.here().offset
	r.frames[0] = frame{line: Line{g.Moves, g.Notes}}
	r.annotate(r.comments...)
	for ; !r.endsBefore(r.token); r.next() {
		r.count(r.read(r.token))
		r.readPlainMoves()
	}
	if r.depth > 0 && !r.top().broken {
		r.refuse(s.here(), s.text, errParenthesis)
	}
	r.startMoves()
	r.closeLines(1)
	r.endDoubt()
	if len(r.dropped) > 0 {
		r.warnings = append(r.warnings, newError(r.fen.place, "", fianchetto.Problem("castling rights "+r.dropped+
			" of the tag FEN dropped: king or rook not at home in standard chess")))
	}
}

// closeGame completes a game, and reads the preface of the next one, which belongs to this game if
// it is the last.
func (r *Reader) closeGame() error {
	g, s := r.game, &r.scanner
	tag := g.Tags.Value(resultTag)
	named, ok := results[tag]
	if r.ended && tag != "" && tag != "?" && !(ok && named == g.Result) {
		r.warnings = append(r.warnings, newError(r.end, g.Result.String(),
			fianchetto.Problem("the tag Result is "+quote.Text(tag, 0))))
	}
	if g.Result == Unknown {
		g.Result = named
	}
	errs, warnings, closed := r.errs, r.warnings, r.account
	end := s.offsetOf(s.start)
	r.errs, r.warnings, r.account = nil, nil, account{begin: end}
	r.games++
	r.readPreface()
	if r.token == endOfInput {
		r.annotate(r.comments...)
		closed.add(&r.account)
		end = s.offsetOf(s.start)
	}
	g.Line, r.frames[0].line = r.frames[0].line, Line{}
	g.Bytes, g.Warnings = closed.close(end), warnings
	if closed.skipped > 0 {
		skipped := newError(closed.first, "", skippedBytes{g.Bytes})
		if len(errs) == 0 {
			g.Warnings = append(warnings, skipped)
		} else {
			skipped.Game = r.games
			errs = append(errs, skipped)
		}
	}
	if len(errs) == 1 {
		return errs[0]
	}
	return errors.Join(errs...)
}

func (r *Reader) next() {
	s := &r.scanner
	s.inTags = !r.moving
	for r.token = s.scan(); r.token == skipped; r.token = s.scan() {
		r.count(invalid)
		r.numbered = false // the number and the next word are apart
	}
	if s.offsetOf(s.start) >= r.limit {
		r.token, s.next, s.failure = endOfInput, s.start, io.EOF
	}
}

func (r *Reader) endsBefore(kind token) bool {
	switch {
	case r.ended:
		return kind != comment || r.scanner.lineEndsBefore() > 0
	case kind == tagPair:
		return r.moved || r.depth > 0 || r.event && string(r.scanner.name) == eventTag
	case kind == number:
		return r.moved && r.depth == 0 && r.scanner.mayBegin()
	}
	return kind == endOfInput
}

// read reads a token and returns the kind as which it counts: invalid if it was skipped.
func (r *Reader) read(kind token) token {
	s := &r.scanner
	if s.offset()-r.begin > maxGame && kind != termination && !r.tooLong {
		r.tooLong = true
		r.closeLines(1)
		r.frames[0].broken = true
		return r.report(errGameTooLong)
	}
	switch {
	case kind == tagPair:
		return r.addTag()
	case kind == comment:
		return r.addComment()
	case kind == invalid && !r.moving:
		return r.readBadTag()
	}
	r.startMoves()
	switch f := r.top(); {
	case kind == open:
		return r.openVariation()
	case kind == closing:
		return r.closeVariation()
	case kind == termination && r.depth == 0:
		r.game.Result, r.ended = s.result, true
		if r.game.Tags.Value(resultTag) != s.result.String() {
			r.end = s.here()
		}
		r.endDoubt()
		return termination
	case f.broken || r.depth >= len(r.frames):
		r.moved = true
		return r.pass()
	case kind == word:
		return r.readMove()
	case kind == annotation:
		return r.addSign(s.glyph, "")
	case kind == termination:
		return r.addComment()
	case kind == invalid && (s.problem == errComment || s.problem == errNAG): // no move
		return r.report(s.problem)
	case kind == invalid:
		return r.readUnknown(s.problem)
	}
	return r.checkNumber()
}

// pass returns the kind as which a token counts that no line takes.
func (r *Reader) pass() token {
	switch {
	case !r.MainLine || r.frames[0].broken:
		return invalid
	case r.token == invalid:
		return r.report(r.scanner.problem)
	}
	return open
}

// startMoves computes the start position, unless it is that of the tags already.
func (r *Reader) startMoves() {
	g, f := r.game, &r.frames[0]
	if r.moving {
		return
	}
	r.moving = true
	if g.Tags = r.arena.appendTo(g.Tags); r.started {
		return
	}
	r.started = true
	start, dropped, bad, err := g.Tags.start()
	g.Start, f.boards[0], r.dropped = start, start, dropped
	if err != nil && !f.broken {
		f.broken = true
		from := r.source([]byte(bad))
		r.refuse(from.place, from.value, err)
	}
}

// readBadTag reports a malformed token among the tags. It keeps a FEN or Variant.
func (r *Reader) readBadTag() token {
	s := &r.scanner
	r.report(s.problem)
	if s.problem == errTag && r.source(s.name) != nil {
		s.value = bytes.Trim(s.value, " \t\"]")
		r.addTag()
	}
	return invalid
}

func (r *Reader) addTag() token {
	s := &r.scanner
	if r.moving = false; r.tooLong {
		return invalid
	}
	r.arena.add(s.name, s.value)
	r.event = r.event || string(s.name) == eventTag
	if from := r.source(s.name); from != nil && from.line == 0 {
		from.place, from.value, r.started = s.here(), append(from.value[:0], quotable(s.value)...), false
	}
	return tagPair
}

// source is the beginning of a tag's unconverted value, and its place, whose line is 0 without a
// tag.
type source struct {
	place
	value []byte
}

// source returns the source of a tag that selects the start position, or nil.
func (r *Reader) source(tag []byte) *source {
	switch string(tag) {
	case fenTag:
		return &r.fen
	case variantTag:
		return &r.variant
	}
	return nil
}

func (r *Reader) report(cause error) token {
	if len(r.errs) < maxErrors {
		r.refuse(r.scanner.here(), r.scanner.text, cause)
	}
	return invalid
}

func quotable(token []byte) []byte { return token[:min(len(token), 40)] }

func (r *Reader) refuse(at place, token []byte, cause error) {
	err := newError(at, string(quotable(token)), cause)
	err.Game = r.games + 1
	r.errs = append(r.errs, err)
}

func newError(at place, token string, cause error) *Error {
	return &Error{Line: at.line, Column: at.column, Token: token, Err: cause}
}

// count counts the token by its kind, or as skipped if the kind is invalid.
func (r *Reader) count(kind token) {
	s := &r.scanner
	if kind != invalid {
		r.keep(kind, s.next-s.start)
		return
	}
	r.account.skip(s.here(), s.before, s.offset())
}

func (r *Reader) keep(kind token, bytes int) {
	if r.depth > 0 {
		kind = open
	}
	r.account.kept[kind] += int64(bytes)
}
