package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestStaysSmall keeps the engine short enough to be read at one sitting.
func TestStaysSmall(t *testing.T) {
	const most = 1300
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
