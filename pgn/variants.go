package pgn

import (
	"slices"
	"strings"
)

// rules are the rules that a value of the tag Variant selects.
type rules uint8

const (
	anyChess      rules = iota // castling as ParseFEN reads the FEN
	standardChess              // castling only from e1 and e8, as ParseStandardFEN reads the FEN
	chess960
	otherGame // not supported
)

// variants lists the accepted values of the tag Variant in lower case, without spaces, hyphens and
// underscores. docs/data.md shows the table.
var variants = [...]string{
	anyChess:      "? illegal fromposition wild/0 wild/1 wild/2 wild/3 wild/4 wild/5 wild/6 wild/7 wild/8 wild/8a",
	standardChess: "standard standardchess chess classical normal regular orthodox",
	chess960: "chess960 960 fischerandom fischerrandom fischerandomchess fischerrandomchess wild/fr freestyle " +
		"freestylechess",
}

var withoutSeparators = strings.NewReplacer(" ", "", "-", "", "_", "")

func rulesOf(variant string) rules {
	variant = withoutSeparators.Replace(strings.ToLower(variant))
	for i, names := range variants {
		if variant == "" || slices.Contains(strings.Fields(names), variant) {
			return rules(i)
		}
	}
	return otherGame
}
