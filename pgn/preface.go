package pgn

import (
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

// readPreface reads up to the first token of the next game, without reading that. A game begins
// with a tag pair, with a result at the beginning of a line, or with a move: a legal one, or any
// with a number. The rest is skipped, except comments.
func (r *Reader) readPreface() {
	r.state, r.frames = state{}, r.frames[:1]
	r.fen.line, r.variant.line = 0, 0
	p := preface{sameLine: r.games > 0}
	for ; !r.beginsGame(&p, r.token); r.next() {
	}
}

// beginsGame reports whether the token begins a game or ends the input. It reads other tokens.
func (r *Reader) beginsGame(p *preface, kind token) bool {
	s := &r.scanner
	if s.lineEndsBefore() > 0 {
		p.sameLine, p.junk, p.parens = false, false, 0
	}
	numbered, isTag := p.numbered, kind == invalid && s.problem == errTag
	p.numbered = false
	switch kind {
	case endOfInput, tagPair:
		return true
	case comment:
		if s.offset()-r.account.begin > maxGame {
			kind = invalid
		} else if text := r.comment(); text != "" {
			r.preface = append(r.preface, text)
		}
		r.count(kind)
		return false
	case number:
		if p.parens == 0 && (!p.junk || string(s.text) == "1") {
			p.numbered, p.account = true, r.account
			p.account.kept[number] += int64(s.next - s.start)
		}
	case termination:
		if !p.junk && !p.sameLine && (s.text[0] != '*' || s.buffer[s.next] != '*') {
			return true
		}
	case word:
		if p.parens == 0 && opensGame(s.text, numbered, p.junk) {
			if numbered {
				r.account = p.account
			}
			return true
		}
	case open:
		p.parens++
	case closing:
		p.parens--
	}
	switch {
	case isTag && r.source(s.name) != nil: // without that tag the game would begin in another position
		return true
	case isTag:
		r.report(errTag)
	case kind != number:
		p.junk = true
	}
	r.count(invalid)
	return false
}

// opensGame reports whether a word begins a game.
func opensGame(text []byte, numbered, junk bool) bool {
	start := fianchetto.StartPosition()
	text = cutResult(text)
	m, err := start.ParseSANBytes(text)
	if err != nil {
		m, _ = parseGlued(&start, string(text), maxGlued)
	}
	if m != fianchetto.NoMove {
		return numbered || !junk
	}
	return numbered && !junk && (!errors.Is(err, fianchetto.ErrMoveSyntax) || isNull(string(text)))
}
