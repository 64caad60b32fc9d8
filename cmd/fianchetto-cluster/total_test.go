package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/job"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli/clitest"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/exit"
)

// TestTotalLongLine has a line that is longer than any result among the results: total names it, uses the others,
// prints the total, and exits with 2.
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
		{[]string{"total", "--state", dir}, io.MultiReader(strings.NewReader(strings.Repeat("x", maxTaskLine+1)+"\n"),
			&results), &total, 2},
	} {
		diagnostics.Reset()
		if code := cli.Run(t.Context(), newProgram(), step.args, step.in, step.out, &diagnostics); code != step.code {
			t.Fatalf("%s: exit code %d, want %d: %.500s", step.args[0], code, step.code, diagnostics.String())
		}
	}
	if got := total.String(); !strings.HasSuffix(got, "Nodes searched: 8902\n") {
		t.Errorf("the total is %q", got)
	}
	if got := diagnostics.String(); !strings.Contains(got, "stdin:1: line too long: more than 2097152 bytes\n") ||
		!strings.Contains(got, "1 line is not a result of this run") {
		t.Errorf("stderr has %.500q", got)
	}
}

// TestOtherBuild has tasks and results of another build: leaf refuses the tasks, and total the results, with both
// builds named.
func TestOtherBuild(t *testing.T) {
	dir := t.TempDir()
	_, tasks, _ := clitest.Run(t.Context(), newProgram(), "tasks", "--depth", "3", "--state", dir)
	_, results, _ := clitest.RunWith(t.Context(), newProgram(), tasks, "leaf", "--hash", "0")
	var task job.Task
	var result job.Result
	if err := errors.Join(task.UnmarshalText([]byte(strings.TrimSpace(tasks))),
		result.UnmarshalText([]byte(strings.TrimSpace(results)))); err != nil {
		t.Fatal(err)
	}
	task.Build, result.Build = "v0.0.1", "v0.0.1"
	otherTask, _ := task.MarshalText()
	otherResult, _ := result.MarshalText()
	want := fmt.Sprintf("of another build: all programs of a job must be of one: %%s is of build \"v0.0.1\", this is build %q", job.Build())
	for _, test := range []struct {
		stdin []byte
		what  string
		args  []string
	}{
		{otherTask, "task 0", []string{"leaf", "--hash", "0"}},
		{otherResult, "worker " + result.Worker, []string{"total", "--state", dir}},
	} {
		code, _, text := clitest.RunWith(t.Context(), newProgram(), string(test.stdin), test.args...)
		if code != exit.Usage || !strings.Contains(text, fmt.Sprintf(want, test.what)) {
			t.Errorf("%s: exit code %d, %s", test.args[0], code, text)
		}
	}
}
