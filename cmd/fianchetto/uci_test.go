package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli/clitest"
	"github.com/fianchetto-chess/fianchetto/internal/suites"
)

// client talks to a session as a program would.
type client struct {
	t       *testing.T
	to      *io.PipeWriter
	answers chan string
	code    chan int
}

func startUCI(t *testing.T) *client {
	t.Helper()
	commands, to := io.Pipe()
	from, answers := io.Pipe()
	c := &client{t, to, make(chan string, 1<<10), make(chan int, 1)}
	go func() {
		c.code <- cli.Run(t.Context(), newRootCommand(), []string{"uci"}, commands, answers, io.Discard)
		answers.Close()
	}()
	go func() {
		defer close(c.answers)
		for lines := bufio.NewScanner(from); lines.Scan(); {
			c.answers <- lines.Text()
		}
	}()
	return c
}

func (c *client) send(commands ...string) {
	c.t.Helper()
	for _, command := range commands {
		if _, err := io.WriteString(c.to, command+"\n"); err != nil {
			c.t.Fatal(err)
		}
	}
}

// wait reads answers up to one that begins as wanted, and returns all.
func (c *client) wait(wanted string) (answers []string) {
	c.t.Helper()
	for answer := range c.answers {
		answers = append(answers, answer)
		if strings.HasPrefix(answer, wanted) {
			return answers
		}
	}
	c.t.Fatalf("the session ended before %q: %q", wanted, answers)
	return nil
}

// wantEnd waits until the session ends, which it must without an error.
func (c *client) wantEnd() {
	c.t.Helper()
	if code := <-c.code; code != 0 {
		c.t.Errorf("exit code %d", code)
	}
}

// endless is a depth that no test lives to see the end of.
const endless = "go perft 30"

func TestUCIHearsWhileCounting(t *testing.T) {
	c := startUCI(t)
	c.send(endless, "isready")
	c.wait("readyok")
	c.send("stop")
	c.wait("info string perft stopped with 0 of 20 moves counted")
	c.send("go perft 2")
	if answers := c.wait("Nodes searched: 400"); len(answers) != 23 ||
		!strings.HasPrefix(answers[20], "info depth 2 nodes 400 nps ") || answers[21] != "" {
		t.Errorf("after a count that was stopped: %q", answers)
	}
	c.send("quit")
	c.wantEnd()
}

// TestUCIKeepsItsTable counts a position again: the table still has what was counted, until it is cleared.
func TestUCIKeepsItsTable(t *testing.T) {
	c := startUCI(t)
	full := func(command string) int {
		t.Helper()
		c.send(command)
		answers := c.wait("Nodes searched:")
		info := answers[len(answers)-3]
		_, permille, ok := strings.Cut(info, " hashfull ")
		n, err := strconv.Atoi(permille)
		if !ok || err != nil {
			t.Fatalf("%q: %q", command, info)
		}
		return n
	}
	c.send("setoption name Hash value 1")
	first := full("go perft 5")
	if first == 0 {
		t.Error("the table is empty after a count")
	}
	if again := full("go perft 1"); again != first {
		t.Errorf("hashfull %d, then %d", first, again)
	}
	for _, clears := range []string{"ucinewgame", "setoption name Clear Hash"} {
		c.send(clears)
		if cleared := full("go perft 4"); cleared >= first {
			t.Errorf("hashfull %d after %s, and %d before", cleared, clears, first)
		}
		full("go perft 5")
	}
	c.send("setoption name Hash value 0", "go perft 5")
	for _, answer := range c.wait("Nodes searched:") {
		if strings.Contains(answer, "hashfull") {
			t.Errorf("without a table: %q", answer)
		}
	}
	c.send("quit")
	c.wantEnd()
}

// TestUCIReportsProgress has a long count write a line each second.
func TestUCIReportsProgress(t *testing.T) {
	c := startUCI(t)
	c.send("go perft 9")
	info := regexp.MustCompile(`^info depth 9 nodes [0-9]+ nps [0-9]+ time [0-9]{4,}$`)
	if !info.MatchString(c.wait("info depth")[0]) {
		t.Error("no line of progress")
	}
	c.send("quit")
	c.wantEnd()
}

func TestUCIInterrupt(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	commands, to := io.Pipe()
	defer to.Close()
	go io.WriteString(to, endless+"\n")
	var stderr bytes.Buffer
	if code := cli.Run(ctx, newRootCommand(), []string{"uci"}, commands, io.Discard, &stderr); code != 130 ||
		!strings.Contains(stderr.String(), "uci interrupted") {
		t.Errorf("exit code %d, stderr %q", code, stderr.String())
	}
}

func TestUCIFailures(t *testing.T) {
	broken := errors.New("the cable is out")
	for _, test := range []struct {
		name     string
		commands io.Reader
		results  io.Writer
		code     int
		stderr   string
	}{
		{"broken output", strings.NewReader("uci\nisready\n"), clitest.Broken, 3, clitest.ErrBroken.Error()},
		{"broken output while counting", strings.NewReader("go perft 3\n"), clitest.Broken, 3,
			clitest.ErrBroken.Error()},
		{"broken input", io.MultiReader(strings.NewReader("isready\n"), iotest.ErrReader(broken)), io.Discard, 3,
			"reading the commands: the cable is out"},
		{"endless line", io.MultiReader(strings.NewReader("isready\n"), strings.NewReader(strings.Repeat("x", 1<<24))),
			io.Discard, 2, "line too long: more than 1048576 bytes"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var stderr bytes.Buffer
			code := cli.Run(t.Context(), newRootCommand(), []string{"uci"}, test.commands, test.results, &stderr)
			if code != test.code || strings.Count(stderr.String(), test.stderr) != 1 {
				t.Errorf("exit code %d, stderr %q; want %d and %q", code, stderr.String(), test.code, test.stderr)
			}
		})
	}
}

// TestUCISuites counts suites in one session each, as a harness does, on threads and with a hash table.
func TestUCISuites(t *testing.T) {
	for _, name := range []string{"published", "traps960"} {
		commands := []string{"setoption name Threads value 2", "setoption name Hash value 1",
			"setoption name UCI_Chess960 value true"}
		var want []uint64
		for _, c := range suites.Cases(name) {
			commands = append(commands, "position fen "+c.FEN)
			for _, count := range c.Counts {
				if count.Nodes <= 100e3 {
					commands = append(commands, "go perft "+strconv.Itoa(count.Depth))
					want = append(want, count.Nodes)
				}
			}
		}
		var stdout bytes.Buffer
		if code := cli.Run(t.Context(), newRootCommand(), []string{"uci"}, strings.NewReader(strings.Join(commands, "\n")),
			&stdout, io.Discard); code != 0 {
			t.Fatalf("exit code %d", code)
		}
		if got := uciTotals(t, stdout.String()); len(got) < 20 || !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

// uciTotals returns the totals in the answers, each of which must be the sum of the moves before it.
func uciTotals(t *testing.T, answers string) (totals []uint64) {
	t.Helper()
	var sum uint64
	for line := range strings.Lines(answers) {
		if strings.HasPrefix(line, "info ") {
			continue
		}
		name, digits, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok {
			continue
		}
		nodes, err := strconv.ParseUint(digits, 10, 64)
		if err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if name != "Nodes searched" {
			sum += nodes
			continue
		}
		if sum != nodes {
			t.Fatalf("total %d after moves with %d", nodes, sum)
		}
		totals, sum = append(totals, nodes), 0
	}
	return totals
}
