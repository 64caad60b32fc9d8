package client_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/must"
	"github.com/fianchetto-chess/fianchetto/uci"
	"github.com/fianchetto-chess/fianchetto/uci/client"
)

// programRole in the environment makes the test binary a program that the client starts.
const programRole = "CLIENT_TEST_PROGRAM"

func TestMain(m *testing.M) {
	if role := os.Getenv(programRole); role != "" {
		play(role)
		return
	}
	os.Exit(m.Run())
}

// first returns the move of the least number and the reply of the least number.
func first(game *fianchetto.Game) (best uci.Best) {
	pos := game.Position()
	best.Move = slices.Min(append(pos.AppendLegal(nil), fianchetto.Move(math.MaxUint16)))
	if !pos.IsLegal(best.Move) {
		return uci.Best{}
	}
	next := pos.After(best.Move)
	if replies := next.AppendLegal(nil); len(replies) > 0 {
		best.Ponder = slices.Min(replies)
	}
	return best
}

// play is an engine with a fault.
func play(role string) {
	session := uci.Session{
		Name: "Test 1", Author: "A. Uthor",
		Options: []uci.Option{uci.Spin("Hash", 16, 1, 64, nil), uci.Button("Clear Hash", func() {})},
		Search: func(ctx context.Context, s *uci.Search) uci.Best {
			best := first(s.Game)
			isNone := func(m fianchetto.Move) bool { return m == fianchetto.NoMove }
			s.Report(uci.Info{Depth: 2, SelDepth: 4, MultiPV: 1, Score: uci.Score{Unit: "cp", Value: -7},
				Nodes: 99, NPS: 990, Hashfull: 3, Time: 100 * time.Millisecond,
				PV: slices.DeleteFunc([]fianchetto.Move{best.Move, best.Ponder}, isNone)})
			s.Report(uci.Info{Text: "a  message"})
			switch role {
			case "crash":
				fmt.Fprintln(os.Stderr, "assertion failed:\n  king != NONE")
				os.Exit(7)
			case "deaf":
				select {}
			case "flood":
				for {
					s.Report(uci.Info{Depth: 1})
				}
			case "long-line":
				s.Printf("%s\ninfo string %s\n", strings.Repeat("x", 1<<17), strings.Repeat("y", 1<<24))
			case "late": // from the start position
				if pos := s.Game.Position(); pos == fianchetto.StartPosition() {
					time.Sleep(1500 * time.Millisecond)
				}
			case "illegal":
				s.Printf("bestmove e2e5\n")
			case "slow":
				<-ctx.Done()
			}
			return best
		},
	}
	switch role {
	case "silent":
		time.Sleep(time.Hour)
	case "lingers":
		time.Sleep(4 * time.Second)
		return
	case "ends":
		os.Exit(3)
	case "refuses":
		fmt.Println("No such option: Hash")
	case "stderr":
		fmt.Fprint(os.Stderr, strings.Repeat("y", 1<<20), "\nto stderr\n")
	case "closes":
		_, _ = os.Stdout.Close(), os.Stderr.Close()
		time.Sleep(time.Hour)
	case "orphan":
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), programRole+"=lingers")
		child.Stdout = os.Stdout
		if err := child.Start(); err != nil {
			panic(err)
		}
		fmt.Fprintln(os.Stderr, "panic: no king\n\ngoroutine 1 [running]:\nexit status 2")
		os.Exit(3)
	case "unsolicited": // an answer of no search, after each position
		for in := bufio.NewScanner(os.Stdin); in.Scan(); {
			switch word, _, _ := strings.Cut(in.Text(), " "); word {
			case "uci":
				fmt.Println("uciok")
			case "position":
				fmt.Println("info depth 9\nbestmove a2a4")
			case "isready":
				fmt.Println("readyok")
			case "go":
				fmt.Println("bestmove a2a3")
			case "quit":
				return
			}
		}
	case "prompts":
		fmt.Print("engine > id name Test 2\nuciok\nengine > engine > readyok\nengine > > e2e4\nengine > engine > readyok\n")
		_, _ = io.Copy(io.Discard, os.Stdin)
		return
	case "stubborn":
		_ = session.Run(context.Background(), os.Stdin, os.Stdout)
		time.Sleep(time.Hour)
	}
	_ = session.Run(context.Background(), os.Stdin, os.Stdout)
}

// generous is a time limit for what takes no time unless the machine is busy.
const generous = time.Minute

func limit(t *testing.T, d time.Duration) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), d)
	t.Cleanup(cancel)
	return ctx
}

// startsItself reports whether the test binary can be started as a program: an emulated one cannot.
var startsItself = sync.OnceValue(func() bool { return exec.Command(os.Args[0], "-test.list=^$").Run() == nil })

func program(t *testing.T, role string) *exec.Cmd {
	t.Helper()
	if !startsItself() {
		t.Skip("no program can be started here")
	}
	command := exec.Command(os.Args[0])
	command.Env = append(os.Environ(), programRole+"="+role)
	return command
}

// open starts a program that greets.
func open(t *testing.T, role string) *client.Engine {
	t.Helper()
	c := must.Get(client.Open(limit(t, generous), program(t, role)))(t)
	t.Cleanup(c.Close)
	return c
}

func game(t *testing.T, command string) *fianchetto.Game {
	t.Helper()
	return must.Get(fianchetto.ParseUCIPosition(command, false))(t)
}

func TestClient(t *testing.T) {
	c := open(t, "engine")
	if c.Name != "Test 1" || c.Author != "A. Uthor" || len(c.Options) != 3 {
		t.Errorf("it is %+v", c)
	}
	ctx := limit(t, generous)
	for _, option := range [][2]string{{"hash", "32"}, {"Clear Hash", ""}} {
		if err := c.SetOption(ctx, option[0], option[1]); err != nil {
			t.Error(err)
		}
	}
	for option, want := range map[[2]string]string{
		{"Hash", "65"}: "not a number from 1 to 64",
		{"Hsah", "3"}:  `it declares none named "Hsah"; it declares Hash, Clear Hash, UCI_Chess960`,
	} {
		err := c.SetOption(ctx, option[0], option[1])
		if !errors.Is(err, client.ErrOption) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %s", option, err, want)
		}
	}
	for _, command := range []string{
		"startpos", "startpos moves e2e4 e7e5", "fen k7/8/1QK5/8/8/8/8/8 b - - 0 1",
		"fen 4k3/8/8/8/8/8/5PPP/6KR w H - 0 1 moves g1h1", "startpos moves g1f3",
	} {
		g := game(t, command)
		var infos []uci.Info
		best, err := c.Go(ctx, g, uci.Limits{Depth: 2}, func(i uci.Info) { infos = append(infos, i) })
		want := first(g)
		if err != nil || best != want || len(infos) != 2 {
			t.Fatalf("%s: %v, %v, %+v, want %v", command, best, err, infos, want)
		}
		if i := infos[0]; i.Depth != 2 || i.Score.String() != "cp -7" || i.Time != 100*time.Millisecond ||
			want.Ponder != 0 && (len(i.PV) != 2 || i.PV[1] != want.Ponder) || infos[1].Text != "a  message" {
			t.Errorf("%s: %+v", command, infos)
		}
	}
}

// TestIdentity searches while earlier answers are still to come: an answer is that of its search.
func TestIdentity(t *testing.T) {
	c := open(t, "unsolicited")
	for range 3 {
		best, err := c.Go(limit(t, generous), game(t, "startpos"), uci.Limits{Depth: 1}, func(i uci.Info) {
			t.Errorf("a report of another search: %+v", i)
		})
		if err != nil || best.Move.String() != "a2a3" {
			t.Errorf("the best move is %v, %v", best, err)
		}
	}
	c = open(t, "late")
	if best, err := c.Go(limit(t, 10*time.Millisecond), game(t, "startpos"), uci.Limits{Infinite: true}, nil); err == nil {
		t.Errorf("a best move in time: %v", best)
	}
	for _, command := range []string{"startpos moves e2e4", "startpos moves d2d4 d7d5"} {
		g := game(t, command)
		if best, err := c.Go(limit(t, generous), g, uci.Limits{Depth: 1}, nil); err != nil || best != first(g) {
			t.Errorf("%s: the best move is %v, %v; want %v", command, best, err, first(g))
		}
	}
}

// TestPrompts leaves the prompts of a program out of its answers, but not out of the trace.
func TestPrompts(t *testing.T) {
	c := must.Get(client.Start(program(t, "prompts")))(t)
	t.Cleanup(c.Close)
	ctx, trace, answer := limit(t, generous), "", ""
	c.Trace = func(line string) { trace += line + "\n" }
	if err := errors.Join(c.Greet(ctx), c.Ready(ctx)); err != nil || c.Name != "Test 2" {
		t.Fatalf("it is %q, %v", c.Name, err)
	}
	err := c.Ask(ctx, "go\nisready", func(line string, _ bool) (bool, error) {
		answer += line + "\n"
		return line == "readyok", nil
	})
	const want = "> uci\n< engine > id name Test 2\n< uciok\n> isready\n< engine > engine > readyok\n" +
		"> go\n> isready\n< engine > > e2e4\n< engine > engine > readyok\n"
	if err != nil || answer != "> e2e4\nreadyok\n" || trace != want {
		t.Errorf("%v, the answer is %q, the trace %q", err, answer, trace)
	}
}

// perft counts leaves by Stockfish's command.
func perft(ctx context.Context, c *client.Engine, pos fianchetto.Position, depth int) (nodes uint64, err error) {
	if err := c.SetPosition(ctx, pos); err != nil {
		return 0, err
	}
	err = c.Ask(ctx, fmt.Sprintf("go perft %d", depth), func(line string, _ bool) (found bool, err error) {
		if line, found = strings.CutPrefix(line, "Nodes searched:"); found {
			nodes, err = strconv.ParseUint(strings.TrimSpace(line), 10, 64)
		}
		return found, err
	})
	return nodes, err
}

// TestClientStops ends searches without an end: by the context, and by commands of another
// goroutine. It repeats them, because stop may still be on its way when the answer is there.
func TestClientStops(t *testing.T) {
	c := open(t, "slow")
	g := game(t, "startpos")
	for i := range 1500 {
		command := []string{"", "stop", "ponderhit"}[i%3]
		ctx, cancel := context.WithCancel(limit(t, generous))
		reports := 0
		best, err := c.Go(ctx, g, uci.Limits{MoveTime: time.Hour, Ponder: true}, func(uci.Info) {
			if reports++; reports < 2 {
				return
			}
			go func() {
				if command != "" {
					_ = c.Send(limit(t, generous), command)
				}
				if command != "stop" {
					cancel()
				}
			}()
		})
		if cancel(); err != nil || best != first(g) {
			t.Errorf("%q: %v, %v", command, best, err)
		}
	}
}

func TestProgramsThatFail(t *testing.T) {
	for _, test := range []struct {
		role   string
		want   error
		detail string
	}{
		{"crash", client.ErrEnded, `asked "go nodes 5", it has ended without an answer: exit status 7, its last line is ` +
			`"info string a  message"; stderr: "assertion failed: king != NONE"`},
		{"deaf", context.DeadlineExceeded, `its last line is "info string a  message"`},
		{"flood", context.DeadlineExceeded, `its last line is "info depth 1"`},
		{"long-line", nil, ""},
		{"illegal", client.ErrGarbage, `"e2e5"`},
		{"silent", context.DeadlineExceeded, "it has written nothing"},
		{"ends", client.ErrEnded, `asked "uci", it has ended without an answer: exit status 3, it has written nothing`},
		{"closes", client.ErrEnded, "it has closed its output, runs on, and is killed"},
		{"orphan", client.ErrEnded, "exit status 3, but a process that it has started holds its output, it has written " +
			`nothing; stderr: "panic: no king"`},
		{"refuses", client.ErrOption, "No such option: Hash"},
		{"stderr", nil, ""},
		{"engine", nil, ""},
	} {
		t.Run(test.role, func(t *testing.T) {
			t.Parallel()
			short := generous
			if test.want == context.DeadlineExceeded {
				short = 300 * time.Millisecond
			}
			greeting := generous
			if test.role == "silent" {
				greeting = short
			}
			c := must.Get(client.Start(program(t, test.role)))(t)
			defer c.Close()
			var err error
			if test.role != "refuses" {
				err = c.Greet(limit(t, greeting))
			}
			if err == nil {
				err = c.Ready(limit(t, generous))
			}
			if err == nil {
				_, err = c.Go(limit(t, short), game(t, "startpos"), uci.Limits{Nodes: 5}, nil)
			}
			if isLong := test.role == "long-line"; isLong != (c.Skipped == 2) {
				t.Errorf("%d lines are skipped", c.Skipped)
			}
			if !errors.Is(err, test.want) || err != nil && !strings.Contains(err.Error(), test.detail) {
				t.Errorf("error %v, want %v, %s", err, test.want, test.detail)
			}
			if errors.Is(test.want, client.ErrEnded) { // once more: it has not started again
				if err := c.Ready(limit(t, generous)); !errors.Is(err, client.ErrEnded) {
					t.Errorf("after the end: error %v", err)
				}
			}
		})
	}
}

// TestClientEnds closes programs that do not quit, and opens what is no engine.
func TestClientEnds(t *testing.T) {
	c := open(t, "stubborn")
	began := time.Now()
	if c.Close(); time.Since(began) < time.Second/2 {
		t.Error("a program that does not quit is not waited for")
	}
	if _, err := client.Start(exec.Command("./no-such-program")); !errors.Is(err, client.ErrStart) ||
		!errors.Is(err, os.ErrNotExist) {
		t.Errorf("a program that does not exist: error %v", err)
	}
	if _, err := client.Open(limit(t, generous), program(t, "ends")); !errors.Is(err, client.ErrEnded) {
		t.Errorf("a program that ends: error %v", err)
	}
	done, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := client.Open(done, program(t, "engine")); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that is done: error %v", err)
	}
	command := program(t, "engine") // its input is given
	command.Stdin = strings.NewReader("isready\n")
	c = must.Get(client.Start(command))(t)
	defer c.Close()
	output := ""
	err := c.Ask(limit(t, generous), "", func(line string, _ bool) (bool, error) { output += line; return false, nil })
	if output != "readyok" || !errors.Is(err, client.ErrEnded) || !command.ProcessState.Success() {
		t.Errorf("the output is %q, error %v", output, err)
	}
}

// TestBlockedProgram has a program that reads nothing not block what is sent to it.
func TestBlockedProgram(t *testing.T) {
	c := must.Get(client.Start(program(t, "silent")))(t)
	defer c.Close()
	text := strings.Repeat("x", 1<<20)
	if err := c.Send(limit(t, 100*time.Millisecond), text); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v", err)
	}
}

func TestChess960NeedsTheOption(t *testing.T) {
	c := open(t, "slow")
	c.Options = nil
	pos := fianchetto.MustParseFEN("k7/8/8/8/8/8/5PPP/6KR w H - 0 1").WithChess960(true)
	if err := c.SetPosition(limit(t, generous), pos); !errors.Is(err, client.ErrChess960) {
		t.Errorf("error %v, want %v", err, client.ErrChess960)
	}
	if err := c.SetOption(limit(t, generous), "UCI_Chess960", "true"); err != nil {
		t.Error(err)
	}
	if err := c.SetPosition(limit(t, generous), pos); err != nil {
		t.Error(err)
	}
}

// TestStockfish drives Stockfish, if it is installed: the answers are typed, and the best move
// begins the last line.
func TestStockfish(t *testing.T) {
	path, err := exec.LookPath("stockfish")
	if err != nil {
		path = "/usr/games/stockfish" // where Debian puts it
	}
	if exec.Command(path, "quit").Run() != nil {
		t.Skip("no Stockfish can be started")
	}
	c := must.Get(client.Open(limit(t, generous), exec.Command(path)))(t)
	defer c.Close()
	if !strings.HasPrefix(c.Name, "Stockfish") || len(c.Options) < 10 {
		t.Errorf("it is %s with the options %v", c.Name, c.Options)
	}
	if err := errors.Join(c.SetOption(t.Context(), "Hash", "32"), c.Ready(t.Context())); err != nil {
		t.Error(err)
	}
	if nodes, err := perft(t.Context(), c, fianchetto.StartPosition(), 4); nodes != 197281 || err != nil {
		t.Errorf("perft 4 is %d, error %v", nodes, err)
	}
	for _, test := range []struct {
		command  string
		chess960 bool
		limits   uci.Limits
		want     string // the last score; "" if it may be any
	}{
		{"startpos moves e2e4", false, uci.Limits{Depth: 8}, ""},
		{"fen 7k/8/6KP/8/8/8/8/R7 w - - 0 1", false, uci.Limits{Depth: 8}, "mate 1"},
		{"fen 7k/8/6KP/8/8/8/8/1R6 b - - 0 1", false, uci.Limits{Nodes: 5000}, "mate -1"},
		{"fen 4rkr1/8/3P3P/8/8/8/6P1/5KR1 w G - 0 1", true, uci.Limits{Depth: 5}, "mate 1"},
		{"fen k7/8/1QK5/8/8/8/8/8 b - - 0 1", false, uci.Limits{Depth: 5}, "cp 0"},
		{"startpos", false, uci.Limits{Infinite: true}, ""},
		{"startpos", false, uci.Limits{Time: [2]time.Duration{time.Second, time.Second}}, ""},
	} {
		g := must.Get(fianchetto.ParseUCIPosition(test.command, test.chess960))(t)
		var last uci.Info
		ctx, cancel := context.WithCancel(t.Context())
		best, err := c.Go(ctx, g, test.limits, func(i uci.Info) {
			if i.Score.Unit != "" {
				last = i
			}
			if test.limits.Infinite && i.Depth > 5 {
				cancel()
			}
		})
		cancel()
		if err != nil || g.Status() == fianchetto.Ongoing && (len(last.PV) == 0 || best.Move != last.PV[0]) ||
			test.want != "" && last.Score.String() != test.want {
			t.Errorf("%s: %v, error %v, the last report is %+v", test.command, best, err, last)
		}
	}
}
