package repository

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestEngineGainsNoDependency makes a module that imports every public package of the library, builds and runs it, and holds what
// its go.mod comes to require to the library and golang.org/x/sys, and its module graph to these and what the library's tests require.
func TestEngineGainsNoDependency(t *testing.T) {
	engine := newEngineModule(t)
	engine.run("mod", "tidy")
	if out := engine.run("run", "."); out != "20\n" {
		t.Errorf("the engine finds %q moves in the start position", out)
	}
	direct, all := engine.requirements(), strings.Fields(engine.run("list", "-m", "-f", "{{.Path}}", "all"))
	if !slices.Equal(direct, []string{library, "golang.org/x/sys"}) && !slices.Equal(direct, []string{library}) {
		t.Errorf("the engine's go.mod requires %v", direct)
	}
	allowed := []string{"example.com/engine", library, "golang.org/x/sys", "github.com/dylhunn/dragontoothmg", "pgregory.net/rapid"}
	for _, path := range all {
		if !slices.Contains(allowed, path) {
			t.Errorf("the engine's module graph gains %s", path)
		}
	}
	if len(all) < 2 {
		t.Errorf("the engine's module graph is %v, without the library", all)
	}
}

// TestRequirements holds the go.mod of the library to golang.org/x/sys and, for its tests, the reference library and rapid.
func TestRequirements(t *testing.T) {
	want := []string{"github.com/dylhunn/dragontoothmg", "golang.org/x/sys", "pgregory.net/rapid"}
	if got := (engineModule{t, root}).requirements(); !slices.Equal(got, want) {
		t.Errorf("go.mod requires %v, want %v", got, want)
	}
}

// engineModule is a module in a directory of its own.
type engineModule struct {
	*testing.T
	dir string
}

// newEngineModule makes a module that has this tree in place of a published version of the library, and the library's go.sum, so
// that it needs no network.
func newEngineModule(t *testing.T) engineModule {
	t.Helper()
	tree, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
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

// requirements returns the paths of the modules that go.mod requires, sorted.
func (m engineModule) requirements() (paths []string) {
	m.Helper()
	var mod struct {
		Require []struct{ Path string }
	}
	if err := json.Unmarshal([]byte(m.run("mod", "edit", "-json")), &mod); err != nil {
		m.Fatal(err)
	}
	for _, required := range mod.Require {
		paths = append(paths, required.Path)
	}
	slices.Sort(paths)
	return paths
}

func (m engineModule) write(name, content string) {
	m.Helper()
	if err := os.WriteFile(filepath.Join(m.dir, name), []byte(content), 0o666); err != nil {
		m.Fatal(err)
	}
}

// run runs a go command in the module and returns what it prints.
func (m engineModule) run(arguments ...string) string {
	m.Helper()
	return output(m.T, goCommand(m.T, m.dir, []string{"GOFLAGS=-mod=mod", "GOWORK=off"}, arguments...))
}
