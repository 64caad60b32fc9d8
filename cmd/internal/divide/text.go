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

// IsEmpty reports whether no line contained a move or a total.
func (r *Reader) IsEmpty() bool { return r.divide.IsEmpty() }

// HasTotal reports whether a line contained the total.
func (r *Reader) HasTotal() bool { return r.divide.HasTotal }

// usual matches what most engines print.
var usual = pattern.Lazy(`^[a-h][1-8][a-h][1-8][nbrq]?: \d+$`)

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
