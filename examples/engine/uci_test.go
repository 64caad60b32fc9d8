package main

import (
	"bufio"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/fianchetto-chess/fianchetto"
)

// conversation is a session that runs in a goroutine of its own.
type conversation struct {
	t     *testing.T
	in    *io.PipeWriter
	lines chan string
	heard strings.Builder
	end   chan error
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

func (c *conversation) say(command string) {
	c.t.Helper()
	if _, err := io.WriteString(c.in, command+"\n"); err != nil {
		c.t.Fatalf("%q is not heard: %v", command, err)
	}
}

// hear waits for a line that begins as it is told.
func (c *conversation) hear(beginning string) string {
	c.t.Helper()
	for {
		select {
		case line, ok := <-c.lines:
			if !ok {
				c.t.Fatalf("%q never came, but\n%s", beginning, c.heard.String())
			}
			c.heard.WriteString(line + "\n")
			if strings.HasPrefix(line, beginning) {
				return line
			}
		case <-time.After(20 * time.Second):
			c.t.Fatalf("%q does not come, but\n%s", beginning, c.heard.String())
		}
	}
}

// rest waits for the end, and returns all that was heard.
func (c *conversation) rest() string {
	c.t.Helper()
	for line := range c.lines {
		c.heard.WriteString(line + "\n")
	}
	if err := <-c.end; err != nil {
		c.t.Fatal(err)
	}
	return c.heard.String()
}

func TestConversations(t *testing.T) {
	const mate = "position fen 7k/8/6KP/8/8/8/8/R7 w - - 0 1"
	for name, test := range map[string]struct {
		commands []string
		want     string // a regular expression
	}{
		"introduction":   {[]string{"uci"}, `^id name .*\nid author .*\n(option name .*\n){3}uciok\n$`},
		"ready":          {[]string{"isready"}, `^readyok\n$`},
		"depth":          {[]string{"position startpos moves e2e4", "go depth 3"}, `(?s)^info depth 1 .*info depth 3 score cp -?\d+ nodes \d+ nps \d+ time \d+ pv( [a-h][1-8][a-h][1-8]){3}\nbestmove [a-h][78]\w+\n$`},
		"start":          {[]string{"go depth 1"}, `bestmove [a-h][12]`},
		"nodes":          {[]string{"position startpos", "go nodes 5000"}, `bestmove`},
		"time":           {[]string{"position startpos", "go movetime 20"}, `bestmove`},
		"clocks":         {[]string{"position startpos", "go wtime 300 btime 1 winc 0 binc 0 movestogo 10"}, `bestmove`},
		"no time left":   {[]string{"position startpos", "go wtime -20 btime 1"}, `bestmove`},
		"mate":           {[]string{mate, "go mate 1"}, `score mate 1 .* pv a1a8\nbestmove a1a8\n$`},
		"being mated":    {[]string{"position fen 7k/8/6KP/8/8/8/8/1R6 b - - 0 1", "go depth 3"}, `score mate -1 `},
		"after mate":     {[]string{mate + " moves a1a8", "go depth 3"}, `^bestmove 0000\n$`},
		"Chess960":       {[]string{"setoption name UCI_Chess960 value true", "position fen 4rkr1/8/3P3P/8/8/8/6P1/5KR1 w G - 0 1", "go mate 1"}, `score mate 1 .* pv f1g1\nbestmove f1g1\n$`},
		"Chess960 moves": {[]string{"setoption name UCI_Chess960 value true", "position fen r4krn/pppp2pp/8/8/8/8/PPPPPPPP/7K b ga - 0 1 moves f8a8", "d"}, `8 \. \. k r \. \. r n 8`},
		"hash":           {[]string{"setoption name Hash value 1", "setoption name Move Overhead value 30", "ucinewgame", "go depth 2"}, `^info depth 1(.*\n)+bestmove`},
		"board":          {[]string{"d"}, `8 r n b q k b n r 8`},
		"unknown":        {[]string{"", "xyzzy", "ponderhit", "isready"}, `^readyok\n$`},
		"idle stop":      {[]string{"stop", "isready"}, `^readyok\n$`},
		"bad hash":       {[]string{"setoption name Hash value 0"}, `^info string option "Hash": "0" is no number from 1 to 4096\n$`},
		"bad chess960":   {[]string{"setoption name UCI_Chess960 value maybe"}, `^info string option "UCI_Chess960": .*"maybe"`},
		"bad option":     {[]string{"setoption name Fantasy value 1"}, `^info string option "Fantasy": there is no such option\n$`},
		"bad position":   {[]string{"position"}, `^info string position: want startpos, or fen`},
		"bad FEN":        {[]string{"position fen 8/8 w - - 0 1"}, `^info string fianchetto: FEN "8/8 w - - 0 1": placement at offset`},
		"bad move":       {[]string{"position startpos moves e2e4 e7e4"}, `^info string move 2 of 2: fianchetto: move "e7e4" at offset 2: illegal move`},
		"bad number":     {[]string{"go depth x", "go depth 1"}, `^info string go depth: "x" is no number\ninfo depth 1`},
		"no number":      {[]string{"go nodes", "go depth 1"}, `^info string go nodes: a number is missing\ninfo depth 1`},
	} {
		t.Run(name, func(t *testing.T) {
			c := newConversation(t)
			for _, command := range test.commands {
				c.say(command)
			}
			if last := test.commands[len(test.commands)-1]; strings.HasPrefix(last, "go") {
				c.hear("bestmove")
			}
			c.say("quit")
			if got := c.rest(); !regexp.MustCompile(test.want).MatchString(got) {
				t.Errorf("%q: it says\n%swant %s", test.commands, got, test.want)
			}
		})
	}
}

// TestStopAndReadyWhileSearching has a search without end answer at once, and not before.
func TestStopAndReadyWhileSearching(t *testing.T) {
	for _, start := range []string{"go infinite", "go"} {
		c := newConversation(t)
		c.say("position startpos")
		c.say(start)
		c.hear("info depth 4")
		c.say("isready")
		c.hear("readyok")
		if strings.Contains(c.heard.String(), "bestmove") {
			t.Fatal("it has answered")
		}
		asked := time.Now()
		c.say("stop")
		c.hear("bestmove ")
		if late := time.Since(asked); late > time.Second {
			t.Errorf("%s: it answers %v after stop", start, late)
		}
		c.say("go depth 1") // it can be asked again
		c.hear("bestmove ")
		c.say("quit")
		c.rest()
	}
}

// TestInfiniteWaits has searched all there is, but is not to answer before it is asked.
func TestInfiniteWaits(t *testing.T) {
	c := newConversation(t)
	c.say("position fen 7k/5Q2/8/8/8/8/8/K7 b - - 0 1")
	c.say("go infinite")
	c.say("isready")
	c.hear("readyok")
	time.Sleep(20 * time.Millisecond)
	c.say("stop")
	if c.hear("bestmove"); strings.Index(c.heard.String(), "readyok") > strings.Index(c.heard.String(), "bestmove") {
		t.Error("it answers before it is asked")
	}
	c.say("quit")
	c.rest()
}

// TestCommandsWaitForAnAnswer has the position changed while a search is under way: that is about the old one still.
func TestCommandsWaitForAnAnswer(t *testing.T) {
	c := newConversation(t)
	c.say("position startpos")
	c.say("go nodes 200000")
	c.say("position fen 7k/8/6KP/8/8/8/8/R7 w - - 0 1")
	c.say("go depth 2")
	if got := c.hear("bestmove"); !regexp.MustCompile(`bestmove [a-h][12]`).MatchString(got) || got == "bestmove a1a8" {
		t.Errorf("the first answer is %q", got)
	}
	if got := c.hear("bestmove"); got != "bestmove a1a8" {
		t.Errorf("the second answer is %q", got)
	}
	c.say("quit")
	c.rest()
}

// TestEndOfInput ends a search that goes on.
func TestEndOfInput(t *testing.T) {
	c := newConversation(t)
	c.say("go infinite")
	c.hear("info depth 1")
	c.in.Close()
	if got := c.rest(); strings.Count(got, "bestmove") != 1 {
		t.Errorf("it says\n%s", got)
	}
}

var errBroken = errors.New("broken")

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, errBroken }
func (brokenPipe) Read([]byte) (int, error)  { return 0, errBroken }

func TestBrokenPipes(t *testing.T) {
	if err := newSession(brokenPipe{}).run(strings.NewReader("isready\n")); !errors.Is(err, errBroken) {
		t.Errorf("nobody hears it, and it says %v", err)
	}
	if err := newSession(io.Discard).run(brokenPipe{}); !errors.Is(err, errBroken) {
		t.Errorf("it hears nothing, and says %v", err)
	}
	if err := newSession(io.Discard).run(strings.NewReader(strings.Repeat("x", 1<<21))); !errors.Is(err, bufio.ErrTooLong) {
		t.Errorf("a line of 2 MiB: %v", err)
	}
}

// TestMoveTime holds it to the time that it is given, with a lot of patience for a busy machine.
func TestMoveTime(t *testing.T) {
	c := newConversation(t)
	c.say("position startpos")
	for _, command := range []string{"go movetime 1", "go movetime 50", "go wtime 500 btime 500", "go wtime 1 btime 1 winc 1"} {
		begun := time.Now()
		c.say(command)
		c.hear("bestmove ")
		if spent := time.Since(begun); spent > time.Second {
			t.Errorf("%s takes %v", command, spent)
		}
	}
	c.say("quit")
	c.rest()
}

func FuzzSession(f *testing.F) {
	for _, commands := range []string{
		"uci\nisready\nucinewgame\nposition startpos moves e2e4 e7e5\ngo depth 1\nstop\nquit",
		"setoption name Hash value 1\nsetoption name Move Overhead value 0\nsetoption name UCI_Chess960 value true",
		"position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1 moves e1h1\nd\ngo nodes 10 movetime 1",
		"go wtime -1 btime 99999999999999999 movestogo 0\ngo infinite\nposition fen\nsetoption name value\ngo depth",
		" go\n\tgo nodes 1",
	} {
		f.Add(commands)
	}
	f.Fuzz(func(t *testing.T, commands string) {
		var out strings.Builder
		s := &session{game: newGame(fianchetto.StartPosition()), table: newTable(1), hash: 1, out: &out}
		searches := 0
		for line := range strings.Lines(commands) {
			words := strings.Fields(line)
			if len(words) > 0 && (words[0] == "quit" || words[0] == "setoption" && strings.Contains(strings.ToLower(line), "hash")) {
				continue
			}
			if len(words) > 0 && words[0] == "go" {
				searches++
			}
			if err := s.obey(words); err != nil && strings.Contains(err.Error(), "\n") {
				t.Errorf("%q: an error of several lines: %v", line, err)
			}
			s.finish(true)
		}
		if answers := strings.Count("\n"+out.String(), "\nbestmove "); answers > searches {
			t.Errorf("%d answers to %d searches: %q", answers, searches, commands)
		}
	})
}
