package repository

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto/internal/must"
)

// source is what the tests of maps know of the code.
type source struct {
	names map[string]map[string]bool // directories of the identifiers in Go files
	files map[string]bool            // names of files and directories
	words string                     // of all identifiers but in tests, in lower case, camel case split
}

// readSource reads all Go files of the repository.
func readSource(t *testing.T) *source {
	t.Helper()
	code := &source{names: map[string]map[string]bool{}, files: map[string]bool{}}
	var words strings.Builder
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() && (entry.Name() == ".git" || entry.Name() == "node_modules") {
			return filepath.SkipDir
		}
		code.files[entry.Name()] = true
		if filepath.Ext(name) != ".go" {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			return err
		}
		directory := filepath.ToSlash(must.Get(filepath.Rel(root, filepath.Dir(name)))(t))
		ast.Inspect(file, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				if code.names[id.Name] == nil {
					code.names[id.Name] = map[string]bool{}
				}
				code.names[id.Name][directory] = true
				if !strings.HasSuffix(name, "_test.go") {
					words.WriteString(plainWords(id.Name))
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	code.words = words.String()
	return code
}

// plainWords returns the words of a text in lower case with single spaces around them. It splits
// camel case: "checkMask" becomes "check mask".
func plainWords(text string) string {
	text = regexp.MustCompile(`([a-z0-9])([A-Z])`).ReplaceAllString(text, "$1 $2")
	return " " + strings.Join(regexp.MustCompile(`[A-Za-z0-9]+`).FindAllString(strings.ToLower(text), -1), " ") + " "
}

// exists reports whether a name in backticks is a file, a package or an identifier of the code.
// Text that is none of these, such as a command with arguments, counts as existing.
func (code *source) exists(text string) bool {
	if regexp.MustCompile(`^[\w.-]+(/[\w.-]+)+/?$`).MatchString(text) {
		_, err := os.Stat(filepath.Join(root, text))
		return err == nil || strings.Contains(strings.Split(text, "/")[0], ".") // another module, such as golang.org/x/sys
	}
	if !regexp.MustCompile(`^[A-Za-z_][\w.]*$`).MatchString(text) || code.files[text] {
		return true
	}
	for _, part := range strings.Split(text, ".") {
		if code.names[part] == nil && !code.files[part] {
			return false
		}
	}
	return true
}

var backticks = regexp.MustCompile("`([^`\n]+)`")

// prose returns a page without its blocks of code.
func prose(t *testing.T, page string) string {
	return regexp.MustCompile("(?ms)^```.*?^```$").ReplaceAllString(read(t, filepath.Join(root, page)), "")
}

// TestMapIsTrue looks up the paths and identifiers in backticks of docs/architecture.md and
// docs/find-the-bug.md. On the latter page only the identifiers after "Here" are ours; they are
// functions or fields of internal/core or the root.
func TestMapIsTrue(t *testing.T) {
	code := readSource(t)
	checked := 0
	look := func(text string, exists func(string) bool) {
		for _, match := range backticks.FindAllStringSubmatch(text, -1) {
			if checked++; !exists(match[1]) {
				t.Errorf("`%s` is not in the repository", match[1])
			}
		}
	}
	look(prose(t, "docs/architecture.md"), code.exists)
	page := prose(t, "docs/find-the-bug.md")
	look(page, func(text string) bool { return !strings.Contains(text, "/") || code.exists(text) })
	for _, here := range regexp.MustCompile(`(?s)\*\*Here\*\*.*?(\n\n|\*\*)`).FindAllString(page, -1) {
		look(here, func(text string) bool {
			return strings.Contains(text, "/") || code.names[text]["internal/core"] || code.names[text]["."]
		})
	}
	if checked < 200 {
		t.Errorf("only %d names found", checked)
	}
}

// repeating are the directories that write rules out again.
var repeating = []string{".", "internal/census", "perft/internal/twoply", "perft/internal/simd", "tools/asm"}

// TestTableOfRules looks up the functions in the table of rules in docs/architecture.md. The second
// column names functions of internal/core or, after "fianchetto.", of the root, the third those
// that repeat the rule, the fourth those of internal/oracle, and the last tests.
func TestTableOfRules(t *testing.T) {
	code := readSource(t)
	_, table, _ := strings.Cut(read(t, filepath.Join(root, "docs/architecture.md")), "\n| rule |")
	table, _, _ = strings.Cut(table, "\n\n")
	rows := strings.Split(table, "\n")[2:]
	for _, row := range rows {
		cells := strings.Split(strings.Trim(row, "| "), " | ")
		for i, directories := range [][]string{1: {"internal/core"}, 2: repeating, 3: {"internal/oracle"}, 4: nil} {
			found := backticks.FindAllStringSubmatch(cells[i], -1)
			if i != 0 && i != 2 && len(found) == 0 {
				t.Errorf("%s: column %d names no function", cells[0], i+1)
			}
			for _, match := range found {
				name, where := match[1], directories
				if inRoot, ok := strings.CutPrefix(name, "fianchetto."); ok {
					name, where = inRoot, []string{"."}
				}
				isThere := func(directory string) bool { return code.names[name][directory] }
				if code.names[name] == nil || where != nil && !slices.ContainsFunc(where, isThere) ||
					where == nil && !strings.HasPrefix(name, "Test") {
					t.Errorf("%s: there is no function %s in %v", cells[0], name, where)
				}
			}
		}
	}
	if len(rows) < 11 {
		t.Errorf("%d rules, want 11", len(rows))
	}
}

// TestGlossaryWordsAreUsed looks for each term of docs/glossary.md in the names of the code.
func TestGlossaryWordsAreUsed(t *testing.T) {
	code := readSource(t)
	terms := 0
	for line := range strings.Lines(prose(t, "docs/glossary.md")) {
		cells := strings.Split(strings.TrimPrefix(line, "| "), " | ")
		if !strings.HasPrefix(line, "| ") || cells[0] == "term" {
			continue
		}
		for _, term := range regexp.MustCompile(`, (?:\w+ )?or |, `).Split(regexp.MustCompile(`\([^)]*\)`).ReplaceAllString(cells[0], ""), -1) {
			terms++
			if !strings.Contains(code.words, strings.TrimSuffix(plainWords(term), " ")) {
				t.Errorf("no name in the code contains the term %q", term)
			}
		}
	}
	if terms < 60 {
		t.Errorf("only %d terms found", terms)
	}
}
