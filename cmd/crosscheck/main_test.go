package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/exit"
)

const suites = "../../internal/suites/"

// TestMovesAgree compares every node near the root of each position of the suites in standard chess.
func TestMovesAgree(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(suites + "*.epd")
	if err != nil || len(files) < 6 {
		t.Fatalf("%d suites, %v", len(files), err)
	}
	var stdout, stderr bytes.Buffer
	if code := cli.Run(t.Context(), newCommand(), append([]string{"--nodes", "400"}, files...), nil, &stdout,
		&stderr); code != exit.OK {
		t.Fatalf("exit code %d: %s%s", code, &stdout, &stderr)
	}
	t.Log(stdout.String())
	if !strings.Contains(stdout.String(), "reference wrong: missing e5d6 in 7k/2b5/8/3pP3/5K2/8/8/8 w - d6 0 2") {
		t.Error("the reference library's known error has gone unnoticed")
	}
}

func TestExitCodes(t *testing.T) {
	bad := filepath.Join(t.TempDir(), "bad.epd")
	if err := os.WriteFile(bad, []byte("8/8/8/8/8/8/8/8 w - - 0 1 ;D1 0\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		args []string
		want int
	}{
		{nil, exit.Usage},
		{[]string{"--depth", "x", bad}, exit.Usage},
		{[]string{"--nodes", "0", bad}, exit.Usage},
		{[]string{bad}, exit.Usage},
		{[]string{filepath.Join(t.TempDir(), "none.epd")}, exit.Failed},
	} {
		var stdout, stderr bytes.Buffer
		got := cli.Run(t.Context(), newCommand(), test.args, nil, &stdout, &stderr)
		if got != test.want || stderr.Len() == 0 {
			t.Errorf("%v: exit code %d, want %d; stderr %q", test.args, got, test.want, &stderr)
		}
	}
}

func TestDifference(t *testing.T) {
	for _, test := range []struct {
		got, want []string
		text      string
	}{
		{[]string{"a2a3"}, []string{"a2a3", "a2a4"}, "missing a2a4"},
		{[]string{"a2a3", "a2a4"}, []string{"a2a3"}, "extra a2a4"},
		{[]string{"a2a3", "a2a3"}, []string{"a2a3"}, "extra a2a3"},
	} {
		if text := difference(test.got, test.want); text != test.text {
			t.Errorf("%v for %v: %q, want %q", test.got, test.want, text, test.text)
		}
	}
}
