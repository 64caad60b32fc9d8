package divide

import (
	"cmp"
	"regexp"
	"strings"

	"github.com/fianchetto-chess/fianchetto/internal/pattern"
)

// The parts of an answer. The prompt of a program may come first.
const (
	castling = `[O0o]-[O0o](?:-[O0o])?|[Oo]{2,3}`
	squares  = `[a-zA-Z]\d[-xX:]?[a-zA-Z]\d` // on the board or not
	move     = `(?:` + castling + `|(?:[KQRBNPkqrbnp]?[a-hA-H]?[1-8]?[-xX:]?[a-hA-H][1-8]|` + squares +
		`)(?:[=/]?[a-zA-Z])?)\b(?:=?\([a-zA-Z]\))?(?:\s?e\.?p\.?)?[+#!?]*`
	prompt = `(?:[\w .()-]{0,30}(?:[>#]|\$\s)[>$#\s]*)?`
)

// tokens matches the result of a game, a move, a number with its unit, a word, or a sign.
var tokens = pattern.Lazy(`1-0\b|0-1\b|1/2-1/2\b|(` + move + `)|([-+]?\d+(?:[,_']\d+)*(?:\.\d+)*\w*)|([A-Za-z]+(?:/[A-Za-z]+)?)|::|[^\s\w]`)

// At most one of a token's first three texts is not empty: none of a sign.
type token struct{ move, number, word, text string }

func tokensOf(line string) (found []token) {
	for _, m := range tokens().FindAllStringSubmatch(line, -1) {
		found = append(found, token{m[1], m[2], m[3], m[0]})
	}
	for i := range found {
		if isOfGame(found, i) {
			found[i].number = ""
		}
	}
	return found
}

// isOfGame reports whether a number begins a comment, is that of a sign ($1), or is the number of a
// move, with a dot and a move behind it or, at the end of a line, before it.
func isOfGame(line []token, i int) bool {
	dots := i + 1
	for dots < len(line) && line[dots].text == "." {
		dots++
	}
	isBefore := dots == len(line) && i > 0 && line[i-1].move != ""
	return i > 0 && (line[i-1].text == "$" || line[i-1].text == "{") || dots > i+1 && (isBefore || dots < len(line) && line[dots].move != "")
}

// rank orders the numbers of an answer by how surely they are the total.
type rank int

const (
	unranked rank = iota
	ofPerft       // "perft 20", where 20 may be the depth
	ofMoves       // "20 moves", which may be all moves of the position
	bare          // "perft(1): 20", "20"
	counted       // "nodes 20", "20 leaves"
)

// The words around a number, by the meaning that they give it.
var (
	countWord = pattern.Lazy(`(?i)^(?:nodes?|lea(?:f|fs|ves)|positions?|totals?|count(?:ed)?|sum|result|visited|` +
		`searched)$`)
	depthWord = pattern.Lazy(`(?i)^(?:d|depth|ply|plies|level)$`)
	otherWord = pattern.Lazy(`(?i)^(?:.*/.*|.*nps|[mnu]?s|time|(?:milli)?sec(?:ond)?s?|minutes?|speed|rate|took|` +
		`elapsed|per)$`)
	emptyWord = pattern.Lazy(`(?i)^(?:perft|moves?|in|for|at|of|the|to|is|was|with|and|after|test|completed?|done|` +
		`finished|raw|found|all)$`)
	nodesWord   = pattern.Lazy(`(?i)^(?:nodes|count|perft|leaves)$`)
	wholeNumber = pattern.Lazy(`^(?:\d{1,3}(?:[,_']\d{3})+|\d+)$`)
)

func is(class func() *regexp.Regexp, text string) bool { return class().MatchString(text) }

// readTokens reads a line of words and numbers: moves with the numbers behind them, or the total,
// which is the first of the numbers with the highest rank. An unknown word ends both.
func (r *Reader) readTokens(line []token) (isRead bool, err error) {
	open, before, total := "", "", "" // a move without its count, the last word, and the total
	best, numbers, words, isKnown, hasMoves := unranked, 0, 0, true, false
	for i, t := range line {
		switch {
		case t.move != "":
			hasMoves = true
			if open = ""; r.MovePattern == nil && (isKnown || isRead) {
				open = t.move
			}
		case t.number != "" && open != "":
			if is(wholeNumber, t.number) {
				isRead, err = true, cmp.Or(err, r.add(open, t.number))
			}
			open = ""
		case t.number != "":
			numbers++
			after := token{}
			if i+1 < len(line) {
				after = line[i+1]
			}
			if n := rankOf(before, t.number, after.word); n > best && isKnown {
				total, best = t.number, n
			}
			before = ""
		case t.word != "":
			words++
			isKnown = isKnown && (is(countWord, t.word) || is(depthWord, t.word) || is(otherWord, t.word) ||
				is(emptyWord, t.word))
			if !is(emptyWord, t.word) || strings.EqualFold(t.word, "perft") || strings.EqualFold(t.word, "moves") {
				before = t.word
			}
			if open != "" && !is(nodesWord, t.word) {
				open, isKnown = "", false
			}
		case t.text == "::" || t.text < " " || t.text == "\ufffd":
			open, isKnown = "", false
		}
	}
	isSure := best == counted || best > unranked && isKnown && !hasMoves
	if !isRead && r.TotalPattern == nil && isSure && (words > 0 || numbers == 1) {
		isRead, err = true, r.setTotal(total, best)
	}
	return isRead, err
}

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

// object is an object of JSON, or a dictionary as Python prints it, that has not ended: its last
// word, and a move or a count that waits for the other. A count without a move is the total.
type object struct{ word, move, count string }

// readDocument reads tokens of a document: {"e2e4": 20}, {"nodes": 20, "move": "e2e4"}, ["e2e4", 20],
// {"total": 400}, and {"nodes": 20} with the name "e2e4".
func (r *Reader) readDocument(line []token) (err error) {
	if len(r.open) == 0 {
		r.open = []object{{}}
	}
	for _, t := range line {
		o := &r.open[len(r.open)-1]
		isCount := is(nodesWord, o.word) || is(countWord, o.word)
		switch {
		case err != nil:
			return err
		case t.text == "{":
			move := o.move
			o.move = ""
			r.open = append(r.open, object{move: move})
		case t.text == "}":
			err = r.closeObject()
		case t.word != "":
			o.word = t.word
		case t.move != "":
			o.move, o.word = t.move, ""
		case t.number != "" && o.move != "" && (o.word == "" || isCount):
			err = r.add(o.move, t.number)
			o.move = ""
		case t.number != "" && isCount:
			o.count = t.number
		}
		if o.move != "" && o.count != "" && t.text != "{" {
			err = r.add(o.move, o.count)
			o.move, o.count = "", ""
		}
		if len(r.open) == 0 {
			r.open = []object{{}} // another object may follow
		}
	}
	if len(r.open) == 1 {
		r.open = nil
	}
	return err
}

func (r *Reader) closeObject() (err error) {
	last := r.open[len(r.open)-1]
	r.open = r.open[:len(r.open)-1]
	if last.count != "" {
		err = r.setTotal(last.count, counted)
	}
	return err
}
