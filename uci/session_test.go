package uci_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/must"
	"github.com/fianchetto-chess/fianchetto/uci"
)

// first returns the move of the least number, whatever the order of generation, and the reply of
// the least number.
func first(game *fianchetto.Game) (best uci.Best) {
	pos := game.Position()
	least := func(pos *fianchetto.Position) fianchetto.Move {
		if moves := pos.AppendLegal(nil); len(moves) > 0 {
			return slices.Min(moves)
		}
		return fianchetto.NoMove
	}
	if best.Move = least(&pos); best.Move != fianchetto.NoMove {
		next := pos.After(best.Move)
		best.Ponder = least(&next)
	}
	return best
}

// quick answers at once, slow when it is stopped.
func quick(_ context.Context, s *uci.Search) uci.Best { return first(s.Game) }

func slow(ctx context.Context, s *uci.Search) uci.Best {
	<-ctx.Done()
	if !s.Stopped() {
		panic("the context is done and the search is not stopped")
	}
	return first(s.Game)
}

// conversation is a session that runs in a bubble.
type conversation struct {
	t            *testing.T
	in           *io.PipeWriter
	mutex        sync.Mutex // of the lines
	output, told []string   // by the session: to its user, and to its program
	end          chan error
}

// add adds a line to the output or to told.
func (c *conversation) add(lines *[]string, line string) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	*lines = append(*lines, line)
}

// take returns the lines since the last call.
func (c *conversation) take() []string {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	lines := slices.Concat(c.output, c.told)
	c.output, c.told = nil, nil
	return lines
}

// start runs a session until its input ends.
func start(t *testing.T, session *uci.Session) *conversation {
	commands, in := io.Pipe()
	out, answers := io.Pipe()
	c := &conversation{t: t, in: in, end: make(chan error, 1)}
	go func() {
		err := session.Run(t.Context(), commands, answers)
		commands.Close()
		answers.Close()
		c.end <- err
	}()
	go func() {
		for lines := bufio.NewScanner(out); lines.Scan(); {
			c.add(&c.output, lines.Text())
		}
	}()
	return c
}

// send sends commands and waits until all that follows from them has happened.
func (c *conversation) send(commands ...string) {
	c.t.Helper()
	for _, command := range commands {
		io.WriteString(c.in, command+"\n") // after quit nobody reads it
	}
	synctest.Wait()
}

// count returns the number of lines that begin so.
func (c *conversation) count(beginning string) (n int) {
	for _, line := range c.output {
		if strings.HasPrefix(line, beginning) {
			n++
		}
	}
	return n
}

// close ends the input and waits for the end of the session.
func (c *conversation) close() {
	c.t.Helper()
	c.in.Close()
	if err := <-c.end; err != nil {
		c.t.Error(err)
	}
	synctest.Wait()
}

// model is what a session does with a command once everything has come to rest.
type model struct {
	ends           bool   // searches end by themselves
	running        string // the go command that runs
	stopped        bool   // it has been stopped
	hit            bool   // it has had ponderhit
	waiting        []string
	answers, ready int // what has been printed
	over           bool
}

func (m *model) take(command string) {
	isGo := func(c string) bool { return strings.HasPrefix(c, "go") }
	switch {
	case m.over, command == "xyzzy":
	case command == "isready":
		m.ready++
	case command == "stop", command == "quit":
		m.stopped = true
		for i, c := range m.waiting {
			if isGo(c) {
				m.waiting[i] = c + " stopped"
			}
		}
		if command == "quit" {
			m.waiting, m.over = nil, true
		}
	case command == "ponderhit":
		m.hit = true
	default:
		m.waiting = append(m.waiting, command)
	}
	for {
		needsCommand := strings.Contains(m.running, "infinite") || strings.Contains(m.running, "ponder") && !m.hit
		switch {
		case m.running != "" && (m.stopped || needsCommand && len(m.waiting) > 0 || m.ends && !needsCommand):
			m.running = ""
			m.answers++
		case m.running == "" && len(m.waiting) > 0:
			if c := m.waiting[0]; isGo(c) {
				m.running, m.stopped, m.hit = c, strings.Contains(c, "stopped"), false
			}
			m.waiting = m.waiting[1:]
		default:
			return
		}
	}
}

// TestInterleavings sends every sequence of four commands, each after the effects of the last, to
// an engine whose searches end at once and to one whose searches end when stopped. The answers must
// be the model's.
func TestInterleavings(t *testing.T) {
	commands := []string{"go depth 1", "go infinite", "go ponder depth 1", "stop", "ponderhit", "position startpos",
		"isready", "xyzzy", "quit"}
	for name, search := range map[string]func(context.Context, *uci.Search) uci.Best{"quick": quick, "slow": slow} {
		for number := range 9 * 9 * 9 * 9 {
			synctest.Test(t, func(t *testing.T) {
				c := start(t, &uci.Session{Search: search})
				m := model{ends: name == "quick"}
				var sent []string
				for n := number; len(sent) < 4; n /= 9 {
					sent = append(sent, commands[n%9])
					c.send(commands[n%9])
					m.take(commands[n%9])
					if answers, ready := c.count("bestmove"), c.count("readyok"); answers != m.answers ||
						ready != m.ready || m.over != (len(c.end) == 1) {
						t.Errorf("%s, %q: it answers %q, want %+v", name, sent, c.output, m)
					}
				}
				c.send("stop")
				c.close()
			})
		}
	}
}

// answersTo returns the answers to all go commands of an input, each about the position that was
// set before it, up to quit.
func answersTo(input string) (want []string, quits bool) {
	game, chess960 := fianchetto.NewGame(fianchetto.StartPosition()), false
	place := "startpos"
	for line := range strings.Lines(input) {
		words := strings.Fields(line)
		known := []string{"uci", "debug", "isready", "setoption", "register", "ucinewgame", "position", "go",
			"stop", "ponderhit", "quit"}
		for len(words) > 0 && !slices.Contains(known, words[0]) {
			words = words[1:]
		}
		rest := strings.Join(words[min(1, len(words)):], " ")
		switch {
		case len(words) == 0:
		case words[0] == "quit":
			return want, true
		case words[0] == "position":
			place = rest
			game, _ = fianchetto.ParseUCIPosition(place, chess960)
		case words[0] == "setoption" && regexp.MustCompile(`(?i)^name uci_chess960 value (true|false)$`).MatchString(rest):
			chess960 = strings.HasSuffix(rest, "true")
			if game != nil {
				game, _ = fianchetto.ParseUCIPosition(place, chess960)
			}
		case words[0] == "go" && game == nil:
			want = append(want, "bestmove 0000")
		case words[0] == "go":
			pos := game.Position()
			answer := string(first(game).AppendText(nil, &pos))
			if _, err := uci.ParseLimits(rest, &pos); err != nil {
				answer = "bestmove 0000"
			}
			want = append(want, answer)
		}
	}
	return want, false
}

// TestEndOfInput answers what was asked: searches without a bound are stopped, others reach it.
func TestEndOfInput(t *testing.T) {
	for command, isStopped := range map[string]bool{
		"go": true, "go infinite": true, "go ponder depth 3": true, "go mate 3": true, "go depth 0": true,
		"go depth 99999": true, "go depth 3": false, "go nodes 7": false, "go movetime 3": false,
		"go wtime 1 btime 1": false,
	} {
		synctest.Test(t, func(t *testing.T) {
			stopped := false
			c := start(t, &uci.Session{Search: func(ctx context.Context, s *uci.Search) uci.Best {
				select {
				case <-time.After(time.Hour):
				case <-ctx.Done():
					stopped = true
				}
				return first(s.Game)
			}})
			c.send(command)
			c.close()
			if stopped != isStopped || c.count("bestmove") != 1 {
				t.Errorf("%s: stopped: %v, output %q", command, stopped, c.output)
			}
		})
	}
}

// newEngine returns a session with options of each kind. Its program calls add with each value that
// it is told.
func newEngine(add func(string)) *uci.Session {
	tell := func(name string) func(string) { return func(value string) { add("(" + name + " " + value + ")") } }
	return &uci.Session{
		Name: "Test 1", Author: "A. Uthor", Search: quick,
		Options: []uci.Option{
			uci.Spin("Hash", 16, 1, 64, func(n int) { tell("hash")(fmt.Sprint(n)) }),
			uci.Check("Own Book", true, func(on bool) { tell("book")(fmt.Sprint(on)) }),
			uci.Combo("Style", "solid", []string{"solid", "very wild"}, tell("style")),
			uci.Text("Eval File", "", func(path string) error {
				if path == "bad" {
					return errors.New("no such\nfile")
				}
				tell("file")(path)
				return nil
			}),
			uci.Button("Clear Hash", func() { tell("clear")("") }),
			uci.Check("Ponder", false, nil),
		},
		NewGame: func() { tell("new")("game") },
		Commands: map[string]func(*fianchetto.Game, string) (string, error){
			"d": func(game *fianchetto.Game, arguments string) (string, error) {
				if game == nil {
					return "", uci.ErrNoPosition
				}
				pos := game.Position()
				return fmt.Sprintf("%s%v %v\n", arguments, pos.FEN(), pos.IsChess960()), nil
			},
		},
		Perft: func(ctx context.Context, s *uci.Search, arguments string) error {
			if arguments == "" {
				return errors.New("fianchetto: fianchetto counts: what?")
			}
			select {
			case <-time.After(time.Minute):
				s.Printf("%s counted\n", arguments)
			case <-ctx.Done():
				return fmt.Errorf("%s: %w", arguments, ctx.Err())
			}
			return nil
		},
	}
}

// TestConversations repeats the conversations of testdata/conversations.txt.
func TestConversations(t *testing.T) {
	text := string(must.Get(os.ReadFile("testdata/conversations.txt"))(t))
	conversations := strings.Split(strings.TrimSpace(text), "\n\n")[1:]
	if len(conversations) < 30 {
		t.Errorf("%d conversations only", len(conversations))
	}
	for _, want := range conversations {
		synctest.Test(t, func(t *testing.T) {
			var got []string
			var c *conversation
			c = start(t, newEngine(func(line string) { c.add(&c.told, line) }))
			for line := range strings.SplitSeq(want, "\n") {
				command, isCommand := strings.CutPrefix(line, "> ")
				if !isCommand {
					continue
				}
				switch command {
				case "(end)":
					c.close()
				case "(pause)":
					time.Sleep(200 * time.Millisecond)
				default:
					if unquoted, err := strconv.Unquote(command); err == nil {
						command = unquoted
					}
					c.send(command)
				}
				got = slices.Concat(got, []string{line}, c.take())
			}
			if !slices.EqualFunc(got, strings.Split(want, "\n"), isMessage) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), want)
			}
		})
	}
}

// isMessage compares a message with one that may end with dots.
func isMessage(got, want string) bool {
	begin, cut := strings.CutSuffix(want, "...")
	return got == want || cut && strings.HasPrefix(got, begin)
}

// TestCommandsFlood has more commands wait for a search than are kept: the search is stopped, and
// all are obeyed.
func TestCommandsFlood(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const commands = 20_000 // more than a MiB
		boards := 0
		c := start(t, &uci.Session{Search: slow, Commands: map[string]func(*fianchetto.Game, string) (string, error){
			"d": func(*fianchetto.Game, string) (string, error) { boards++; return "", nil },
		}})
		c.send("go depth 9")
		c.send(strings.Repeat("d\n", commands), "isready")
		if c.count("bestmove") != 1 || c.count("readyok") != 1 || boards != commands {
			t.Errorf("%q, %d boards", c.output, boards)
		}
		c.close()
	})
}

// TestReadingStops has more commands wait for a count than are kept: no more are read until it is
// done.
func TestReadingStops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		input := strings.NewReader("go perft 5\n" + strings.Repeat("d\n", 1<<20))
		ctx, cancel := context.WithCancel(t.Context())
		session := &uci.Session{
			Perft: func(ctx context.Context, _ *uci.Search, _ string) error { <-ctx.Done(); return nil },
			Commands: map[string]func(*fianchetto.Game, string) (string, error){
				"d": func(*fianchetto.Game, string) (string, error) { return "", nil },
			},
		}
		end := make(chan error)
		go func() { end <- session.Run(ctx, input, io.Discard) }()
		synctest.Wait()
		if read := int(input.Size()) - input.Len(); read > 1<<20 {
			t.Errorf("%d bytes are read", read)
		}
		cancel()
		if err := <-end; !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
	})
}

// TestClock has a search think in the opponent's time: its clock starts with ponderhit.
func TestClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var elapsed time.Duration
		c := start(t, &uci.Session{Search: func(ctx context.Context, s *uci.Search) uci.Best {
			for !s.Stopped() && s.Elapsed() < s.Limits.MoveTime {
				time.Sleep(time.Millisecond)
			}
			elapsed = s.Elapsed()
			s.Report(uci.Info{Depth: 3, Score: uci.Score{Unit: "cp", Value: -5}, Nodes: 11_000})
			return first(s.Game)
		}})
		c.send("go ponder movetime 50")
		time.Sleep(time.Second)
		c.send("ponderhit")
		time.Sleep(time.Second)
		synctest.Wait()
		want := "info depth 3 score cp -5 nodes 11000 nps 10476 time 1050"
		if elapsed != 50*time.Millisecond || c.output[0] != want {
			t.Errorf("%v, the output is %q", elapsed, c.output)
		}
		c.close()
	})
}

// TestReportAllocatesNothing counts the allocations of reports.
func TestReportAllocatesNothing(t *testing.T) {
	session := &uci.Session{Search: func(_ context.Context, s *uci.Search) uci.Best {
		best := first(s.Game)
		info := uci.Info{Depth: 1, Score: uci.ScoreOf(31997, 32000), Nodes: 5, PV: []fianchetto.Move{best.Move, best.Ponder}}
		if best != uci.BestOf(info.PV) || uci.BestOf(nil) != (uci.Best{}) {
			t.Error("the best move does not begin the line")
		}
		if n := testing.AllocsPerRun(100, func() { s.Report(info) }); n != 0 {
			t.Errorf("a report allocates %v times", n)
		}
		if n := testing.AllocsPerRun(100, func() { _ = s.Stopped() || s.Elapsed() > time.Hour }); n != 0 {
			t.Errorf("to look at the clock allocates %v times", n)
		}
		return best
	}}
	if err := session.Run(t.Context(), strings.NewReader("go depth 1\n"), io.Discard); err != nil {
		t.Error(err)
	}
}

// broken fails to write.
type broken struct{ error }

func (b broken) Write([]byte) (int, error) { return 0, b.error }

func TestBrokenStreams(t *testing.T) {
	cable := errors.New("the cable is out")
	commands := func() io.Reader { return strings.NewReader("go infinite\nisready\n") }
	endless := func() io.Reader { r, _ := io.Pipe(); return io.MultiReader(commands(), r) }
	for name, test := range map[string]struct {
		in   io.Reader
		out  io.Writer
		want error
	}{
		"output": {endless(), broken{cable}, cable},
		"input":  {io.MultiReader(commands(), iotest.ErrReader(cable)), io.Discard, cable},
	} {
		if err := (&uci.Session{Search: slow}).Run(t.Context(), test.in, test.out); !errors.Is(err, test.want) {
			t.Errorf("%s: error %v, want %v", name, err, test.want)
		}
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	session := &uci.Session{Search: func(ctx context.Context, s *uci.Search) uci.Best {
		cancel(cable)
		return slow(ctx, s)
	}}
	if err := session.Run(ctx, endless(), io.Discard); !errors.Is(err, cable) {
		t.Errorf("error %v, want the cause of the context", err)
	}
}

// TestLongLines skips lines that are too long, but no go without an answer, and no position.
func TestLongLines(t *testing.T) {
	const tooLong = "info string line too long: more than 1048576 bytes\n"
	for _, size := range []int{1<<20 - 1, 1 << 20, 1<<20 + 1, 16 << 20} {
		for _, test := range [][2]string{
			{"isready", tooLong + "bestmove a2a3 ponder a7a6\n"},
			{"go depth 1", tooLong + "bestmove 0000\nbestmove a2a3 ponder a7a6\n"},
			{"position startpos moves a2a3", tooLong + "info string " + uci.ErrNoPosition.Error() + "\nbestmove 0000\n"},
		} {
			var out strings.Builder
			line := test[0] + strings.Repeat(" ", size-len(test[0])) + "\r\ngo depth 1\n"
			err := (&uci.Session{Search: quick}).Run(t.Context(), strings.NewReader(line), &out)
			if isLong := size > 1<<20; err != nil || (out.String() == test[1]) != isLong ||
				strings.Contains(out.String(), "too long") != isLong {
				t.Errorf("%s, %d bytes: %v, %q", test[0], size, err, out.String())
			}
		}
	}
}

// FuzzSession sends any commands in one write: however they meet the searches, each go has one
// answer, about the position set before it, in order.
func FuzzSession(f *testing.F) {
	for _, commands := range []string{
		"uci\nisready\nucinewgame\nposition startpos moves e2e4 e7e5\ngo depth 1\nstop\nquit",
		"setoption name UCI_Chess960 value true\nposition fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1 moves e1h1\ngo nodes 1",
		"go wtime -1 btime 99999999999999999 movestogo 0\ngo infinite\nposition fen\nsetoption name value\ngo depth",
		" go\ngo depth 0\nposition startpos\n\tgo ponder mate 3\nponderhit\njoho go searchmoves 0000",
	} {
		f.Add(commands)
	}
	commands := []string{"go depth 1", "go infinite", "go ponder movetime 5", "stop", "ponderhit",
		"position startpos moves e2e4", "position startpos", "setoption name UCI_Chess960 value true"}
	for number := range 8 * 8 * 8 {
		sequence := []string{commands[number%8], commands[number/8%8], commands[number/64]}
		for _, end := range []string{"stop", "ponderhit", "isready"} { // the end of the input is an end, too
			f.Add(strings.Join(append(sequence, end), "\n"))
		}
	}
	f.Fuzz(func(t *testing.T, input string) {
		want, quits := answersTo(input)
		if quits {
			return // it may come before an answer
		}
		synctest.Test(t, func(t *testing.T) {
			c := start(t, &uci.Session{Search: func(ctx context.Context, s *uci.Search) uci.Best {
				select {
				case <-ctx.Done():
				case <-time.After(5 * time.Millisecond):
				}
				return first(s.Game)
			}})
			io.WriteString(c.in, input)
			c.close()
			got := slices.DeleteFunc(c.output, func(line string) bool { return !strings.HasPrefix(line, "bestmove") })
			if !slices.Equal(got, want) {
				t.Errorf("%q: the answers are %q, want %q", input, got, want)
			}
		})
	})
}
