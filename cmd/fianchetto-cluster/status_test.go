package main

import (
	"bytes"
	"fmt"
	"hash/crc64"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/coordinator"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/journal"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli/clitest"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/exit"
)

// TestImpossibleJournal reads journals whose checksums are right and whose numbers no job has.
func TestImpossibleJournal(t *testing.T) {
	dir := t.TempDir()
	if code, _, text := clitest.Run(t.Context(), newProgram(), "run", "--depth", "3", "--split", "2", "--batch", "100",
		"--hash", "0", "--state", dir); code != exit.OK {
		t.Fatal(text)
	}
	path := filepath.Join(dir, "journal")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	title, results, _ := bytes.Cut(text, []byte("\n"))
	for _, change := range [][2]string{
		{`"tasks":4`, `"tasks":-5`},
		{`"tasks":4`, `"tasks":4000000000000`},
		{`"tasks":4`, `"tasks":401`},
		{`"positions":400`, `"positions":-1`},
		{`"depth":3`, `"depth":-3`},
		{`"split":2`, `"split":0`},
		{`"fen":"rnbq`, `"fen":"\u001b[2Jrnbq`},
	} {
		changed := strings.Replace(string(title[:len(title)-17]), change[0], change[1], 1)
		if changed == string(title[:len(title)-17]) {
			t.Fatalf("%s is not in %s", change[0], title)
		}
		line := fmt.Sprintf("%s %016x\n", changed, crc64.Checksum([]byte(changed), crc64.MakeTable(crc64.ECMA)))
		if err := os.WriteFile(path, append([]byte(line), results...), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"status", "export", "resume", "tasks"} {
			code, stdout, stderr := clitest.Run(t.Context(), newProgram(), name, "--state", dir)
			if code != exit.Usage || stdout != "" || !strings.Contains(stderr, "journal's line 1") ||
				strings.Contains(stderr, "\x1b") {
				t.Errorf("%s with %s: exit code %d, %q, %q", name, change[1], code, stdout, stderr)
			}
		}
	}
}

// TestStatusOfAnotherTime has a status in the directory that a run has just written, that is old, of the future, or of
// another job: only the first is that of a run that goes on.
func TestStatusOfAnotherTime(t *testing.T) {
	dir := t.TempDir()
	if code, _, text := clitest.Run(t.Context(), newProgram(), "run", "--depth", "3", "--split", "2", "--batch", "100",
		"--hash", "0", "--state", dir); code != exit.OK {
		t.Fatal(text)
	}
	d, err := journal.Describe(dir)
	if err != nil {
		t.Fatal(err)
	}
	other := d
	other.Tasks++
	for name, test := range map[string]struct {
		status coordinator.Status
		want   string
	}{
		"now":         {coordinator.Status{Job: d, Time: time.Now()}, "waiting for workers"},
		"old":         {coordinator.Status{Job: d, Time: time.Now().Add(-time.Minute)}, "4 of 4 tasks are done\n"},
		"future":      {coordinator.Status{Job: d, Time: time.Now().Add(time.Hour)}, "4 of 4 tasks are done\n"},
		"another job": {coordinator.Status{Job: other, Time: time.Now()}, "4 of 4 tasks are done\n"},
	} {
		test.status.Running = true
		if err := coordinator.SaveStatus(dir, test.status); err != nil {
			t.Fatal(err)
		}
		if code, text, _ := clitest.Run(t.Context(), newProgram(), "status", "--state", dir); code != exit.OK ||
			!strings.HasSuffix(strings.TrimSpace(text), strings.TrimSpace(test.want)) {
			t.Errorf("%s: exit code %d, %q, want %q", name, code, text, test.want)
		}
	}
}
