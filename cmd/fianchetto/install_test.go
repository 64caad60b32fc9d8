package main

import (
	"archive/zip"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const modulePath = "github.com/fianchetto-chess/fianchetto"

// TestInstall installs the command as a user does, from a proxy that has the version that the changelog begins with, made of
// the files that are under version control. The command then tells that version.
func TestInstall(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the command and all it imports")
	}
	version := newestVersion(t)
	files := publishedFiles(t)
	dir := t.TempDir()
	publish(t, filepath.Join(dir, "proxy"), version, files)

	cache := strings.TrimSpace(output(t, exec.Command("go", "env", "GOMODCACHE")))
	upstream := strings.TrimSpace(output(t, exec.Command("go", "env", "GOPROXY")))
	install := exec.Command("go", "install", modulePath+"/cmd/fianchetto@"+version)
	install.Dir = dir
	install.Env = append(os.Environ(), "GOOS=", "GOARCH=",
		// What the build of this test has downloaded, and checked against go.sum, is there to be had once more.
		"GOPROXY="+fileURL(filepath.Join(dir, "proxy"))+","+fileURL(filepath.Join(cache, "cache", "download"))+","+upstream,
		"GOSUMDB=off",
		"GOMODCACHE="+filepath.Join(dir, "modules"),
		"GOFLAGS=-modcacherw -trimpath", // what is compiled can be used again, though the modules are elsewhere next time
		"GOBIN="+filepath.Join(dir, "bin"))
	output(t, install)
	told := output(t, exec.Command(filepath.Join(dir, "bin", "fianchetto"), "version"))
	if first, _, _ := strings.Cut(told, "\n"); first != "fianchetto "+version {
		t.Errorf("the installed command tells %q, not version %s", first, version)
	}
}

// newestVersion returns the version of the changelog's first section.
func newestVersion(t *testing.T) string {
	t.Helper()
	changelog, err := os.ReadFile("../../CHANGELOG.md")
	if err != nil {
		t.Fatal(err)
	}
	match := regexp.MustCompile(`(?m)^## \[(\d+\.\d+\.\d+)\] - (unreleased|\d{4}-\d\d-\d\d)$`).FindSubmatch(changelog)
	if match == nil {
		t.Fatal("the changelog has no section of a version")
	}
	return "v" + string(match[1])
}

// publishedFiles returns the files of the module, as paths with slashes: those under version control, but for the modules
// within it, which are modules of their own.
func publishedFiles(t *testing.T) (files []string) {
	t.Helper()
	list := exec.Command("git", "ls-files", "-z")
	list.Dir = "../.."
	out, err := list.Output()
	if err != nil {
		t.Skip("git does not tell which files belong to the module: ", err)
	}
	all := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	var nested []string
	for _, file := range all {
		if dir, found := strings.CutSuffix(file, "/go.mod"); found {
			nested = append(nested, dir+"/")
		}
	}
	for _, file := range all {
		inner := false
		for _, dir := range nested {
			inner = inner || strings.HasPrefix(file, dir)
		}
		if _, err := os.Stat(filepath.Join("../..", file)); err == nil && !inner {
			files = append(files, file)
		}
	}
	return files
}

// publish makes a module proxy in a directory. Source: https://go.dev/ref/mod#goproxy-protocol
func publish(t *testing.T, proxy, version string, files []string) {
	t.Helper()
	var archive bytes.Buffer
	writer := zip.NewWriter(&archive)
	for _, file := range files {
		content, err := os.ReadFile(filepath.Join("../..", file))
		if err != nil {
			t.Fatal(err)
		}
		entry, err := writer.Create(modulePath + "@" + version + "/" + file)
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
	mod, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(proxy, filepath.FromSlash(modulePath), "@v")
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
