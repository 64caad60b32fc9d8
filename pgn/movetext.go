package pgn

import (
	"bytes"
	"errors"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"github.com/fianchetto-chess/fianchetto"
)

type frame struct {
	line   Line
	boards [2]fianchetto.Position // the current position and the one before, by parity of the ply
	broken bool                   // a move is missing, so the rest is skipped
	quiet  bool                   // the line may replace a missing move, so its errors are not reported
	doubt  *doubt                 // non-nil while a move may be missing
}

func (f *frame) current() *fianchetto.Position { return &f.boards[len(f.line.Moves)&1] }

func (f *frame) previous() *fianchetto.Position { return &f.boards[len(f.line.Moves)&1^1] }

// view returns bytes as a string for ParseSAN, which does not keep it.
func view(text []byte) string { return unsafe.String(unsafe.SliceData(text), len(text)) }

func (r *Reader) top() *frame { return &r.frames[len(r.frames)-1] }

// readPlainMoves reads moves and numbers in their common forms, up to any other token. It repeats
// what next, readMove and checkNumber do with them, in half the time.
func (r *Reader) readPlainMoves() {
	s, f := &r.scanner, r.top()
	if !r.moving || r.ended || f.broken || f.doubt != nil || r.depth >= len(r.frames) {
		return
	}
	pos, next := f.current(), f.previous()
	moves, kept, end := f.line.Moves, 0, int(min(int64(s.end-longestPlain-lookahead), r.begin+maxGame-s.dropped))
	for {
		text, isMove := s.peekPlain(end)
		if len(text) == 0 {
			break
		}
		if isMove {
			m, err := pos.ParseSAN(view(text))
			if err != nil {
				break
			}
			pos.CopyMake(next, m)
			pos, next = next, pos
			moves = append(moves, m)
		}
		s.next = s.start + len(text)
		kept += len(text)
	}
	r.moved = r.moved || len(moves) > len(f.line.Moves)
	f.line.Moves = moves
	r.keep(word, kept)
}

// readMove reads a move, perhaps with glued signs or a glued result, a null move, a sign, a check
// mark, or an unreadable word.
func (r *Reader) readMove() token {
	s, f := &r.scanner, r.top()
	pos := f.current()
	m, err := pos.ParseSAN(view(s.text))
	var signs []string
	if err != nil {
		text := string(s.text)
		if nag, ok := nagOfSign[text]; ok {
			return r.addSign(nag, text)
		}
		if isCheckMark(text) && pos.InCheck() {
			return word
		}
		m, signs = parseGlued(pos, text, maxGlued)
		switch isNull := isNull(text); {
		case isNull && pos.InCheck():
			return r.readUnknown(errNullInCheck)
		case !isNull && m == fianchetto.NoMove:
			if before := cutResult(s.text); len(before) < len(s.text) {
				s.take(s.start + len(before)) // the result is the next token
				return r.readMove()
			}
			return r.readUnknown(err)
		}
	}
	if f.doubt != nil && m != fianchetto.NoMove {
		f.weigh(m)
	}
	play(pos, f.previous(), m)
	f.line.Moves = append(f.line.Moves, m)
	r.moved = true
	for _, sign := range signs {
		r.addSign(nagOfSign[sign], sign)
	}
	return word
}

func isCheckMark(text string) bool {
	return strings.Trim(text, "+#") == "" || slices.Contains([]string{"†", "‡", "ch", "check", "mate"}, text)
}

func isNull(text string) bool {
	return slices.Contains([]string{"--", "<>", "Z0", "0000", "@@@@"}, text)
}

// cutResult returns a word without the result glued to its end, unless it is too long for a move.
func cutResult(text []byte) []byte {
	const longest = 40
	for _, result := range resultTexts {
		if before, found := bytes.CutSuffix(text, []byte(result)); found && len(before) > 0 && len(text) <= longest {
			return before
		}
	}
	return text
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

// addSign adds a NAG, or else the sign as a comment. It drops a sign after an unreadable word.
func (r *Reader) addSign(nag NAG, sign string) token {
	f := r.top()
	switch {
	case f.doubt != nil && len(f.line.Moves) == f.doubt.moves:
		return invalid
	case r.MainLine:
		return annotation
	case nag == 0 && sign != "":
		r.annotate(sign)
		return annotation
	case sign != "" && nag >= 22 && nag < 140 && f.current().SideToMove() == fianchetto.White:
		nag++
	}
	note := f.line.annotate()
	note.NAGs = append(note.NAGs, nag)
	return annotation
}

// addComment adds a comment, or a result within a variation.
func (r *Reader) addComment() token {
	if r.top().broken || r.depth >= len(r.frames) {
		return r.pass()
	}
	if !r.MainLine {
		if text := r.comment(); text != "" {
			r.annotate(text)
		}
	}
	return comment
}

func (r *Reader) annotate(comments ...string) {
	if !r.MainLine && len(comments) > 0 {
		note := r.top().line.annotate()
		note.Comments = append(note.Comments, comments...)
	}
}

func (r *Reader) comment() string {
	r.words = appendWords(r.words[:0], r.scanner.text)
	return toUTF8(r.words)
}

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

func (r *Reader) openVariation() token {
	parent, isRead := r.top(), r.depth < len(r.frames)
	switch r.depth++; {
	case r.MainLine, parent.broken, !isRead:
		return r.pass()
	case r.depth > maxDepth:
		return r.report(errDepth)
	case len(parent.line.Moves) == 0:
		return r.report(errVariation)
	}
	r.frames = append(r.frames, frame{quiet: parent.quiet || parent.doubt != nil,
		boards: [2]fianchetto.Position{*parent.previous()}})
	return open
}

func (r *Reader) closeVariation() token {
	if r.depth == 0 {
		if r.top().broken {
			return invalid
		}
		return r.report(errParenthesis)
	}
	kept := r.pass()
	if r.depth--; len(r.frames) > r.depth+1 {
		r.closeLines(r.depth + 1)
		return open
	}
	return kept
}

// closeLines closes variations until open lines are left. It adds each that is not empty to the
// note on the replaced move.
func (r *Reader) closeLines(open int) {
	for len(r.frames) > open {
		r.endDoubt()
		line := r.top().line
		r.frames = r.frames[:len(r.frames)-1]
		if len(line.Moves)+len(line.Notes) > 0 {
			note := r.top().line.annotate()
			note.Variations = append(note.Variations, line)
		}
	}
}

// doubt is the state of a line before an unreadable word. Later moves and numbers show whether the
// word is a move.
type doubt struct {
	moves, notes int
	lastNote     Note // as it was before the word
	isMove       bool // the word is an illegal move
	isExtra      bool // a later move could be made only by the side to move, so no move is missing
	account      account
	word         place
	before       int64 // the end of the token before the word
}

// readUnknown reports and skips an unplayable word. If a move is missing already, it ends the line.
func (r *Reader) readUnknown(cause error) token {
	f, s := r.top(), &r.scanner
	isMove := errors.Is(cause, fianchetto.ErrIllegalMove) || errors.Is(cause, fianchetto.ErrAmbiguousMove)
	isMissing := f.doubt != nil && !f.doubt.isExtra
	switch {
	case isMissing && isMove:
		r.breakLine()
		return invalid
	case f.quiet:
		f.broken = true
		return invalid
	case r.depth == 0 && !r.moved && len(r.game.Tags) == 0:
		f.broken = true // not a game
	case !isMissing:
		f.doubt = &doubt{moves: len(f.line.Moves), notes: len(f.line.Notes), isMove: isMove,
			account: r.account, word: s.here(), before: s.before}
		if last := len(f.line.Notes) - 1; last >= 0 {
			f.doubt.lastNote = f.line.Notes[last]
		}
	}
	return r.report(cause)
}

// weigh looks in a move for evidence that no move is missing before it.
func (f *frame) weigh(m fianchetto.Move) {
	if f.doubt.isExtra || f.current().InCheck() {
		return
	}
	other := f.current().Null()
	_, err := other.ParseSAN(f.current().SAN(m))
	f.doubt.isExtra = err != nil && !errors.Is(err, fianchetto.ErrAmbiguousMove)
}

// checkNumber decides by a move number whether a move is missing.
func (r *Reader) checkNumber() token {
	f, s := r.top(), &r.scanner
	if f.doubt == nil {
		return number
	}
	n, _ := strconv.Atoi(string(s.text))
	if pos := f.current(); n != pos.FullmoveNumber() || s.isBefore("..") != (pos.SideToMove() == fianchetto.Black) {
		r.breakLine()
		return invalid
	}
	f.doubt = nil
	return number
}

func (r *Reader) breakLine() {
	f, d := r.top(), r.top().doubt
	f.line.Moves = append([]fianchetto.Move(nil), f.line.Moves[:d.moves]...) // nil if none is left
	f.line.Notes = append([]Note(nil), f.line.Notes[:d.notes]...)
	if d.notes > 0 {
		f.line.Notes[d.notes-1] = d.lastNote
	}
	f.broken, f.doubt = true, nil
	r.account = d.account
	r.account.skip(d.word, d.before, r.scanner.before)
}

// endDoubt decides at the end of a line. Without evidence it drops the moves after an unreadable
// word and the annotations of an illegal move.
func (r *Reader) endDoubt() {
	f := r.top()
	if d := f.doubt; d != nil && !d.isExtra && (d.isMove || len(f.line.Moves) > d.moves) {
		r.breakLine()
		f.broken = false // the line is complete
	}
	f.doubt = nil
}
