package cli

import (
	"strings"

	"github.com/agext/levenshtein"
)

// DidYouMean returns a question after the word that is most like an unknown one, "" if none is.
func DidYouMean(unknown string, known []string) string {
	best, least := "", 1+max(min(2, len(unknown)/2), len(unknown)/3) // two letters exchanged have distance 2
	for _, word := range known {
		distance := levenshtein.Distance(strings.ToLower(unknown), strings.ToLower(word), nil)
		if strings.HasPrefix(strings.ToLower(word), strings.ToLower(unknown)) && len(unknown) > 2 {
			distance = 1 // an abbreviation
		}
		if distance < least {
			best, least = word, distance
		}
	}
	if best == "" {
		return ""
	}
	return " (did you mean " + best + "?)"
}

// Canonical returns the word of a list that is the given one but for upper and lower case, or else the given one.
func Canonical(word string, known []string) string {
	for _, k := range known {
		if strings.EqualFold(word, k) {
			return k
		}
	}
	return word
}
