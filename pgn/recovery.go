package pgn

import (
	"bytes"
	"errors"
	"strconv"

	"github.com/fianchetto-chess/fianchetto"
)

// doubt is the state of a line before an unreadable word, which may be a move. Later moves
// and numbers show whether it does.
type doubt struct {
	moves, notes int
	lastNote     Note // as it was before the word
	isMove       bool // the word is an illegal move
	isExtra      bool // a later move could be made only by the side to move, so no move is missing
	account      account
	word         place
	before       int64 // the end of the token before the word
}

// readUnknown reports a word that cannot be played and skips it. If a move is missing already, the
// line ends there.
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

// weigh looks for evidence in a move that no move is missing before it.
func (f *frame) weigh(m fianchetto.Move) {
	if f.doubt.isExtra || f.current().InCheck() {
		return
	}
	other := f.current().Null()
	_, err := other.ParseSAN(f.current().SAN(m))
	f.doubt.isExtra = err != nil && !errors.Is(err, fianchetto.ErrAmbiguousMove)
}

// checkNumber compares a move number with the position, which decides whether a move is missing.
func (r *Reader) checkNumber() token {
	f, s := r.top(), &r.scanner
	if f.doubt == nil {
		return number
	}
	n, _ := strconv.Atoi(string(s.text))
	isBlack := bytes.HasPrefix(s.buffer[s.next:s.end], []byte(".."))
	if pos := f.current(); n != pos.FullmoveNumber() || isBlack != (pos.SideToMove() == fianchetto.Black) {
		r.breakLine()
		return invalid
	}
	f.doubt = nil
	return number
}

// breakLine takes the line back to the missing move and skips the rest.
func (r *Reader) breakLine() {
	f := r.top()
	d := f.doubt
	f.line = Line{f.line.Moves[:d.moves], f.line.Notes[:d.notes]}
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
