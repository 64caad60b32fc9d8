package repository

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// otherWords are words for which docs/glossary.md, or plain technical English, has another.
var otherWords = wordSet(`
	man men officer officers newcomer newcomers crew
	uncover uncovers uncovered uncoverer uncoverers discoverer discoverers unmasked
	liar liars lied lying testimony flaw flaws thoroughness
	spell spells spelled spelt spelling spellings tell tells told telling
	besides sole wing wings mirrorfiles sloworigins`)

// allowedWords are those that the files of a directory may have: man is a program there.
var allowedWords = map[string][]string{"cmd/fianchetto": {"man"}, "cmd/fianchetto/testdata/script": {"man"}}

// TestWords looks for the words in the source files, pages and scripts of the repository, in their identifiers too.
func TestWords(t *testing.T) {
	for _, path := range files(t, ".go", ".md", ".s", ".html", ".js", ".txtar") {
		if filepath.Base(path) == "words_test.go" {
			continue
		}
		directory, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			t.Fatal(err)
		}
		number := 0
		for line := range strings.Lines(read(t, path)) {
			number++
			for _, word := range wordsIn(line) {
				if otherWords[word] && !slices.Contains(allowedWords[filepath.ToSlash(directory)], word) {
					t.Errorf("%s:%d: %q: %s", path, number, word, strings.TrimSpace(line))
				}
			}
		}
	}
}

// TestWordsIn finds the words of identifiers in camel case.
func TestWordsIn(t *testing.T) {
	for text, want := range map[string][]string{
		"liarCount := countMen(a)": {"liar", "count", "count", "men", "a"},
		"PGNError, man960, a_crew": {"pgn", "error", "man", "a", "crew"},
		"comment mention woman":    {"comment", "mention", "woman"},
		"TestSpellings(t)":         {"test", "spellings", "t"},
	} {
		if got := wordsIn(text); !slices.Equal(got, want) {
			t.Errorf("%q has the words %q, want %q", text, got, want)
		}
	}
}

// wordsIn returns the words of a text in lower case, those within identifiers one by one.
func wordsIn(text string) (words []string) {
	for _, identifier := range identifierPattern.FindAllString(text, -1) {
		for _, word := range splitIdentifier(identifier) {
			words = append(words, strings.ToLower(word))
		}
	}
	return words
}

var identifierPattern = regexp.MustCompile(`[A-Za-z]+`)

// splitIdentifier splits letters before each capital letter that begins a word: one after a lower-case letter, or before one.
func splitIdentifier(letters string) (words []string) {
	begin := 0
	for i := 1; i < len(letters); i++ {
		if isUpper(letters[i]) && (!isUpper(letters[i-1]) || i+1 < len(letters) && !isUpper(letters[i+1])) {
			words = append(words, letters[begin:i])
			begin = i
		}
	}
	return append(words, letters[begin:])
}

func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }

func wordSet(words string) map[string]bool {
	set := make(map[string]bool)
	for _, word := range strings.Fields(words) {
		set[word] = true
	}
	return set
}
