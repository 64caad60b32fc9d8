package main

import (
	"bufio"
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
			s := newSession()
			s.Now = c.clock.now
			end <- s.Run(t.Context(), commands, answers)
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
		"after mate":   {mate + " moves a1a8;go depth 3", `^info depth 0 score mate 0 .*\nbestmove \(none\)\n$`},
		"stalemate": {"position fen 7k/5Q2/8/8/8/8/8/K7 b - - 0 1;go depth 3",
			`^info depth 0 score cp 0 nodes .*\nbestmove \(none\)\n$`},
		"searchmoves": {"position startpos;go searchmoves a2a3 h2h4 depth 4",
			`(?s)info depth 4 .* pv (a2a3|h2h4) .*bestmove (a2a3|h2h4) ponder`},
		"one searchmove": {mate + ";go depth 2 searchmoves g6f7",
			`(?s)info depth 2 score cp .* pv g6f7 .*bestmove g6f7 ponder h8h7\n$`},
		"Chess960": {chess960 + ";position fen 4rkr1/8/3P3P/8/8/8/6P1/5KR1 w G - 0 1;go mate 1",
			`score mate 1 .* pv f1g1\nbestmove f1g1\n$`},
		"Chess960 moves": {chess960 + ";position fen r4krn/pppp2pp/8/8/8/8/PPPPPPPP/7K b ga - 0 1 moves f8a8;d",
			`8 \. \. k r \. \. r n 8`},
		"hash": {"setoption name Hash value 1;setoption name Move Overhead value 30;ucinewgame;go depth 2",
			`^info depth 1(.*\n)+bestmove`},
		"board": {"d", `8 r n b q k b n r 8`},
		"refused": {"position;d;go depth 1",
			`^info string invalid .*\n(info string there is no position: .*\n){2}bestmove 0000\n$`},
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

// TestCommandsDuringASearch stops a search without an end, and asks again; isready is answered meanwhile.
func TestCommandsDuringASearch(t *testing.T) {
	for _, start := range []string{"go infinite", "go depth 0", "go mate 3", "go depth 99999", "go nodes 0"} {
		converse(t, func(c *conversation) {
			c.send("position fen "+kiwipete, start)
			c.expect("info depth 3 ")
			c.noAnswer()
			c.send("stop", "go depth 1")
			c.expect("bestmove ")
			c.expect("bestmove ")
		})
	}
}

// TestInfiniteWaits has searched all there is, but is not to answer before it is asked.
func TestInfiniteWaits(t *testing.T) {
	for _, test := range []struct{ position, start, end string }{
		{"position fen 7k/5Q2/8/8/8/8/8/K7 b - - 0 1", "go infinite", "stop"}, // stalemate
		{"position startpos", "go ponder movetime 1 depth 1", "ponderhit"},
		{"position startpos", "go ponder depth 1", "stop"},
	} {
		converse(t, func(c *conversation) {
			c.send(test.position, test.start)
			synctest.Wait() // until the search is over
			c.noAnswer()
			c.send(test.end)
			c.expect("bestmove")
		})
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
