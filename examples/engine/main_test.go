package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fianchetto-chess/fianchetto"
)

// clock is a time that passes by a millisecond each time it is read, however fast the machine is.
type clock struct{ reads atomic.Int64 }

func (c *clock) now() time.Time { return time.UnixMilli(c.reads.Add(1)) }

// conversation is a session that runs in a goroutine of its own.
type conversation struct {
	t      *testing.T
	clock  clock
	in     *io.PipeWriter
	lines  chan string
	output strings.Builder
}

// converse has a conversation, which ends with quit, and returns the whole output. If the session and the test wait for
// each other, synctest says so at once.
func converse(t *testing.T, talk func(*conversation)) (output string) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		commands, in := io.Pipe()
		out, answers := io.Pipe()
		c := &conversation{t: t, in: in, lines: make(chan string, 1000)}
		end := make(chan error, 1)
		go func() {
			s := newSession(answers)
			s.now = c.clock.now
			end <- s.run(commands)
			commands.Close()
			answers.Close()
		}()
		go func() {
			defer close(c.lines)
			for lines := bufio.NewScanner(out); lines.Scan(); {
				c.lines <- lines.Text()
			}
		}()
		talk(c)
		c.send("quit")
		for line := range c.lines {
			c.output.WriteString(line + "\n")
		}
		if err := <-end; err != nil {
			t.Error(err)
		}
		output = c.output.String()
	})
	return output
}

func (c *conversation) send(commands ...string) {
	c.t.Helper()
	for _, command := range commands {
		if _, err := io.WriteString(c.in, command+"\n"); err != nil {
			c.t.Fatalf("cannot send %q: %v", command, err)
		}
	}
}

// expect waits for a line that begins so, and returns it.
func (c *conversation) expect(beginning string) string {
	c.t.Helper()
	for line := range c.lines {
		c.output.WriteString(line + "\n")
		if strings.HasPrefix(line, beginning) {
			return line
		}
	}
	c.t.Fatalf("%q never came; the output is\n%s", beginning, c.output.String())
	return ""
}

// noAnswer has isready answered, and fails if a best move came before it.
func (c *conversation) noAnswer() {
	c.t.Helper()
	c.send("isready")
	if c.expect("readyok"); strings.Contains(c.output.String(), "bestmove") {
		c.t.Errorf("it has answered:\n%s", c.output.String())
	}
}

func TestConversations(t *testing.T) {
	const mate, chess960 = "position fen 7k/8/6KP/8/8/8/8/R7 w - - 0 1", "setoption name UCI_Chess960 value true"
	for name, test := range map[string]struct {
		commands string // with semicolons between
		want     string // a regular expression
	}{
		"introduction": {"uci", `^id name .*\nid author .*\n(option name .*\n){4}uciok\n$`},
		"ready":        {"isready", `^readyok\n$`},
		"depth": {"position startpos moves e2e4;go depth 3",
			`(?s)^info depth 1 .*info depth 3 score cp -?\d+ nodes \d+ nps \d+ time \d+ ` +
				`pv( [a-h][1-8][a-h][1-8]){3}\nbestmove [a-h][78]\w+ ponder \w+\n$`},
		"start":        {"go depth 1", `bestmove [a-h][12]`},
		"nodes":        {"position startpos;go nodes 5000", `bestmove`},
		"time":         {"position startpos;go movetime 20", `bestmove`},
		"clocks":       {"position startpos;go wtime 300 btime 1 winc 0 binc 0 movestogo 10", `bestmove`},
		"no time left": {"position startpos;go wtime -20 btime 1", `bestmove`},
		"mate":         {mate + ";go mate 1", `score mate 1 .* pv a1a8\nbestmove a1a8\n$`},
		"being mated":  {"position fen 7k/8/6KP/8/8/8/8/1R6 b - - 0 1;go depth 3", `score mate -1 `},
		"after mate":   {mate + " moves a1a8;go depth 3", `^info depth 0 score mate 0 .*\nbestmove 0000\n$`},
		"stalemate": {"position fen 7k/5Q2/8/8/8/8/8/K7 b - - 0 1;go depth 3",
			`^info depth 0 score cp 0 nodes .*\nbestmove 0000\n$`},
		"searchmoves": {"position startpos;go searchmoves a2a3 h2h4 depth 4",
			`(?s)info depth 4 .* pv (a2a3|h2h4) .*bestmove (a2a3|h2h4) ponder`},
		"one searchmove": {mate + ";go depth 2 searchmoves g6f7",
			`(?s)info depth 2 score cp .* pv g6f7 .*bestmove g6f7 ponder h8h7\n$`},
		"bad searchmove": {"position startpos;go searchmoves e2e5",
			`^info string go searchmoves: fianchetto: move "e2e5".*\nbestmove 0000\n$`},
		"Chess960": {chess960 + ";position fen 4rkr1/8/3P3P/8/8/8/6P1/5KR1 w G - 0 1;go mate 1",
			`score mate 1 .* pv f1g1\nbestmove f1g1\n$`},
		"Chess960 moves": {chess960 + ";position fen r4krn/pppp2pp/8/8/8/8/PPPPPPPP/7K b ga - 0 1 moves f8a8;d",
			`8 \. \. k r \. \. r n 8`},
		"hash": {"setoption name Hash value 1;setoption name Move Overhead value 30;ucinewgame;go depth 2",
			`^info depth 1(.*\n)+bestmove`},
		"board":     {"d", `8 r n b q k b n r 8`},
		"unknown":   {";xyzzy;ponderhit;isready", `^readyok\n$`},
		"idle stop": {"stop;isready", `^readyok\n$`},
		"bad hash": {"setoption name Hash value 0",
			`^info string option "Hash": "0" is not a number from 1 to 4096\n$`},
		"bad chess960": {"setoption name UCI_Chess960 value maybe",
			`^info string option "UCI_Chess960": .*"maybe"`},
		"bad option": {"setoption name Fantasy value 1",
			`^info string option "Fantasy": there is no such option\n$`},
		"bad position": {"position", `^info string fianchetto: invalid position command`},
		"bad FEN": {"position fen 8/8 w - - 0 1",
			`^info string fianchetto: FEN "8/8 w - - 0 1": placement at offset`},
		"bad move": {"position startpos moves e2e4 e7e4",
			`^info string move 2 of 2: fianchetto: move "e7e4" at offset 2: illegal move`},
		"bad number": {"go depth x;go depth 1",
			`^info string go depth: "x" is not a number\nbestmove 0000\ninfo depth 1`},
		"no number": {"go nodes;go depth 1",
			`^info string go nodes: the number is missing\nbestmove 0000\ninfo depth 1`},
	} {
		t.Run(name, func(t *testing.T) {
			got := converse(t, func(c *conversation) {
				commands := strings.Split(test.commands, ";")
				c.send(commands...)
				if strings.HasPrefix(commands[len(commands)-1], "go") {
					c.expect("bestmove")
				}
			})
			if !regexp.MustCompile(test.want).MatchString(got) {
				t.Errorf("%q: the output is\n%swant %s", test.commands, got, test.want)
			}
		})
	}
}

// TestCommandsDuringASearch sends commands during a search without an end: stop ends it, isready is answered at once,
// and all others wait for its answer.
func TestCommandsDuringASearch(t *testing.T) {
	const middlegame = "position fen r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10"
	waiting := []string{"position startpos", "ucinewgame", "setoption name Hash value 1", "d", "xyzzy", "go depth 1"}
	for _, start := range []string{"go infinite", "go", "go depth 0", "go mate 3", "go depth 99999", "go nodes 0"} {
		for i, command := range waiting {
			if start == "go infinite" || start == "go" { // any other command ends a search that waits for one
				if i > 0 {
					break
				}
				command = "isready"
			}
			t.Run(start+", "+command, func(t *testing.T) {
				converse(t, func(c *conversation) {
					c.send(middlegame, start)
					c.expect("info depth 3 ")
					c.send(command)
					c.noAnswer()
					c.send("stop", "go depth 1") // it can be asked again
					c.expect("bestmove ")
					c.expect("bestmove ")
				})
			})
		}
	}
}

// TestInfiniteWaits has searched all there is, but is not to answer before it is asked.
func TestInfiniteWaits(t *testing.T) {
	const stalemate = "position fen 7k/5Q2/8/8/8/8/8/K7 b - - 0 1"
	for _, test := range []struct{ position, start, end string }{
		{stalemate, "go infinite", "stop"},
		{stalemate, "go", "stop"},
		{"position startpos", "go ponder movetime 1 depth 1", "ponderhit"},
		{"position startpos", "go ponder depth 1", "ponderhit"},
		{"position startpos", "go ponder depth 1", "stop"},
		{"position startpos", "go ponder depth 1", "position startpos"}, // ends a search that waits for a command
	} {
		converse(t, func(c *conversation) {
			c.send(test.position, test.start)
			synctest.Wait() // until the search is over
			c.noAnswer()
			c.send(test.end)
			c.expect("bestmove")
			c.send("ponderhit", "go depth 1") // a late ponderhit does no harm
			c.expect("bestmove")
		})
	}
}

// TestCommandsWaitForAnAnswer changes the position during a search: the first answer is about the old one.
func TestCommandsWaitForAnAnswer(t *testing.T) {
	converse(t, func(c *conversation) {
		c.send("position startpos", "go nodes 200000", "position fen 7k/8/6KP/8/8/8/8/R7 w - - 0 1", "go depth 2")
		got := c.expect("bestmove")
		if got == "bestmove a1a8" || !regexp.MustCompile(`bestmove [a-h][12]`).MatchString(got) {
			c.t.Errorf("the first answer is %q", got)
		}
		if got := c.expect("bestmove"); got != "bestmove a1a8" {
			c.t.Errorf("the second answer is %q", got)
		}
	})
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
	err := newSession(io.Discard).run(strings.NewReader(strings.Repeat("x", 1<<21)))
	if !errors.Is(err, bufio.ErrTooLong) {
		t.Errorf("a line of 2 MiB: %v", err)
	}
}

// timeOf returns the milliseconds on the clock from a command to the best move.
func (c *conversation) timeOf(command string) int64 {
	c.t.Helper()
	before := c.clock.reads.Load()
	c.send(command)
	c.expect("bestmove ")
	return c.clock.reads.Load() - before
}

// looks is how often a search may read the clock after the end of its time: for reports, and between iterations.
const looks = 20

// TestMoveTime holds the search to the time that it is given.
func TestMoveTime(t *testing.T) {
	converse(t, func(c *conversation) {
		c.send("position startpos")
		for command, most := range map[string]int64{
			"go movetime 1": 1, "go movetime 50": 50, "go wtime 500 btime 500": 60, "go wtime 1 btime 1 winc 1": 1,
		} {
			if took := c.timeOf(command); took > most+looks {
				c.t.Errorf("%s: it answers after %d ms, want %d", command, took, most)
			}
		}
	})
}

// TestPonderHitStartsTheClock thinks in the other side's time for longer than its own: no clock runs before ponderhit,
// and all of the time is left after it.
func TestPonderHitStartsTheClock(t *testing.T) {
	converse(t, func(c *conversation) {
		c.send("position startpos", "go ponder movetime 30")
		c.expect("info depth 9 ") // some 60,000 nodes, a look at the clock every 512
		c.noAnswer()
		if took := c.timeOf("ponderhit"); took < 30 || took > 30+looks {
			c.t.Errorf("it answers %d ms after ponderhit, of 30", took)
		}
		c.send("go ponder wtime 300 btime 300")
		c.expect("info depth 9 ")
		c.timeOf("stop")
	})
}

// TestPonderHitAtOnce sends ponderhit as soon as the answer before it allows: it must not reach the search before.
func TestPonderHitAtOnce(t *testing.T) {
	converse(t, func(c *conversation) {
		for range 500 {
			c.send("go ponder movetime 1", "ponderhit")
			c.expect("bestmove ")
		}
	})
}

// TestQuitDuringASearch quits while commands wait for a search without an end.
func TestQuitDuringASearch(t *testing.T) {
	for _, waiting := range []string{"", "position startpos", "position startpos\ngo depth 99999\ngo mate 3"} {
		output := converse(t, func(c *conversation) {
			c.send("go depth 99999", waiting)
		})
		if strings.Count(output, "bestmove") != 1 {
			t.Errorf("%q: the output is\n%s", waiting, output)
		}
	}
}

// TestStopEndsAllThatWasAsked stops a search and those that wait for it: each go has one answer.
func TestStopEndsAllThatWasAsked(t *testing.T) {
	output := converse(t, func(c *conversation) {
		c.send("go depth 0", "position startpos moves e2e4", "go infinite",
			"position startpos moves d2d4 d7d5", "go mate 9", "stop", "isready")
		for _, want := range []string{`bestmove [a-h][12]`, `bestmove [a-h][78]`, `bestmove [a-h][1-4]`} {
			if got := c.expect("bestmove "); !regexp.MustCompile(want).MatchString(got) {
				c.t.Errorf("the answer is %q, want %s", got, want)
			}
		}
		c.send("go depth 2") // which came after stop
		c.expect("info depth 2 ")
		c.expect("bestmove ")
	})
	if got := strings.Count(output, "bestmove"); got != 4 {
		t.Errorf("%d answers to 4 searches:\n%s", got, output)
	}
}

// TestTooManyCommandsWait has more commands wait for a search than it keeps: the search is stopped.
func TestTooManyCommandsWait(t *testing.T) {
	converse(t, func(c *conversation) {
		c.send("go depth 0")
		for range maxPending + 10 {
			c.send("position startpos")
		}
		c.expect("bestmove ")
		c.send("isready")
		c.expect("readyok")
	})
}

// TestRefusedPosition is not to play on in the position before it.
func TestRefusedPosition(t *testing.T) {
	for _, refused := range []string{
		"position fen 8/8/8/8/8/8/8/8 w - - 0 1", "position startpos moves e2e5", "position",
	} {
		got := converse(t, func(c *conversation) {
			c.send("position startpos moves e2e4", refused, "go depth 2", "d", "isready")
			c.expect("bestmove 0000")
			c.expect("readyok")
			c.send("position startpos", "go depth 1")
			c.expect("bestmove ")
		})
		if strings.Contains(got, " e7") || strings.Contains(got, "R N B Q K B N R") ||
			strings.Count(got, "info string no position") != 2 {
			t.Errorf("%s: the output is\n%s", refused, got)
		}
	}
}

// TestBestMoveBeginsTheLastLine breaks searches off wherever that may be, and compares the answer with the last line
// that was reported.
func TestBestMoveBeginsTheLastLine(t *testing.T) {
	pv := regexp.MustCompile(`^info .* pv (\S+)(?: (\S+))?`)
	converse(t, func(c *conversation) {
		for _, fen := range []string{fianchetto.StartFEN, kiwipete, "4k3/8/8/8/8/8/8/4K2R w K - 0 1"} {
			for nodes := 1; nodes < 60_000; nodes += nodes/7 + 1 {
				c.output.Reset()
				c.send("position fen "+fen, "ucinewgame", fmt.Sprintf("go nodes %d", nodes))
				answer := c.expect("bestmove ")
				var want string
				for line := range strings.Lines(c.output.String()) {
					if match := pv.FindStringSubmatch(line); match != nil {
						want = "bestmove " + match[1]
						if match[2] != "" {
							want += " ponder " + match[2]
						}
					}
				}
				if answer != want {
					c.t.Errorf("%s, %d nodes: %q after\n%s", fen, nodes, answer, c.output.String())
				}
			}
		}
	})
}

// TestEndOfInputAnswersWhatWasAsked reads commands from a file: each search that has a limit reaches it.
func TestEndOfInputAnswersWhatWasAsked(t *testing.T) {
	for commands, want := range map[string]string{
		"go depth 5\nposition startpos moves e2e4\ngo depth 4\nisready": `(?s)info depth 5 .*bestmove ` +
			`.*info depth 4 .*bestmove`,
		"go nodes 5000\ngo movetime 30\n":                                `(?s)bestmove .*bestmove`,
		"go depth 0\nposition startpos\n":                                `bestmove`,
		"go mate 3\nposition startpos\ngo infinite\ngo ponder depth 2\n": `(?s)bestmove.*bestmove.*bestmove`,
		"go infinite":                `^info depth 1(.*\n)*bestmove .*\n$`,
		"go depth 99999\nucinewgame": `bestmove`,
	} {
		var out strings.Builder
		if err := newSession(&out).run(strings.NewReader(commands)); err != nil {
			t.Fatal(err)
		}
		if !regexp.MustCompile(want).MatchString(out.String()) {
			t.Errorf("%q: the output is\n%swant %s", commands, out.String(), want)
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
			if len(words) == 0 || words[0] == "quit" ||
				words[0] == "setoption" && strings.Contains(strings.ToLower(line), "hash") {
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
