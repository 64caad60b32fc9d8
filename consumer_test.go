package fianchetto_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestEngineGainsNoDependency makes a module outside of this one that imports every public package of the library,
// builds and runs it, and holds what its go.mod comes to require to this module and golang.org/x/sys, and its module graph to
// these and what the tests of the library require.
func TestEngineGainsNoDependency(t *testing.T) {
	engine := newEngineModule(t)
	engine.run("mod", "tidy")
	if out := engine.run("run", "."); out != "20\n" {
		t.Errorf("the engine finds %q moves in the start position", out)
	}
	direct, all := engine.requirements(), strings.Fields(engine.run("list", "-m", "-f", "{{.Path}}", "all"))
	if !slices.Equal(direct, []string{module, "golang.org/x/sys"}) && !slices.Equal(direct, []string{module}) {
		t.Errorf("the engine's go.mod requires %v", direct)
	}
	allowed := []string{"example.com/engine", module, "golang.org/x/sys", "github.com/dylhunn/dragontoothmg", "pgregory.net/rapid"}
	for _, path := range all {
		if !slices.Contains(allowed, path) {
			t.Errorf("the engine's module graph gains %s", path)
		}
	}
	if len(all) < 2 {
		t.Errorf("the engine's module graph is %v, without this module", all)
	}
}

// TestRequirements holds the go.mod of the library to golang.org/x/sys and, for its tests, the reference library and rapid.
func TestRequirements(t *testing.T) {
	want := []string{"github.com/dylhunn/dragontoothmg", "golang.org/x/sys", "pgregory.net/rapid"}
	if got := (engineModule{t, "."}).requirements(); !slices.Equal(got, want) {
		t.Errorf("go.mod requires %v, want %v", got, want)
	}
}

// engineModule is a module in a directory of its own.
type engineModule struct {
	*testing.T
	dir string
}

// newEngineModule makes a module that has this module's tree in place of a published version. With the sums of this
// module it needs to ask nobody for them.
func newEngineModule(t *testing.T) engineModule {
	t.Helper()
	tree, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile("go.sum")
	if err != nil {
		t.Fatal(err)
	}
	m := engineModule{t, t.TempDir()}
	m.write("go.mod", fmt.Sprintf("module example.com/engine\n\ngo 1.25.0\n\nreplace %s => %q\n", module, tree))
	m.write("go.sum", string(sums))
	m.write("main.go", engineProgram())
	return m
}

// engineProgram imports all public packages and tells how many moves the start position has.
func engineProgram() string {
	var imports strings.Builder
	for _, layer := range layers {
		switch {
		case layer == ".":
			fmt.Fprintf(&imports, "\t%q\n", module)
		case !strings.Contains("/"+layer, "/internal/"):
			fmt.Fprintf(&imports, "\t_ %q\n", module+"/"+layer)
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

// run runs a go command in the module, for this machine whatever the test is built for, and returns what it prints.
func (m engineModule) run(arguments ...string) string {
	m.Helper()
	command := exec.Command(goTool(m.T), arguments...)
	command.Dir = m.dir
	command.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off", "GOOS=", "GOARCH=")
	var stderr strings.Builder
	command.Stderr = &stderr
	out, err := command.Output()
	if err != nil {
		m.Fatalf("go %s: %v\n%s", strings.Join(arguments, " "), err, stderr.String())
	}
	return string(out)
}
