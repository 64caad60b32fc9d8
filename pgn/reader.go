package pgn

import (
	"bytes"
	"errors"
	"io"
	"iter"
	"math"
	"slices"
	"strconv"

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

// Reader reads games one after the other from a stream and checks every move. Its memory does not
// grow with the stream, and its time is linear for any input: a game is at most 16 MiB long, a tag
// pair, a comment or a word 1 MiB, and variations are nested at most 256 deep.
//
// It accepts the import format and more:
//
//   - move numbers, dots and line breaks of any style, CRLF and byte order marks, UTF-8 and ISO
//     8859-1, and lines that begin with %
//   - comments in braces, which end at their closing brace, and after semicolons
//   - glyphs as numbers and as signs such as !?, +=, ± and →, apart or glued to a move; a sign
//     without a number in the standard, such as ∆, becomes a comment
//   - moves as Position.ParseSAN reads them, and null moves as --, <>, Z0, 0000 or @@@@ if the side
//     to move is not in check
//   - tag values with quotes that lack their backslash
//
// A game ends with its result or where the next tags begin. Comments after the result on the same
// line belong to the game. A result within a variation becomes a comment. Empty comments and
// comments before the tags are dropped. A game without tags begins after a result, or after an
// empty line if its moves begin with the number 1 and one dot. An empty line alone does not end a
// game, because some programs write empty lines between moves.
//
// The tag FEN gives the start position, with or without the tag SetUp. The tag Variant selects
// standard chess or Chess960; a game of another variant is an error. If Variant is Standard or
// another name of standard chess, the FEN is read as fianchetto.ParseStandardFEN reads it, which
// drops castling rights of kings and rooks that are not at home. If a tag is repeated, the first
// one wins.
//
// A malformed token does not end a game. The Reader reports it, skips it and reads on. A move that
// cannot be played ends its line, because what follows it depends on it. The Reader takes an
// unreadable word for a move unless the next moves and move numbers show that none is missing.
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
	errs    []error // the game's errors so far, each an *Error

	fen, variant source // for errors
}

// maxErrors is the number of errors after which a Reader gives up a game.
const maxErrors = 16

// frame is a line that is read, with its current position.
type frame struct {
	line   Line
	boards [2]fianchetto.Position // the current position and the one before, by the parity of the number of moves
	broken bool                   // a move is missing: the rest of the line is skipped
	quiet  bool                   // errors are not reported: the line may replace a missing move
	doubt  *doubt                 // nil unless a move may be missing
}

// doubt is the state of a line before an unreadable word, which may have been a move. Later moves
// and move numbers show whether it was.
type doubt struct {
	moves, notes int
	lastNote     Note  // with the slices that it had
	isMove       bool  // the word is a move, but not a legal one
	evidence     int   // number of later moves that only the side to move could have made
	end          int64 // of the word in the stream
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

// Games yields the remaining games, each in its own memory. A bad game comes with the error that
// Read returns and what could be read of it; Games continues with the next game. If the stream
// fails, the last error is the stream's.
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
// error is io.EOF after the last game.
//
// It is an *Error if a token of the game is bad, or several joined as by errors.Join. Then g holds
// everything that could be read: the game without the bad token, the moves before a move that
// cannot be played, or, with a zero Start, only the tags if their FEN or Variant is refused. The
// next call reads the next game.
//
// An error of the stream is returned as it is, with the part of g before it, and again by every
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

// errBroken ends a game whose rest cannot be read. The errors of the game say why.
var errBroken = errors.New("pgn: the rest of the game is skipped")

// readGame reads tags, moves and result.
func (r *Reader) readGame(g *Game) error {
	if !r.findGame() {
		return io.EOF
	}
	r.games++
	for again := true; again; {
		if err := r.readTags(g); err != nil {
			r.skipGame(true)
			return r.joined()
		}
		r.frames[0].boards[0] = g.Start
		var err error
		if again, err = r.readMoves(g); err != nil {
			r.closeAll()
			r.skipGame(false)
			return r.joined()
		}
	}
	return r.joined()
}

// joined returns the errors of the game as one.
func (r *Reader) joined() error {
	if len(r.errs) == 0 {
		return nil
	}
	if len(r.errs) == 1 {
		return r.errs[0]
	}
	return errors.Join(r.errs...)
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
	r.depth, r.frames, r.errs = 0, r.frames[:1], nil
	r.arena.reset()
	r.event, r.moved = false, false
	r.fen.place, r.variant.place = place{}, place{}
	r.frames[0].broken, r.frames[0].doubt, r.scanner.wantsNumbers = false, nil, false // quiet stays false
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

// readTags reads the tags of a game and its start position. It may be called again if tags follow
// an unreadable word.
func (r *Reader) readTags(g *Game) error {
	s := &r.scanner
	for r.next() == tagPair && !r.isNextEvent() || r.token == invalid && s.problem != errUnexpected ||
		r.token == word && s.takeBareTag() {
		switch {
		case r.token == tagPair:
			r.addTag()
			continue
		case r.token == word:
			s.problem = errTag
		}
		if err := r.report(s.problem); err != nil {
			r.setTags(g)
			return err
		}
		// Without its FEN or Variant a game would begin in another position.
		if name := string(s.name); s.problem == errTag && (name == fenTag || name == variantTag) {
			s.value = bytes.Trim(s.value, " \t\"]")
			r.addTag()
		}
	}
	r.pending = true
	r.setTags(g)
	start, bad, err := g.Tags.start()
	g.Start = start
	switch {
	case err == nil:
		return nil
	case bad == fenTag:
		r.errs = append(r.errs, r.errorAt(r.fen.place, r.fen.value, err))
	default:
		r.errs = append(r.errs, r.errorAt(r.variant.place, r.variant.value, err))
	}
	return errBroken
}

func (r *Reader) setTags(g *Game) { g.Tags = r.arena.appendTo(g.Tags[:0]) }

// addTag adds the tag pair that the scanner has found.
func (r *Reader) addTag() {
	s := &r.scanner
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

// isNextEvent reports whether a tag pair is a second Event, which belongs to the next game.
func (r *Reader) isNextEvent() bool {
	return r.event && string(r.scanner.name) == eventTag
}

// readMoves reads moves and annotations, up to the result or another end of the game. It returns
// again if tags of the same game follow.
func (r *Reader) readMoves(g *Game) (again bool, err error) {
	for {
		switch r.next() {
		case word:
			err = r.readMove()
		case comment:
			r.addComment()
		case annotation:
			r.addGlyph()
		case open:
			err = r.openVariation()
		case closing:
			err = r.closeVariation()
		case termination:
			if r.depth == 0 {
				g.Result = r.scanner.result
				r.endDoubt()
				return false, r.readLastComments()
			}
			r.addComment()
		case invalid:
			err = r.readInvalid()
		case number:
			err = r.checkNumber()
		case firstNumber:
			if r.moved && r.depth == 0 {
				return false, r.endMoves()
			}
			err = r.checkNumber()
		case tagPair:
			again = r.depth == 0 && !r.moved && len(r.errs) > 0 && !r.isNextEvent()
			return again, r.endMoves()
		default:
			return false, r.endMoves()
		}
		if err != nil {
			return false, err
		}
	}
}

// endMoves ends the moves of a game before the current token.
func (r *Reader) endMoves() error {
	r.pending = true
	if r.depth > 0 {
		_ = r.report(errParenthesis)
		return errBroken
	}
	r.endDoubt()
	return nil
}

// readLastComments reads the comments after the result, on its line.
func (r *Reader) readLastComments() error {
	for r.scanner.hasCommentOnLine() {
		if r.next() == invalid {
			_ = r.report(r.scanner.problem)
			return errBroken
		}
		r.addComment()
	}
	return nil
}

// readInvalid reports an invalid token and skips it. What looks like a part of a word may have been
// a move.
func (r *Reader) readInvalid() error {
	switch problem := r.scanner.problem; problem {
	case errUnexpected, errTag:
		return r.readUnknown(problem)
	default:
		return r.report(problem)
	}
}

// skips reports whether the current line is skipped: a variation, any line if only tags are read,
// or the rest of a line in which a move is missing.
func (r *Reader) skips() bool {
	return r.Detail != Everything && (r.depth > 0 || r.Detail == TagsOnly) || r.top().broken
}

// top returns the current line.
func (r *Reader) top() *frame { return &r.frames[len(r.frames)-1] }

// readMove reads a move and makes it.
func (r *Reader) readMove() error {
	f := r.top()
	if f.broken || r.skips() {
		r.moved = true
		return nil
	}
	pos := f.current()
	m, err := pos.ParseSANBytes(r.scanner.text)
	if err != nil {
		return r.readOther(err)
	}
	if f.doubt != nil {
		r.weigh(r.scanner.text)
	}
	pos.CopyMake(f.previous(), m)
	f.line.Moves = append(f.line.Moves, m)
	r.moved = true
	return nil
}

// readOther reads a word that is not a legal move: a null move, a sign, a move with signs glued to
// it, or an unreadable word.
func (r *Reader) readOther(refusal error) error {
	text := string(r.scanner.text)
	switch text {
	case "--", "<>", "Z0", "0000", "@@@@":
		return r.pass()
	}
	if s, ok := signsByText[text]; ok {
		r.addSign(s)
		return nil
	}
	f := r.top()
	pos := f.current()
	m, glued := parseGlued(pos, text, maxGlued)
	if m == fianchetto.NoMove {
		return r.readUnknown(refusal)
	}
	if f.doubt != nil {
		r.weigh([]byte(pos.SAN(m)))
	}
	pos.CopyMake(f.previous(), m)
	f.line.Moves = append(f.line.Moves, m)
	r.moved = true
	for _, s := range glued {
		r.addSign(s)
	}
	return nil
}

// maxGlued is the greatest number of signs that are read after a move without a space.
const maxGlued = 3

// parseGlued parses a move with at most so many signs glued to it, and returns NoMove if text is
// none. The longest sign wins, except that its + belongs to a move that gives check: Bb5+= is even
// after a check, and otherwise slightly better for White.
func parseGlued(pos *fianchetto.Position, text string, most int) (fianchetto.Move, []sign) {
	for length := min(longestSign, len(text)-2); length > 0 && most > 0; length-- {
		cut := len(text) - length
		s, ok := signsByText[text[cut:]]
		if !ok {
			continue
		}
		var glued []sign
		m, err := pos.ParseSAN(text[:cut])
		if err != nil {
			m, glued = parseGlued(pos, text[:cut], most-1)
		}
		if m == fianchetto.NoMove {
			continue
		}
		if even, ok := signsByText[text[cut+1:]]; ok && text[cut] == '+' && pos.GivesCheck(m) {
			s = even
		}
		return m, append(glued, s)
	}
	return fianchetto.NoMove, nil
}

// pass makes a null move.
func (r *Reader) pass() error {
	f := r.top()
	pos := f.current()
	if pos.InCheck() {
		return r.readUnknown(errNullInCheck)
	}
	*f.previous() = pos.Null()
	f.line.Moves = append(f.line.Moves, fianchetto.NoMove)
	r.moved = true
	return nil
}

// readUnknown reports a word that cannot be played and skips it. From then on a move may be
// missing. If one is, which a second word like it shows, the line ends here.
func (r *Reader) readUnknown(cause error) error {
	f := r.top()
	isMove := errors.Is(cause, fianchetto.ErrIllegalMove) || errors.Is(cause, fianchetto.ErrAmbiguousMove)
	if f.doubt != nil && isMove {
		return r.breakLine()
	}
	if f.quiet {
		f.broken = true
		return nil
	}
	if err := r.report(cause); err != nil || r.skips() {
		return err
	}
	if r.depth == 0 && !r.moved && len(r.arena.ends) == 0 {
		return errBroken // text before a game
	}
	if f.doubt == nil {
		f.doubt = &doubt{moves: len(f.line.Moves), notes: len(f.line.Notes), isMove: isMove}
		if last := len(f.line.Notes) - 1; last >= 0 {
			f.doubt.lastNote = f.line.Notes[last]
		}
		r.scanner.wantsNumbers = true
	}
	f.doubt.end = r.scanner.offset()
	return nil
}

// weigh counts the move in text as evidence that no move is missing if only the side to move can
// make it. A number of such moves ends the doubt.
func (r *Reader) weigh(text []byte) {
	const enough = 4
	pos := r.top().current()
	if pos.InCheck() {
		return
	}
	other := pos.Null()
	_, err := other.ParseSANBytes(text)
	if d := r.top().doubt; err != nil && !errors.Is(err, fianchetto.ErrAmbiguousMove) {
		if d.evidence++; d.evidence == enough {
			r.trust()
		}
	}
}

// checkNumber compares a move number with the position while a move may be missing.
func (r *Reader) checkNumber() error {
	f := r.top()
	if f.doubt == nil || r.skips() {
		return nil
	}
	pos := f.current()
	number, err := strconv.Atoi(string(r.scanner.text))
	dots := bytes.ReplaceAll(r.scanner.ahead(6), []byte{' '}, nil)
	side := fianchetto.White
	if bytes.HasPrefix(dots, []byte("..")) || bytes.HasPrefix(dots, []byte("…")) {
		side = fianchetto.Black
	}
	if err != nil || number != pos.FullmoveNumber() || side != pos.SideToMove() {
		return r.breakLine()
	}
	r.trust()
	return nil
}

// trust ends the doubt: no move is missing.
func (r *Reader) trust() { r.top().doubt, r.scanner.wantsNumbers = nil, false }

// breakLine ends the line where a move is missing.
func (r *Reader) breakLine() error {
	f, d := r.top(), r.top().doubt
	f.line = Line{f.line.Moves[:d.moves], f.line.Notes[:d.notes]}
	if d.notes > 0 {
		f.line.Notes[d.notes-1] = d.lastNote
	}
	r.trust()
	if r.depth == 0 {
		return errBroken
	}
	f.broken = true
	return nil
}

// endDoubt decides at the end of a line. Without evidence the moves since the unreadable word are
// dropped, and the remarks on a move that is not legal.
func (r *Reader) endDoubt() {
	f := r.top()
	if d := f.doubt; d != nil && d.evidence == 0 && (d.isMove || len(f.line.Moves) > d.moves) {
		_ = r.breakLine()
		return
	}
	r.trust()
}

// addGlyph adds the glyph of an annotation, unless it is glued to an unreadable word.
func (r *Reader) addGlyph() {
	if d := r.top().doubt; d != nil && d.end == r.scanner.offsetOf(r.scanner.start) {
		d.end = r.scanner.offset()
		return
	}
	r.addSign(sign{nag: r.scanner.glyph})
}

// addSign adds the glyph of a sign, or the sign itself as a comment if it has none.
func (r *Reader) addSign(s sign) {
	f := r.top()
	if r.Detail != Everything || f.broken {
		return
	}
	note := f.line.annotate()
	switch {
	case s.nag == 0 && len(s.texts) > 0:
		note.Comments = append(note.Comments, s.texts[0])
	case s.bySide && f.current().SideToMove() == fianchetto.White:
		note.NAGs = append(note.NAGs, s.nag+1)
	default:
		note.NAGs = append(note.NAGs, s.nag)
	}
}

// addComment adds the token's text unless it is blank.
func (r *Reader) addComment() {
	if r.Detail != Everything || r.top().broken {
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
		return r.report(errDepth)
	}
	broken := r.top().broken
	if !r.skips() && len(r.top().line.Moves) == 0 {
		if err := r.report(errVariation); err != nil {
			return err
		}
		broken = true
	}
	r.depth++
	if r.Detail != Everything {
		return nil
	}
	r.frames = slices.Grow(r.frames, 1)[:len(r.frames)+1]
	parent, child := &r.frames[len(r.frames)-2], r.top()
	child.line = Line{child.line.Moves[:0], child.line.Notes[:0]}
	child.boards[0], child.broken = *parent.previous(), broken
	child.quiet = parent.quiet || parent.doubt != nil
	r.trust()
	return nil
}

// closeVariation ends a line and adds it to the note on the move that it replaces, unless it is
// empty.
func (r *Reader) closeVariation() error {
	if r.depth == 0 {
		return r.report(errParenthesis)
	}
	if r.Detail == Everything {
		r.endDoubt()
	}
	if r.depth--; r.Detail != Everything {
		return nil
	}
	line := r.top().line
	r.frames = r.frames[:len(r.frames)-1]
	r.scanner.wantsNumbers = r.top().doubt != nil
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

// report adds an error at the token. It returns errBroken if the game cannot be read on.
func (r *Reader) report(cause error) error {
	s := &r.scanner
	r.errs = append(r.errs, r.errorAt(s.find(s.start), s.text, cause))
	if cause == errTooLong || cause == errGameTooLong || cause == errDepth || len(r.errs) == maxErrors {
		return errBroken
	}
	return nil
}

func (r *Reader) errorAt(at place, token []byte, cause error) error {
	return &Error{r.games, at.line, at.column, string(quotable(token)), cause}
}

// quotable returns the bytes of a token that an error has.
func quotable(token []byte) []byte {
	const longest = 40
	return token[:min(len(token), longest)]
}
