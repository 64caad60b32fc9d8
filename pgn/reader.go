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

// Detail tells how much of each game a Reader reads.
type Detail uint8

// The details, the slowest first.
const (
	Everything Detail = iota // moves, comments, NAGs and variations
	MainLine                 // the moves of the game; the rest is skipped
	TagsOnly                 // tags and result; moves are skipped unchecked
)

// Reader reads games from a stream and checks every move. Its memory is bounded and its time is
// linear for any input: a game has at most 16 MiB, a tag pair, comment or word 1 MiB, and
// variations are nested at most 256 deep.
//
// It accepts the import format and more:
//
//   - any style of move numbers, dots and line breaks; CRLF; byte order marks; UTF-8 and ISO
//     8859-1; lines that begin with %
//   - comments in braces, which end at the first closing brace, and after semicolons
//   - annotations as numbers and as signs such as !?, += and →, alone or glued to a move; a sign
//     without a number, such as ∆, becomes a comment
//   - moves as Position.ParseSAN reads them; null moves as --, <>, Z0, 0000 or @@@@, except in
//     check
//   - unescaped quotes in tag values
//
// A game ends with its result or before the next tags. Comments after the result on the same line
// belong to the game. A result within a variation becomes a comment. Empty comments and comments
// before the tags are dropped. A game without tags begins after a result, or after an empty line if
// its moves begin with "1.". Other empty lines do not end a game.
//
// The tag FEN gives the start position, with or without SetUp. The tag Variant selects standard
// chess or Chess960; other games are an error. Under Variant "Standard" and its synonyms the FEN is
// read by fianchetto.ParseStandardFEN, which drops castling rights of kings and rooks that are not
// at home. If a tag is repeated, the first one wins.
//
// The Reader reports a malformed token, skips it and reads on. A move that cannot be played ends
// its line, because the moves after it depend on it. An unreadable word counts as such a move
// unless later moves and move numbers show that no move is missing.
type Reader struct {
	Detail Detail // for the next games

	scanner scanner
	token   token
	pending bool // next returns the same token again
	games   int
	failure error // the stream's error, returned from then on
	begin   int64 // the offset of the game in the stream
	limit   int64 // the offset from which no game begins
	arena   tagArena
	event   bool    // the game has the tag Event
	moved   bool    // the game has a move, or a word if moves are skipped
	words   []byte  // the words of the last comment
	depth   int     // the number of open variations
	frames  []frame // the game and its open variations, without skipped ones
	errs    []error // the errors of the game, each an *Error

	fen, variant source // their places, for errors
}

// maxErrors is the number of errors after which the rest of a game is skipped.
const maxErrors = 16

// frame is a line under construction.
type frame struct {
	line   Line
	boards [2]fianchetto.Position // the current position and the one before it, indexed by the parity of the number of moves
	broken bool                   // a move is missing, so the rest is skipped
	quiet  bool                   // the line may replace a missing move, so its errors are not reported
	doubt  *doubt                 // non-nil while a move may be missing
}

// doubt is the state of a line before an unreadable word. Later moves and numbers show whether the
// word stands for a move.
type doubt struct {
	moves, notes int
	lastNote     Note  // as it was before the word
	isMove       bool  // the word is an illegal move
	evidence     int   // number of later moves that only the side to move could make
	end          int64 // the end of the word in the stream
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

// Read reads the next game into g, whose slices it reuses; strings stay valid. After the last game
// it returns io.EOF.
//
// A malformed game is an *Error, or several joined by errors.Join, and g contains what could be
// read: everything except the bad token, the moves before one that cannot be played, or only the
// tags, with a zero Start, if the FEN or Variant was refused. The next call reads the next game.
//
// An error of the stream is returned unchanged by this and every later call.
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

// errBroken ends a game whose rest cannot be read. Reader.errs contains the reason.
var errBroken = errors.New("pgn: the rest of the game is skipped")

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

func (r *Reader) joined() error {
	if len(r.errs) == 0 {
		return nil
	}
	if len(r.errs) == 1 {
		return r.errs[0]
	}
	return errors.Join(r.errs...)
}

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

// findGame reports whether another game follows. It keeps the comments before the moves of a game
// without tags and drops those before tags.
func (r *Reader) findGame() bool {
	r.begin = r.scanner.offset()
	r.depth, r.frames, r.errs = 0, r.frames[:1], nil
	r.arena.reset()
	r.event, r.moved = false, false
	r.fen.place, r.variant.place = place{}, place{}
	r.frames[0].broken, r.frames[0].doubt, r.scanner.wantsNumbers = false, nil, false
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

// readTags reads the tags and the start position. It continues the tags if it is called again.
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
		// Without its FEN or Variant the game would begin in another position.
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

// isNextEvent reports whether the tag pair is a second Event, which begins the next game.
func (r *Reader) isNextEvent() bool {
	return r.event && string(r.scanner.name) == eventTag
}

// readMoves reads the movetext up to the result or the next game. It returns again if more tags of
// this game follow.
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

// endMoves ends the movetext before the current token.
func (r *Reader) endMoves() error {
	r.pending = true
	if r.depth > 0 {
		_ = r.report(errParenthesis)
		return errBroken
	}
	r.endDoubt()
	return nil
}

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

// readInvalid reports an invalid token and skips it. A part of a word may stand for a move.
func (r *Reader) readInvalid() error {
	switch problem := r.scanner.problem; problem {
	case errUnexpected, errTag:
		return r.readUnknown(problem)
	default:
		return r.report(problem)
	}
}

// skips reports whether the current line is skipped: a variation, any line of TagsOnly, or a broken
// line.
func (r *Reader) skips() bool {
	return r.top().broken || r.skipsDetail()
}

// skipsDetail reports whether Detail leaves out the current line.
func (r *Reader) skipsDetail() bool {
	return r.Detail != Everything && (r.depth > 0 || r.Detail == TagsOnly)
}

func (r *Reader) top() *frame { return &r.frames[len(r.frames)-1] }

func (r *Reader) readMove() error {
	f := r.top()
	if f.broken || r.skipsDetail() {
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

// readOther reads a word that is not a legal move: a null move, a sign, a move with glued signs, or
// an unreadable word.
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

// maxGlued is the maximal number of signs glued to a move.
const maxGlued = 3

// parseGlued parses a move with up to most signs glued to it, or returns NoMove. The longest sign
// wins, unless its + marks a check: Bb5+= is even if the move gives check, and otherwise slightly
// better for White.
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

// readUnknown reports a word that cannot be played and skips it. While a move may be missing, a
// second such move ends the line.
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
		return errBroken // not a game
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

// weigh counts a move as evidence that none is missing if only the side to move can make it. Enough
// evidence ends the doubt.
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

// checkNumber compares a move number with the position, which decides whether a move is missing.
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

// trust ends the doubt.
func (r *Reader) trust() { r.top().doubt, r.scanner.wantsNumbers = nil, false }

// breakLine takes the line back to the missing move and skips the rest.
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

// endDoubt decides at the end of a line. Without evidence it drops the moves after an unreadable
// word and the annotations of an illegal move.
func (r *Reader) endDoubt() {
	f := r.top()
	if d := f.doubt; d != nil && d.evidence == 0 && (d.isMove || len(f.line.Moves) > d.moves) {
		_ = r.breakLine()
		return
	}
	r.trust()
}

// addGlyph adds an annotation, unless it is glued to an unreadable word.
func (r *Reader) addGlyph() {
	if d := r.top().doubt; d != nil && d.end == r.scanner.offsetOf(r.scanner.start) {
		d.end = r.scanner.offset()
		return
	}
	r.addSign(sign{nag: r.scanner.glyph})
}

// addSign adds the NAG of a sign, or a comment if it has none.
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

// appendWords appends the words of a comment, separated by single spaces.
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

func isSpace(c rune) bool { return c == ' ' || '\t' <= c && c <= '\r' }

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

// closeVariation adds the line to the note on the move that it replaces, unless it is empty.
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

// closeAll keeps the open variations of a bad game.
func (r *Reader) closeAll() {
	depth := r.depth
	for len(r.frames) > 1 {
		_ = r.closeVariation() // cannot fail, since one is open
	}
	r.depth = depth
}

// skipGame skips the rest of a bad game, up to its result, the first move number of the next game,
// or tags at the beginning of a line. If inTags is set, tags belong to the bad game up to a second
// Event.
func (r *Reader) skipGame(inTags bool) {
	r.begin = math.MaxInt64 // the length does not matter
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

// report adds an error at the token and returns errBroken if it ends the game.
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

// quotable returns the part of a token that an error quotes.
func quotable(token []byte) []byte {
	const longest = 40
	return token[:min(len(token), longest)]
}
