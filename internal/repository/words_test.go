package repository

import (
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// otherWords are words for which docs/glossary.md has a term of the field.
var otherWords = regexp.MustCompile(`(?i)\b(m[ae]n|officers?|newcomers?|uncoverers?|discoverers?|sloworigins|liars?|testimony|crews?|thoroughness|flaws?|mirrorfiles)\b`)

// fieldTerms are the directories whose files are held to the terms of the glossary.
var fieldTerms = []string{
	"attacks", "benchmarks", "bitboard", "book", "cmd/crosscheck", "cmd/internal/cluster", "cmd/internal/drawing",
	"cmd/internal/engine", "cmd/internal/explorer", "docs", "epd", "examples", "internal/core", "internal/growth", "internal/lines", "internal/positions",
	"internal/quote", "internal/repository", "magic", "perft/internal/differential", "perft/internal/simd", "perft/internal/twoply", "pgn", "tools",
}

// TestWords looks for words in source files and pages for which the glossary has a term: in the files of the root, and in
// the trees of the other directories.
func TestWords(t *testing.T) {
	for _, directory := range append(fieldTerms, ".") {
		err := filepath.WalkDir(filepath.Join(root, directory), func(path string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case entry.IsDir() && (entry.Name() == "node_modules" || directory == "." && filepath.Clean(path) != filepath.Clean(root)):
				return fs.SkipDir
			case entry.IsDir() || entry.Name() == "words_test.go" || !slices.Contains([]string{".go", ".md", ".s", ".html", ".txtar"}, filepath.Ext(path)):
				return nil
			}
			number := 0
			for line := range strings.Lines(read(t, path)) {
				number++
				if word := otherWords.FindString(line); word != "" {
					t.Errorf("%s:%d: %q: %s", path, number, word, strings.TrimSpace(line))
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
