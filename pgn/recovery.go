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
}

// readUnknown reports a word that cannot be played and skips it. If a move is missing already, the
// line ends there.
func (r *Reader) readUnknown(cause error) {
	f := r.top()
	isMove := errors.Is(cause, fianchetto.ErrIllegalMove) || errors.Is(cause, fianchetto.ErrAmbiguousMove)
	switch {
	case f.doubt != nil && !f.doubt.isExtra && isMove:
		r.skip()
		r.breakLine(r.scanner.offset())
		return
	case f.quiet:
		r.skip()
		f.broken = true
		return
	}
	r.report(cause)
	if r.depth == 0 && !r.moved && !r.tagged {
		f.broken = true // not a game
	}
	if f.broken || r.skipsDetail() || f.doubt != nil && !f.doubt.isExtra {
		return
	}
	f.doubt = &doubt{moves: len(f.line.Moves), notes: len(f.line.Notes), isMove: isMove, account: r.account}
	if last := len(f.line.Notes) - 1; last >= 0 {
		f.doubt.lastNote = f.line.Notes[last]
	}
}

// weigh looks for evidence in a move that no move is missing before it.
func (r *Reader) weigh(m fianchetto.Move) {
	f := r.top()
	if f.doubt.isExtra || f.current().InCheck() {
		return
	}
	other := f.current().Null()
	_, err := other.ParseSAN(f.current().SAN(m))
	f.doubt.isExtra = err != nil && !errors.Is(err, fianchetto.ErrAmbiguousMove)
}

// checkNumber compares a move number with the position, which decides whether a move is missing.
func (r *Reader) checkNumber() {
	f := r.top()
	if f.broken {
		r.skip()
		return
	}
	if f.doubt == nil || r.skipsDetail() {
		return
	}
	s := &r.scanner
	number, _ := strconv.Atoi(string(s.text))
	isBlack := bytes.HasPrefix(s.buffer[s.next:s.end], []byte(".."))
	if pos := f.current(); number == pos.FullmoveNumber() && isBlack == (pos.SideToMove() == fianchetto.Black) {
		f.doubt = nil
	} else {
		r.skip()
		r.breakLine(s.offset())
	}
}

// breakLine takes the line back to the missing move and skips the rest. The bytes since then, up to
// an offset, are skipped.
func (r *Reader) breakLine(end int64) {
	f := r.top()
	d := f.doubt
	f.line = Line{f.line.Moves[:d.moves], f.line.Notes[:d.notes]}
	if d.notes > 0 {
		f.line.Notes[d.notes-1] = d.lastNote
	}
	f.broken, f.doubt = true, nil
	r.account = d.account
	r.skipBytes(r.account.skipEnd, r.account.skipEnd, end)
}

// endDoubt decides at the end of a line. Without evidence it drops the moves after an unreadable
// word and the annotations of an illegal move.
func (r *Reader) endDoubt() {
	f := r.top()
	if d := f.doubt; d != nil && !d.isExtra && (d.isMove || len(f.line.Moves) > d.moves) {
		r.breakLine(r.scanner.before)
		f.broken = false // the line is complete
	}
	f.doubt = nil
}
