package pgn

import (
	"bytes"
	"errors"
	"io"
	"iter"
	"math"
	"slices"

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
// before the tags are dropped. Without tags, a game begins after a result, or after an empty line
// with "1.".
//
// The tag FEN gives the start position, with or without SetUp. The tag Variant selects standard
// chess or Chess960, and any other game is an error. Under "Standard" and its synonyms the FEN is
// read by fianchetto.ParseStandardFEN, which drops castling rights of kings and rooks that are not
// at home. If a tag is repeated, the first one wins.
//
// The Reader reports a malformed token, skips it and reads on. A move that cannot be played ends
// its line, because later moves depend on it. An unreadable word counts as such a move unless later
// moves and move numbers show that no move is missing.
type Reader struct {
	Detail Detail // for the next games

	scanner scanner
	token   token
	pending bool
	games   int
	failure error // returned by all later calls
	begin   int64 // of the game in the stream
	limit   int64 // where no more games begin
	arena   tagArena
	event   bool
	moved   bool // a move was read or skipped
	words   []byte
	depth   int     // open variations
	frames  []frame // the game and its open variations, unless skipped
	errs    []error

	fen, variant source // for errors
}

// maxErrors is the number of errors after which the rest of a game is skipped.
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

func (r *Reader) readGame(g *Game) error {
	if !r.findGame() {
		return io.EOF
	}
	r.games++
	main := &r.frames[0]
	for again := true; again && !main.broken; {
		if r.readTags(g); main.broken {
			r.skipGame(true)
			break
		}
		main.boards[0] = g.Start
		again = r.readMoves(g)
		if main = &r.frames[0]; main.broken {
			r.closeAll()
			r.skipGame(false)
		}
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
	if r.token != endOfInput && r.scanner.offset()-r.begin > maxGame {
		r.token = r.scanner.refuse(errGameTooLong)
	}
	return r.token
}

// findGame reports whether another game follows. It keeps the comments before the moves of a game
// without tags and drops those before tags.
func (r *Reader) findGame() bool {
	r.begin = r.scanner.offset()
	r.depth, r.frames = 0, r.frames[:1]
	r.arena.reset()
	r.event, r.moved = false, false
	r.fen.place, r.variant.place = place{}, place{}
	if r.frames[0].broken = false; len(r.errs) > 0 {
		r.errs = nil
	}
	r.trust()
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
func (r *Reader) readTags(g *Game) {
	s := &r.scanner
	for r.next() == tagPair && !r.isNextEvent() || r.token == invalid && s.problem != errUnexpected ||
		r.token == word && s.takeBareTag() {
		if r.token != tagPair {
			if r.report(s.problem); r.frames[0].broken {
				return
			}
			// Without its FEN or Variant the game would begin in another position.
			if name := string(s.name); s.problem != errTag || name != fenTag && name != variantTag {
				continue
			}
			s.value = bytes.Trim(s.value, " \t\"]")
		}
		r.addTag()
	}
	r.pending = true
	g.Tags = r.arena.appendTo(g.Tags[:0])
	start, bad, err := g.Tags.start()
	source := &r.variant
	if bad == fenTag {
		source = &r.fen
	}
	if g.Start = start; err != nil {
		r.refuse(source.place, source.value, err)
	}
}

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

// isNextEvent reports whether the tag pair begins the next game.
func (r *Reader) isNextEvent() bool {
	return r.event && string(r.scanner.name) == eventTag
}

// readMoves reads the movetext up to the result or the next game. It returns true if more tags of
// this game follow.
func (r *Reader) readMoves(g *Game) (again bool) {
	for !r.frames[0].broken {
		switch r.next() {
		case word:
			r.readMove()
		case comment:
			r.addComment()
		case annotation:
			r.addSign(r.scanner.glyph, "")
		case open:
			r.openVariation()
		case closing:
			r.closeVariation()
		case termination:
			if r.depth > 0 {
				r.addComment()
				continue
			}
			g.Result = r.scanner.result
			r.endDoubt()
			for r.scanner.hasCommentOnLine() && r.next() == comment {
				r.addComment()
			}
			if r.token == invalid {
				r.report(r.scanner.problem)
			}
			return false
		case number:
			r.checkNumber()
		case invalid:
			if problem := r.scanner.problem; problem == errUnexpected || problem == errTag {
				r.readUnknown(problem) // perhaps instead of a move
			} else {
				r.report(problem)
			}
		default:
			if r.token == firstNumber && (!r.moved || r.depth > 0) {
				r.checkNumber()
				continue
			}
			r.pending = true
			if r.depth > 0 {
				r.report(errParenthesis)
				r.frames[0].broken = true
				return false
			}
			r.endDoubt()
			return r.token == tagPair && !r.moved && len(r.errs) > 0 && !r.isNextEvent()
		}
	}
	return false
}

// skips reports whether the current line is skipped.
func (r *Reader) skips() bool {
	return r.top().broken || r.skipsDetail()
}

// skipsDetail reports whether Detail leaves out the current line.
func (r *Reader) skipsDetail() bool {
	return r.Detail != Everything && (r.depth > 0 || r.Detail == TagsOnly)
}

func (r *Reader) top() *frame { return &r.frames[len(r.frames)-1] }

func (r *Reader) readMove() {
	f := r.top()
	if f.broken || r.skipsDetail() {
		r.moved = true
		return
	}
	pos := f.current()
	m, err := pos.ParseSANBytes(r.scanner.text)
	if err != nil {
		r.readOther(err)
		return
	}
	if f.doubt != nil {
		r.weigh(m)
	}
	pos.CopyMake(f.previous(), m)
	f.line.Moves = append(f.line.Moves, m)
	r.moved = true
}

// readOther reads a word that is not a legal move: a null move, a sign, a move with glued signs, or
// an unreadable word.
func (r *Reader) readOther(refusal error) {
	f, text := r.top(), string(r.scanner.text)
	pos := f.current()
	if nag, ok := nagOfSign[text]; ok {
		r.addSign(nag, text)
		return
	}
	m, signs := parseGlued(pos, text, maxGlued)
	isNull := slices.Contains([]string{"--", "<>", "Z0", "0000", "@@@@"}, text)
	switch {
	case isNull && pos.InCheck():
		r.readUnknown(errNullInCheck)
		return
	case !isNull && m == fianchetto.NoMove:
		r.readUnknown(refusal)
		return
	case !isNull && f.doubt != nil:
		r.weigh(m)
	}
	*f.previous() = after(*pos, m)
	f.line.Moves = append(f.line.Moves, m)
	r.moved = true
	for _, sign := range signs {
		r.addSign(nagOfSign[sign], sign)
	}
}

const maxGlued = 3

// parseGlued parses a move with up to most signs glued to it, or returns NoMove. The longest sign
// wins, unless its + marks a check: Bb5+= is even if the move gives check, and otherwise slightly
// better for White.
func parseGlued(pos *fianchetto.Position, text string, most int) (m fianchetto.Move, signs []string) {
	for cut := max(2, len(text)-longestSign); cut < len(text) && most > 0; cut++ {
		sign := text[cut:]
		if _, ok := nagOfSign[sign]; !ok {
			continue
		}
		m, err := pos.ParseSAN(text[:cut])
		if err != nil {
			m, signs = parseGlued(pos, text[:cut], most-1)
		}
		if _, ok := nagOfSign[sign[1:]]; ok && sign[0] == '+' && m != fianchetto.NoMove && pos.GivesCheck(m) {
			sign = sign[1:]
		}
		if m != fianchetto.NoMove {
			return m, append(signs, sign)
		}
	}
	return fianchetto.NoMove, nil
}

// addSign adds a NAG, or the sign as a comment if there is none. It drops a sign after an unreadable
// word.
func (r *Reader) addSign(nag NAG, sign string) {
	f := r.top()
	if r.Detail != Everything || f.broken || f.doubt != nil && len(f.line.Moves) == f.doubt.moves {
		return
	}
	note := f.line.annotate()
	switch {
	case nag == 0 && sign != "":
		note.Comments = append(note.Comments, sign)
		return
	case sign != "" && nag >= 22 && nag < 140 && f.current().SideToMove() == fianchetto.White:
		nag++
	}
	note.NAGs = append(note.NAGs, nag)
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

func (r *Reader) openVariation() {
	if r.depth == maxDepth {
		r.report(errDepth)
		return
	}
	broken := r.top().broken
	if !r.skips() && len(r.top().line.Moves) == 0 {
		r.report(errVariation)
		broken = true
	}
	if r.depth++; r.Detail != Everything {
		return
	}
	r.frames = slices.Grow(r.frames, 1)[:len(r.frames)+1]
	parent, child := &r.frames[len(r.frames)-2], r.top()
	child.line = Line{child.line.Moves[:0], child.line.Notes[:0]}
	child.boards[0], child.broken = *parent.previous(), broken
	child.quiet = parent.quiet || parent.doubt != nil
	r.trust()
}

// closeVariation adds a nonempty line to the note on the replaced move.
func (r *Reader) closeVariation() {
	if r.depth == 0 {
		r.report(errParenthesis)
		return
	}
	if r.Detail != Everything {
		r.depth--
		return
	}
	r.endDoubt()
	r.depth--
	line := r.top().line
	r.frames = r.frames[:len(r.frames)-1]
	r.scanner.wantsNumbers = r.top().doubt != nil
	if len(line.Moves)+len(line.Notes) > 0 {
		note := r.top().line.annotate()
		note.Variations = append(note.Variations, Line{append([]fianchetto.Move(nil), line.Moves...),
			append([]Note(nil), line.Notes...)})
	}
}

// closeAll keeps the open variations of a bad game.
func (r *Reader) closeAll() {
	depth := r.depth
	for len(r.frames) > 1 {
		r.closeVariation()
	}
	r.depth = depth
}

// skipGame skips the rest of a bad game, up to its result, the first move number of the next game,
// or tags at the beginning of a line. If inTags is set, tags belong to the bad game up to a second
// Event.
func (r *Reader) skipGame(inTags bool) {
	r.begin = math.MaxInt64
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

// report adds an error at the token, which may break off the game.
func (r *Reader) report(cause error) {
	s, main := &r.scanner, &r.frames[0]
	wasBroken := main.broken
	r.refuse(s.find(s.start), s.text, cause)
	main.broken = wasBroken || cause == errTooLong || cause == errGameTooLong || cause == errDepth ||
		len(r.errs) == maxErrors
}

// refuse adds an error and breaks off the game.
func (r *Reader) refuse(at place, token []byte, cause error) {
	r.errs = append(r.errs, &Error{r.games, at.line, at.column, string(quotable(token)), cause})
	r.frames[0].broken = true
}

// quotable returns the quoted part of a token.
func quotable(token []byte) []byte {
	const longest = 40
	return token[:min(len(token), longest)]
}
