package repository

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto/internal/must"
)

// TestEveryNameIsDocumented looks for exported names without a comment of their own: types,
// functions, methods, fields, and constants and variables, for which that of their group will do.
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
			file := must.Get(parser.ParseFile(files, name, nil, parser.ParseComments))(t)
			for _, bare := range undocumented(files, file) {
				t.Errorf("%v: %s has no comment", files.Position(bare.Pos()), bare.Name)
			}
		}
	}
}

// undocumented returns the exported names of a file without a comment. A comment above a field
// serves those on the next lines, too.
func undocumented(files *token.FileSet, file *ast.File) (bare []*ast.Ident) {
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
			if d.Recv == nil || ast.IsExported(strings.TrimPrefix(types.ExprString(d.Recv.List[0].Type), "*")) {
				look([]*ast.CommentGroup{d.Doc}, d.Name)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch s := spec.(type) {
				case *ast.TypeSpec:
					look([]*ast.CommentGroup{d.Doc, s.Doc, s.Comment}, s.Name)
					if fields, ok := s.Type.(*ast.StructType); ok && s.Name.IsExported() {
						documented := 0 // the line of the last field that has a comment
						for _, field := range fields.Fields.List {
							line := files.Position(field.Pos()).Line
							if field.Doc != nil || documented != 0 && line == documented+1 {
								documented = line
								continue
							}
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

// TestMigrationNamesExist looks up what the tables of docs/migrate.md name in the list of exported
// names.
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

// TestLinks follows the links of every page of Markdown to files and headings of this repository.
func TestLinks(t *testing.T) {
	link := regexp.MustCompile(`(?:\]\(|\bsrc(?:set)?=")([^)"\s]+)`)
	checked := 0
	for _, page := range pages(t) {
		for _, match := range link.FindAllStringSubmatch(read(t, page), -1) {
			if strings.Contains(match[1], "://") {
				continue
			}
			checked++
			target, heading, _ := strings.Cut(match[1], "#")
			file := page
			if target != "" {
				file = filepath.Join(filepath.Dir(page), target)
			}
			if _, err := os.Stat(file); err != nil {
				t.Errorf("%s links to %s: %v", page, match[1], err)
			} else if heading != "" && !slices.Contains(headings(read(t, file)), heading) {
				t.Errorf("%s links to %s, which has no such heading", page, match[1])
			}
		}
	}
	if checked < 50 {
		t.Errorf("only %d links found", checked)
	}
}

// TestOnePlace checks that the entry pages link to the site.
func TestOnePlace(t *testing.T) {
	for _, file := range []string{"README.md", "docs/README.md", "docs/magic-bitboards.md", "position.go"} {
		if !strings.Contains(read(t, filepath.Join(root, file)), "https://fianchetto-chess.github.io/fianchetto/") {
			t.Errorf("%s does not link to the site", file)
		}
	}
}

// TestIndexHasEveryPage checks that docs/README.md links to every page, and README.md to it.
func TestIndexHasEveryPage(t *testing.T) {
	index := read(t, filepath.Join(root, "docs/README.md"))
	for _, page := range pages(t) {
		directory := filepath.Join(root, "docs") + string(filepath.Separator)
		if name, found := strings.CutPrefix(page, directory); found && name != "README.md" {
			if !strings.Contains(index, "]("+filepath.ToSlash(name)+")") {
				t.Errorf("docs/README.md does not link to %s", name)
			}
		}
	}
	if !strings.Contains(read(t, filepath.Join(root, "README.md")), "](docs/README.md)") {
		t.Error("README.md does not link to the index of the documentation")
	}
}

// TestArchitectureNamesEveryPackage looks for every package of every module in
// docs/architecture.md. Its last element suffices for a package within another one.
func TestArchitectureNamesEveryPackage(t *testing.T) {
	text := read(t, filepath.Join(root, "docs/architecture.md"))
	packages := listImports(t)
	isWithin := func(directory string) bool {
		for parent := path.Dir(directory); parent != "."; parent = path.Dir(parent) {
			if _, ok := packages[parent]; ok {
				return true
			}
		}
		return false
	}
	for directory := range packages {
		named := strings.Contains(text, "`"+directory+"`")
		if !named && !(isWithin(directory) && strings.Contains(text, "`"+path.Base(directory)+"`")) {
			t.Errorf("docs/architecture.md does not name %s", directory)
		}
	}
}

// pages returns the files of Markdown in the repository.
func pages(t *testing.T) (paths []string) {
	t.Helper()
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == ".git" || entry.Name() == "node_modules"):
			return filepath.SkipDir
		case !entry.IsDir() && filepath.Ext(name) == ".md":
			paths = append(paths, name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

// headings returns the anchors of the headings of a page, as GitHub makes them.
func headings(text string) (anchors []string) {
	for _, match := range regexp.MustCompile(`(?m)^#+ (.*)$`).FindAllStringSubmatch(text, -1) {
		anchor := regexp.MustCompile(`[^\p{L}\p{N} _-]`).ReplaceAllString(strings.ToLower(match[1]), "")
		anchors = append(anchors, strings.ReplaceAll(anchor, " ", "-"))
	}
	return anchors
}

func read(t *testing.T, name string) string {
	t.Helper()
	text := must.Get(os.ReadFile(name))(t)
	return string(text)
}

// pageImports maps names of packages to their paths, for code on pages. Other names are paths of
// the standard library.
var pageImports = map[string]string{
	"rand": "math/rand/v2", "bits": "math/bits",
	"fianchetto": library, "dragontoothmg": "github.com/dylhunn/dragontoothmg",
	"attacks": library + "/attacks", "bitboard": library + "/bitboard", "book": library + "/book",
	"epd": library + "/epd", "perft": library + "/perft", "pgn": library + "/pgn", "uci": library + "/uci",
}

// programs matches the complete programs on a page, each followed by the text that it prints.
var programs = regexp.MustCompile("(?ms)^```go\n(package main\n.*?)^```\n+```text\n(.*?)^```\n")

// TestPages compiles and runs the code on pages of the documentation. A block of statements is an
// example, which prints the block of text after it, as a complete program does. Other blocks
// contain declarations. The module of the test requires the same modules as the library's tests.
func TestPages(t *testing.T) {
	m := newEngineModule(t)
	_, requirements, _ := strings.Cut(read(t, filepath.Join(root, "go.mod")), "\nrequire")
	m.write("go.mod", read(t, filepath.Join(m.dir, "go.mod"))+"\nrequire "+library+" v0.0.0\n\nrequire"+requirements)
	for _, page := range []string{"README.md", "docs/embedding.md", "docs/migrate.md", "docs/own-board.md"} {
		name := strings.ToLower(strings.TrimSuffix(path.Base(page), ".md"))
		text := read(t, filepath.Join(root, page))
		m.write(name+"/"+name+"_test.go", pageSource(programs.ReplaceAllString(text, "")))
		if first := programs.FindStringIndex(text); page == "docs/embedding.md" && (first == nil ||
			first[0] != strings.Index(text, "```") || strings.Count(programs.FindStringSubmatch(text)[1], "\n") > 25) {
			t.Errorf("%s does not begin with a complete program of at most 25 lines", page)
		}
		for i, program := range programs.FindAllStringSubmatch(text, -1) {
			directory := fmt.Sprintf("./%s-program%d", name, i)
			m.write(directory+"/main.go", program[1])
			if out := m.run("run", directory); strings.TrimSpace(out) != strings.TrimSpace(program[2]) {
				t.Errorf("%s: program %d prints\n%s\nwant\n%s", page, i, out, program[2])
			}
		}
	}
	m.write("migrate/port_test.go", read(t, "testdata/port_test.go"))
	settings := []string{"GOFLAGS=-mod=mod", "GOWORK=off"}
	if report, err := goCommand(t, m.dir, settings, "test", "./...").CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, report)
	}
}

// pageSource returns the blocks of a page as a test.
func pageSource(page string) string {
	var code strings.Builder
	blocks := regexp.MustCompile("(?ms)^```(go|text)\n(.*?)^```\n").FindAllStringSubmatch(page, -1)
	for i, block := range blocks {
		declarations := "package page\n" + block[2]
		switch _, err := parser.ParseFile(token.NewFileSet(), "", declarations, 0); {
		case block[1] == "text" && (i == 0 || blocks[i-1][1] == "text"):
			fmt.Fprintf(&code, "what prints this?\n%s\n", block[2])
		case block[1] == "text":
			output := strings.ReplaceAll(strings.TrimSpace(block[2]), "\n", "\n\t// ")
			fmt.Fprintf(&code, "\t// Output:\n\t// %s\n}\n\n", output)
		case err == nil:
			fmt.Fprintf(&code, "%s\n", block[2])
		default:
			fmt.Fprintf(&code, "func Example_block%d() {\n%s", i, block[2])
		}
	}
	var imports strings.Builder
	names := slices.AppendSeq([]string{"context", "errors", "fmt", "os", "slices", "sort", "strings", "testing", "time"},
		maps.Keys(pageImports))
	for _, name := range names {
		if regexp.MustCompile(`\b` + name + `\.[A-Z]`).MatchString(code.String()) {
			path := pageImports[name]
			if path == "" {
				path = name
			}
			fmt.Fprintf(&imports, "import %q\n", path)
		}
	}
	return "package page\n\n" + imports.String() + "\n" + code.String()
}
