package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestUsesThePublicPackages holds the engine to what any engine can import: the standard library, and of this module what is not
// internal.
func TestUsesThePublicPackages(t *testing.T) {
	const module = "github.com/fianchetto-chess/fianchetto"
	out, err := exec.Command("go", "list", "-f", `{{join .Imports "\n"}}`, ".").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	public := 0
	for _, imported := range strings.Fields(string(out)) {
		first, _, _ := strings.Cut(imported, "/")
		switch {
		case strings.HasPrefix(imported, module) && !strings.Contains(imported, "/internal/"):
			public++
		case strings.Contains(first, "."):
			t.Errorf("it imports %s", imported)
		}
	}
	if public == 0 {
		t.Errorf("it imports nothing of %s", module)
	}
}

// TestStaysSmall keeps the engine short enough to be read at one sitting.
func TestStaysSmall(t *testing.T) {
	const most = 1000
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	lines := 0
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		lines += bytes.Count(text, []byte("\n"))
	}
	if lines == 0 || lines >= most {
		t.Errorf("it has %d lines, of less than %d", lines, most)
	}
}
