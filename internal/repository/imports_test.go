package repository

import (
	"slices"
	"strings"
	"testing"
)

// library is the path of the library's module. The paths of the other modules of the repository begin with it.
const library = "github.com/fianchetto-chess/fianchetto"

// layers are the packages of all modules from the lowest to the highest, by their directories. Each may import those before it
// and, of this repository, no others.
var layers = []string{
	"internal/repository", "internal/quote", "internal/lines", "internal/debug", "internal/goamd64", "internal/growth",
	"internal/suites",
	"bitboard", "magic", "magic/internal/magicgen", "attacks",
	"internal/core", "perft/internal/twoply", "perft/internal/simd",
	".", "epd", "pgn", "book", "perft", "examples/engine",
	"internal/oracle", "internal/positions", "perft/internal/differential", "tools/apilist", "tools/asm", "tools/goamd64", "tools/suitegen", "benchmarks",
	"cmd/internal/suite", "cmd/crosscheck", "cmd/internal/figures", "cmd/internal/drawing",
	"cmd/internal/rules", "cmd/internal/engine", "cmd/internal/compare", "cmd/internal/mutant",
	"cmd/internal/explorer", "cmd/internal/explorer/browser",
	"cmd/internal/explorer/page", "cmd/internal/explorer/serve", "cmd/internal/explorer/site",
	"cmd/internal/cluster/job", "cmd/internal/cluster/journal", "cmd/internal/cluster/queue",
	"cmd/internal/cluster/worker", "cmd/internal/cluster/coordinator", "cmd/internal/cluster/monitor",
	"cmd/fianchetto/internal/exit", "cmd/fianchetto/internal/terminal", "cmd/fianchetto/internal/progress",
	"cmd/fianchetto/internal/divide", "cmd/fianchetto/internal/cli",
	"cmd/fianchetto/internal/input", "cmd/fianchetto/internal/junit",
	"cmd/fianchetto/internal/command/perft", "cmd/fianchetto/internal/command/suite", "cmd/fianchetto/internal/command/compare",
	"cmd/fianchetto/internal/command/moves", "cmd/fianchetto/internal/command/show", "cmd/fianchetto/internal/command/explore",
	"cmd/fianchetto/internal/command/magic", "cmd/fianchetto/internal/command/cluster", "cmd/fianchetto/internal/command/uci",
	"cmd/fianchetto", "cmd/fianchetto/internal/cli/clitest",
}

// subcommands is where the packages of the command's subcommands are, which do not import one another.
const subcommands = "cmd/fianchetto/internal/command/"

// coreUsers are the packages outside the library's module that know the layout of its hot core.
var coreUsers = []string{"cmd/internal/cluster/job"}

// independent are the packages that decide what is right, so that what is tested against them must not share a mistake with them.
var independent = []string{"internal/oracle", "internal/positions"}

// sharedPackages are the internal packages of the library that the command imports, too.
var sharedPackages = []string{"internal/quote", "internal/lines", "internal/suites"}

// buildPackage describes the build of a program, for the programs of all modules.
const buildPackage = "internal/goamd64"

// referenceUsers are the packages that import the reference library, whose licence (GPL-3) is another.
var referenceUsers = []string{"benchmarks", "cmd/crosscheck"}

// TestImports holds every package of every module to the order of the layers, the library to the standard library and
// golang.org/x/sys, and what is outside the library to its public packages.
func TestImports(t *testing.T) {
	packages := listImports(t)
	for _, layer := range layers {
		if _, found := packages[layer]; !found {
			t.Errorf("there is no package %s: drop it from the layers", layer)
		}
	}
	for directory, imports := range packages {
		place := slices.Index(layers, directory)
		if place < 0 {
			t.Errorf("%s has no place among the layers", directory)
			continue
		}
		for _, imported := range imports {
			if below, ok := directoryOf(imported); !ok {
				checkForeign(t, directory, imported)
			} else if !slices.Contains(layers[:place], below) {
				t.Errorf("%s imports %s, which is not below it", directory, below)
			} else {
				checkInternal(t, directory, below)
			}
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

// checkInternal checks an import from within the repository for what the compiler allows by the path alone: that other modules, and
// the examples, import internal packages of the library, and that subcommands import one another. The oracle may be imported to check
// against.
func checkInternal(t *testing.T, directory, imported string) {
	switch {
	case strings.HasPrefix(directory, subcommands) && strings.HasPrefix(imported, subcommands):
		t.Errorf("%s imports %s, another subcommand", directory, imported)
	case slices.Contains(independent, directory) && imported != "bitboard" && imported != "internal/oracle":
		t.Errorf("%s imports %s, so that both may share a mistake", directory, imported)
	case inLibrary(directory) && !strings.HasPrefix(directory, "examples/"), !inLibrary(imported), !isInternal(imported):
	case imported == "internal/oracle" && !strings.HasPrefix(directory, "examples/"):
	case imported == buildPackage && !strings.HasPrefix(directory, "examples/"):
	case slices.Contains(sharedPackages, imported) && strings.HasPrefix(directory, "cmd/"):
	case imported == "internal/core" && slices.Contains(coreUsers, directory):
	default:
		t.Errorf("%s imports %s, which is internal to the library", directory, imported)
	}
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

func isInternal(directory string) bool { return strings.Contains("/"+directory+"/", "/internal/") }

// directoryOf returns the directory of an imported package, if it belongs to this repository.
func directoryOf(imported string) (directory string, ok bool) {
	if imported == library {
		return ".", true
	}
	return strings.CutPrefix(imported, library+"/")
}

// listImports returns what each package of each module imports outside of its tests, by the directory of the package.
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
