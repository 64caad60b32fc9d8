package pgn

import (
	"bytes"
	"slices"
	"strings"

	"github.com/fianchetto-chess/fianchetto"
)

// readMoves reads the movetext up to the result or the next game. It returns true if more tags of
// this game follow.
func (r *Reader) readMoves(g *Game) (again bool) {
	for {
		r.readPlainMoves()
		kind := r.next()
		if (r.frames[0].broken || r.depth > maxDepth) && r.skipsToken(kind) {
			continue
		}
		switch kind {
		case word:
			r.readMove()
		case number:
			r.checkNumber()
		case comment:
			r.addComment()
		case annotation:
			r.addSign(r.scanner.glyph, "")
		case open:
			r.openVariation()
		case closing:
			r.closeVariation()
		case escape, remainder:
			r.skip()
		case invalid:
			r.readInvalid()
		case termination:
			if r.depth > 0 {
				r.addComment()
				continue
			}
			r.endGame(g)
			return false
		default:
			if kind == firstNumber && (!r.moved || r.depth > 0) {
				r.checkNumber()
				continue
			}
			r.unread()
			if r.depth > 0 && !r.top().broken {
				r.refuse(r.scanner.find(r.scanner.start), r.scanner.text, errParenthesis)
			}
			return kind == tagPair && !r.moved && r.depth == 0 && !r.isNextEvent()
		}
	}
}

// readPlainMoves reads moves and numbers in their common forms, up to any other token. It repeats
// what next, readMove and checkNumber do with them, in half the time.
func (r *Reader) readPlainMoves() {
	s, f := &r.scanner, r.top()
	if r.pending || f.broken || f.doubt != nil || r.depth > maxDepth || r.skipsDetail() {
		return
	}
	r.settle()
	moves, kept, end := f.line.Moves, 0, int(min(int64(s.end-longestPlain-lookahead), r.begin+maxGame-s.dropped))
	for {
		text, isMove := s.peekPlain(end)
		if len(text) == 0 {
			break
		}
		if isMove {
			pos, next := &f.boards[len(moves)&1], &f.boards[len(moves)&1^1]
			m, err := pos.ParseSANBytes(text)
			if err != nil {
				break
			}
			pos.CopyMake(next, m)
			moves = append(moves, m)
		}
		s.next = s.start + len(text)
		kept += len(text)
	}
	r.moved = r.moved || len(moves) > len(f.line.Moves)
	f.line.Moves = moves
	kind := word
	if r.depth > 0 {
		kind = open
	}
	r.account.kept[kind] += int64(kept)
}

// skipsToken skips a token of a broken game or of a variation that is nested too deep, and reports
// false at the end of the game.
func (r *Reader) skipsToken(kind token) bool {
	switch kind {
	case endOfInput, tagPair:
		return false
	case termination, firstNumber:
		if r.depth <= 0 {
			return false
		}
	case open:
		r.depth++
	case closing:
		r.depth--
	}
	r.moved = r.moved || kind == word || kind == number
	r.skip()
	return true
}

// readInvalid reports a malformed token, which may stand for a move.
func (r *Reader) readInvalid() {
	problem := r.scanner.problem
	switch {
	case problem == errGameTooLong:
		r.report(problem)
		r.closeAll()
		r.frames[0].broken = true
	case r.top().broken:
		r.skip()
	case problem == errUnexpected, problem == errTag, problem == errTooLong:
		r.readUnknown(problem)
	default:
		r.report(problem)
	}
}

// closeAll closes the lines of all open variations.
func (r *Reader) closeAll() {
	for len(r.frames) > 1 {
		r.closeLine()
	}
}

// endGame reads the result and the comments after it on the same line.
func (r *Reader) endGame(g *Game) {
	g.Result, r.ended = r.scanner.result, true
	if tag := g.Tags.Value(resultTag); tag != g.Result.String() {
		r.endPlace = r.scanner.find(r.scanner.start)
	}
	r.endDoubt()
	for r.next() == comment && r.scanner.lineEndsBefore() == 0 {
		r.addComment()
	}
	r.unread()
}

// skipsDetail reports whether Detail leaves out the current line.
func (r *Reader) skipsDetail() bool { return r.Detail == MainLine && r.depth > 0 }

func (r *Reader) top() *frame { return &r.frames[len(r.frames)-1] }

func (r *Reader) readMove() {
	f := r.top()
	if f.broken || r.skipsDetail() {
		if r.moved = true; f.broken {
			r.skip()
		}
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

// readOther reads a word that is not a legal move: a null move, a sign, a move with glued signs or
// a glued result, or an unreadable word.
func (r *Reader) readOther(refusal error) {
	f, text := r.top(), string(r.scanner.text)
	pos := f.current()
	if nag, ok := nagOfSign[text]; ok {
		r.recount(annotation)
		r.addSign(nag, text)
		return
	}
	if isCheckMark(text) && len(f.line.Moves) > 0 && pos.InCheck() {
		return
	}
	m, signs := parseGlued(pos, text, maxGlued)
	switch isNull := isNull(text); {
	case isNull && pos.InCheck():
		r.readUnknown(errNullInCheck)
		return
	case !isNull && m == fianchetto.NoMove:
		if r.cutMarker() {
			r.readMove()
		} else {
			r.readUnknown(refusal)
		}
		return
	case !isNull && f.doubt != nil:
		r.weigh(m)
	}
	play(pos, f.previous(), m)
	f.line.Moves = append(f.line.Moves, m)
	r.moved = true
	for _, sign := range signs {
		r.addSign(nagOfSign[sign], sign)
	}
}

// isCheckMark reports whether a word marks a check or a mate.
func isCheckMark(text string) bool {
	return strings.Trim(text, "+#") == "" || slices.Contains([]string{"†", "‡", "ch", "check", "mate"}, text)
}

func isNull(text string) bool {
	return slices.Contains([]string{"--", "<>", "Z0", "0000", "@@@@"}, text)
}

// cutMarker cuts a result off the end of a word, which becomes the next token, and reports whether
// it did.
func (r *Reader) cutMarker() bool {
	s := &r.scanner
	rest := len(s.text)
	for _, marker := range [...]string{"½-½", "½", "1/2", "1/2-1/2", "1-0", "0-1"} { // the longer one wins
		if before, found := bytes.CutSuffix(s.text, []byte(marker)); found && len(before) > 0 {
			rest = min(rest, len(before))
		}
	}
	if rest == len(s.text) || s.start+len(s.text) != s.next {
		return false
	}
	s.text, s.next = s.text[:rest], s.start+rest
	return true
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

// addSign adds a NAG, or the sign as a comment if there is none. It drops a sign after an
// unreadable word.
func (r *Reader) addSign(nag NAG, sign string) {
	f := r.top()
	if f.broken || f.doubt != nil && len(f.line.Moves) == f.doubt.moves {
		r.skip()
		return
	}
	if r.Detail == MainLine {
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
	if r.top().broken {
		r.skip()
	} else if r.Detail == Everything {
		if text := r.comment(); text != "" {
			r.annotate(text)
		}
	}
}

// annotate adds comments to the last move.
func (r *Reader) annotate(comments ...string) {
	if r.Detail == Everything && len(comments) > 0 {
		note := r.top().line.annotate()
		note.Comments = append(note.Comments, comments...)
	}
}

// comment returns the token as a comment.
func (r *Reader) comment() string {
	r.words = appendWords(r.words[:0], r.scanner.text)
	return toUTF8(r.words)
}

// appendWords appends the words of a text with single spaces between them.
func appendWords[T string | []byte](words []byte, text T) []byte {
	begin := len(words)
	for i := range len(text) {
		if c := text[i]; !isSpace(c) {
			words = append(words, c)
		} else if len(words) > begin && words[len(words)-1] != ' ' {
			words = append(words, ' ')
		}
	}
	return bytes.TrimSuffix(words, []byte{' '})
}

func isSpace(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }

func (r *Reader) openVariation() {
	parent := r.top()
	if r.depth++; r.depth > maxDepth {
		r.report(errDepth)
		return
	}
	broken := parent.broken
	if broken {
		r.skip()
	} else if r.Detail == Everything && len(parent.line.Moves) == 0 {
		r.report(errVariation)
		broken = true
	}
	if r.Detail == MainLine {
		return
	}
	r.frames = slices.Grow(r.frames, 1)[:len(r.frames)+1]
	parent = &r.frames[len(r.frames)-2]
	child := r.top()
	child.line = Line{child.line.Moves[:0], child.line.Notes[:0]}
	child.boards[0], child.broken = *parent.previous(), broken
	child.quiet = parent.quiet || parent.doubt != nil
	child.doubt = nil
}

func (r *Reader) closeVariation() {
	if r.depth == 0 {
		r.report(errParenthesis)
		return
	}
	if r.depth--; len(r.frames) > 1 {
		r.closeLine()
	}
}

// closeLine adds the line of a variation, if it is not empty, to the note on the replaced move.
func (r *Reader) closeLine() {
	r.endDoubt()
	child := r.top()
	line := child.line
	r.frames = r.frames[:len(r.frames)-1]
	if len(line.Moves)+len(line.Notes) > 0 {
		note := r.top().line.annotate()
		note.Variations = append(note.Variations, Line{append([]fianchetto.Move(nil), line.Moves...),
			append([]Note(nil), line.Notes...)})
	} else if child.broken && !r.pending {
		r.skip()
	}
}
