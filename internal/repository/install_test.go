package repository

import (
	"archive/zip"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestInstall installs both commands as a user does, from a proxy that has the library's and the commands' module, made of the files
// that are under version control, at the version that the changelog begins with. The commands then print that version.
func TestInstall(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the command and all it imports")
	}
	version := newestVersion(t)
	dir := t.TempDir()
	publish(t, filepath.Join(dir, "proxy"), version, library, root)
	publish(t, filepath.Join(dir, "proxy"), version, library+"/cmd", filepath.Join(root, "cmd"))

	cache := strings.TrimSpace(output(t, goCommand(t, root, nil, "env", "GOMODCACHE")))
	upstream := strings.TrimSpace(output(t, goCommand(t, root, nil, "env", "GOPROXY")))
	output(t, goCommand(t, dir, []string{
		// What the build of the command has downloaded, and checked against go.sum, need not be downloaded again.
		"GOPROXY=" + fileURL(filepath.Join(dir, "proxy")) + "," + fileURL(filepath.Join(cache, "cache", "download")) + "," + upstream,
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
	// A method that is called by a name that is found at run time, as templates do, has the linker keep all methods: 4 MB.
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
	changelog, err := os.ReadFile(filepath.Join(root, "CHANGELOG.md"))
	if err != nil {
		t.Fatal(err)
	}
	match := regexp.MustCompile(`(?m)^## \[(\d+\.\d+\.\d+)\] - (unreleased|\d{4}-\d\d-\d\d)$`).FindSubmatch(changelog)
	if match == nil {
		t.Fatal("the changelog has no section of a version")
	}
	return "v" + string(match[1])
}

// publishedFiles returns the files of the module in a directory, as paths with slashes: those under version control, but for
// the modules within it, which are modules of their own.
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
		content, err := os.ReadFile(filepath.Join(source, file))
		if err != nil {
			t.Fatal(err)
		}
		entry, err := writer.Create(module + "@" + version + "/" + file)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := entry.Write(content); err != nil {
			t.Fatal(err)
		}
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile(filepath.Join(source, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
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
