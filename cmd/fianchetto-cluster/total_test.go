package main

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli"
)

// TestTotalLongLine has a line that is longer than any result among the results: total names it, uses the others, prints the
// total, and exits with 2.
func TestTotalLongLine(t *testing.T) {
	dir := t.TempDir()
	var tasks, results, total, diagnostics bytes.Buffer
	for _, step := range []struct {
		args []string
		in   io.Reader
		out  *bytes.Buffer
		code int
	}{
		{[]string{"tasks", "--depth", "3", "--batch", "5", "--state", dir}, strings.NewReader(""), &tasks, 0},
		{[]string{"leaf"}, &tasks, &results, 0},
		{[]string{"total", "--state", dir}, io.MultiReader(strings.NewReader(strings.Repeat("x", maxTaskLine+1)+"\n"), &results), &total, 2},
	} {
		diagnostics.Reset()
		if code := cli.Run(t.Context(), newProgram(), step.args, step.in, step.out, &diagnostics); code != step.code {
			t.Fatalf("%s: exit code %d, want %d: %.500s", step.args[0], code, step.code, diagnostics.String())
		}
	}
	if got := total.String(); !strings.HasSuffix(got, "Nodes searched: 8902\n") {
		t.Errorf("the total is %q", got)
	}
	if got := diagnostics.String(); !strings.Contains(got, "stdin:1: line too long: more than 2097152 bytes\n") || !strings.Contains(got, "1 line is not a result of this run") {
		t.Errorf("stderr has %.500q", got)
	}
}
