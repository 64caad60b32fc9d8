package pgn

import (
	"bytes"
	"errors"

	"github.com/fianchetto-chess/fianchetto"
)

// preface is the state of the text before a game.
type preface struct {
	sameLine bool    // as the end of the game before, so a result is only another end
	junk     bool    // the line contains something that is no game, so its rest is none either
	parens   int     // open parentheses on the line
	numbered bool    // a move number precedes
	account  account // before the number was skipped
}

// readPreface reads up to the first token of the next game, which it leaves to next. A game begins
// with a tag pair, with a result at the beginning of a line, or with a move: a legal one, or any
// with a number. The rest is skipped, except comments.
func (r *Reader) readPreface() {
	p := preface{sameLine: r.games > 0}
	for !r.readPrefaceToken(&p, r.next()) {
	}
	r.unread()
	r.depth, r.frames = 0, r.frames[:1]
	r.frames[0] = frame{boards: r.frames[0].boards, line: r.frames[0].line}
	r.arena.reset()
	r.tagged, r.event, r.started, r.moved, r.ended = false, false, false, false, false
	r.fen.place, r.variant.place, r.dropped = place{}, place{}, ""
}

// readPrefaceToken reports whether the token begins a game or ends the input.
func (r *Reader) readPrefaceToken(p *preface, kind token) bool {
	s := &r.scanner
	if s.offsetOf(s.start) >= r.limit {
		r.unread()
		r.token, s.next = endOfInput, s.start
		return true
	}
	if s.lineEndsBefore() > 0 {
		p.sameLine, p.junk, p.parens = false, false, 0
	}
	numbered := p.numbered
	p.numbered = false
	switch kind {
	case endOfInput, tagPair:
		return true
	case comment:
		r.keepComment()
		return false
	case number, firstNumber:
		if p.parens == 0 && (!p.junk || string(s.text) == "1") {
			p.numbered, p.account = true, r.account
			p.account.kept[number] += int64(s.next - s.start)
		}
		r.skip()
		return false
	case termination:
		if !p.junk && !p.sameLine && (s.text[0] != '*' || s.buffer[s.next] != '*') {
			return true
		}
	case word:
		if p.parens == 0 && r.beginsGame(numbered, p.junk) {
			if numbered {
				r.account = p.account
			}
			return true
		}
		if !p.junk && s.takeBareTag() {
			r.token = invalid
		}
	case open:
		p.parens++
	case closing:
		p.parens--
	}
	if r.token == invalid && s.problem == errTag {
		if s.selectsStart() {
			return true // the game would begin in another position without the tag
		}
		r.report(errTag)
		return false
	}
	p.junk = p.junk || kind != escape
	r.skip()
	return false
}

// keepComment keeps a comment for the next game, within the limit of a game.
func (r *Reader) keepComment() {
	if r.games <= 0 && r.prefacePlace.line == 0 {
		r.prefacePlace = r.scanner.find(r.scanner.start)
	}
	if r.isTooLong() {
		r.skip()
	} else if text := r.comment(); text != "" {
		r.preface = append(r.preface, text)
	}
}

// beginsGame reports whether a word begins a game.
func (r *Reader) beginsGame(numbered, junk bool) bool {
	start := fianchetto.StartPosition()
	text := r.scanner.text
	for _, marker := range markers {
		text = bytes.TrimSuffix(text, []byte(marker))
	}
	m, err := start.ParseSANBytes(text)
	if m == fianchetto.NoMove {
		m, _ = parseGlued(&start, string(text), maxGlued)
	}
	if m != fianchetto.NoMove {
		return numbered || !junk
	}
	return numbered && !junk && (!errors.Is(err, fianchetto.ErrMoveSyntax) || isNull(string(text)))
}
