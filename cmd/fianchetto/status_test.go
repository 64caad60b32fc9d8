package main

import (
	"bytes"
	"fmt"
	"hash/crc64"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestImpossibleJournal reads journals whose checksums are right and whose numbers no job has.
func TestImpossibleJournal(t *testing.T) {
	dir := t.TempDir()
	if code, _, text := command(t.Context(), "run", "--depth", "3", "--split", "2", "--batch", "100", "--hash", "0", "--state", dir); code != exitOK {
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
			code, stdout, stderr := command(t.Context(), name, "--state", dir)
			if code != exitUsage || stdout != "" || !strings.Contains(stderr, "journal's line 1") || strings.Contains(stderr, "\x1b") {
				t.Errorf("%s with %s: exit code %d, %q, %q", name, change[1], code, stdout, stderr)
			}
		}
	}
}
