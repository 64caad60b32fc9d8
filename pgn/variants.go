package pgn

import "strings"

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
	byName := map[string]rules{"": anyChess, "Standard": standardChess}
	for i, names := range variants {
		for _, name := range strings.Fields(names) {
			byName[name] = rules(i)
		}
	}
	return byName
}()

// allow reports whether games of Chess960, or others, may have the tag.
func (r rules) allow(isChess960 bool) bool { return r != otherGame && (r == chess960) == isChess960 }

var withoutSeparators = strings.NewReplacer(" ", "", "-", "", "_", "")

func rulesOf(variant string) rules {
	rules, ok := rulesOfName[variant]
	if !ok {
		rules = rulesOfName[withoutSeparators.Replace(strings.ToLower(variant))]
	}
	return rules
}
