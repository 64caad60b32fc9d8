package engine

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
	"github.com/fianchetto-chess/fianchetto/uci"
)

// Answer is a program's perft of a position to a depth.
type Answer struct {
	Moves    []MoveNodes // in the order of the answer; none if the program prints totals only
	Total    uint64      // all leaves, as the program counts them
	HasTotal bool        // whether the program prints the total
}

// Leaves returns the total if there is one, else the sum of the counts below the moves.
func (a *Answer) Leaves() uint64 {
	if a.HasTotal {
		return a.Total
	}
	sum := uint64(0)
	for _, m := range a.Moves {
		sum += m.Nodes
	}
	return sum
}

func (a *Answer) isEmpty() bool { return len(a.Moves) == 0 && !a.HasTotal }

// MoveNodes is a move in the program's notation, and the leaves that the program counts below it.
type MoveNodes struct {
	Move  string // in the program's notation, legal or not
	Nodes uint64
}

// numberGroup and moveGroup are the names of groups in patterns.
const (
	moveGroup   = "move"
	numberGroup = "nodes"
)

// compiled returns a function that compiles a pattern when it is first called. To compile all patterns when the program
// starts would take a third of a millisecond from every command.
func compiled(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

// movePattern finds "e2e4: 20", "e2e4 20", "e2e4 - 20", "1. e2-e4 -> 20", and the like.
var movePattern = compiled(`^\s*(?:\d+[.)]\s+)?(?:[Mm]ove\s*:?\s+)?` +
	`(?P<move>[a-hA-H][1-8][-x]?[a-hA-H][1-8](?:=?[a-zA-Z])?|[O0]-[O0](?:-[O0])?)` +
	`(?:\s*(?:[:=|]|->|=>)\s*|\s+-\s+|\s+)(?:[Nn]odes\s*[:=]?\s*)?(?P<nodes>\d[\d,_']*)(?:\s|$)`)

// totalPatterns find "Nodes searched: 20", "nodes 20", "Leaf nodes = 20 (3 ms)", "perft 20", "perft 1: 20", "Depth 1:
// 20", "total 20", "20 nodes in 3 ms", and a number alone. Lines without a number, such as "nodes per second", do not
// match.
var totalPatterns = []func() *regexp.Regexp{
	compiled(`(?i)^\s*(?:(?:total|leaf|perft)\s+)*nodes(?:\s+(?:searched|visited|counted))?` +
		`\s*[:=]?\s*(?P<nodes>\d[\d,_']*)(?:\s*$|\s*[,;(].*$|\s+[a-z].*$)`),
	compiled(`(?i)^\s*perft\s*(?:\(\s*\d+\s*\)|\d+)\s*(?:[:=]\s*|\s)(?P<nodes>\d[\d,_']*)(?:\s+nodes)?\s*$`),
	compiled(`(?i)^\s*depth\s*[:=]?\s*\d+(?:\s*[:=,]\s*|\s+)` +
		`(?:nodes\s*[:=]?\s*)?(?P<nodes>\d[\d,_']*)(?:\s+nodes)?(?:\s.*)?$`),
	compiled(`(?i)^\s*(?:perft|total|leaves)\s*[:=]?\s*(?P<nodes>\d[\d,_']*)\s*$`),
	compiled(`(?i)^\s*(?P<nodes>\d[\d,_']*)(?:\s+(?:leaf\s+)?(?:nodes|positions|leaves))?(?:\s+in\s.*)?\s*$`),
}

// brokenTotal matches a total without a number.
var brokenTotal = compiled(`(?i)^\s*nodes searched\b`)

// colors matches the escape sequences of terminal colours.
var colors = compiled(`\x1b\[[0-9;]*m`)

// ErrPattern reports a pattern without the groups that it must have.
const ErrPattern fianchetto.Problem = "engine: the pattern lacks a group"

// CheckMovePattern returns an ErrPattern unless the pattern has the groups (?P<move>...) and (?P<nodes>...).
func CheckMovePattern(pattern *regexp.Regexp) error {
	return needGroups(pattern, moveGroup, numberGroup)
}

// CheckTotalPattern returns an ErrPattern unless the pattern has the group (?P<nodes>...).
func CheckTotalPattern(pattern *regexp.Regexp) error { return needGroups(pattern, numberGroup) }

func needGroups(pattern *regexp.Regexp, groups ...string) error {
	for _, group := range groups {
		if pattern.SubexpIndex(group) < 0 {
			return fmt.Errorf("%w: %s has no (?P<%s>...)", ErrPattern, quote.Text(pattern.String(), 0), group)
		}
	}
	return nil
}

// reader reads the lines of an answer.
type reader struct {
	move   *regexp.Regexp
	totals []*regexp.Regexp
}

func newReader(config *Config) reader {
	r := reader{move: config.MovePattern}
	if r.move == nil {
		r.move = movePattern()
	}
	if config.TotalPattern != nil {
		r.totals = []*regexp.Regexp{config.TotalPattern}
		return r
	}
	for _, pattern := range totalPatterns {
		r.totals = append(r.totals, pattern())
	}
	return r
}

// read adds a line to the answer. Lines without a move or a total, such as times and speeds, are
// skipped. The error describes what is wrong with a number.
func (r reader) read(line string, answer *Answer) error {
	line = colors().ReplaceAllString(line, "")
	if found := r.move.FindStringSubmatch(line); found != nil {
		nodes, err := parseNodes(found[r.move.SubexpIndex(numberGroup)])
		answer.Moves = append(answer.Moves, MoveNodes{found[r.move.SubexpIndex(moveGroup)], nodes})
		return err
	}
	for _, pattern := range r.totals {
		if found := pattern.FindStringSubmatch(line); found != nil {
			nodes, err := parseNodes(found[pattern.SubexpIndex(numberGroup)])
			answer.Total, answer.HasTotal = nodes, true
			return err
		}
	}
	if brokenTotal().MatchString(line) {
		return errors.New("no number follows")
	}
	return nil
}

// take is read with a *uci.Error.
func (r reader) take(line string, answer *Answer) error {
	if err := r.read(line, answer); err != nil {
		return &uci.Error{Detail: quote.Text(line, 0) + ": " + err.Error(), Err: uci.ErrGarbage}
	}
	return nil
}

// parseNodes reads a number, perhaps with separators between groups of digits.
func parseNodes(text string) (uint64, error) {
	digits := strings.NewReplacer(",", "", "_", "", "'", "").Replace(text)
	nodes, err := strconv.ParseUint(digits, 10, 64)
	if err != nil {
		return 0, errors.New("not a number of nodes")
	}
	return nodes, nil
}

// ParseAnswer reads the whole output of a program, in any of the layouts that are known. The error describes what is
// wrong with a number.
func ParseAnswer(text string) (Answer, error) {
	var answer Answer
	r := newReader(&Config{})
	for line := range strings.Lines(text) {
		if err := r.read(line, &answer); err != nil {
			return answer, fmt.Errorf("%s: %w", quote.Text(strings.TrimSpace(line), 0), err)
		}
	}
	return answer, nil
}
