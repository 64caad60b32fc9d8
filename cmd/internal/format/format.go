// Package format writes results and numbers, for people and for scripts.
package format

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// Print writes a result as a line of JSON or as text.
func Print(w io.Writer, asJSON bool, value any, text string) error {
	if !asJSON {
		_, err := io.WriteString(w, text)
		return err
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(value)
}

// Count writes a whole number, such as an int or a *big.Int, with commas: 1,234,567.
func Count(n any) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0 && text[i-1] != '-'; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// Rate writes a rate in three digits, with an SI prefix before the unit: 2.53 G nodes/s.
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

// Seconds writes a time of any length: 45s, 1m30s, 8.0 days.
func Seconds(seconds float64) string {
	const day = 24 * 60 * 60
	if seconds >= 2*day {
		return fmt.Sprintf("%.1f days", seconds/day)
	}
	return time.Duration(seconds * float64(time.Second)).Round(time.Second).String()
}

// Things writes a number with its noun: 1 thread, 2 threads, 1,234 threads.
func Things(n int, thing string) string { return Count(n) + " " + Form(n, thing, thing+"s") }

// List joins the texts that are not empty.
func List(texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(text string) bool { return text == "" }), ", ")
}

// Short writes a number in at most five characters: 97862, 4.87M.
func Short(n uint64) string {
	if n < 100_000 {
		return strconv.FormatUint(n, 10)
	}
	return strings.Replace(strings.TrimSpace(Rate(float64(n), "")), " ", "", 1)
}

// Plain is Things without commas, for lines that scripts read.
func Plain(n int, thing string) string { return Plural(n, thing, thing+"s") }

// Plural is Plain for nouns with another plural: "1 ply", "2 plies".
func Plural(n int, one, many string) string { return fmt.Sprintf("%d %s", n, Form(n, one, many)) }

// Form returns the form of a word for a number: is, are.
func Form(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// Nodes is a number of nodes. In JSON it is a string above 2^53, because many readers round such
// numbers.
type Nodes uint64

// MarshalJSON returns digits, in quotes above 2^53.
func (n Nodes) MarshalJSON() ([]byte, error) {
	digits := strconv.FormatUint(uint64(n), 10)
	if n > 1<<53 {
		digits = strconv.Quote(digits)
	}
	return []byte(digits), nil
}

// RootMove is a root move and the leaves below it.
type RootMove struct {
	Move  string `json:"move"`
	Nodes Nodes  `json:"nodes"`
}

// Divide returns the counts below the moves of pos, sorted by UCI notation.
func Divide(counts []perft.MoveCount, pos *fianchetto.Position) []RootMove {
	moves := make([]RootMove, 0, len(counts))
	for _, c := range counts {
		moves = append(moves, RootMove{pos.UCI(c.Move), Nodes(c.Nodes)})
	}
	sort.SliceStable(moves, func(i, j int) bool { return moves[i].Move < moves[j].Move })
	return moves
}
