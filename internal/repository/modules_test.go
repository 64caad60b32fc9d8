package repository

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestEngineGainsNoDependency makes a module that imports every public package of the library, builds and runs it, and
// holds what its go.mod comes to require to the library and golang.org/x/sys, and its module graph to these and what
// the library's tests require.
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
	allowed := []string{"example.com/engine", library, "golang.org/x/sys", "github.com/dylhunn/dragontoothmg",
		"pgregory.net/rapid"}
	for _, path := range all {
		if !slices.Contains(allowed, path) {
			t.Errorf("the engine's module graph gains %s", path)
		}
	}
	if len(all) < 2 {
		t.Errorf("the engine's module graph is %v, without the library", all)
	}
}

// TestRequirements holds the go.mod of the library to golang.org/x/sys and, for its tests, the reference library and
// rapid.
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

// newEngineModule makes a module that has this tree in place of a published version of the library, and the library's
// go.sum, so that it needs no network.
func newEngineModule(t *testing.T) engineModule {
	t.Helper()
	tree := must(filepath.Abs(root))(t)
	sums := must(os.ReadFile(filepath.Join(root, "go.sum")))(t)
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
	if err := os.MkdirAll(filepath.Dir(filepath.Join(m.dir, name)), 0o777); err != nil {
		m.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(m.dir, name), []byte(content), 0o666); err != nil {
		m.Fatal(err)
	}
}

// run runs a go command in the module and returns what it prints.
func (m engineModule) run(arguments ...string) string {
	m.Helper()
	return output(m.T, goCommand(m.T, m.dir, []string{"GOFLAGS=-mod=mod", "GOWORK=off"}, arguments...))
}

// TestInstall installs both commands as a user does, from a proxy that has the library's and the commands' module, made
// of the files that are under version control, at the version that the changelog begins with. The commands then print
// that version.
func TestInstall(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the command and all it imports")
	}
	version := newestVersion(t)
	dir := t.TempDir()
	publish(t, filepath.Join(dir, "proxy"), version, library, root)
	if zip, err := os.Stat(filepath.Join(dir, "proxy", filepath.FromSlash(library), "@v", version+".zip")); err != nil {
		t.Error(err)
	} else if zip.Size() > 800e3 {
		t.Errorf("the zip that engines download has %d bytes, want at most 800,000", zip.Size())
	}
	publish(t, filepath.Join(dir, "proxy"), version, library+"/cmd", filepath.Join(root, "cmd"))

	cache := strings.TrimSpace(output(t, goCommand(t, root, nil, "env", "GOMODCACHE")))
	upstream := strings.TrimSpace(output(t, goCommand(t, root, nil, "env", "GOPROXY")))
	output(t, goCommand(t, dir, []string{
		// What the build of the command has downloaded, and checked against go.sum, need not be downloaded again.
		"GOPROXY=" + fileURL(filepath.Join(dir, "proxy")) + "," + fileURL(filepath.Join(cache, "cache",
			"download")) + "," + upstream,
		"GOSUMDB=off",
		"GOMODCACHE=" + filepath.Join(dir, "modules"),
		"GOFLAGS=-modcacherw -trimpath", // with -trimpath, what is compiled can be used again in another directory
		"GOBIN=" + filepath.Join(dir, "bin"),
	}, "install", library+"/cmd/fianchetto@"+version, library+"/cmd/fianchetto-cluster@"+version))
	for _, command := range []string{"fianchetto", "fianchetto-cluster"} {
		printed := output(t, exec.Command(filepath.Join(dir, "bin", command), "version"))
		if first, _, _ := strings.Cut(printed, "\n"); first != command+" "+version {
			t.Errorf("the installed command prints %q, not version %s of %s", first, version, command)
		}
	}
	// A method that is called by a name that is found at run time, as templates do, has the linker keep all methods: 4
	// MB.
	const most = 15e6
	if info, err := os.Stat(filepath.Join(dir, "bin", "fianchetto")); err != nil {
		t.Error(err)
	} else if info.Size() > most {
		t.Errorf("fianchetto has %d bytes, want at most %.0f", info.Size(), most)
	}
	// The one starts the other, which is beside it.
	status := output(t, exec.Command(filepath.Join(dir, "bin", "fianchetto"), "status", "--help"))
	if !strings.Contains(status, "fianchetto-cluster status") {
		t.Errorf("fianchetto status --help prints %q", status)
	}
}

// newestVersion returns the version of the changelog's first section.
func newestVersion(t *testing.T) string {
	t.Helper()
	changelog := must(os.ReadFile(filepath.Join(root, "CHANGELOG.md")))(t)
	match := regexp.MustCompile(`(?m)^## \[(\d+\.\d+\.\d+)\] - (unreleased|\d{4}-\d\d-\d\d)$`).FindSubmatch(changelog)
	if match == nil {
		t.Fatal("the changelog has no section of a version")
	}
	return "v" + string(match[1])
}

// publishedFiles returns the files of the module in a directory, as paths with slashes: those under version control,
// but for the modules within it, which are modules of their own.
func publishedFiles(t *testing.T, dir string) (files []string) {
	t.Helper()
	list := exec.Command("git", "ls-files", "-z")
	list.Dir = dir
	out, err := list.Output()
	if err != nil {
		t.Skip("git does not list the files of the module: ", err)
	}
	all := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	var nested []string
	for _, file := range all {
		if inner, found := strings.CutSuffix(file, "/go.mod"); found {
			nested = append(nested, inner+"/")
		}
	}
	for _, file := range all {
		inner := slices.ContainsFunc(nested, func(dir string) bool { return strings.HasPrefix(file, dir) })
		if _, err := os.Stat(filepath.Join(dir, file)); err == nil && !inner {
			files = append(files, file)
		}
	}
	return files
}

// publish adds a version of the module in a directory to a module proxy, which is a directory, too.
// Source: https://go.dev/ref/mod#goproxy-protocol
func publish(t *testing.T, proxy, version, module, source string) {
	t.Helper()
	var archive bytes.Buffer
	writer := zip.NewWriter(&archive)
	for _, file := range publishedFiles(t, source) {
		content := must(os.ReadFile(filepath.Join(source, file)))(t)
		entry := must(writer.Create(module + "@" + version + "/" + file))(t)
		if _, err := entry.Write(content); err != nil {
			t.Fatal(err)
		}
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	mod := must(os.ReadFile(filepath.Join(source, "go.mod")))(t)
	dir := filepath.Join(proxy, filepath.FromSlash(module), "@v")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{
		"list":            []byte(version + "\n"),
		version + ".info": fmt.Appendf(nil, `{"Version": %q}`, version),
		version + ".mod":  mod,
		version + ".zip":  archive.Bytes(),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// fileURL returns a directory as GOPROXY takes it.
func fileURL(dir string) string { return "file:///" + strings.TrimPrefix(filepath.ToSlash(dir), "/") }

// root is the directory of the repository.
const root = "../.."

// goCommand returns a go command to run in a directory. It builds for this machine, whatever the test is built for.
// Each of the settings, like "GOWORK=off", replaces what the environment has.
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

// must returns the value of a call that must succeed.
func must[T any](value T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}
