package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto/internal/must"
)

// TestNames compares the exported names with the files in api.
func TestNames(t *testing.T) {
	var known []string
	for _, name := range must.Get(filepath.Glob("../../api/*.txt"))(t) {
		known = append(known, strings.Split(strings.TrimSpace(string(must.Get(os.ReadFile(name))(t))), "\n")...)
	}
	now := library("../..")
	for _, line := range known {
		if _, found := slices.BinarySearch(now, line); !found {
			t.Errorf("removed or changed: %s", line)
		}
	}
	for _, line := range now {
		if !slices.Contains(known, line) {
			t.Errorf("not listed: run make api: %s", line)
		}
	}
}
