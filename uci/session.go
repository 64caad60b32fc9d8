// Package uci implements the Universal Chess Interface, the protocol between chess programs and
// engines: its texts, and the engine's side. Package client drives engines.
//
// A Session reads commands, keeps the position and the options, and calls the engine to search:
//
//	session := uci.Session{
//		Name: "Example 1.0", Author: "A. Author",
//		Options: []uci.Option{uci.Spin("Hash", 16, 1, 4096, resize)},
//		Search: func(ctx context.Context, s *uci.Search) uci.Best {
//			pos := s.Game.Position()
//			soft, hard := s.Limits.Budget(pos.SideToMove(), 50*time.Millisecond)
//			...                                // look at s.Stopped() at each node, at s.Elapsed() now and then
//			s.Report(uci.Info{Depth: depth, Score: uci.ScoreOf(score, mate), Nodes: nodes, PV: line})
//			return uci.BestOf(line)
//		},
//	}
//	err := session.Run(context.Background(), os.Stdin, os.Stdout)
//
// The directory examples/engine contains a complete engine.
//
// Source: https://www.chessprogramming.org/UCI, which links the specification.
package uci

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/lines"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

// Session is the engine's side of the protocol. It calls the engine's functions one at a time.
//
// While a search runs, isready, stop, ponderhit and quit take effect at once. Other commands wait
// for its answer. Each go gets one answer, "bestmove 0000" if its position was refused. A search
// that only a command can end is stopped when another command waits, or the input ends. Info
// strings report errors, and skipped lines of more than 1 MiB. Unknown leading words are skipped,
// as the protocol requires.
type Session struct {
	Name, Author string   // of the engine
	Options      []Option // the engine's options except UCI_Chess960, which every session adds

	// Search returns the best move of a position. It runs in its own goroutine and must return soon
	// after ctx is done, which s.Stopped() reports. It may return early from go infinite and go
	// ponder, because the session holds the answer back.
	Search func(ctx context.Context, s *Search) Best

	// Perft, if set, handles "go perft ARGS". It runs like Search and prints its own answer. Input
	// that arrives at the same time, as from a script, waits until it returns, even stop and quit.
	Perft func(ctx context.Context, s *Search, arguments string) error

	NewGame func() // handles ucinewgame; may be nil

	// Commands handle words beyond the protocol, such as "d", and return the text to print. The
	// game is nil if the last position was refused. Commands[""] gets the lines without a known
	// command.
	Commands map[string]func(game *fianchetto.Game, arguments string) (answer string, err error)

	Now func() time.Time // the clock; time.Now if nil
}

// ErrNoPosition is the error of commands that need a position.
const ErrNoPosition fianchetto.Problem = "there is no position: the last one was refused"

const (
	maxLine    = 1 << 20 // bytes of a command
	maxWaiting = 1 << 20 // bytes of waiting commands after which reading pauses

	// scriptPause is the time after go perft in which commands count as part of a script, which
	// wants the result.
	scriptPause = 100 * time.Millisecond
)

// Run runs the session until quit, until the input has ended and every go has its answer, or until
// ctx is done. It returns an error of in or out, or the cause of ctx, perhaps while a read from in
// is pending.
func (s *Session) Run(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	c := &conversation{Session: s, out: out, fail: fail, now: s.Now, placed: "startpos"}
	if c.now == nil {
		c.now = time.Now
	}
	c.options = append(slices.Clip(s.Options), Check("UCI_Chess960", false, func(on bool) {
		c.chess960 = on
		if c.game != nil {
			c.game, _ = fianchetto.ParseUCIPosition(c.placed, on)
		}
	}))
	c.game = fianchetto.NewGame(fianchetto.StartPosition())
	input := make(chan *command)
	go func() {
		defer close(input)
		for line, err := range lines.Read(in, maxLine) {
			if err != nil && !errors.Is(err, lines.ErrTooLong) {
				fail(fmt.Errorf("reading the commands: %w", err))
				return
			}
			select {
			case input <- c.parse(ctx, string(line), err):
			case <-ctx.Done():
				return
			}
		}
	}()
	for !c.over && (!c.ended || c.search != nil) {
		commands, done := input, chan Best(nil)
		if c.ended || c.size > maxWaiting {
			commands = nil
		}
		if c.search != nil {
			done = c.search.done
		}
		select {
		case <-ctx.Done():
			c.quit()
		case command, ok := <-commands:
			if c.ended = !ok; ok {
				c.accept(command)
			}
		case best := <-done:
			c.answer(best)
		}
		c.proceed()
	}
	return context.Cause(ctx)
}

type conversation struct {
	*Session
	options  []Option
	now      func() time.Time
	game     *fianchetto.Game // nil if the last position was refused
	placed   string           // the arguments of the last position command
	chess960 bool
	search   *Search // nil if idle
	last     *Search // of the last go; nil before
	waiting  []*command
	size     int  // of waiting in bytes
	ended    bool // the input has ended
	over     bool // after quit

	mutex sync.Mutex
	out   io.Writer
	fail  context.CancelCauseFunc
}

type command struct {
	name      string // "" if the line contains no command
	arguments string
	search    *Search // of go
	err       error   // the line was too long
}

func (c *command) size() int { return len(c.arguments) + 64 }

var protocol = []string{"uci", "debug", "isready", "setoption", "register", "ucinewgame", "position", "go", "stop",
	"ponderhit", "quit"}

func (c *conversation) parse(ctx context.Context, line string, err error) *command {
	_, name, arguments := cutWord(line, func(word string) bool {
		return slices.Contains(protocol, word) || c.Commands[word] != nil
	})
	search := (*Search)(nil)
	switch name {
	case "":
		arguments = strings.TrimSpace(line)
	case "setoption": // whose value keeps its blanks
	case "go":
		rest, isPerft := strings.CutPrefix(oneLine(arguments)+" ", "perft ")
		if search = newSearch(ctx, c); isPerft && c.Perft != nil {
			arguments, search.isPerft = rest, true
		}
		fallthrough
	default:
		arguments = oneLine(arguments)
	}
	if err != nil {
		arguments = ""
	}
	return &command{name, arguments, search, err}
}

// accept executes the commands that a running search allows and queues the others.
func (c *conversation) accept(command *command) {
	counting := c.search != nil && c.search.isPerft
	inScript := counting && c.now().Sub(c.search.began) < scriptPause
	mayStop := !inScript || len(c.waiting) == 0
	mayQuit := !inScript && (!counting || c.last == c.search) // no later go waits
	isEmpty := command.name == "" && (c.Commands[""] == nil || command.arguments == "")
	switch name := command.name; {
	case command.err != nil:
		c.wait(command)
	case name == "uci":
		c.introduce()
	case name == "isready":
		c.printf("readyok\n")
	case name == "stop" && mayStop:
		c.stop()
	case name == "ponderhit":
		if c.last != nil {
			c.last.ponderHit()
		}
	case name == "quit" && mayQuit:
		c.quit()
	case isEmpty, name == "debug", name == "register":
	default:
		c.wait(command)
	}
}

func (c *conversation) wait(command *command) {
	c.last = cmp.Or(command.search, c.last)
	c.waiting = append(c.waiting, command)
	c.size += command.size()
}

// proceed executes queued commands up to the next search, and stops a search that holds them up.
func (c *conversation) proceed() {
	for c.search == nil && len(c.waiting) > 0 && !c.over {
		command := c.waiting[0]
		c.waiting = c.waiting[1:]
		c.size -= command.size()
		if err := c.obey(command); err != nil {
			c.complain(err)
			if s := command.search; s != nil && !s.isPerft {
				c.printf("bestmove %v\n", fianchetto.NoMove) // every go gets an answer
			}
		}
	}
	switch s := c.search; {
	case s == nil || s.isPerft:
	case c.size > maxWaiting:
		c.stop()
	case s.needsCommand() && (c.ended || len(c.waiting) > 0), c.ended && !s.Limits.isBounded():
		s.Stop()
	}
}

func (c *conversation) obey(command *command) (err error) {
	switch name := command.name; {
	case name == "position":
		c.placed = command.arguments
		c.game, err = fianchetto.ParseUCIPosition(c.placed, c.chess960)
		return cmp.Or(command.err, err)
	case command.err != nil:
		return command.err
	case name == "go":
		return c.start(command)
	case name == "setoption":
		return c.setOption(command.arguments)
	case name == "ucinewgame":
		if c.NewGame != nil {
			c.NewGame()
		}
	case name == "stop":
	case name == "quit":
		c.quit()
	default:
		answer, err := c.Commands[name](c.game, command.arguments)
		if answer != "" {
			c.print([]byte(answer))
		}
		return err
	}
	return nil
}

// stop stops the running search and the queued ones, except queued perfts.
func (c *conversation) stop() {
	for _, command := range c.waiting {
		if s := command.search; s != nil && !s.isPerft {
			s.Stop()
		}
	}
	if c.search != nil {
		c.search.Stop()
	}
}

func (c *conversation) quit() {
	c.over = true
	if s := c.search; s != nil {
		s.Stop()
		c.answer(<-s.done)
	}
}

func (c *conversation) introduce() {
	text := fmt.Sprintf("id name %s\nid author %s\n", c.Name, c.Author)
	for i := range c.options {
		text += c.options[i].String() + "\n"
	}
	c.printf("%suciok\n", text)
}

func (c *conversation) setOption(text string) error {
	is := func(want string) func(string) bool {
		return func(word string) bool { return strings.EqualFold(word, want) }
	}
	before, _, rest := cutWord(text, is("name"))
	if before != "" || rest == "" {
		return errors.New("setoption: want name, the name of an option, value, and its value")
	}
	name, _, value := cutWord(rest, is("value"))
	name = oneLine(name)
	i := slices.IndexFunc(c.options, func(o Option) bool { return strings.EqualFold(o.Name, name) })
	if i < 0 {
		c.printf("info string No such option: %s\n", quote.Printable(quote.Plain(name)))
		return nil
	}
	option := &c.options[i]
	value, err := option.canonical(value)
	if err != nil || option.set == nil {
		return err
	}
	if err := option.set(value); err != nil {
		return fmt.Errorf("option %s: %w", option.Name, err)
	}
	return nil
}

func (c *conversation) start(command *command) (err error) {
	if c.game == nil {
		return ErrNoPosition
	}
	s, pos := command.search, c.game.Position()
	if s.Limits, err = ParseLimits(command.arguments, &pos); err != nil && !s.isPerft {
		return err
	}
	s.begin(c.game)
	c.search = s
	go func() {
		defer s.Stop()
		best := Best{}
		if !s.isPerft {
			best = c.Search(s.ctx, s)
			if s.Limits.Infinite {
				<-s.ctx.Done()
			}
			select {
			case <-s.hit:
			case <-s.ctx.Done():
			}
		} else if err := c.Perft(s.ctx, s, command.arguments); err != nil {
			c.complain(err)
		}
		s.done <- best
	}()
	return nil
}

func (c *conversation) answer(best Best) {
	if s := c.search; !s.isPerft {
		c.printf("%s\n", best.AppendText(nil, &s.root))
	}
	c.search = nil
}

func (c *conversation) printf(format string, args ...any) { c.print(fmt.Appendf(nil, format, args...)) }

// print writes text at once, from any goroutine.
func (c *conversation) print(text []byte) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if _, err := c.out.Write(text); err != nil {
		c.fail(err)
	}
}

func (c *conversation) complain(err error) {
	c.printf("info string %s\n", quote.Printable(strings.ReplaceAll(err.Error(), "fianchetto: ", "")))
}

// Search is a running search. All methods except Report may be called concurrently.
type Search struct {
	Game   *fianchetto.Game // the game so far, which the search must not change
	Limits Limits           // of this search

	conversation *conversation
	root         fianchetto.Position
	began        time.Time
	isPerft      bool
	buffer       []byte
	ctx          context.Context // done after Stop
	cancel       context.CancelFunc
	clock        atomic.Pointer[time.Time] // when it started
	hit          chan struct{}             // closed when the clock starts
	done         chan Best                 // receives the answer when it may be printed
}

// NewSearch returns a search without a session, for tests and programs with a built-in engine. It
// discards reports.
func NewSearch(game *fianchetto.Game, limits Limits) *Search {
	s := newSearch(context.Background(), &conversation{out: io.Discard, now: time.Now})
	s.Limits = limits
	s.begin(game)
	return s
}

func newSearch(ctx context.Context, c *conversation) *Search {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	return &Search{conversation: c, ctx: ctx, cancel: cancel, hit: make(chan struct{}), done: make(chan Best, 1)}
}

func (s *Search) begin(game *fianchetto.Game) {
	s.Game, s.root, s.began = game, game.Position(), s.conversation.now()
	if !s.Limits.Ponder {
		s.ponderHit()
	}
}

// Stop tells the search to end.
func (s *Search) Stop() { s.cancel() }

// Stopped reports whether the search must end, cheaply enough for every node.
func (s *Search) Stopped() bool { return s.ctx.Err() != nil }

// ponderHit starts the clock of a pondering search.
func (s *Search) ponderHit() {
	if now := s.conversation.now(); s.clock.CompareAndSwap(nil, &now) {
		close(s.hit)
	}
}

// Elapsed returns the time on the clock, which is 0 before ponderhit.
func (s *Search) Elapsed() time.Duration {
	if start := s.clock.Load(); start != nil {
		return s.conversation.now().Sub(*start)
	}
	return 0
}

// Report prints the state of the search. To a score without a time, it adds time and nodes per
// second. It does not allocate. Do not call it concurrently.
func (s *Search) Report(info Info) {
	if info.Score.Unit != "" && info.Time == 0 {
		info.Time = max(s.conversation.now().Sub(s.began), time.Microsecond)
		info.NPS = uint64(float64(info.Nodes) / info.Time.Seconds())
	}
	s.buffer = append(info.AppendText(s.buffer[:0], &s.root), '\n')
	s.conversation.print(s.buffer)
}

// Printf prints other text, such as a line of perft.
func (s *Search) Printf(format string, args ...any) { s.conversation.printf(format, args...) }

func (s *Search) needsCommand() bool { return s.Limits.Infinite || s.clock.Load() == nil }
