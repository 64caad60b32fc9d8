package faulty

import (
	_ "embed"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/fianchetto-chess/fianchetto/bitboard"
)

//go:generate go run listparts.go

// Part is a part of an engine that a mistake makes wrong: a line of parts.txt.
type Part uint8

// They are no mistakes.
const (
	CountsRight  = parts + iota // only the moves before the question are made wrong
	CountsAlways                // counts are known also where engines differ
	LeavesRight                 // the last ply of totals and below moves is counted right
	habits
)

// stage is the work in which a part is wrong.
type stage uint8

const (
	listing  stage = iota // a move too many or too few
	choosing              // a rook to castle, or the squares to look at
	making                // the conditions are about this move
	reading               // the conditions are about a castling right
	counting
	leaves   // those of the last ply, by move
	unmaking // the conditions are about this move
	hashing
	keeping // a position is set up after another one
)

// In the sentence of a part # stands for the moves of the conditions, ~ for the conditions after a
// noun, ^ for those about a castling right, and % for N. [tag: words] are words for a mistake without
// a condition of the tag.
type partRow struct {
	name     string
	stage    stage
	sentence string
}

// Mistake is a part that is wrong whenever all conditions hold.
type Mistake struct {
	Part Part
	N    int // of a limit
	When []Condition
}

// Sentence describes the mistake in plain English.
func (m Mistake) Sentence() string {
	var always, ifs, rights []Condition
	for _, c := range m.When {
		switch {
		case strings.HasPrefix(c.words(), "|if "):
			ifs = append(ifs, c)
		case strings.HasPrefix(c.words(), "^"):
			rights = append(rights, c)
		default:
			always = append(always, c)
		}
	}
	moves := phrase(always, true)
	if moves == "moves" && len(ifs) > 0 { // they are about castling
		moves = "castling moves"
	}
	about := ""
	for _, c := range rights {
		about += " " + c.words()[1:]
	}
	head, rest, _ := strings.Cut(partTable[m.Part].sentence, "[")
	option, rest, _ := strings.Cut(rest, "]")
	tag, words, _ := strings.Cut(option, ": ")
	if slices.ContainsFunc(m.When, func(c Condition) bool { return c.has(tag) }) {
		words = ""
	}
	text := strings.NewReplacer("#", moves, "~", phrase(always, false), "^", about, "%", strconv.Itoa(m.N)).
		Replace(head + words + rest)
	return strings.Join(strings.Fields(text+" "+phrase(ifs, false)), " ")
}

// String names the mistake as Parse reads it: "refuses piece=knight moves, side=by Black".
func (m Mistake) String() string {
	var when []string
	for _, c := range m.When {
		when = append(when, c.String())
	}
	return strings.TrimSpace(partTable[m.Part].name + " " + strings.Join(when, ", "))
}

// Parse returns the mistake that String names.
func Parse(text string) (m Mistake, err error) {
	name, conditions, _ := strings.Cut(text, " ")
	part := slices.IndexFunc(partTable[:parts], func(p partRow) bool { return p.name == name })
	if part < 0 {
		return m, fmt.Errorf("faulty: no part is named %q", name)
	}
	m.Part = Part(part)
	for text := range strings.SplitSeq(conditions, ", ") {
		if c, ok := parseCondition(text); ok {
			m.When = append(m.When, c)
		} else if text != "" {
			return m, fmt.Errorf("faulty: no condition is named %q", text)
		}
	}
	return m, nil
}

//go:embed planted.txt
var planted string

// Planted returns the names of usual mistakes, first those of standard chess, and the mistakes by
// name. The names of those that show in Chess960 only begin with 960.
//
// It is no variable, so that programs that do not plant mistakes are smaller.
func Planted() (names []string, mistakes map[string]Mistake) {
	mistakes = make(map[string]Mistake)
	for line := range strings.Lines(planted) {
		name, text, _ := strings.Cut(strings.TrimSpace(line), ": ")
		m, err := Parse(text)
		if err != nil {
			panic(err)
		}
		names, mistakes[name] = append(names, name), m
	}
	return names, mistakes
}

type faults struct {
	mistakes      [habits][]Mistake // by part
	unmakes       bool
	table         map[hashKey]entry
	row           int            // rows of divides so far
	lastEnPassant square         // of the last question
	place         func(Move) int // of a root move in the program's list, or nil
	watched       Part
	decide        func([]Condition) bool // whether the watched part is wrong
}

func newFaults(mistakes []Mistake) *faults {
	if len(mistakes) == 0 {
		return nil
	}
	f := &faults{lastEnPassant: none}
	for _, m := range mistakes {
		f.unmakes = f.unmakes || partTable[m.Part].stage == unmaking
		if partTable[m.Part].stage == hashing {
			f.table = make(map[hashKey]entry)
		}
		f.mistakes[m.Part] = append(f.mistakes[m.Part], m)
	}
	return f
}

func (b *Board) may(p Part) bool { return b.faults != nil && b.faults.mistakes[p] != nil }

// limit returns N of a part, or a greater number than any without the mistake.
func (b *Board) limit(p Part) int {
	if !b.may(p) {
		return math.MaxInt
	}
	return b.faults.mistakes[p][0].N
}

func (b *Board) is(p Part, m Move) bool { return b.may(p) && b.isWrong(p, view{Board: b, Move: m}) }

func (b *Board) isAbout(p Part, m Move, color, w int) bool {
	return b.may(p) && b.isWrong(p, view{Board: b, Move: m, right: &right{bitboard.Color(color), wing(w)}})
}

func (b *Board) isWrong(p Part, v view) bool {
	if b.faults.decide != nil && b.faults.watched == p {
		return b.faults.decide(v.conditions())
	}
	return slices.ContainsFunc(b.faults.mistakes[p], func(m Mistake) bool {
		return !slices.ContainsFunc(m.When, func(c Condition) bool { return !v.holds(c) })
	})
}

// Watch lets decide choose under which conditions a part is wrong.
func (b *Board) Watch(p Part, decide func([]Condition) bool) {
	b.faults.watched, b.faults.decide = p, decide
}

// Place sets the order of the moves at the root.
func (b *Board) Place(place func(Move) int) {
	if b.faults != nil {
		b.faults.place = place
	}
}

// Parts returns the parts that may be wrong.
func Parts() (all []Part) {
	for p := Refuses; p < parts; p++ {
		all = append(all, p)
	}
	return all
}

// Cost orders mistakes: the fewest conditions first, and among these the plainest.
func (m Mistake) Cost() int {
	cost := 1000*len(m.When) + 5*int(m.Part)
	for _, c := range m.When {
		cost += int(c.Trait)
	}
	return cost
}

// Lists reports whether a part lists moves, so that a wrong list tells at which moves it is wrong.
func (p Part) Lists() bool { return p != Right && partTable[p].stage == listing }

// Makes reports whether a part makes moves.
func (p Part) Makes() bool { return partTable[p].stage == making }

// OfState reports whether a part depends on what the generator has done before.
func (p Part) OfState() bool { return partTable[p].stage >= unmaking }

// IsOfChess960 reports whether a part cannot be wrong in standard chess.
func (p Part) IsOfChess960() bool { return partTable[p].stage == choosing }

// Reads reports whether a part reads FENs.
func (p Part) Reads() bool { return partTable[p].stage == reading }
