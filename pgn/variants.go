package pgn

import "strings"

// rules are the rules of castling that the tag Variant asks for.
type rules uint8

const (
	otherGame     rules = iota // not chess as Package fianchetto plays it
	anyChess                   // the FEN decides, as ParseFEN reads it
	standardChess              // castling only from e1 and e8, as ParseStandardFEN reads the FEN
	chess960
)

// variants lists the names of the tag Variant that a Reader accepts, in lower case and without
// spaces, hyphens and underscores. It is the only such table; docs/data.md shows it.
var variants = map[rules][]string{
	standardChess: {"standard", "standardchess", "chess", "classical", "classic", "normal", "regular", "orthodox"},
	anyChess: {"", "?", "illegal", "fromposition", "setupposition",
		"wild/0", "wild/1", "wild/2", "wild/3", "wild/4", "wild/5", "wild/6", "wild/7", "wild/8", "wild/8a"},
	chess960: {"chess960", "960", "fischerandom", "fischerrandom", "fischerandomchess", "fischerrandomchess", "wild/fr",
		"freestyle", "freestylechess"},
}

// rulesByName finds the rules by the name of the variant.
var rulesByName = func() map[string]rules {
	byName := map[string]rules{}
	for rules, names := range variants {
		for _, name := range names {
			byName[name] = rules
		}
	}
	return byName
}()

// rulesOf returns the rules for a value of the tag Variant, otherGame if it names another game.
func rulesOf(name string) rules {
	if name == "" {
		return anyChess // most games have no such tag
	}
	return rulesByName[withoutSeparators.Replace(strings.ToLower(name))]
}

var withoutSeparators = strings.NewReplacer(" ", "", "-", "", "_", "")
