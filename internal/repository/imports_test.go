package repository

import (
	"slices"
	"strings"
	"testing"
)

// library is the path of the library's module. The paths of the other modules of the repository
// begin with it.
const library = "github.com/fianchetto-chess/fianchetto"

// The compiler refuses cycles, and packages below an internal directory outside its parent. What it
// cannot know:
var (
	// independent packages decide what is right, so that they must not share a mistake with what is
	// tested against them.
	independent = []string{"internal/oracle", "internal/positions"}

	// referenceUsers import the reference library, whose licence (GPL-3) is another.
	referenceUsers = []string{"benchmarks", "benchmarks/search/dragontooth", "cmd/crosscheck"}

	// shared are the internal packages of the library that programs of other modules import, each
	// with the beginnings of their directories.
	shared = map[string][]string{
		"internal/oracle":  {"cmd/", "tools/", "benchmarks"},
		"internal/goamd64": {"cmd/", "tools/", "benchmarks"},
		"internal/quote":   {"cmd/"}, "internal/lines": {"cmd/"}, "internal/pattern": {"cmd/"},
		"internal/sliders": {"cmd/", "benchmarks"},
		"internal/suites":  {"cmd/", "benchmarks"}, "internal/suites/occupancies": {"cmd/"},
		"internal/core": {"cmd/fianchetto-cluster/internal/job"}, "internal/parallel": {"cmd/fianchetto-cluster/internal/job"},
		"internal/census": {"cmd/"}, "internal/must": {"cmd/"},
	}
)

// TestImports holds the library to the standard library and golang.org/x/sys, its packages above
// the root to the root, and what is outside the library to its public packages and those that it
// shares.
func TestImports(t *testing.T) {
	for directory, imports := range listImports(t) {
		for _, imported := range imports {
			if below, ok := directoryOf(imported); !ok {
				checkForeign(t, directory, imported)
			} else if fault := importFault(directory, below); fault != "" {
				t.Errorf("%s imports %s, %s", directory, below, fault)
			}
		}
	}
}

// TestEngineIsSmall keeps regular expressions and the starting of programs, which add half a megabyte
// to an engine, out of the packages that engines import.
func TestEngineIsSmall(t *testing.T) {
	list := goCommand(t, root, nil, "list", "-deps", "./uci", "./book", "./epd", "./pgn", "./examples/engine")
	for imported := range strings.Lines(output(t, list)) {
		if name := strings.TrimSpace(imported); name == "regexp" || name == "os/exec" {
			t.Errorf("an engine imports %s", name)
		}
	}
}

// checkForeign checks an import from outside the repository.
func checkForeign(t *testing.T, directory, imported string) {
	first, _, _ := strings.Cut(imported, "/")
	switch {
	case !strings.Contains(first, "."): // the standard library
	case strings.Contains(imported, "dragontoothmg"):
		if !slices.Contains(referenceUsers, directory) {
			t.Errorf("%s imports the reference library", directory)
		}
	case inLibrary(directory) && !strings.HasPrefix(imported, "golang.org/x/sys/"):
		t.Errorf("%s imports %s, from outside the standard library", directory, imported)
	}
}

// importFault returns what forbids an import within the repository, "" if nothing does.
func importFault(directory, imported string) string {
	beginsIn := func(prefixes []string, path string) bool {
		return slices.ContainsFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(path, prefix) })
	}
	switch {
	case slices.Contains(independent, directory) && imported != "bitboard" && imported != "internal/oracle":
		return "so that both may share a mistake"
	case inLibrary(directory) && !inLibrary(imported):
		return "which is outside the library"
	case isPublic(directory) && slices.Contains(independent, imported):
		return "which is for tests"
	case strings.HasPrefix(directory, "examples/") && isInternal(imported):
		return "which engines cannot import"
	case !inLibrary(directory) && inLibrary(imported) && isInternal(imported) && !beginsIn(shared[imported], directory):
		return "which is internal to the library"
	}
	return ""
}

// inLibrary reports whether a directory belongs to the library's module.
func inLibrary(directory string) bool {
	first, _, _ := strings.Cut(directory, "/")
	return !slices.Contains([]string{"benchmarks", "cmd", "tools"}, first)
}

// isPublic reports whether a directory has a package of the library that others can import.
func isPublic(directory string) bool {
	return inLibrary(directory) && !isInternal(directory) && !strings.HasPrefix(directory, "examples/")
}

// publicPackages returns the directories of the packages that others can import, sorted.
func publicPackages(t *testing.T) (directories []string) {
	t.Helper()
	for directory := range listImports(t) {
		if isPublic(directory) {
			directories = append(directories, directory)
		}
	}
	slices.Sort(directories)
	return directories
}

func isInternal(directory string) bool { return strings.Contains("/"+directory+"/", "/internal/") }

// directoryOf returns the directory of an imported package, if it belongs to this repository.
func directoryOf(imported string) (directory string, ok bool) {
	if imported == library {
		return ".", true
	}
	return strings.CutPrefix(imported, library+"/")
}

// listImports returns what each package of each module imports outside of its tests, by the
// directory of the package.
func listImports(t *testing.T) map[string][]string {
	t.Helper()
	list := goCommand(t, root, nil, "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "work")
	packages := make(map[string][]string)
	for line := range strings.Lines(output(t, list)) {
		fields := strings.Fields(line)
		directory, _ := directoryOf(fields[0])
		packages[directory] = fields[1:]
	}
	return packages
}
