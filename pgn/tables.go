package pgn

import (
	"cmp"
	"strings"
)

// NAG is a numeric annotation glyph, a number for an annotator's sign: 1 for !, 2 for ?, 3 for !!,
// 4 for ??, 5 for !? and 6 for ?!. The standard defines 0 to 139; programs use more.
type NAG uint16

// signTable lists the signs that a Reader accepts as words or glued to a move, including those of
// the Chess Informant. 0 marks signs without a NAG in the standard, except the common N
// (novelty). From 22 on, the NAG for Black follows the one for White. docs/data.md shows the table.
var signTable = []namesOf[NAG]{
	{1, "!"}, {2, "?"}, {3, "!! ‼"}, {4, "?? ⁇"}, {5, "!? ⁉"}, {6, "?! ⁈"},
	{7, "□"}, {10, "="}, {13, "∞ ~"}, {14, "⩲ += +/= ±="}, {15, "⩱ =+ =/+ =∓"}, {16, "± +/- +/−"}, {17, "∓ -/+ −/+"},
	{18, "+- +− +–"}, {19, "-+ −+ –+"}, {20, "+-- +−−"}, {21, "--+ −−+"}, {22, "⊙ ⨀"}, {26, "○"}, {32, "⟳ ↻"},
	{36, "↑"}, {40, "→"}, {44, "=∞ ∞= =/∞ ∞/= ⯹ ~="}, {132, "⇆ ⇄"}, {138, "⊕ ⨁"}, {146, "N"},
	{0, "== D RR ∆ Δ △ ∇ ⌓ ⊥ ⊞ ⟫ ⟪ ⇔ ⇗ × ✕ ∟ ⅃"},
}

var nagOfSign = byName(signTable)

// results are the results as they are read, and resultTexts those that end with another one first.
var (
	results     = byName([]namesOf[Result]{{Draw, "1/2-1/2 1/2 ½-½ ½"}, {WhiteWins, "1-0"}, {BlackWins, "0-1"}, {Unknown, "*"}})
	resultTexts = [...]string{"1/2-1/2", "1/2", "½-½", "½", "1-0", "0-1", "*"}
)

// namesOf lists the names of a value, with spaces between them.
type namesOf[V any] struct {
	value V
	names string
}

func byName[V any](table []namesOf[V]) map[string]V {
	values := map[string]V{}
	for _, row := range table {
		for _, name := range strings.Fields(row.names) {
			values[name] = row.value
		}
	}
	return values
}

// longestSign is the maximal length of a sign in bytes.
const longestSign = 7

// rules are the rules that a value of the tag Variant selects.
type rules uint8

const (
	otherGame     rules = iota // not supported
	anyChess                   // castling as ParseFEN reads the FEN
	standardChess              // castling only from e1 and e8, as ParseStandardFEN reads the FEN
	chess960
)

// variants lists the accepted values of the tag Variant in lower case, without spaces, hyphens and
// underscores. docs/data.md shows the table.
var variants = []namesOf[rules]{
	{anyChess, "? illegal fromposition wild/0 wild/1 wild/2 wild/3 wild/4 wild/5 wild/6 wild/7 wild/8 wild/8a"},
	{standardChess, "standard standardchess chess classical normal regular orthodox"},
	{chess960, "chess960 960 fischerandom fischerrandom fischerandomchess fischerrandomchess wild/fr freestyle " +
		"freestylechess"},
}

var rulesOfName = byName(variants)

var withoutSeparators = strings.NewReplacer(" ", "", "-", "", "_", "")

func rulesOf(variant string) rules {
	return rulesOfName[cmp.Or(withoutSeparators.Replace(strings.ToLower(variant)), "?")]
}
