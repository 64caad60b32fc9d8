package main

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli/clitest"
)

// TestReproduceIsACommand has a shell run the command of the report of a difference.
func TestReproduceIsACommand(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip(err)
	}
	for _, args := range [][]string{
		{"--fen", "r3k2r/8/8/8/8/8/5n2/R3K2R b KQkq - 0 1", "--depth", "2", "--option", "Style=calm", "--", "--bugs",
			"right-kept-after-rook-captured"},
		{"--fen", "k7/7p/8/8/8/8/8/2R1K3 w C - 0 1", "--depth", "3", "--", "--bugs",
			"960-right-lost-from-corners-only"},
		{"--chess960", "--line-pattern", `^(?P<move>\w+): (?P<nodes>\d+)$`, "--depth", "1", "--", "--bugs",
			"no-double-push"},
		{"--fen", "startpos", "--depth", "2", "--", "--quirks", "wrong-divide"},
	} {
		code, stdout, stderr := clitest.Run(t.Context(), newRootCommand(),
			append([]string{"compare", "--engine", "buggy"}, args...)...)
		first, _, _ := strings.Cut(stdout, "\n")
		if _, smallest, ok := strings.Cut(stdout, "\nsmallest: "); ok {
			first, _, _ = strings.Cut(smallest, "\n")
		}
		_, rest, _ := strings.Cut(stdout, "\nreproduce: ")
		line, _, found := strings.Cut(rest, "\n")
		if code != 1 || !found {
			t.Errorf("%q: exit code %d, stdout %q, stderr %q", args, code, stdout, stderr)
			continue
		}
		again, _ := exec.Command(shell, "-c", line).Output() // it exits with 1
		if !strings.Contains("\n"+string(again), "\n"+first+"\n") {
			t.Errorf("%s\ngives %q, want %q", line, again, first)
		}
	}
}
