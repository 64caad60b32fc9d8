package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/fianchetto-chess/fianchetto"
)

// patience is how long an answer may take that a test waits for: much longer than it does, for the machine may be busy.
const patience = 2 * time.Minute

// answersWithin holds an answer to a second, in the best of several tries, for the machine may be busy. try returns how long it took.
func answersWithin(t *testing.T, what string, try func() time.Duration) {
	t.Helper()
	took := time.Hour
	for tries := 0; tries < 10 && took > time.Second; tries++ {
		took = try()
	}
	if took > time.Second {
		t.Errorf("%s: it answers after %v", what, took)
	}
}

// conversation is a session that runs in a goroutine of its own.
type conversation struct {
	t      *testing.T
	in     *io.PipeWriter
	lines  chan string
	output strings.Builder
	end    chan error
}

func newConversation(t *testing.T) *conversation {
	commands, in := io.Pipe()
	out, answers := io.Pipe()
	c := &conversation{t: t, in: in, lines: make(chan string, 1000), end: make(chan error, 1)}
	go func() {
		c.end <- newSession(answers).run(commands)
		commands.Close()
		answers.Close()
	}()
	go func() {
		defer close(c.lines)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			c.lines <- lines.Text()
		}
	}()
	return c
}

func (c *conversation) send(commands ...string) {
	c.t.Helper()
	for _, command := range commands {
		sent := make(chan error, 1)
		go func() {
			_, err := io.WriteString(c.in, command+"\n")
			sent <- err
		}()
		select {
		case err := <-sent:
			if err != nil {
				c.t.Fatalf("cannot send %q: %v", command, err)
			}
		case <-time.After(patience):
			c.t.Fatalf("%q is not read within %v", command, patience)
		}
	}
}

// expect waits for a line that begins so, and returns it.
func (c *conversation) expect(beginning string) string {
	c.t.Helper()
	for {
		select {
		case line, ok := <-c.lines:
			if !ok {
				c.t.Fatalf("%q never came; the output is\n%s", beginning, c.output.String())
			}
			c.output.WriteString(line + "\n")
			if strings.HasPrefix(line, beginning) {
				return line
			}
		case <-time.After(patience):
			c.t.Fatalf("no %q within %v; the output is\n%s", beginning, patience, c.output.String())
		}
	}
}

// rest waits for the end, and returns the whole output.
func (c *conversation) rest() string {
	c.t.Helper()
	for line := range c.lines {
		c.output.WriteString(line + "\n")
	}
	if err := <-c.end; err != nil {
		c.t.Fatal(err)
	}
	return c.output.String()
}

// quit ends the session, and returns the whole output.
func (c *conversation) quit() string {
	c.t.Helper()
	c.send("quit")
	return c.rest()
}

func TestConversations(t *testing.T) {
	const mate = "position fen 7k/8/6KP/8/8/8/8/R7 w - - 0 1"
	for name, test := range map[string]struct {
		commands []string
		want     string // a regular expression
	}{
		"introduction":   {[]string{"uci"}, `^id name .*\nid author .*\n(option name .*\n){4}uciok\n$`},
		"ready":          {[]string{"isready"}, `^readyok\n$`},
		"depth":          {[]string{"position startpos moves e2e4", "go depth 3"}, `(?s)^info depth 1 .*info depth 3 score cp -?\d+ nodes \d+ nps \d+ time \d+ pv( [a-h][1-8][a-h][1-8]){3}\nbestmove [a-h][78]\w+ ponder \w+\n$`},
		"start":          {[]string{"go depth 1"}, `bestmove [a-h][12]`},
		"nodes":          {[]string{"position startpos", "go nodes 5000"}, `bestmove`},
		"time":           {[]string{"position startpos", "go movetime 20"}, `bestmove`},
		"clocks":         {[]string{"position startpos", "go wtime 300 btime 1 winc 0 binc 0 movestogo 10"}, `bestmove`},
		"no time left":   {[]string{"position startpos", "go wtime -20 btime 1"}, `bestmove`},
		"mate":           {[]string{mate, "go mate 1"}, `score mate 1 .* pv a1a8\nbestmove a1a8\n$`},
		"being mated":    {[]string{"position fen 7k/8/6KP/8/8/8/8/1R6 b - - 0 1", "go depth 3"}, `score mate -1 `},
		"after mate":     {[]string{mate + " moves a1a8", "go depth 3"}, `^info depth 0 score mate 0 .*\nbestmove 0000\n$`},
		"stalemate":      {[]string{"position fen 7k/5Q2/8/8/8/8/8/K7 b - - 0 1", "go depth 3"}, `^info depth 0 score cp 0 nodes .*\nbestmove 0000\n$`},
		"searchmoves":    {[]string{"position startpos", "go searchmoves a2a3 h2h4 depth 4"}, `(?s)info depth 4 .* pv (a2a3|h2h4) .*bestmove (a2a3|h2h4) ponder`},
		"one searchmove": {[]string{mate, "go depth 2 searchmoves g6f7"}, `(?s)info depth 2 score cp .* pv g6f7 .*bestmove g6f7 ponder h8h7\n$`},
		"bad searchmove": {[]string{"position startpos", "go searchmoves e2e5"}, `^info string go searchmoves: fianchetto: move "e2e5".*\nbestmove 0000\n$`},
		"Chess960":       {[]string{"setoption name UCI_Chess960 value true", "position fen 4rkr1/8/3P3P/8/8/8/6P1/5KR1 w G - 0 1", "go mate 1"}, `score mate 1 .* pv f1g1\nbestmove f1g1\n$`},
		"Chess960 moves": {[]string{"setoption name UCI_Chess960 value true", "position fen r4krn/pppp2pp/8/8/8/8/PPPPPPPP/7K b ga - 0 1 moves f8a8", "d"}, `8 \. \. k r \. \. r n 8`},
		"hash":           {[]string{"setoption name Hash value 1", "setoption name Move Overhead value 30", "ucinewgame", "go depth 2"}, `^info depth 1(.*\n)+bestmove`},
		"board":          {[]string{"d"}, `8 r n b q k b n r 8`},
		"unknown":        {[]string{"", "xyzzy", "ponderhit", "isready"}, `^readyok\n$`},
		"idle stop":      {[]string{"stop", "isready"}, `^readyok\n$`},
		"bad hash":       {[]string{"setoption name Hash value 0"}, `^info string option "Hash": "0" is not a number from 1 to 4096\n$`},
		"bad chess960":   {[]string{"setoption name UCI_Chess960 value maybe"}, `^info string option "UCI_Chess960": .*"maybe"`},
		"bad option":     {[]string{"setoption name Fantasy value 1"}, `^info string option "Fantasy": there is no such option\n$`},
		"bad position":   {[]string{"position"}, `^info string fianchetto: invalid position command`},
		"bad FEN":        {[]string{"position fen 8/8 w - - 0 1"}, `^info string fianchetto: FEN "8/8 w - - 0 1": placement at offset`},
		"bad move":       {[]string{"position startpos moves e2e4 e7e4"}, `^info string move 2 of 2: fianchetto: move "e7e4" at offset 2: illegal move`},
		"bad number":     {[]string{"go depth x", "go depth 1"}, `^info string go depth: "x" is not a number\nbestmove 0000\ninfo depth 1`},
		"no number":      {[]string{"go nodes", "go depth 1"}, `^info string go nodes: the number is missing\nbestmove 0000\ninfo depth 1`},
	} {
		t.Run(name, func(t *testing.T) {
			c := newConversation(t)
			for _, command := range test.commands {
				c.send(command)
			}
			if last := test.commands[len(test.commands)-1]; strings.HasPrefix(last, "go") {
				c.expect("bestmove")
			}
			if got := c.quit(); !regexp.MustCompile(test.want).MatchString(got) {
				t.Errorf("%q: the output is\n%swant %s", test.commands, got, test.want)
			}
		})
	}
}

// TestStopAndReadyWhileSearching has a search without end answer at once, and not before.
func TestStopAndReadyWhileSearching(t *testing.T) {
	for _, start := range []string{"go infinite", "go"} {
		answersWithin(t, start+", stop", func() time.Duration {
			c := newConversation(t)
			c.send("position startpos")
			c.send(start)
			c.expect("info depth 4")
			c.send("isready")
			c.expect("readyok")
			if strings.Contains(c.output.String(), "bestmove") {
				t.Fatal("it has answered")
			}
			took := c.timeOf("stop")
			c.send("go depth 1") // it can be asked again
			c.expect("bestmove ")
			c.quit()
			return took
		})
	}
}

// timeOf returns the time from a command to the best move.
func (c *conversation) timeOf(command string) time.Duration {
	c.t.Helper()
	begun := time.Now()
	c.send(command)
	c.expect("bestmove ")
	return time.Since(begun)
}

// TestInfiniteWaits has searched all there is, but is not to answer before it is asked.
func TestInfiniteWaits(t *testing.T) {
	c := newConversation(t)
	c.send("position fen 7k/5Q2/8/8/8/8/8/K7 b - - 0 1")
	c.send("go infinite")
	c.send("isready")
	c.expect("readyok")
	time.Sleep(20 * time.Millisecond)
	c.send("stop")
	if c.expect("bestmove"); strings.Index(c.output.String(), "readyok") > strings.Index(c.output.String(), "bestmove") {
		t.Error("it answers before it is asked")
	}
	c.quit()
}

// TestCommandsWaitForAnAnswer has the position changed while a search is under way: that is about the old one still.
func TestCommandsWaitForAnAnswer(t *testing.T) {
	c := newConversation(t)
	c.send("position startpos")
	c.send("go nodes 200000")
	c.send("position fen 7k/8/6KP/8/8/8/8/R7 w - - 0 1")
	c.send("go depth 2")
	if got := c.expect("bestmove"); !regexp.MustCompile(`bestmove [a-h][12]`).MatchString(got) || got == "bestmove a1a8" {
		t.Errorf("the first answer is %q", got)
	}
	if got := c.expect("bestmove"); got != "bestmove a1a8" {
		t.Errorf("the second answer is %q", got)
	}
	c.quit()
}

// TestEndOfInput ends a search that goes on.
func TestEndOfInput(t *testing.T) {
	c := newConversation(t)
	c.send("go infinite")
	c.expect("info depth 1")
	c.in.Close()
	if got := c.rest(); strings.Count(got, "bestmove") != 1 {
		t.Errorf("the output is\n%s", got)
	}
}

var errBroken = errors.New("broken")

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, errBroken }
func (brokenPipe) Read([]byte) (int, error)  { return 0, errBroken }

func TestBrokenPipes(t *testing.T) {
	if err := newSession(brokenPipe{}).run(strings.NewReader("isready\n")); !errors.Is(err, errBroken) {
		t.Errorf("a broken output: %v", err)
	}
	if err := newSession(io.Discard).run(brokenPipe{}); !errors.Is(err, errBroken) {
		t.Errorf("a broken input: %v", err)
	}
	if err := newSession(io.Discard).run(strings.NewReader(strings.Repeat("x", 1<<21))); !errors.Is(err, bufio.ErrTooLong) {
		t.Errorf("a line of 2 MiB: %v", err)
	}
}

// TestMoveTime holds it to about the time that it is given.
func TestMoveTime(t *testing.T) {
	c := newConversation(t)
	c.send("position startpos")
	for _, command := range []string{"go movetime 1", "go movetime 50", "go wtime 500 btime 500", "go wtime 1 btime 1 winc 1"} {
		answersWithin(t, command, func() time.Duration { return c.timeOf(command) })
	}
	c.quit()
}

// TestCommandsAreReadDuringASearch sends commands that have to wait for the answer to a search without an end, and then
// some that do not.
func TestCommandsAreReadDuringASearch(t *testing.T) {
	const hard = "position fen r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10"
	for _, first := range []string{"go depth 0", "go mate 3", "go depth 99999", "go nodes 0"} {
		for _, second := range []string{"position startpos", "ucinewgame", "setoption name Hash value 1", "d", "xyzzy", "go depth 1"} {
			t.Run(first+", "+second, func(t *testing.T) {
				c := newConversation(t)
				c.send(hard, first)
				c.expect("info depth 3 ")
				c.send(second, "isready")
				c.expect("readyok")
				if strings.Contains(c.output.String(), "bestmove") {
					t.Error("it has answered before stop")
				}
				c.send("stop")
				c.expect("bestmove ")
				if second == "go depth 1" {
					c.expect("bestmove ")
				}
				c.send("isready")
				c.expect("readyok")
				c.quit()
			})
		}
	}
}

// TestQuitDuringASearch quits while commands wait for a search without an end.
func TestQuitDuringASearch(t *testing.T) {
	for _, waiting := range [][]string{{}, {"position startpos"}, {"position startpos", "go depth 99999", "go mate 3"}} {
		c := newConversation(t)
		c.send("go depth 99999")
		c.send(waiting...)
		if got := c.quit(); strings.Count(got, "bestmove") != 1 {
			t.Errorf("%q: the output is\n%s", waiting, got)
		}
	}
}

// TestStopEndsAllThatWasAsked stops a search and those that wait for it: each go has one answer.
func TestStopEndsAllThatWasAsked(t *testing.T) {
	c := newConversation(t)
	c.send("go depth 0", "position startpos moves e2e4", "go infinite", "position startpos moves d2d4 d7d5", "go mate 9", "stop", "isready")
	for _, want := range []string{`bestmove [a-h][12]`, `bestmove [a-h][78]`, `bestmove [a-h][1-4]`} {
		if got := c.expect("bestmove "); !regexp.MustCompile(want).MatchString(got) {
			t.Errorf("the answer is %q, want %s", got, want)
		}
	}
	c.send("go depth 2") // which came after stop
	c.expect("info depth 2 ")
	c.expect("bestmove ")
	if got := strings.Count(c.quit(), "bestmove"); got != 4 {
		t.Errorf("%d answers to 4 searches:\n%s", got, c.output.String())
	}
}

// TestTooManyCommandsWait has more commands wait for a search than it keeps: the search is stopped.
func TestTooManyCommandsWait(t *testing.T) {
	c := newConversation(t)
	c.send("go depth 0")
	for range maxPending + 10 {
		c.send("position startpos")
	}
	c.expect("bestmove ")
	c.send("isready")
	c.expect("readyok")
	c.quit()
}

// TestRefusedPosition is not to play on in the position before it.
func TestRefusedPosition(t *testing.T) {
	for _, refused := range []string{"position fen 8/8/8/8/8/8/8/8 w - - 0 1", "position startpos moves e2e5", "position"} {
		c := newConversation(t)
		c.send("position startpos moves e2e4", refused, "go depth 2", "d", "isready")
		c.expect("bestmove 0000")
		c.expect("readyok")
		c.send("position startpos", "go depth 1")
		c.expect("bestmove ")
		got := c.quit()
		if strings.Contains(got, " e7") || strings.Count(got, "info string no position") != 2 || strings.Contains(got, "R N B Q K B N R") {
			t.Errorf("%s: the output is\n%s", refused, got)
		}
	}
}

// TestBestMoveBeginsTheLastLine breaks searches off wherever that may be, and compares the answer with the last line that
// was reported.
func TestBestMoveBeginsTheLastLine(t *testing.T) {
	pv := regexp.MustCompile(`^info .* pv (\S+)(?: (\S+))?`)
	c := newConversation(t)
	for _, fen := range []string{fianchetto.StartFEN, kiwipete, "4k3/8/8/8/8/8/8/4K2R w K - 0 1"} {
		for nodes := 1; nodes < 60_000; nodes += nodes/7 + 1 {
			c.output.Reset()
			c.send("position fen "+fen, "ucinewgame", fmt.Sprintf("go nodes %d", nodes))
			c.expect("bestmove ")
			var want string
			for line := range strings.Lines(c.output.String()) {
				if match := pv.FindStringSubmatch(line); match != nil {
					want = "bestmove " + match[1]
					if match[2] != "" {
						want += " ponder " + match[2]
					}
				} else if got := strings.TrimSpace(line); strings.HasPrefix(got, "bestmove") && got != want {
					t.Errorf("%s, %d nodes: %q after\n%s", fen, nodes, got, c.output.String())
				}
			}
		}
	}
	c.quit()
}

// TestPonder thinks in the other side's time: no clock runs before ponderhit, and there is no answer.
func TestPonder(t *testing.T) {
	for _, test := range []struct{ limits, end string }{
		{"wtime 300 btime 300", "ponderhit"},
		{"movetime 1", "ponderhit"},
		{"depth 1", "ponderhit"},
		{"wtime 300 btime 300", "stop"},
		{"depth 1", "stop"},
		{"movetime 1", "position startpos"}, // which ends a search that waits for a command
	} {
		t.Run(test.limits+", "+test.end, func(t *testing.T) {
			answersWithin(t, test.end, func() time.Duration {
				c := newConversation(t)
				c.send("position startpos moves e2e4 e7e5", "go ponder "+test.limits)
				c.expect("info depth 1 ")
				time.Sleep(50 * time.Millisecond)
				c.send("isready")
				c.expect("readyok")
				if strings.Contains(c.output.String(), "bestmove") {
					t.Error("it has answered while it was to ponder")
				}
				took := c.timeOf(test.end)
				c.send("ponderhit", "go depth 1") // a late ponderhit does no harm
				c.expect("bestmove ")
				c.quit()
				return took
			})
		})
	}
}

// TestPonderHitStartsTheClock has the same time left to think after ponderhit, however long the other side took.
func TestPonderHitStartsTheClock(t *testing.T) {
	c := newConversation(t)
	c.send("position startpos", "go ponder movetime 300")
	time.Sleep(400 * time.Millisecond)
	if spent := c.timeOf("ponderhit"); spent < 250*time.Millisecond {
		t.Errorf("it answers %v after ponderhit, of 300 ms", spent)
	}
	c.quit()
}

// TestPonderHitAtOnce sends ponderhit as soon as the answer before it allows: it must not reach the search before.
func TestPonderHitAtOnce(t *testing.T) {
	c := newConversation(t)
	for range 500 {
		c.send("go ponder movetime 1", "ponderhit")
		c.expect("bestmove ")
	}
	c.quit()
}

// TestEndOfInputAnswersWhatWasAsked reads commands from a file: each search that has a limit reaches it.
func TestEndOfInputAnswersWhatWasAsked(t *testing.T) {
	for _, test := range []struct {
		commands string
		want     string
	}{
		{"go depth 5\nposition startpos moves e2e4\ngo depth 4\nisready", `(?s)info depth 5 .*bestmove .*info depth 4 .*bestmove`},
		{"go nodes 5000\ngo movetime 30\n", `(?s)bestmove .*bestmove`},
		{"go depth 0\nposition startpos\n", `bestmove`},
		{"go mate 3\nposition startpos\ngo infinite\ngo ponder depth 2\n", `(?s)bestmove.*bestmove.*bestmove`},
		{"go depth 99999\nucinewgame", `bestmove`},
	} {
		var out strings.Builder
		if err := newSession(&out).run(strings.NewReader(test.commands)); err != nil {
			t.Fatal(err)
		}
		if !regexp.MustCompile(test.want).MatchString(out.String()) {
			t.Errorf("%q: the output is\n%swant %s", test.commands, out.String(), test.want)
		}
	}
}

// FuzzSession sends any commands, then stop: every go has one answer.
func FuzzSession(f *testing.F) {
	for _, commands := range []string{
		"uci\nisready\nucinewgame\nposition startpos moves e2e4 e7e5\ngo depth 1\nstop\nquit",
		"setoption name Move Overhead value 0\nsetoption name UCI_Chess960 value true",
		"position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1 moves e1h1\nd\ngo nodes 10 movetime 1",
		"go wtime -1 btime 99999999999999999 movestogo 0\ngo infinite\nposition fen\nsetoption name value\ngo depth",
		" go\ngo depth 0\nposition startpos\n\tgo ponder mate 3\nponderhit",
		"go searchmoves e2e4 0000\ngo searchmoves\ngo searchmoves e2e4 ponder wtime 1",
	} {
		f.Add(commands)
	}
	f.Fuzz(func(t *testing.T, input string) {
		var commands []string
		searches := 0
		for line := range strings.Lines(input) {
			words := strings.Fields(line)
			if len(words) == 0 || words[0] == "quit" || words[0] == "setoption" && strings.Contains(strings.ToLower(line), "hash") {
				continue
			}
			if words[0] == "go" {
				searches++
			}
			commands = append(commands, strings.Join(words, " "))
		}
		var out strings.Builder
		err := newSession(&out).run(strings.NewReader(strings.Join(commands, "\n") + "\nstop\n"))
		if errors.Is(err, bufio.ErrTooLong) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		answers := 0
		for line := range strings.Lines(out.String()) {
			if strings.HasPrefix(line, "bestmove ") {
				answers++
			}
		}
		if answers != searches {
			t.Errorf("%d answers to %d searches: %q", answers, searches, commands)
		}
	})
}
