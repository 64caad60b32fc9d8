package pgn

import "strings"

// NAG is a numeric annotation glyph, a number for an annotator's sign: 1 for !, 2 for ?, 3 for !!,
// 4 for ??, 5 for !? and 6 for ?!. The standard defines 0 to 139; programs use more.
type NAG uint16

// signTable lists the signs that a Reader accepts as words or glued to a move, including those of
// the Chess Informant. 0 marks signs without a NAG in the standard, except the common N
// (novelty). From 22 on, the NAG for Black follows the one for White. docs/data.md shows the table.
var signTable = []struct {
	nag   NAG
	signs string
}{
	{1, "!"}, {2, "?"}, {3, "!! ‼"}, {4, "?? ⁇"}, {5, "!? ⁉"}, {6, "?! ⁈"},
	{7, "□"}, {10, "="}, {13, "∞ ~"}, {14, "⩲ += +/= ±="}, {15, "⩱ =+ =/+ =∓"}, {16, "± +/- +/−"}, {17, "∓ -/+ −/+"},
	{18, "+- +− +–"}, {19, "-+ −+ –+"}, {20, "+-- +−−"}, {21, "--+ −−+"}, {22, "⊙ ⨀"}, {26, "○"}, {32, "⟳ ↻"},
	{36, "↑"}, {40, "→"}, {44, "=∞ ∞= =/∞ ∞/= ⯹ ~="}, {132, "⇆ ⇄"}, {138, "⊕ ⨁"}, {146, "N"},
	{0, "== D RR ∆ Δ △ ∇ ⌓ ⊥ ⊞ ⟫ ⟪ ⇔ ⇗ × ✕ ∟ ⅃"},
}

var nagOfSign = func() map[string]NAG {
	nags := map[string]NAG{}
	for _, row := range signTable {
		for _, sign := range strings.Fields(row.signs) {
			nags[sign] = row.nag
		}
	}
	return nags
}()

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
var variants = [...]string{
	anyChess:      "? illegal fromposition wild/0 wild/1 wild/2 wild/3 wild/4 wild/5 wild/6 wild/7 wild/8 wild/8a",
	standardChess: "standard standardchess chess classical normal regular orthodox",
	chess960: "chess960 960 fischerandom fischerrandom fischerandomchess fischerrandomchess wild/fr freestyle " +
		"freestylechess",
}

var rulesOfName = func() map[string]rules {
	byName := map[string]rules{"": anyChess}
	for i, names := range variants {
		for _, name := range strings.Fields(names) {
			byName[name] = rules(i)
		}
	}
	return byName
}()

var withoutSeparators = strings.NewReplacer(" ", "", "-", "", "_", "")

func rulesOf(variant string) rules {
	return rulesOfName[withoutSeparators.Replace(strings.ToLower(variant))]
}
