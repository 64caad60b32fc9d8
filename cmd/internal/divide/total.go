package divide

import (
	"encoding/json"
	"errors"
	"regexp"
	"strings"

	"github.com/fianchetto-chess/fianchetto/internal/pattern"
)

// rank orders the numbers of an answer by how surely they are the total.
type rank int

const (
	unranked rank = iota
	ofPerft       // "perft 20", where 20 may be the depth
	ofMoves       // "20 moves", which may be all moves of the position
	bare          // "perft(1): 20", "20"
	counted       // "nodes 20", "20 leaves"
)

// The words around a total, by what a number after them is.
var (
	countWord = pattern.Lazy(`(?i)^(?:nodes?|lea(?:f|fs|ves)|positions?|totals?|count(?:ed)?|sum|result|visited|searched)$`)
	depthWord = pattern.Lazy(`(?i)^(?:d|depth|ply|plies|level)$`)
	otherWord = pattern.Lazy(`(?i)^(?:.*/.*|.*nps|[mnu]?s|time|(?:milli)?sec(?:ond)?s?|minutes?|speed|rate|took|elapsed|per)$`)
	emptyWord = pattern.Lazy(`(?i)^(?:perft|moves|in|for|at|of|the|to|is|was|with|and|after|test|completed?|done|` +
		`finished|raw|found|all)$`)
)

// token matches a word, a number, perhaps with its unit, or a sign.
var token = pattern.Lazy(`[A-Za-z]+(?:/[A-Za-z]+)?|[-+]?\d(?:[\w.,']*\w)?|[^\s\w]`)

// wholeNumber matches a number without a sign, a fraction or a unit.
var wholeNumber = pattern.Lazy(`^` + number + `$`)

// total finds the total in a line of words and numbers: "Nodes searched: 20", "20 nodes in 3 ms",
// "perft(1) = 20 in 0.1s", "Depth 1: 20", "20". There is none after an unknown word, except for a
// prompt.
func (r *Reader) total(line string) (text string, best rank) {
	if r.TotalPattern != nil {
		if found := r.TotalPattern.FindStringSubmatch(line); found != nil {
			return found[r.TotalPattern.SubexpIndex("nodes")], counted
		}
		return "", unranked
	}
	if text, best = totalOf(token().FindAllString(line, -1)); best == unranked {
		if _, afterPrompt, ok := strings.Cut(line, ">"); ok {
			return totalOf(token().FindAllString(afterPrompt, -1))
		}
	}
	return text, best
}

// totalOf returns the first of the numbers with the highest rank.
func totalOf(tokens []string) (text string, best rank) {
	numbers, before := 0, "" // the last word, "" after a number
	hasWords, isKnown := false, true
	for i, t := range tokens {
		switch isWord := 'A' <= t[0]; {
		case isWord:
			hasWords = true
			isKnown = isKnown && (is(countWord, t) || is(depthWord, t) || is(otherWord, t) || is(emptyWord, t))
			if !is(emptyWord, t) || strings.EqualFold(t, "perft") || strings.EqualFold(t, "moves") {
				before = t
			}
		case strings.ContainsAny(t, "0123456789"):
			after := ""
			if i+1 < len(tokens) {
				after = tokens[i+1]
			}
			numbers++
			if n := rankOf(before, t, after); n > best && isKnown {
				text, best = t, n
			}
			before = ""
		}
	}
	if best < counted && !isKnown || !hasWords && numbers > 1 {
		return "", unranked
	}
	return text, best
}

// rankOf ranks a number by the word before it and the token after it.
func rankOf(before, number, after string) rank {
	switch {
	case !is(wholeNumber, number), is(depthWord, before), is(otherWord, before):
		return unranked
	case is(countWord, before):
		return counted
	case is(otherWord, after):
		return unranked
	case is(countWord, after):
		return counted
	case strings.EqualFold(before, "moves"), strings.EqualFold(after, "moves"):
		return ofMoves
	case strings.EqualFold(before, "perft"):
		return ofPerft
	}
	return bare
}

func is(class func() *regexp.Regexp, text string) bool { return class().MatchString(text) }

// setTotal sets the total, unless another number was so more surely.
func (r *Reader) setTotal(text string, rank rank) (err error) {
	if rank >= r.ranked {
		r.ranked, r.divide.HasTotal = rank, true
		r.divide.Total, err = parseNodes(text)
	}
	return err
}

// wholeMove matches a move.
var wholeMove = pattern.Lazy(`^` + move + `$`)

// document reads the counts of a JSON document, or of what Python prints in its place.
func (r *Reader) document(text string) (isDocument bool, err error) {
	d := document{decoder: json.NewDecoder(strings.NewReader(
		strings.NewReplacer(`'`, `"`, `(`, `[`, `)`, `]`).Replace(text)))}
	d.decoder.UseNumber()
	if _, err := d.value(""); err != nil || d.IsEmpty() {
		return false, nil
	}
	r.divide.Moves = append(r.divide.Moves, d.divide.Moves...)
	if d.HasTotal() {
		r.ranked, r.divide.Total, r.divide.HasTotal = d.ranked, d.divide.Total, true
	}
	return true, d.failure
}

// document is JSON that is being read.
type document struct {
	Reader
	decoder *json.Decoder
	failure error // of a number
}

// scalar is a number or a text with its name.
type scalar struct {
	name, text string
	isNumber   bool
}

// maxDepth is the maximal number of nested objects and arrays, which bounds the stack.
const maxDepth = 100

// value reads the value with a name. It returns a zero scalar for an object or an array.
func (d *document) value(name string) (s scalar, err error) {
	next, err := d.decoder.Token()
	switch value := next.(type) {
	case json.Number:
		return scalar{name, string(value), true}, err
	case string:
		return scalar{name, value, false}, err
	case json.Delim:
		if d.depth++; d.depth > maxDepth {
			return s, errors.New("the document is nested too deep")
		}
		var inside []scalar
		for err == nil && d.decoder.More() {
			var key json.Token = ""
			if value == '{' {
				key, err = d.decoder.Token()
			}
			if keyText, ok := key.(string); ok && err == nil {
				s, err = d.value(keyText)
				inside = append(inside, s)
			}
		}
		if err == nil {
			_, err = d.decoder.Token()
		}
		d.depth--
		d.note(name, inside)
		return scalar{}, err
	}
	return s, err
}

// note takes the counts from the scalars of an object or an array: {"e2e4": 20}, {"move": "e2e4",
// "nodes": 20}, ["e2e4", 20], {"total": 400}, and {"nodes": 20} with the name "e2e4".
func (d *document) note(name string, inside []scalar) {
	for _, s := range inside {
		if !s.isNumber && is(wholeMove, s.text) && !is(wholeMove, name) {
			name = s.text
		}
	}
	for _, s := range inside {
		counts := s.isNumber && (s.name == "" || strings.EqualFold(s.name, "perft") || is(countWord, s.name))
		var err error
		switch {
		case s.isNumber && is(wholeMove, s.name):
			err = d.add(s.name, s.text)
		case counts && is(wholeMove, name):
			err = d.add(name, s.text)
			name = ""
		case counts && s.name != "":
			err = d.setTotal(s.text, counted)
		}
		if err != nil {
			d.failure = err
		}
	}
}
