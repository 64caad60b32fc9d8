package faulty

import (
	_ "embed"
	"slices"
	"strings"

	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// Condition is a trait of a move with its value: the piece is a knight.
type Condition struct {
	Trait, Value uint8
}

// trait is a property of a move with several values; 0 means that it has none. The words of a value
// are a noun, and behind a bar the words for use after another noun.
type trait struct {
	name  string
	tags  string // "attack": the king is attacked; "castling": about castling only; "blocked": by a piece
	words []string
	value func(*view) uint8
}

//go:embed traits.txt
var traitText string

// families are the names that replace a word in braces.
var families = map[string]string{
	"piece": "pawn knight bishop rook queen king", "line": "file rank diagonal", "file": "a b c d e f g h",
	"rank": "first second third fourth fifth sixth seventh last",
}

// traits are in the order in which a phrase names them. They are set late, because one of them
// makes a move, and making a move asks about traits.
var traits []trait

func init() {
	for s := range bitboard.Full.Squares() {
		families["square"] += s.String() + " "
	}
	for line := range strings.Lines(traitText) {
		head, words, _ := strings.Cut(strings.TrimSpace(line), ": ")
		name, tags, _ := strings.Cut(head, " (")
		t := trait{name, tags, []string{""}, valueOf[name]}
		for word := range strings.SplitSeq(words, "; ") {
			_, family, _ := strings.Cut(word, "{")
			family, _, isFamily := strings.Cut(family, "}")
			if !isFamily {
				t.words = append(t.words, strings.Trim(word, "-"))
			}
			for name := range strings.FieldsSeq(families[family]) {
				t.words = append(t.words, strings.ReplaceAll(word, "{"+family+"}", name))
			}
		}
		traits = append(traits, t)
	}
}

func (c Condition) words() string { return traits[c.Trait].words[c.Value] }

func (c Condition) has(tag string) bool { return strings.Contains(traits[c.Trait].tags, tag) }

// String names the condition by its trait and the words of its value: "piece=knight moves".
func (c Condition) String() string { return traits[c.Trait].name + "=" + nameOf(c.words()) }

func nameOf(words string) string {
	name, _, _ := strings.Cut(strings.Trim(words, "|^"), "|")
	return name
}

func parseCondition(text string) (c Condition, ok bool) {
	name, value, _ := strings.Cut(text, "=")
	i := slices.IndexFunc(traits, func(t trait) bool { return t.name == name })
	if i < 0 || value == "" {
		return c, false
	}
	j := slices.IndexFunc(traits[i].words, func(words string) bool { return nameOf(words) == value })
	return Condition{uint8(i), uint8(max(j, 0))}, j > 0
}

// phrase names the moves with some conditions, with a noun if there is none.
func phrase(when []Condition, needsNoun bool) string {
	head := ""
	var rest []string
	for _, c := range when {
		noun, suffix, isBoth := strings.Cut(c.words(), "|")
		switch {
		case noun != "" && head == "" && needsNoun:
			head = noun
		case isBoth:
			rest = append(rest, suffix)
		default:
			rest = append(rest, "that are "+noun)
		}
	}
	if head == "" && needsNoun {
		head = "moves"
		if slices.ContainsFunc(when, func(c Condition) bool { return c.has("castling") }) {
			head = "castling moves"
		}
	}
	return strings.TrimSpace(head + " " + strings.Join(rest, " "))
}

// view is a move on a board, for its traits, and perhaps a castling right.
type view struct {
	*Board
	Move
	right *right
}

type right struct {
	color bitboard.Color
	wing  wing
}

func (v *view) holds(c Condition) bool { return traits[c.Trait].value(v) == c.Value }

func (v *view) conditions() (found []Condition) {
	for i := range traits {
		c := Condition{uint8(i), traits[i].value(v)}
		if c.Value != 0 && int(c.Value) < len(traits[i].words) && c.words() != "" {
			found = append(found, c)
		}
	}
	return found
}

// first returns the place of the first true condition, from 1, or 0.
func first(conditions ...bool) uint8 { return uint8(slices.Index(conditions, true) + 1) }

func either(holds bool) uint8 { return first(holds, true) }

func unless(holds bool, value uint8) uint8 {
	if holds {
		return 0
	}
	return value
}

// shared returns the value that a property has at each of some squares, or 0.
func shared(squares set, property func(square) uint8) (value uint8) {
	for s := range squares.Squares() {
		own := property(s)
		if s != squares.First() && own != value {
			return 0
		}
		value = own
	}
	return value
}

// line returns the kind of line through two squares: 1 file, 2 rank, 3 diagonal, 0 none.
func line(a, b square) uint8 {
	if a >= none || b >= none || a == b {
		return 0
	}
	return first(a.File() == b.File(), a.Rank() == b.Rank(),
		a.Diagonal() == b.Diagonal() || a.AntiDiagonal() == b.AntiDiagonal())
}

func (v *view) piece() bitboard.PieceType { return v.at[v.From].Type() }

func (v *view) typeAt(s square) uint8 { return uint8(v.at[s].Type()) }

func (v *view) isSlider(s square) bool {
	return bitboard.Bishop <= v.at[s].Type() && v.at[s].Type() <= bitboard.Queen
}

func (v *view) slides() bool { return !v.Castling && v.isSlider(v.From) }

func (v *view) king() square { return v.kings[v.side] }

func (v *view) captured() bitboard.PieceType {
	switch {
	case v.Castling:
		return bitboard.NoPieceType
	case v.isEnPassant(v.Move):
		return bitboard.Pawn
	}
	return v.at[v.To].Type()
}

func (v *view) goal() square {
	if v.piece() == bitboard.King && !v.Castling {
		return v.To
	}
	return v.king()
}

func (v *view) isPinned(s square) bool {
	color := v.at[s].Color()
	king := v.kings[color]
	if s == king || line(s, king) == 0 {
		return false
	}
	before := v.attackers(king, color.Opponent(), v.occupied())
	return v.attackers(king, color.Opponent(), v.occupied().Without(s))&^before != 0
}

func (v *view) givesCheck() bool {
	if v.breach != 0 {
		return false
	}
	after := v.rightly(v.Move)
	return after.checkers() != 0
}

func (v *view) interposes() bool {
	for s := range v.checkers().Squares() {
		if bitboard.Between(s, v.king()).Has(v.To) {
			return true
		}
	}
	return false
}

func ofCastling(property func(v *view, c castling) uint8) func(*view) uint8 {
	return func(v *view) uint8 {
		if !v.Castling {
			return 0
		}
		return property(v, v.castling(v.Move))
	}
}

func otherwise(property func(v *view) uint8) func(*view) uint8 {
	return func(v *view) uint8 { return unless(v.Castling, property(v)) }
}

// ofAttackers returns the value that a property has for each piece that attacks the king after the
// move.
func ofAttackers(property func(v *view, s square) uint8) func(*view) uint8 {
	return func(v *view) uint8 {
		return shared(v.exposed(v.Move), func(s square) uint8 { return property(v, s) })
	}
}

func ofRight(property func(*view, right) uint8) func(*view) uint8 {
	return func(v *view) uint8 {
		if v.right == nil {
			return 0
		}
		return property(v, *v.right)
	}
}

func (v *view) rights() int {
	rooks := slices.Concat(v.rooks[0][:], v.rooks[1][:])
	return len(slices.DeleteFunc(rooks, func(rook square) bool { return rook == none }))
}

func (v *view) inWay(c castling) set {
	return ((c.kingWay() | c.rookWay()) & v.occupied()).Without(c.king).Without(c.rook)
}
