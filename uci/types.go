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
	"unicode"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

// Limits holds the arguments of a go command, which end a search. Zero fields are absent.
type Limits struct {
	Depth       int               // plies
	Nodes       uint64            // positions
	Mate        int               // find a mate within this number of moves
	MoveTime    time.Duration     // for this move
	Time        [2]time.Duration  // remaining clock time, by fianchetto.Color
	Increment   [2]time.Duration  // per move, by fianchetto.Color
	MovesToGo   int               // moves to the next time control; 0 means sudden death
	SearchMoves []fianchetto.Move // the moves to search; nil means all legal moves
	Infinite    bool              // search until stop
	Ponder      bool              // think on the opponent's time, until ponderhit starts the clock
}

// ParseLimits reads the arguments of go, such as "wtime 60000 btime 60000 winc 1000", in the
// position to search. A clock of zero or less counts as one millisecond. Without a limit the search
// is infinite. ParseLimits skips unknown words.
func ParseLimits(text string, pos *fianchetto.Position) (l Limits, err error) {
	words, numbers := words(strings.Fields(text)), l.numbers()
	limited, inMoves := false, false
	for len(words) > 0 {
		word := words.next()
		switch n := slices.IndexFunc(numbers[:], func(n number) bool { return n.word == word }); {
		case n >= 0:
			limited, inMoves = true, false
			if len(words) == 0 {
				return l, fmt.Errorf("go %s: the number is missing", word)
			}
			text := words.next()
			if ok, _ := numbers[n].read(text); !ok {
				return l, fmt.Errorf("go %s: %s is not a number", word, quote.Text(text, 0))
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

// AppendText appends the go command for a search of pos.
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
	return appendMoves(text, "searchmoves", pos, l.SearchMoves)
}

// Budget divides the remaining time of a side. A search starts no iteration after the soft limit
// and stops at the hard limit; 0 means no limit. overhead is the time lost with each move. The soft
// limit is half of the increment plus the time divided by MovesToGo, at most 30. The hard limit is
// four times as long, at most a third of the time, or MoveTime if that is set.
// Source: https://www.chessprogramming.org/Time_Management
func (l *Limits) Budget(us fianchetto.Color, overhead time.Duration) (soft, hard time.Duration) {
	const expected = 30 // moves
	if l.MoveTime > 0 {
		return 0, l.MoveTime
	}
	left := cmp.Or(l.Time[us], l.Time[us^1]) // a program that sends only one clock means this one
	if left == 0 {
		return 0, 0
	}
	moves := min(cmp.Or(max(l.MovesToGo, 0), expected), expected)
	left = max(left-overhead, time.Millisecond)
	soft = left/time.Duration(moves) + l.Increment[us]/2
	hard = min(4*soft, left/3)
	return min(soft, hard), hard
}

const endless = 100

func (l *Limits) isBounded() bool {
	hasTime := l.MoveTime > 0 || l.Time != [2]time.Duration{}
	return hasTime || l.Nodes > 0 || 0 < l.Depth && l.Depth < endless
}

func (l *Limits) numbers() [9]number {
	return [9]number{
		{"wtime", &l.Time[fianchetto.White], 1}, {"btime", &l.Time[fianchetto.Black], 1},
		{"winc", &l.Increment[fianchetto.White], 0}, {"binc", &l.Increment[fianchetto.Black], 0},
		{"movestogo", &l.MovesToGo, 0}, {"depth", &l.Depth, 0}, {"nodes", &l.Nodes, 0}, {"mate", &l.Mate, 0},
		{"movetime", &l.MoveTime, 1},
	}
}

// number is a word of a command and the variable for the number after it.
type number struct {
	word     string
	variable any   // *int, *uint64, or *time.Duration in milliseconds
	least    int64 // the value of all smaller numbers
}

type words []string

func (w *words) next() (word string) {
	if len(*w) > 0 {
		word, *w = (*w)[0], (*w)[1:]
	}
	return word
}

// maxMilliseconds is 34 years, so that a time.Duration has room for sums.
const maxMilliseconds = 1 << 40

// read sets the variable. It reports whether text is a number, and whether that was cut to range.
func (n *number) read(text string) (ok, isCut bool) {
	value, err := strconv.ParseInt(text, 10, 64)
	kept := max(value, n.least)
	switch variable := n.variable.(type) {
	case *int:
		kept = min(kept, math.MaxInt32)
		*variable = int(kept)
	case *uint64:
		*variable = uint64(kept)
	case *time.Duration:
		kept = min(kept, maxMilliseconds)
		*variable = time.Duration(kept) * time.Millisecond
	}
	tooLarge := errors.Is(err, strconv.ErrRange)
	return err == nil || tooLarge, tooLarge || kept != value
}

// append appends word and number, but a zero only if zero is set.
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

// Info is a report about a running search. AppendText omits zero fields, except depth, nodes and
// time of a score.
type Info struct {
	Depth          int               // plies
	SelDepth       int               // maximal depth of a line, in plies
	MultiPV        int               // rank of the line, from 1
	Score          Score             // of the line
	Nodes          uint64            // positions searched so far
	NPS            uint64            // nodes per second
	Hashfull       int               // used part of the hash table, in permille
	TBHits         uint64            // hits in endgame tables
	Time           time.Duration     // since go
	CurrMove       fianchetto.Move   // the root move under search
	CurrMoveNumber int               // its number, from 1
	PV             []fianchetto.Move // the best line from the root
	Text           string            // a message for the user
	Cut            []string          // from ParseInfo: the words whose numbers were cut to the range of a field
}

// Score is a score from the view of the side to move. The zero value is no score.
type Score struct {
	Unit  string // of Value: "cp" or "mate"
	Value int    // centipawns, or moves (not plies) to mate, negative if the side to move is mated
	Bound string // "lowerbound" or "upperbound"; "" if the score is exact
}

// ScoreOf converts the score of an engine that values a mate in n plies mate-n, or n-mate against
// itself. Scores within 1000 of mate are mates, and others centipawns.
func ScoreOf(score, mate int) Score {
	switch plies := mate - max(score, -score); {
	case plies >= 1000:
		return Score{Unit: "cp", Value: score}
	case score > 0:
		return Score{Unit: "mate", Value: (plies + 1) / 2}
	default:
		return Score{Unit: "mate", Value: -plies / 2}
	}
}

// String returns the score in UCI's notation, such as "cp 35", "mate -3" or "cp 900 lowerbound".
func (s Score) String() string { return string(s.append(nil)) }

func (s Score) append(text []byte) []byte {
	text = append(append(text, s.Unit...), ' ')
	text = strconv.AppendInt(text, int64(s.Value), 10)
	if s.Bound != "" {
		text = append(append(text, ' '), s.Bound...)
	}
	return text
}

func (i *Info) numbers() [9]number {
	return [9]number{
		{"depth", &i.Depth, 0}, {"seldepth", &i.SelDepth, 0}, {"multipv", &i.MultiPV, 0}, {"nodes", &i.Nodes, 0},
		{"nps", &i.NPS, 0}, {"hashfull", &i.Hashfull, 0}, {"tbhits", &i.TBHits, 0}, {"time", &i.Time, 0},
		{"currmovenumber", &i.CurrMoveNumber, 0},
	}
}

// AppendText appends a line such as "info depth 3 score cp 20 nodes 99 time 1 pv e2e4" about the
// search of pos. It does not allocate if text has room.
func (i *Info) AppendText(text []byte, pos *fianchetto.Position) []byte {
	text = append(text, "info"...)
	numbers := i.numbers()
	for n := range numbers {
		word := numbers[n].word
		isWanted := i.Score.Unit != "" && (word == "depth" || word == "nodes" || word == "time")
		text = numbers[n].append(text, isWanted)
		if word == "multipv" && i.Score.Unit != "" {
			text = i.Score.append(append(text, " score "...))
		}
	}
	if i.CurrMove != fianchetto.NoMove {
		text = pos.AppendUCI(append(text, " currmove "...), i.CurrMove)
	}
	text = appendMoves(text, "pv", pos, i.PV)
	if i.Text != "" {
		text = append(append(text, " string "...), i.Text...)
	}
	return text
}

// ParseInfo reads an engine's line about the search of pos. It reports false for another line or a
// malformed score. It skips unknown words, and PV ends before the first illegal move.
func ParseInfo(line string, pos *fianchetto.Position) (i Info, ok bool) {
	words, numbers := words(strings.Fields(line)), i.numbers()
	if words.next() != "info" {
		return i, false
	}
	for len(words) > 0 {
		switch word := words.next(); word {
		case "string":
			_, _, i.Text = cutWord(line, func(word string) bool { return word == "string" })
			return i, true
		case "cp", "mate":
			value, err := strconv.Atoi(words.next())
			if errors.Is(err, strconv.ErrRange) {
				i.Cut = append(i.Cut, word)
			} else if err != nil {
				return Info{}, false
			}
			i.Score.Unit, i.Score.Value = word, value
		case "lowerbound", "upperbound":
			i.Score.Bound = word
		case "currmove":
			i.CurrMove, _ = pos.ParseUCI(words.next())
		case "pv":
			i.PV = nil // the last one wins
			for here := *pos; len(words) > 0; words = words[1:] {
				m, err := here.ParseUCI(words[0])
				if err != nil {
					break
				}
				i.PV, here = append(i.PV, m), here.After(m)
			}
		default:
			if n := slices.IndexFunc(numbers[:], func(n number) bool { return n.word == word }); n >= 0 {
				if _, isCut := numbers[n].read(words.next()); isCut {
					i.Cut = append(i.Cut, word)
				}
			}
		}
	}
	return i, true
}

// appendMoves appends a word and moves, if any. Of pos only IsChess960 matters.
func appendMoves(text []byte, word string, pos *fianchetto.Position, moves []fianchetto.Move) []byte {
	for i, m := range moves {
		if i == 0 {
			text = append(append(text, ' '), word...)
		}
		text = pos.AppendUCI(append(text, ' '), m)
	}
	return text
}

// Best is the answer to go.
type Best struct {
	Move   fianchetto.Move // NoMove if there is none
	Ponder fianchetto.Move // the expected reply, or NoMove
}

// BestOf returns the first two moves of a line of any length.
func BestOf(line []fianchetto.Move) Best {
	line = append(slices.Clip(line), fianchetto.NoMove, fianchetto.NoMove)
	return Best{line[0], line[1]}
}

// AppendText appends an answer such as "bestmove e2e4 ponder e7e5". NoMove is "bestmove (none)" if
// pos has no legal move and "bestmove 0000" otherwise.
func (b Best) AppendText(text []byte, pos *fianchetto.Position) []byte {
	if b.Move == fianchetto.NoMove && !pos.HasLegalMove() {
		return append(text, "bestmove (none)"...)
	}
	text = pos.AppendUCI(append(text, "bestmove "...), b.Move)
	if b.Ponder != fianchetto.NoMove {
		text = pos.AppendUCI(append(text, " ponder "...), b.Ponder)
	}
	return text
}

// ParseBest reads an engine's answer about pos. It reports false for another line and returns an
// error for an illegal move. It drops an illegal ponder move.
func ParseBest(line string, pos *fianchetto.Position) (b Best, ok bool, err error) {
	words := words(strings.Fields(line))
	if words.next() != "bestmove" {
		return b, false, nil
	}
	if move := words.next(); move != "" && move != "(none)" && move != fianchetto.NoMove.String() {
		b.Move, err = pos.ParseUCI(move)
	}
	if b.Move != fianchetto.NoMove && words.next() == "ponder" {
		next := pos.After(b.Move)
		b.Ponder, _ = next.ParseUCI(words.next())
	}
	return b, true, err
}

// Option is an option of an engine, made by Spin, Check, Combo, Text, Button or ParseOption.
type Option struct {
	Name     string   // in any case
	Type     string   // spin (a number), check (true or false), combo (one of Values), string or button
	Default  string   // "" for a button
	Min, Max int      // of a spin; equal if unlimited
	Values   []string // of a combo

	set func(value string) error // called with an accepted value; may be nil
}

// Spin declares a number from min to max. set, which may be nil here and below, is not called for
// the initial value.
func Spin(name string, value, min, max int, set func(int)) Option {
	return Option{Name: name, Type: "spin", Default: strconv.Itoa(value), Min: min, Max: max,
		set: setter(set, strconv.Atoi)}
}

// Check declares a boolean option.
func Check(name string, value bool, set func(bool)) Option {
	return Option{Name: name, Type: "check", Default: strconv.FormatBool(value), set: setter(set, strconv.ParseBool)}
}

// Combo declares a choice among values.
func Combo(name, value string, values []string, set func(string)) Option {
	return Option{Name: name, Type: "combo", Default: value, Values: values,
		set: setter(set, func(text string) (string, error) { return text, nil })}
}

// Button declares an option without a value. Setting it calls press.
func Button(name string, press func()) Option {
	return Option{Name: name, Type: "button", set: func(string) error { press(); return nil }}
}

// Text declares an option with any text, such as a path. The user sees the error of set.
func Text(name, value string, set func(string) error) Option {
	return Option{Name: name, Type: "string", Default: value, set: set}
}

const emptyText = "<empty>"

func setter[T any](set func(T), parse func(string) (T, error)) func(string) error {
	return func(text string) error {
		value, err := parse(text)
		if err == nil && set != nil {
			set(value)
		}
		return err
	}
}

// String returns the declaration, such as "option name Hash type spin default 16 min 1 max 4096".
func (o *Option) String() string {
	text := "option name " + o.Name + " type " + o.Type
	switch {
	case o.Type == "string" && o.Default == "":
		text += " default " + emptyText
	case o.Type != "button":
		text += " default " + o.Default
	}
	if o.Type == "spin" {
		text += fmt.Sprintf(" min %d max %d", o.Min, o.Max)
	}
	for _, value := range o.Values {
		text += " var " + value
	}
	return text
}

// ParseOption reads a declaration. It reports false for another line. The default of a string keeps
// its blanks and extends to the end of the line.
func ParseOption(line string) (o Option, ok bool) {
	if words := words(strings.Fields(line)); words.next() != "option" || words.next() != "name" {
		return o, false
	}
	is := func(want string) func(string) bool { return func(word string) bool { return word == want } }
	_, _, rest := cutWord(line, is("name"))
	name, _, rest := cutWord(rest, is("type"))
	kind, part, rest := cutWord(rest, isPart)
	o.Name, o.Type = oneLine(name), strings.ToLower(oneLine(kind)) // some engines write String
	for part != "" && (part != "default" || o.Type != "string") {
		value, next, after := cutWord(rest, isPart)
		switch value = oneLine(value); part {
		case "default":
			o.Default = value
		case "min":
			o.Min, _ = strconv.Atoi(value)
		case "max":
			o.Max, _ = strconv.Atoi(value)
		case "var":
			o.Values = append(o.Values, value)
		}
		part, rest = next, after
	}
	if part != "" {
		o.Default, _ = o.canonical(rest)
	}
	return o, true
}

func isPart(word string) bool { return slices.Contains([]string{"default", "min", "max", "var"}, word) }

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// cutWord returns the first wanted word, or "", and the texts before and after without surrounding
// space.
func cutWord(text string, isWanted func(word string) bool) (before, word, after string) {
	for rest := text; ; rest = rest[len(word):] {
		rest = strings.TrimLeftFunc(rest, unicode.IsSpace)
		word = rest
		if end := strings.IndexFunc(rest, unicode.IsSpace); end >= 0 {
			word = rest[:end]
		}
		if word == "" || isWanted(word) {
			return strings.TrimSpace(text[:len(text)-len(rest)]), word, strings.TrimSpace(rest[len(word):])
		}
	}
}

// Command returns the setoption command for a value in any case. The error says which values are
// allowed.
func (o *Option) Command(value string) (string, error) {
	value, err := o.canonical(value)
	command := "setoption name " + o.Name
	if o.Type == "string" {
		value = cmp.Or(value, emptyText)
	}
	if value != "" {
		command += " value " + value
	}
	return command, err
}

// canonical returns a value as the declaration spells it. "" is an empty string.
func (o *Option) canonical(value string) (string, error) {
	switch {
	case o.Type != "string":
		value = oneLine(value)
	case value == emptyText:
		value = ""
	}
	var choices []string
	var want string
	switch o.Type {
	case "spin":
		number, err := strconv.Atoi(value)
		isLimited := o.Min < o.Max
		if err == nil && (!isLimited || o.Min <= number && number <= o.Max) {
			return value, nil
		}
		if want = "not a number"; isLimited {
			want += fmt.Sprintf(" from %d to %d", o.Min, o.Max)
		}
	case "check":
		choices, want = []string{"true", "false"}, "neither true nor false"
	case "combo":
		choices, want = o.Values, "not one of "+strings.Join(o.Values, ", ")
	case "button":
		choices, want = []string{""}, "a value, and a button has none"
	default:
		return value, nil
	}
	same := slices.IndexFunc(choices, func(choice string) bool { return strings.EqualFold(choice, value) })
	switch {
	case slices.Contains(choices, value):
		return value, nil
	case same >= 0:
		return choices[same], nil
	}
	return "", fmt.Errorf("option %s: %s is %s", o.Name, quote.Text(value, 0), want)
}
