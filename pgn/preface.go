package pgn

import (
	"errors"

	"github.com/fianchetto-chess/fianchetto"
)

// readPreface reads up to the first token of the next game, without reading that. A game begins
// with a tag pair, with a result at the beginning of a line, or with a move: a legal one, or any
// with a number. The rest is skipped, except comments.
func (r *Reader) readPreface() {
	r.state, r.frames = state{sameLine: r.games > 0}, r.frames[:1]
	r.fen.line, r.variant.line = 0, 0
	for ; !r.beginsGame(r.token); r.next() {
	}
}

// beginsGame reports whether the token begins a game or ends the input. It reads other tokens.
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
			r.preface = append(r.preface, text)
		}
		r.count(kind)
		return false
	case number:
		if r.parens == 0 && (!r.junk || string(s.text) == "1") {
			r.numbered, r.unnumbered = true, r.account
			r.unnumbered.kept[number] += int64(s.next - s.start)
		}
	case termination:
		if !r.junk && !r.sameLine && (s.text[0] != '*' || s.buffer[s.next] != '*') {
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
	case isTag && r.source(s.name) != nil: // without that tag the game would begin in another position
		return true
	case isTag:
		r.report(errTag)
	case kind != number:
		r.junk = true
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
