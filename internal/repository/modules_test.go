package repository

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto/internal/must"
)

// TestEngineGainsNoDependency builds and runs a module that imports every public package of the
// library. Its go.mod may require only the library and golang.org/x/sys. Its module graph may also
// contain the modules that the library's tests require, the reference library and rapid.
func TestEngineGainsNoDependency(t *testing.T) {
	engine := newEngineModule(t)
	engine.run("mod", "tidy")
	if out := engine.run("run", "."); out != "20\n" {
		t.Errorf("the engine finds %q moves in the start position", out)
	}
	ofTests := []string{"github.com/dylhunn/dragontoothmg", "pgregory.net/rapid"}
	allowed := append(ofTests, "example.com/engine", library, "golang.org/x/sys")
	mod := read(t, filepath.Join(engine.dir, "go.mod"))
	all := strings.Fields(engine.run("list", "-m", "-f", "{{.Path}}", "all"))
	for _, path := range all {
		if !slices.Contains(allowed, path) || slices.Contains(ofTests, path) && strings.Contains(mod, path) {
			t.Errorf("the engine's module graph gains %s: %s", path, mod)
		}
	}
	if len(all) < 2 {
		t.Errorf("the engine's module graph is %v, without the library", all)
	}
}

// TestFileNames holds that each file and directory can have its name on Windows, without which no
// version of the module can be published (golang.org/x/mod/zip).
func TestFileNames(t *testing.T) {
	refused := regexp.MustCompile(`(?i)^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)|[<>:"|?*\\]|[. ]$`)
	if !refused.MatchString("nul.pgn") || refused.MatchString("null.pgn") {
		t.Fatal("the pattern does not refuse what Windows refuses")
	}
	err := fs.WalkDir(os.DirFS(root), ".", func(path string, entry fs.DirEntry, err error) error {
		if entry.Name() == ".git" {
			return fs.SkipDir
		}
		if path != "." && refused.MatchString(entry.Name()) {
			t.Errorf("%s: Windows has no such name", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// engineModule is a module in a directory of its own.
type engineModule struct {
	*testing.T
	dir string
}

// newEngineModule makes a module that has this tree in place of a published version of the library,
// and the library's go.sum, so that it needs no network.
func newEngineModule(t *testing.T) engineModule {
	t.Helper()
	tree := must.Get(filepath.Abs(root))(t)
	sums := must.Get(os.ReadFile(filepath.Join(root, "go.sum")))(t)
	m := engineModule{t, t.TempDir()}
	m.write("go.mod", fmt.Sprintf("module example.com/engine\n\ngo 1.25.0\n\nreplace %s => %q\n", library, tree))
	m.write("go.sum", string(sums))
	m.write("main.go", engineProgram(t))
	return m
}

// engineProgram imports all public packages and prints how many moves the start position has.
func engineProgram(t *testing.T) string {
	var imports strings.Builder
	for _, directory := range publicPackages(t) {
		if directory == "." {
			fmt.Fprintf(&imports, "\t%q\n", library)
		} else {
			fmt.Fprintf(&imports, "\t_ %q\n", library+"/"+directory)
		}
	}
	return "package main\n\nimport (\n\t\"fmt\"\n\n" + imports.String() + `)

func main() {
	pos := fianchetto.StartPosition()
	fmt.Println(pos.CountLegal())
}
`
}

func (m engineModule) write(name, content string) {
	m.Helper()
	path := filepath.Join(m.dir, name)
	if err := cmp.Or(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(content), 0o666)); err != nil {
		m.Fatal(err)
	}
}

// run runs a go command in the module and returns what it prints.
func (m engineModule) run(arguments ...string) string {
	m.Helper()
	return output(m.T, goCommand(m.T, m.dir, []string{"GOFLAGS=-mod=mod", "GOWORK=off"}, arguments...))
}

// root is the directory of the repository.
const root = "../.."

// goCommand returns a go command to run in a directory. It builds for this machine, whatever the
// test is built for. Each of the settings, like "GOWORK=off", replaces what the environment has.
func goCommand(t *testing.T, directory string, settings []string, arguments ...string) *exec.Cmd {
	t.Helper()
	tool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("no go command: ", err)
	}
	command := exec.Command(tool, arguments...)
	command.Dir = directory
	command.Env = append(append(os.Environ(), "GOOS=", "GOARCH=", "GOFLAGS=", "GOWORK="), settings...)
	return command
}

// output runs a command and returns what it prints.
func output(t *testing.T, command *exec.Cmd) string {
	t.Helper()
	var stderr strings.Builder
	command.Stderr = &stderr
	out, err := command.Output()
	if err != nil {
		t.Fatalf("%v: %v\n%s", command.Args, err, stderr.String())
	}
	return string(out)
}
