package uci

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

// Limits say when a search ends: the words of a go command. Zero fields are not given.
type Limits struct {
	Depth       int               // plies
	Nodes       uint64            // positions
	Mate        int               // moves within which a mate is good enough
	MoveTime    time.Duration     // for this move
	Time        [2]time.Duration  // left on the clocks, by fianchetto.Color
	Increment   [2]time.Duration  // for each move, by fianchetto.Color
	MovesToGo   int               // until more time comes; 0: the time is for the rest of the game
	SearchMoves []fianchetto.Move // the moves to choose from; nil: all legal moves
	Infinite    bool              // the answer waits for stop
	Ponder      bool              // the opponent is to move: the clock starts with ponderhit, and the answer waits for it
}

// ParseLimits reads what follows go, in the position to search: "wtime 60000 btime 60000 winc 1000", for example.
// Without any limit the search is infinite. Words that are not known are skipped, as the protocol wants it. Times are
// in milliseconds; a clock of zero or less has one millisecond left. The error names the number or the move that is
// wrong.
func ParseLimits(text string, pos *fianchetto.Position) (l Limits, err error) {
	words := strings.Fields(text)
	numbers := l.numbers()
	limited, inMoves := false, false
	for i := 0; i < len(words); i++ {
		word := words[i]
		n := slices.IndexFunc(numbers[:], func(n number) bool { return n.word == word })
		switch {
		case n >= 0:
			limited, inMoves = true, false
			if i++; i == len(words) {
				return l, fmt.Errorf("go %s: the number is missing", word)
			}
			if !numbers[n].read(words[i]) {
				return l, fmt.Errorf("go %s: %s is not a number", word, quote.Text(words[i], 0))
			}
		case word == "infinite":
			l.Infinite, inMoves = true, false
		case word == "ponder":
			l.Ponder, inMoves = true, false
		case word == "searchmoves":
			inMoves = true
		case inMoves:
			m, err := pos.ParseUCI(word)
			if err != nil {
				return l, fmt.Errorf("go searchmoves: %w", err)
			}
			l.SearchMoves = append(l.SearchMoves, m)
		}
	}
	l.Infinite = l.Infinite || !limited
	return l, nil
}

// AppendText appends the go command with the limits, in the position to search, which decides on the notation of
// castling.
func (l *Limits) AppendText(text []byte, pos *fianchetto.Position) []byte {
	text = append(text, "go"...)
	if l.Ponder {
		text = append(text, " ponder"...)
	}
	if l.Infinite {
		text = append(text, " infinite"...)
	}
	for _, n := range l.numbers() {
		text = n.append(text, false)
	}
	return appendLine(text, "searchmoves", pos, l.SearchMoves)
}

// Budget divides the remaining time of a side. A search begins no further iteration after the soft limit, and is
// broken off at the hard one; 0 means that there is no limit. Overhead is the time that each move loses between the
// engine and the clock. With MovesToGo the time is divided among so many moves, otherwise, and at most, among thirty;
// half of the increment is added. The hard limit is four times the soft one, at most a third of the remaining time. A
// MoveTime is the hard limit.
//
// It is a simple default, which wins no prize; an engine that wants another divides Time itself.
// Source: https://www.chessprogramming.org/Time_Management
func (l *Limits) Budget(us fianchetto.Color, overhead time.Duration) (soft, hard time.Duration) {
	const expected = 30 // moves that a game still has
	if l.MoveTime > 0 {
		return 0, l.MoveTime
	}
	left := cmp.Or(l.Time[us], l.Time[us^1]) // a program that gives one clock only means that one
	if left == 0 {
		return 0, 0
	}
	moves := min(cmp.Or(max(l.MovesToGo, 0), expected), expected)
	left = max(left-overhead, time.Millisecond)
	soft = left/time.Duration(moves) + l.Increment[us]/2
	hard = min(4*soft, left/3)
	return min(soft, hard), hard
}

// endless is a depth in plies that no search reaches.
const endless = 100

// isBounded reports whether a number ends the search, not only a mate or a command.
func (l *Limits) isBounded() bool {
	hasTime := l.MoveTime > 0 || l.Time != [2]time.Duration{}
	return !l.Infinite && (0 < l.Depth && l.Depth < endless || l.Nodes > 0 || hasTime)
}

func (l *Limits) numbers() [9]number {
	return [9]number{
		{"wtime", &l.Time[fianchetto.White], 1}, {"btime", &l.Time[fianchetto.Black], 1},
		{"winc", &l.Increment[fianchetto.White], 0}, {"binc", &l.Increment[fianchetto.Black], 0},
		{"movestogo", &l.MovesToGo, 0}, {"depth", &l.Depth, 0}, {"nodes", &l.Nodes, 0}, {"mate", &l.Mate, 0},
		{"movetime", &l.MoveTime, 1},
	}
}

// number is a word of a command with the variable that the number after it sets.
type number struct {
	word     string
	variable any   // *int, *uint64, or *time.Duration, which is in milliseconds
	least    int64 // stands for all numbers below it
}

// maxMilliseconds is 34 years: the sum of some such times is a time.Duration.
const maxMilliseconds = 1 << 40

// read sets the variable, and reports whether text is a number. Numbers too large become the largest.
func (n *number) read(text string) bool {
	value, err := strconv.ParseInt(text, 10, 64)
	value = max(value, n.least)
	switch variable := n.variable.(type) {
	case *int:
		*variable = int(min(value, math.MaxInt32))
	case *uint64:
		*variable = uint64(value)
	case *time.Duration:
		*variable = time.Duration(min(value, maxMilliseconds)) * time.Millisecond
	}
	return err == nil || errors.Is(err, strconv.ErrRange)
}

// append appends the word and the number, unless it is zero and need not be written.
func (n *number) append(text []byte, zero bool) []byte {
	value := uint64(0)
	switch variable := n.variable.(type) {
	case *int:
		value = uint64(*variable)
	case *uint64:
		value = *variable
	case *time.Duration:
		value = uint64((*variable + time.Millisecond - 1) / time.Millisecond)
	}
	if value == 0 && !zero {
		return text
	}
	text = append(append(append(text, ' '), n.word...), ' ')
	return strconv.AppendUint(text, value, 10)
}
