package main

import (
	"bytes"
	"context"
	"os/exec"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli/clitest"
)

func TestCompareIsInterrupted(t *testing.T) {
	code, stdout, stderr := clitest.Interrupt(t, "no difference", func(ctx context.Context) (int, string, string) {
		return clitest.Run(ctx, newRootCommand(), "compare", "--engine", "mutant", "--fen", "startpos", "--", "--quirks", "silent")
	})
	if code != 130 || !strings.HasSuffix(stderr, "fianchetto: compare interrupted\n") || !strings.HasPrefix(stdout, "no difference in 0 positions") {
		t.Errorf("exit code %d, stdout %q, stderr %q; want 130 and a message", code, stdout, stderr)
	}
}

func TestCompareReportsFailedWrites(t *testing.T) {
	for _, bugs := range []string{"", "no-double-push"} {
		var stderr bytes.Buffer
		code := cli.Run(t.Context(), newRootCommand(), []string{"compare", "--engine", "mutant", "--fen", "startpos", "--depth", "1", "--", "--bugs", bugs}, nil, clitest.Broken, &stderr)
		if code != 3 || strings.Count(stderr.String(), clitest.ErrBroken.Error()) != 1 {
			t.Errorf("bugs %q: exit code %d, stderr %q; want 3, and the cause once", bugs, code, stderr.String())
		}
	}
}

// TestReproduceIsACommand has a shell run the command of the report of a difference.
func TestReproduceIsACommand(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip(err)
	}
	for _, args := range [][]string{
		{"--fen", "r3k2r/8/8/8/8/8/5n2/R3K2R b KQkq - 0 1", "--depth", "2", "--option", "Style=calm", "--", "--bugs", "right-kept-after-rook-captured"},
		{"--fen", "k7/7p/8/8/8/8/8/2R1K3 w C - 0 1", "--depth", "3", "--", "--bugs", "960-right-lost-from-corners-only"},
		{"--chess960", "--pattern", `^(?P<move>\w+): (?P<nodes>\d+)$`, "--depth", "1", "--", "--bugs", "no-double-push"},
		{"--fen", "startpos", "--depth", "2", "--", "--quirks", "wrong-divide"},
	} {
		code, stdout, stderr := clitest.Run(t.Context(), newRootCommand(), append([]string{"compare", "--engine", "mutant"}, args...)...)
		first, _, _ := strings.Cut(stdout, "\n")
		_, rest, _ := strings.Cut(stdout, "\nreproduce: ")
		line, _, found := strings.Cut(rest, "\n")
		if code != 1 || !found {
			t.Errorf("%q: exit code %d, stdout %q, stderr %q", args, code, stdout, stderr)
			continue
		}
		again, _ := exec.Command(shell, "-c", line).Output() // it exits with 1
		if !strings.HasPrefix(string(again), first+"\n") {
			t.Errorf("%s\ngives %q, want %q first", line, again, first)
		}
	}
}
