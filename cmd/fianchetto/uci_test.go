package main

import (
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto/internal/must"
	"github.com/fianchetto-chess/fianchetto/uci/client"
)

// startUCI starts the command as a program that has it count does.
func startUCI(t *testing.T) *client.Engine {
	t.Helper()
	c := must.Get(client.Open(t.Context(), exec.Command("fianchetto", "uci")))(t)
	t.Cleanup(c.Close)
	return c
}

// ask sends a command and returns the answers up to one that begins as wanted.
func ask(t *testing.T, c *client.Engine, command, wanted string) (answers []string) {
	t.Helper()
	err := c.Ask(t.Context(), command, func(line string, _ bool) (bool, error) {
		answers = append(answers, line)
		return strings.HasPrefix(line, wanted), nil
	})
	if err != nil {
		t.Fatalf("%s: %v: %q", command, err, answers)
	}
	return answers
}

// endless is a depth that no test lives to see the end of.
const endless = "go perft 30"

func TestUCIHearsWhileCounting(t *testing.T) {
	c := startUCI(t)
	must.Do(t, c.Send(t.Context(), endless), c.Ready(t.Context()))
	ask(t, c, "stop", "info string perft stopped with 0 of 20 moves counted")
	if answers := ask(t, c, "go perft 2", "Nodes searched: 400"); len(answers) != 23 ||
		!strings.HasPrefix(answers[20], "info depth 2 nodes 400 nps ") || answers[21] != "" {
		t.Errorf("after a count that was stopped: %q", answers)
	}
	progress := strings.Join(ask(t, c, "go perft 9", "info depth"), "") // after a blank line
	if !regexp.MustCompile(`^info depth 9 nodes [0-9]+ nps [0-9]+ time [0-9]{4,}$`).MatchString(progress) {
		t.Errorf("the progress is %q", progress)
	}
}

// TestUCIKeepsItsTable counts a position again: the table still has what was counted, until it is
// cleared.
func TestUCIKeepsItsTable(t *testing.T) {
	c := startUCI(t)
	full := func(commands string) int {
		t.Helper()
		answers := ask(t, c, commands, "Nodes searched:")
		info := answers[len(answers)-3]
		_, permille, ok := strings.Cut(info, " hashfull ")
		n, err := strconv.Atoi(permille)
		if ok == strings.Contains(commands, "Hash value 0") || ok && err != nil {
			t.Fatalf("%q: %q", commands, info)
		}
		return n
	}
	first := full("setoption name Hash value 1\ngo perft 5")
	if first == 0 {
		t.Error("the table is empty after a count")
	}
	if again := full("go perft 1"); again != first {
		t.Errorf("hashfull %d, then %d", first, again)
	}
	for _, clears := range []string{"ucinewgame", "setoption name Clear Hash"} {
		if cleared := full(clears + "\ngo perft 4"); cleared >= first {
			t.Errorf("hashfull %d after %s, and %d before", cleared, clears, first)
		}
		full("go perft 5")
	}
	full("setoption name Hash value 0\ngo perft 5")
}

func TestUCIInterrupt(t *testing.T) {
	if code, _, stderr := interrupt(t, "uci", endless+"\n", "uci interrupted"); code != 130 {
		t.Errorf("exit code %d, stderr %q", code, stderr)
	}
}
