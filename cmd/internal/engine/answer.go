package engine

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math/bits"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

// Answer is a program's perft of a position to a depth.
type Answer struct {
	Moves    []MoveNodes // in the order of the answer; none if the program prints totals only
	Total    uint64      // all leaves, as the program counts them
	HasTotal bool        // whether the program prints the total
	CutOff   bool        // the answer ends without the total that it should have
	Unread   []string    // the first lines that look like moves and are not understood
	Skipped  []string    // the first other lines with numbers that are not understood, such as times

	json        string // a document that has not ended
	inJSON      bool
	countsFirst bool // the counts are before the moves

	// Until the end: the moves with the numbers before them, which are their own in the list or
	// their nodes, and the text of those that have no other number.
	before []MoveNodes
	lone   []string
}

// MoveNodes is a move in the program's notation, and the leaves that the program counts below it.
type MoveNodes struct {
	Move  string // in the program's notation, legal or not
	Nodes uint64
}

// Leaves returns the total if there is one, else the sum of the counts below the moves.
func (a *Answer) Leaves() uint64 {
	if a.HasTotal {
		return a.Total
	}
	sum, _ := a.Sum()
	return sum
}

// Sum returns the sum of the counts below the moves. The error is an overflow of 64 bits.
func (a *Answer) Sum() (sum uint64, err error) {
	for _, m := range a.Moves {
		var carry uint64
		if sum, carry = bits.Add64(sum, m.Nodes, 0); carry > 0 {
			return 0, errors.New("the sum of its counts is more than 64 bits")
		}
	}
	return sum, nil
}

// Equal reports whether two answers have the same moves and counts, in any order.
func (a *Answer) Equal(b *Answer) bool {
	sorted := func(moves []MoveNodes) []MoveNodes {
		return slices.SortedFunc(slices.Values(moves), func(m, n MoveNodes) int {
			return cmp.Or(cmp.Compare(m.Move, n.Move), cmp.Compare(m.Nodes, n.Nodes))
		})
	}
	return a.HasTotal == b.HasTotal && a.Total == b.Total && slices.Equal(sorted(a.Moves), sorted(b.Moves))
}

func (a *Answer) isEmpty() bool { return len(a.Moves)+len(a.lone) == 0 && !a.HasTotal }

// form describes how the answer is written if that is not the usual way: ", moves in algebraic
// notation".
func (a *Answer) form() (text string) {
	isAlgebraic := func(m MoveNodes) bool { return !coordinates().MatchString(m.Move) }
	if slices.ContainsFunc(a.Moves, isAlgebraic) {
		text += ", moves in algebraic notation"
	}
	if a.countsFirst {
		text += ", counts before moves"
	}
	if a.inJSON {
		text += ", in JSON"
	}
	return text
}

// compiled returns a function that compiles a pattern when it is first called. To compile all
// patterns when the program starts would take a third of a millisecond from every command.
func compiled(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

// The parts of the lines of moves.
const (
	number    = `(?:\d{1,3}(?:[,_']\d{3})+|\d+)`
	piece     = `[KQRBNPkqrbnp♔-♟]`
	castling  = `[O0o]-[O0o](?:-[O0o])?|[Oo]{2,3}`
	promotion = `(?:[=/]?[a-zA-Z♔-♟]|=?\([a-zA-Z]\))`
	move      = `(?:` + castling + `|` + piece + `?[a-hA-H]?[1-8]?[-xX:]?[a-hA-H][1-8]` + promotion + `?)` +
		`(?:\s?e\.?p\.?)?[+#!?]*`
	lead      = `[\s|>*"'(\[{,;]*`
	key       = `(?:["']?[Mm]ove["']?\s*:?\s*["']?)?`
	separator = `(?:["')\]]*\s*(?:->|=>|[:=|,;])\s*["']?|["')\]]*\s+-\s+|["')\]]*\s+)`
	nodes     = `(?:["']?(?:[Nn]odes|[Cc]ount|[Pp]erft|[Ll]eaves)["']?\s*[:=]?\s*)?`
	end       = `(?:$|[\s|,;"')\]}])`
)

// firstMove finds "e2e4: 20", "Nf3 20", "e2e4 - 20", "1. e2-e4 -> 20", "20 e2e4", `{"e2e4": 20`,
// and the like. The number before a move is its own in the list, or the leaves.
var firstMove = compiled(`^` + lead + `(?:(?P<before>` + number + `)(?:[.)]\s*|` + separator + `))?` + key +
	`(?P<move>` + move + `)(?:` + separator + nodes + `(?P<nodes>` + number + `))?` + end)

// nextMove finds another move of the same line, with the number after it.
var nextMove = compiled(`^[\s|>*"'(\[{,;)\]}]+` + key + `(?P<move>` + move + `)` + separator + nodes +
	`(?P<nodes>` + number + `)` + end)

// isMove matches a move and nothing else, isCount the names of counts in JSON.
var (
	isMove  = compiled(`^` + move + `$`)
	isCount = compiled(`(?i)^(?:total|nodes|count|leaves|perft|total_?nodes|nodes_?searched)$`)
)

// Lines that look like moves: two squares, even such as do not exist; castling; a move with a
// colon; text that is not printable.
var looksLikeMove = compiled(`^` + lead + `(?:\d+[.):]?\s+)?(?:[A-Za-z]?[a-zA-Z]\d[-xX:]?[a-zA-Z]\d|[O0o]-[O0o]|` +
	move + `["']?\s*[:=])|[\x00-\x08\x0e-\x1f\x{fffd}]`)

// columns finds a move with a number behind others.
var columns = compiled(`[\s|][a-h][1-8][a-h][1-8][qrbn]?\s*[:=\s]\s*\d`)

// coordinates matches a move by its squares, and castling.
var coordinates = compiled(`^(?:[a-hA-H][1-8][-xX:]?[a-hA-H][1-8]|` + castling + `)`)

// totalPatterns find "Nodes searched: 20", "nodes 20", "Leaf nodes = 20 (3 ms)", "perft 20", "perft
// 1: 20", "Depth 1: 20", "total 20", "20 nodes in 3 ms", and a number alone. Lines without a
// number, such as "nodes per second", do not match.
var totalPatterns = []func() *regexp.Regexp{
	compiled(`(?i)^\s*(?:(?:total|leaf|perft|raw)\s+)*(?:nodes|moves)(?:\s+(?:searched|visited|counted|for depth \d+))?` +
		`\s*[:=]?\s*(?P<nodes>` + number + `)(?:\s*$|\s*[,;(].*$|\s+[a-z].*$)`),
	compiled(`(?i)^\s*perft\s*(?:\(\s*\d+\s*\)|\d+)\s*(?:[:=]\s*|\s)(?P<nodes>` + number + `)(?:\s+nodes)?\s*$`),
	compiled(`(?i)^\s*depth\s*[:=]?\s*\d+(?:\s*[:=,]\s*|\s+)` +
		`(?:nodes\s*[:=]?\s*)?(?P<nodes>` + number + `)(?:\s+nodes)?(?:\s.*)?$`),
	compiled(`(?i)^\s*(?:perft|total|leaves)\s*[:=]?\s*(?P<nodes>` + number + `)\s*$`),
	compiled(`(?i)^\s*(?P<nodes>` + number + `)(?:\s+(?:leaf\s+)?(?:nodes|positions|leaves))?(?:\s+in\s.*)?\s*$`),
}

// brokenTotal matches a total without a number.
var brokenTotal = compiled(`(?i)^\s*nodes searched\b`)

// colors matches the escape sequences of terminal colours.
var colors = compiled(`\x1b\[[0-9;]*m`)

// CompilePattern compiles a pattern that has some groups, (?P<move>...) and (?P<nodes>...); nil for
// no text.
func CompilePattern(text string, groups ...string) (*regexp.Regexp, error) {
	if text == "" {
		return nil, nil
	}
	pattern, err := regexp.Compile(text)
	for _, group := range groups {
		if err == nil && pattern.SubexpIndex(group) < 0 {
			err = fmt.Errorf("the pattern lacks a group: %s has no (?P<%s>...)", quote.Text(text, 0), group)
		}
	}
	return pattern, err
}

// maxJSON is the greatest length of a JSON document, in bytes.
const maxJSON = 1 << 20

// read adds a line to the answer. Lines without a move or a total, such as times and speeds, are
// skipped. The error describes what is wrong with a number.
func (c *Config) read(line string, answer *Answer) error {
	line = strings.ToValidUTF8(colors().ReplaceAllString(line, ""), "\ufffd")
	if answer.json == "" && (line == "" || line[0] != '{' && line[0] != '[') || c.MovePattern != nil {
		return c.readLine(line, answer)
	}
	answer.json += line + " "
	if len(answer.json) > maxJSON {
		return fmt.Errorf("a JSON document of more than %d bytes", maxJSON)
	}
	opened := strings.Count(answer.json, "{") + strings.Count(answer.json, "[")
	if opened > strings.Count(answer.json, "}")+strings.Count(answer.json, "]") {
		return nil
	}
	line, answer.json = answer.json, ""
	document := strings.ReplaceAll(line, "'", `"`) // as Python prints it
	if !json.Valid([]byte(document)) {
		return c.readLine(line, answer)
	}
	decoder := json.NewDecoder(strings.NewReader(document))
	decoder.UseNumber()
	answer.inJSON = true
	_, err := answer.readJSON(decoder, "")
	return err
}

// readJSON reads a value of a valid document, and returns its text if it is neither an object nor a
// list. A move is the name of its count, or in the same object or list; a count in an object
// without a move is the total.
func (a *Answer) readJSON(decoder *json.Decoder, move string) (text string, err error) {
	begin, _ := decoder.Token()
	if _, opens := begin.(json.Delim); !opens {
		return fmt.Sprint(begin), nil
	}
	isObject, count := begin == json.Delim('{'), ""
	for decoder.More() {
		name, own := "", ""
		if isObject {
			token, _ := decoder.Token()
			name, _ = token.(string)
		}
		if isMove().MatchString(name) {
			own = name
		}
		value, err := a.readJSON(decoder, own)
		switch {
		case value != "" && own != "":
			err = a.addText(own, value)
		case len(value) > len(move) && isMove().MatchString(value): // the squares may be there, too
			move = value
		case !isObject || isCount().MatchString(name):
			count = cmp.Or(value, count)
		}
		if err != nil {
			return "", err
		}
	}
	_, _ = decoder.Token() // the end
	switch {
	case count != "" && move != "":
		return "", a.addText(move, count)
	case count != "" && isObject:
		a.HasTotal = true
		a.Total, err = parseNodes(count)
	}
	return "", err
}

// addText adds a move of JSON.
func (a *Answer) addText(move, count string) error {
	moves, err := appendMove(a.Moves, move, count)
	if errors.Is(err, errNoNumber) {
		a.Unread = append(a.Unread, move+": "+count)
		return nil
	}
	a.Moves = moves
	return err
}

// appendMove appends a move with its number. The error is about the number, or that there are too
// many moves.
func appendMove(moves []MoveNodes, move, number string) ([]MoveNodes, error) {
	nodes, err := parseNodes(number)
	if err == nil && len(moves) == maxLines {
		err = fmt.Errorf("it has more than %d moves", maxLines)
	}
	return append(moves, MoveNodes{move, nodes}), err
}

// readLine reads a line that may have several moves.
func (c *Config) readLine(line string, answer *Answer) error {
	pattern, rest := cmp.Or(c.MovePattern, firstMove()), line
	for {
		found := pattern.FindStringSubmatchIndex(rest)
		if found == nil {
			break
		}
		group := func(name string) string {
			if i := pattern.SubexpIndex(name); i >= 0 && found[2*i] >= 0 {
				return rest[found[2*i]:found[2*i+1]]
			}
			return ""
		}
		move, before, after := strings.TrimSpace(group("move")), group("before"), group("nodes")
		hasAfter := after != "" || c.MovePattern != nil
		if before == "" && !hasAfter {
			break
		}
		var err, earlier error
		if hasAfter {
			answer.Moves, err = appendMove(answer.Moves, move, after)
		} else {
			answer.lone = append(answer.lone, before+" "+move)
		}
		if before != "" {
			answer.before, earlier = appendMove(answer.before, move, before)
		}
		rest = rest[max(found[2*pattern.SubexpIndex("move")+1], found[2*pattern.SubexpIndex("nodes")+1]):]
		if err := cmp.Or(err, earlier); err != nil || c.MovePattern != nil {
			return err
		}
		pattern = nextMove()
	}
	if rest != line && !columns().MatchString(rest) {
		return nil
	}
	totals := totalPatterns
	if c.TotalPattern != nil {
		totals = []func() *regexp.Regexp{func() *regexp.Regexp { return c.TotalPattern }}
	}
	for _, total := range totals {
		pattern := total()
		if found := pattern.FindStringSubmatch(rest); found != nil {
			nodes, err := parseNodes(found[pattern.SubexpIndex("nodes")])
			answer.Total, answer.HasTotal = nodes, true
			return err
		}
	}
	const enough = 3
	switch {
	case brokenTotal().MatchString(line):
		return errors.New("no number follows")
	case looksLikeMove().MatchString(line) || rest != line && columns().MatchString(rest):
		answer.Unread = append(answer.Unread, line)[:min(enough, len(answer.Unread)+1)]
	case strings.ContainsAny(line, "0123456789"):
		answer.Skipped = append(answer.Skipped, line)[:min(enough, len(answer.Skipped)+1)]
	}
	return nil
}

// take is read with the line in the error.
func (c *Config) take(line string, answer *Answer) error {
	if err := c.read(line, answer); err != nil {
		return fmt.Errorf("%s: %w", quote.Text(line, 0), err)
	}
	return nil
}

// settle ends an answer: it decides by the sum whether the counts are before the moves or after
// them. The error is an overflow.
func (a *Answer) settle() error {
	if a.json != "" {
		a.CutOff, a.json = true, ""
	}
	if len(a.Moves) == 1 && !a.HasTotal && depthTotal().MatchString(a.Moves[0].Move) {
		a.Total, a.HasTotal, a.Moves = a.Moves[0].Nodes, true, nil
	}
	sum, err := a.Sum()
	allBefore, _ := (&Answer{Moves: a.before}).Sum()
	a.countsFirst = len(a.before) > 0 && len(a.before) == len(a.Moves)+len(a.lone) &&
		(len(a.lone) > 0 || a.HasTotal && allBefore == a.Total && (err != nil || sum != a.Total))
	if a.countsFirst {
		a.Moves = a.before
	} else {
		a.Unread = append(a.Unread, a.lone...)
	}
	a.before, a.lone = nil, nil
	_, err = a.Sum()
	return err
}

// depthTotal matches a depth that looks like a pawn's move: "D3 8902" is a total.
var depthTotal = compiled(`^[dD][1-8]$`)

var errNoNumber = errors.New("not a number of nodes")

// parseNodes reads a number, perhaps with separators between groups of digits.
func parseNodes(text string) (uint64, error) {
	digits := strings.NewReplacer(",", "", "_", "", "'", "").Replace(text)
	nodes, err := strconv.ParseUint(digits, 10, 64)
	if errors.Is(err, strconv.ErrRange) {
		return 0, errors.New("the number is more than 64 bits")
	}
	if err != nil {
		return 0, errNoNumber
	}
	return nodes, nil
}

// ParseAnswer reads the whole output of a program, in any of the layouts that are known. The error
// describes what is wrong with a number.
func ParseAnswer(text string) (Answer, error) {
	var answer Answer
	var usual Config
	for line := range strings.Lines(text) {
		if err := usual.take(strings.TrimSpace(line), &answer); err != nil {
			return answer, err
		}
	}
	return answer, answer.settle()
}
