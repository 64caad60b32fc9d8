// Package format writes numbers alike in all reports and pages: for people, and in plain digits
// for scripts.
package format

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// Count writes a whole number of any size, such as an int or a *big.Int, with a comma between
// groups of three digits: 1,234,567.
func Count(n any) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0 && text[i-1] != '-'; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// Rate writes a number of things per second, 0 or more, to three digits with an SI prefix before
// the unit: 2.53 G nodes/s.
func Rate(perSecond float64, unit string) string {
	const prefixes = " kMGTPE"
	power := 0
	for perSecond >= 999.5 && power < len(prefixes)-1 {
		perSecond /= 1000
		power++
	}
	decimals := 0
	switch {
	case perSecond == 0 || power == 0 && perSecond >= 9.95:
	case perSecond < 9.995:
		decimals = 2
	case perSecond < 99.95:
		decimals = 1
	}
	text := strconv.FormatFloat(perSecond, 'f', decimals, 64)
	if power > 0 {
		text += " " + prefixes[power:power+1]
	}
	return text + " " + unit
}

// Seconds writes a time to the second, which may be of years: 45s, 1m30s, 8.0 days.
func Seconds(seconds float64) string {
	const day = 24 * 60 * 60
	if seconds >= 2*day {
		return fmt.Sprintf("%.1f days", seconds/day)
	}
	return time.Duration(seconds * float64(time.Second)).Round(time.Second).String()
}

// Things writes a number of things, in agreement with it: 1 thread, 2 threads, 1,234 threads.
func Things(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return Count(n) + " " + thing
}

// Short writes a number in at most five characters: 97862, 4.87M. Beyond five digits it has three
// of them and an SI prefix.
func Short(n uint64) string {
	if n < 100_000 {
		return strconv.FormatUint(n, 10)
	}
	return strings.Replace(strings.TrimSpace(Rate(float64(n), "")), " ", "", 1)
}

// Plain writes a number of things: "1 line", "2 lines". The digits are plain, for lines that
// scripts may read, where Things has commas between groups of them.
func Plain(n int, thing string) string { return Plural(n, thing, thing+"s") }

// Plural is Plain for things that take another form than an s: "1 ply", "2 plies".
func Plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// Nodes is a number of nodes. In JSON it is a number up to 2^53, the last that every reader of JSON
// keeps exactly, and a string beyond.
type Nodes uint64

// MarshalJSON returns the digits, in quotes beyond 2^53.
func (n Nodes) MarshalJSON() ([]byte, error) {
	digits := strconv.FormatUint(uint64(n), 10)
	if n > 1<<53 {
		digits = strconv.Quote(digits)
	}
	return []byte(digits), nil
}

// RootMove is a move at the root of a perft and the leaves below it, in the form of its JSON.
type RootMove struct {
	Move  string `json:"move"`
	Nodes Nodes  `json:"nodes"`
}

// Divide returns the counts below the moves of pos, sorted by the moves in UCI.
func Divide(counts []perft.MoveCount, pos *fianchetto.Position) []RootMove {
	moves := make([]RootMove, 0, len(counts))
	for _, c := range counts {
		moves = append(moves, RootMove{pos.UCI(c.Move), Nodes(c.Nodes)})
	}
	slices.SortFunc(moves, func(a, b RootMove) int { return strings.Compare(a.Move, b.Move) })
	return moves
}
