// Package divide reads divides: the counts below each move, as programs print them in perft. It
// recognises the usual layouts and the depth, and matches the moves with the legal ones.
//
//	reading, err := divide.Read(ctx, pos, 0, pasted)
//	fmt.Println(reading.Depth, reading.Table.Missing(), reading.Problems)
//
// Source: https://www.chessprogramming.org/Perft, Divide
package divide

import (
	"cmp"
	"errors"
	"fmt"
	"math/bits"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/fianchetto-chess/fianchetto/internal/pattern"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

// Divide is a program's perft of a position to some depth.
type Divide struct {
	Moves    []Count  // in the program's order; empty if it prints totals only
	Total    uint64   // as the program counts
	HasTotal bool     // the program prints the total
	CutOff   bool     // the text ends without its total
	Unread   []string // the first lines that look like moves
	Skipped  []string // the first other lines with numbers
	Last     string   // the last line that is not blank
}

// Count is a move and the number of leaves below it.
type Count struct {
	Move  string // in the program's notation, legal or not
	Nodes uint64
}

// Leaves returns the total if the program prints one, otherwise the sum of the counts.
func (d *Divide) Leaves() uint64 {
	if d.HasTotal {
		return d.Total
	}
	sum, _ := d.Sum()
	return sum
}

// Sum returns the sum of the counts. The error reports an overflow of 64 bits.
func (d *Divide) Sum() (sum uint64, err error) {
	for _, m := range d.Moves {
		var carry uint64
		if sum, carry = bits.Add64(sum, m.Nodes, 0); carry > 0 {
			return 0, errors.New("the sum of its counts is more than 64 bits")
		}
	}
	return sum, nil
}

// Equal reports whether two divides contain the same moves and counts, in any order.
func (d *Divide) Equal(other *Divide) bool {
	if d.HasTotal != other.HasTotal || d.Total != other.Total || len(d.Moves) != len(other.Moves) {
		return false
	}
	left := make(map[Count]int)
	for _, m := range d.Moves {
		left[m]++
	}
	return !slices.ContainsFunc(other.Moves, func(m Count) bool { left[m]--; return left[m] < 0 })
}

// IsEmpty reports whether a divide contains neither a move nor a total.
func (d *Divide) IsEmpty() bool { return len(d.Moves) == 0 && !d.HasTotal }

// IsAlgebraic reports whether a move is in algebraic notation.
func (d *Divide) IsAlgebraic() bool {
	return slices.ContainsFunc(d.Moves, func(m Count) bool { return !coordinates().MatchString(m.Move) })
}

var coordinates = pattern.Lazy(`^(?:` + squares + `|` + castling + `)`)

// Reader reads the lines of a divide.
type Reader struct {
	MovePattern  *regexp.Regexp // of a move's line; nil: the usual layouts
	TotalPattern *regexp.Regexp // of the total's line

	divide Divide
	lines  int
	ranked rank
	open   []object // of a JSON document that has not ended
}

// IsEmpty reports whether no line contained a move or what is surely a total.
func (r *Reader) IsEmpty() bool { return len(r.divide.Moves) == 0 && r.ranked <= ofMoves }

// HasTotal reports whether a line contained the total.
func (r *Reader) HasTotal() bool { return r.divide.HasTotal }

// usual matches what most engines print.
var usual = pattern.Lazy(`^[a-h][1-8][a-h][1-8][nbrq]?: \d+$`)

// countFirst matches a count and a move, perhaps after the move's number.
var countFirst = pattern.Lazy(`^\s*(?:\d+[.):]?\s+)?(\d[\d,_']*)[\s:]+(` + castling + `|` + squares + `[nbrqNBRQ]?)$`)

var looksLikeMove = pattern.Lazy(`^` + prompt + `[\s|>*"'(\[{,;]*(?:[Mm]ove\s+)?(?:\d+[.):]?\s+)?(?:[A-Za-z]?` +
	squares + `|[O0o]-[O0o]|` + move + `["']?\s*[:=])|[\x00-\x08\x0e-\x1f\x{fffd}]`)

var promptOf = pattern.Lazy(`^` + prompt)

var brokenTotal = pattern.Lazy(`(?i)^\s*nodes searched\b`)

var colors = pattern.Lazy(`\x1b\[[0-9;]*m`)

// The limits of an answer, far above the moves of any position.
const (
	maxLines = 10_000
	maxLine  = 64 << 10
)

// Line reads a line. It skips lines without a move or a total. The error describes a wrong number
// or too many lines.
func (r *Reader) Line(line string) error {
	r.lines++
	r.divide.Last = cmp.Or(line, r.divide.Last)
	err := fmt.Errorf("the line is longer than %d KiB", maxLine>>10)
	if len(line) <= maxLine {
		err = r.read(strings.ToValidUTF8(colors().ReplaceAllString(line, ""), "\ufffd"))
	}
	if max(r.lines, len(r.divide.Moves)) > maxLines {
		err = fmt.Errorf("it has more than %d lines", maxLines)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", quote.Text(line, 0), err)
	}
	return nil
}

// numbers reports whether a line goes on numbering the moves: 1 e2e4, 2 d2d4, 3 g1f3.
func (r *Reader) numbers(line string) bool {
	n := len(r.divide.Moves)
	return n >= 2 && r.divide.Moves[n-2].Nodes == uint64(n-1) && r.divide.Moves[n-1].Nodes == uint64(n) &&
		strings.HasPrefix(strings.TrimSpace(line), strconv.Itoa(n+1))
}

func (r *Reader) read(line string) error {
	for _, p := range []*regexp.Regexp{r.MovePattern, r.TotalPattern} {
		if p == nil {
			continue
		}
		if found := p.FindStringSubmatch(line); found != nil && p == r.TotalPattern {
			return r.setTotal(found[p.SubexpIndex("nodes")], counted)
		} else if found != nil {
			return r.add(found[p.SubexpIndex("move")], found[p.SubexpIndex("nodes")])
		}
	}
	begins := strings.IndexAny(strings.TrimSpace(line), "{[") == 0 && strings.Contains(line, "{")
	switch move, nodes, _ := strings.Cut(line, ": "); {
	case r.MovePattern != nil:
	case usual().MatchString(line):
		return r.add(move, nodes) // as below, and ten times as fast
	case begins, len(r.open) > 0:
		return r.readDocument(tokensOf(line))
	case countFirst().MatchString(line) && !r.numbers(line):
		found := countFirst().FindStringSubmatch(line)
		return r.add(found[2], found[1])
	}
	isRead, err := r.readTokens(tokensOf(line))
	if !isRead {
		isRead, err = r.readTokens(tokensOf(promptOf().ReplaceAllString(line, "")))
	}
	if isRead {
		return err
	}
	const enough = 3
	unread, skipped := &r.divide.Unread, &r.divide.Skipped
	switch {
	case brokenTotal().MatchString(line):
		return errors.New("no number follows")
	case looksLikeMove().MatchString(line):
		*unread = append(*unread, line)[:min(enough, len(*unread)+1)]
	case strings.ContainsAny(line, "0123456789"):
		*skipped = append(*skipped, line)[:min(enough, len(*skipped)+1)]
	}
	return nil
}

func (r *Reader) add(move, number string) error {
	nodes, err := parseNodes(number)
	r.divide.Moves = append(r.divide.Moves, Count{strings.TrimSpace(move), nodes})
	return err
}

// setTotal sets the total, unless another number was so more surely.
func (r *Reader) setTotal(text string, rank rank) (err error) {
	if rank >= r.ranked {
		r.ranked, r.divide.HasTotal = rank, true
		r.divide.Total, err = parseNodes(text)
	}
	return err
}

// End returns the whole divide. The error is an overflow, or of a number in a document that does
// not end.
func (r *Reader) End() (Divide, error) {
	d := &r.divide
	var broken error
	for len(r.open) > 0 {
		broken = cmp.Or(broken, r.closeObject())
	}
	if len(d.Moves) == 1 && !d.HasTotal && depthTotal().MatchString(d.Moves[0].Move) {
		d.Total, d.HasTotal, d.Moves = d.Moves[0].Nodes, true, nil
	}
	sum, err := d.Sum()
	if r.ranked == ofMoves && d.Total != sum && d.Total == uint64(len(d.Moves)) {
		d.Total, d.HasTotal = 0, false // how many moves there are
	}
	return *d, cmp.Or(broken, err)
}

// depthTotal matches a depth that looks like a pawn move: "D3 8902" is a total.
var depthTotal = pattern.Lazy(`^[dD][1-8]$`)

func parseNodes(text string) (uint64, error) {
	digits := text
	if strings.ContainsAny(text, ",_'") {
		digits = strings.NewReplacer(",", "", "_", "", "'", "").Replace(text)
	}
	nodes, err := strconv.ParseUint(digits, 10, 64)
	if errors.Is(err, strconv.ErrRange) {
		return 0, errors.New("the number is more than 64 bits")
	}
	if err != nil {
		return 0, errors.New("not a number of nodes")
	}
	return nodes, nil
}

// Parse reads the whole output of a program.
func Parse(text string) (Divide, error) {
	var r Reader
	for line := range strings.Lines(text) {
		if err := r.Line(strings.TrimSpace(line)); err != nil {
			return r.divide, err
		}
	}
	return r.End()
}

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
	switch {
	case i > 0 && (line[i-1].text == "$" || line[i-1].text == "{"):
		return true
	case dots == i+1:
		return false
	case dots == len(line):
		return i > 0 && line[i-1].move != ""
	}
	return line[dots].move != ""
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
	countWord = pattern.Lazy(`(?i)^(?:nodes?|nodecount|lea(?:f|fs|ves)|positions?|totals?|count(?:ed)?|sum|result|visited|` +
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
