package repository

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/dylhunn/dragontoothmg"

	"github.com/fianchetto-chess/fianchetto"
)

// TestPagesAreTested holds the code on pages of the documentation to files of examples, which run: block by block, in order, the
// bodies of the examples, each followed by what it prints, and the functions that they call.
func TestPagesAreTested(t *testing.T) {
	for page, examples := range map[string]string{"README.md": "readme_test.go", "docs/embedding.md": "guide_test.go", "docs/migrate.md": "migrate_test.go"} {
		text, err := os.ReadFile(filepath.Join(root, page))
		if err != nil {
			t.Fatal(err)
		}
		want := testedBlocks(t, examples)
		got := regexp.MustCompile("(?ms)^```(?:go|text)\n.*?^```\n").FindAllString(string(text), -1)
		for i, block := range want {
			if i >= len(got) {
				t.Fatalf("%s lacks\n%s", page, block)
			}
			if got[i] != block {
				t.Fatalf("%s has\n%swhere the tests have\n%s", page, got[i], block)
			}
		}
		if len(got) > len(want) {
			t.Errorf("%s: no test has\n%s", page, got[len(want)])
		}
	}
}

// testedBlocks returns the functions and types of a file of examples as blocks of Markdown.
func testedBlocks(t *testing.T, name string) (blocks []string) {
	t.Helper()
	source, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, name, source, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	text := func(from, to token.Pos) string {
		return string(source[files.Position(from).Offset:files.Position(to).Offset])
	}
	for _, declaration := range file.Decls {
		if types, ok := declaration.(*ast.GenDecl); ok && types.Tok == token.TYPE {
			blocks = append(blocks, "```go\n"+text(types.Doc.Pos(), types.End())+"\n```\n")
		}
		function, ok := declaration.(*ast.FuncDecl)
		switch {
		case !ok:
		case strings.HasPrefix(function.Name.Name, "Example"):
			body := text(function.Body.Lbrace+1, function.Body.Rbrace)
			code, output, _ := strings.Cut(body, "\t// Output:")
			blocks = append(blocks, "```go\n"+unindented(t, code)+"```\n", "```text\n"+uncommented(output)+"```\n")
		default:
			from := function.Pos()
			if function.Doc != nil {
				from = function.Doc.Pos()
			}
			blocks = append(blocks, "```go\n"+text(from, function.End())+"\n```\n")
		}
	}
	return blocks
}

// unindented returns the statements of a function as they look outside of it.
func unindented(t *testing.T, statements string) string {
	t.Helper()
	code, err := format.Source([]byte(strings.TrimSpace(statements)))
	if err != nil {
		t.Fatal(err)
	}
	return string(bytes.TrimSpace(code)) + "\n"
}

// uncommented returns what an example prints.
func uncommented(output string) string {
	output = strings.TrimSpace(strings.ReplaceAll("\n"+output, "\n\t// ", "\n"))
	return output + "\n"
}

// TestEveryNameIsDocumented looks for exported names without a comment of their own: types, functions, methods, fields, and
// constants and variables, for which that of their group will do.
func TestEveryNameIsDocumented(t *testing.T) {
	for _, layer := range publicPackages(t) {
		files := token.NewFileSet()
		names, err := filepath.Glob(filepath.Join(root, layer, "*.go"))
		if err != nil || len(names) == 0 {
			t.Fatalf("%s: %d files, %v", layer, len(names), err)
		}
		for _, name := range names {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			file, err := parser.ParseFile(files, name, nil, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			for _, bare := range undocumented(file) {
				t.Errorf("%v: %s has no comment", files.Position(bare.Pos()), bare.Name)
			}
		}
	}
}

// undocumented returns the exported names of a file without a comment.
func undocumented(file *ast.File) (bare []*ast.Ident) {
	look := func(comments []*ast.CommentGroup, names ...*ast.Ident) {
		for _, comment := range comments {
			if comment.Text() != "" {
				return
			}
		}
		for _, name := range names {
			if name.IsExported() {
				bare = append(bare, name)
			}
		}
	}
	for _, declaration := range file.Decls {
		switch d := declaration.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil || ast.IsExported(receiver(d)) {
				look([]*ast.CommentGroup{d.Doc}, d.Name)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch s := spec.(type) {
				case *ast.TypeSpec:
					look([]*ast.CommentGroup{d.Doc, s.Doc, s.Comment}, s.Name)
					if fields, ok := s.Type.(*ast.StructType); ok && s.Name.IsExported() {
						for _, field := range fields.Fields.List {
							look([]*ast.CommentGroup{field.Doc, field.Comment}, field.Names...)
						}
					}
				case *ast.ValueSpec:
					look([]*ast.CommentGroup{d.Doc, s.Doc, s.Comment}, s.Names...)
				}
			}
		}
	}
	return bare
}

// receiver returns the name of the type that a method is of.
func receiver(method *ast.FuncDecl) string {
	t := method.Recv.List[0].Type
	if pointer, ok := t.(*ast.StarExpr); ok {
		t = pointer.X
	}
	if name, ok := t.(*ast.Ident); ok {
		return name.Name
	}
	return ""
}

// TestPortAgrees compares the scores of the search on docs/migrate.md before and after the port, and counts allocations.
func TestPortAgrees(t *testing.T) {
	plies := make([]node, 8)
	for _, fen := range []string{
		fianchetto.StartFEN,
		"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
		"r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
		"6k1/5ppp/8/8/8/8/8/Q3K2R w K - 0 1",
		"7k/5Q2/8/8/8/8/8/4K3 b - - 0 1",
	} {
		for depth := range 4 {
			board := dragontoothmg.ParseFen(fen)
			plies[0].pos = fianchetto.MustParseFEN(fen)
			want := searchBefore(&board, -2000, 2000, depth)
			if got := searchAfter(plies, -2000, 2000, depth); got != want {
				t.Errorf("%s to depth %d: %d, before the port %d", fen, depth, got, want)
			}
			if n := testing.AllocsPerRun(1, func() { searchAfter(plies, -2000, 2000, depth) }); n != 0 {
				t.Errorf("%s to depth %d allocates %v times", fen, depth, n)
			}
		}
	}
}

// TestMigrationNamesExist looks up what the tables of docs/migrate.md name in the list of exported names.
func TestMigrationNamesExist(t *testing.T) {
	exported := read(t, filepath.Join(root, "api/v0.1.txt"))
	checked := 0
	for line := range strings.Lines(read(t, filepath.Join(root, "docs/migrate.md"))) {
		cells := strings.Split(line, " | ")
		if !strings.HasPrefix(line, "| ") || len(cells) < 2 {
			continue
		}
		for _, code := range regexp.MustCompile("`[^`]+`").FindAllString(cells[1], -1) {
			for _, name := range regexp.MustCompile(`\b[A-Z]\w+`).FindAllString(code, -1) {
				checked++
				if !regexp.MustCompile(`\b` + name + `\b`).MatchString(exported) {
					t.Errorf("nothing exported is called %s, in %s", name, line)
				}
			}
		}
	}
	if checked < 100 {
		t.Errorf("only %d names were checked", checked)
	}
}
