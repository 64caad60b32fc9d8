package uci

import (
	"bufio"
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
	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

// Session is the engine's side of the protocol. It reads commands at any time, keeps the position
// and the options, and calls the functions of the engine one at a time: none is called while Search
// or Perft runs.
//
// Commands have the effects that their order promises, however fast they come: while a search runs,
// isready, stop, ponderhit and quit are obeyed at once, and all others wait for its answer. Every
// go has one answer, for the position that was set before it: "bestmove 0000" if that one was
// refused. A search that only a command would end is stopped when another command waits for it. At
// the end of the input everything that was asked is answered. What is wrong with a command is said
// in an info string. Of a line that begins with unknown words, the rest is obeyed.
type Session struct {
	Name, Author string   // of the engine
	Options      []Option // that the engine has besides UCI_Chess960, which every session has

	// Search looks for the best move of a position, in a goroutine of its own. It must return soon
	// after s.Stopped() reports true, which is when ctx is done. The answer to go infinite and go
	// ponder may be returned early: the session keeps it until it may be given.
	Search func(ctx context.Context, s *Search) Best

	// Perft answers "go perft ...", if it is not nil, with the text after that. It runs as Search
	// does, prints its answer, and is not hurried: the commands of a script, stop and quit too,
	// wait until it is done.
	Perft func(ctx context.Context, s *Search, arguments string) error

	NewGame func() // ucinewgame: what is known of other games is to be forgotten; may be nil

	// Commands are commands beyond the protocol, such as "d": they return what is to be printed.
	// The game is nil if the last position was refused. The command of the empty name gets the
	// lines without a known command.
	Commands map[string]func(game *fianchetto.Game, arguments string) (answer string, err error)

	Now func() time.Time // the clock; nil: time.Now
}

// The problems of a session, for errors.Is.
const (
	ErrNoPosition fianchetto.Problem = "there is no position: the last one was refused"
	ErrTooLong    fianchetto.Problem = "line too long: more than 1048576 bytes"
)

const (
	maxLine    = 1 << 20 // bytes of a command: a game of any length fits
	maxWaiting = 1 << 20 // bytes of commands that wait; more are not read until a search ends

	// scriptPause is the time after go perft within which other commands come from a script, which
	// wants the count. Later they come from somebody who does not want to wait.
	scriptPause = 100 * time.Millisecond
)

// Run holds a conversation until quit, until the input has ended and every go has its answer, or
// until ctx is done. The error is one of reading or writing, or the cause of ctx. A read from in
// may still be under way when Run returns.
func (s *Session) Run(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	c := &conversation{Session: s, out: out, fail: fail, now: s.Now, placed: "startpos"}
	if c.now == nil {
		c.now = time.Now
	}
	c.options = append(slices.Clip(s.Options), Check(chess960Option, false, func(on bool) {
		c.chess960 = on
		if c.game != nil {
			c.game, _ = fianchetto.ParseUCIPosition(c.placed, on) // it has been read before
		}
	}))
	c.game = fianchetto.NewGame(fianchetto.StartPosition())
	input := make(chan *command)
	go func() {
		defer close(input)
		scanner := bufio.NewScanner(in)
		scanner.Buffer(nil, maxLine)
		for scanner.Scan() {
			select {
			case input <- c.parse(scanner.Text()):
			case <-ctx.Done():
				return
			}
		}
		if err := scanner.Err(); err == bufio.ErrTooLong {
			fail(ErrTooLong)
		} else if err != nil {
			fail(fmt.Errorf("reading the commands: %w", err))
		}
	}()
	for !c.over && (!c.ended || c.search != nil) {
		commands, done := input, chan struct{}(nil)
		if c.ended || c.size > maxWaiting {
			commands = nil
		}
		if c.search != nil {
			done = c.search.done
		}
		select {
		case <-ctx.Done():
			c.finish()
			return context.Cause(ctx)
		case command, ok := <-commands:
			if c.ended = !ok; ok {
				c.accept(command)
			}
		case <-done:
			c.answer()
		}
		c.proceed(ctx)
	}
	return context.Cause(ctx)
}

// conversation is the state of Session.Run. One goroutine reads commands, one obeys them, and one
// searches.
type conversation struct {
	*Session
	options  []Option
	now      func() time.Time
	game     *fianchetto.Game // nil after a position that was refused
	placed   string           // the last position command, without its name
	chess960 bool
	debug    bool
	search   *Search    // the search that runs; nil if none does
	waiting  []*command // commands that wait for its end
	lastGo   *command   // the last of them that is a go; nil if none is
	size     int        // of them, in bytes
	ended    bool       // the input has ended
	over     bool       // quit has been obeyed

	mutex sync.Mutex
	out   io.Writer
	fail  context.CancelCauseFunc // ends the conversation
}

// command is a line of input.
type command struct {
	name      string // "" if no word of the line is a command
	arguments string
	read      time.Time
	isStopped bool // a later stop ends the search that it starts
	isHit     bool // a later ponderhit is meant for that search
}

func (c *command) size() int { return len(c.arguments) + 64 }

var protocol = []string{"uci", "debug", "isready", "setoption", "register", "ucinewgame", "position", "go", "stop",
	"ponderhit", "quit"}

// parse finds the first known word of a line.
func (c *conversation) parse(line string) *command {
	words := strings.Fields(line)
	for i, word := range words {
		if slices.Contains(protocol, word) || c.Commands[word] != nil {
			return &command{name: word, arguments: strings.Join(words[i+1:], " "), read: c.now()}
		}
	}
	return &command{arguments: strings.TrimSpace(line)}
}

// accept obeys what a running search allows; other commands wait.
func (c *conversation) accept(command *command) {
	counting := c.search != nil && c.search.isPerft
	inScript := counting && command.read.Sub(c.search.began) < scriptPause
	switch name := command.name; {
	case name == "uci":
		c.introduce()
	case name == "isready":
		c.printf("readyok\n")
	case name == "debug":
		c.debug = command.arguments == "on"
	case name == "stop" && !(inScript && len(c.waiting) > 0):
		c.stop()
	case name == "ponderhit" && c.lastGo != nil:
		c.lastGo.isHit = true
	case name == "ponderhit" && c.search != nil:
		c.search.PonderHit()
	case name == "quit" && !inScript && !(counting && c.lastGo != nil):
		c.quit()
	case name == "" && (c.Commands[""] == nil || command.arguments == ""), name == "register", name == "ponderhit":
	default:
		if name == "go" {
			c.lastGo = command
		}
		c.waiting = append(c.waiting, command)
		c.size += command.size()
	}
}

// proceed obeys the commands that wait, up to the next that starts a search. A search that only a
// command can end is stopped when another command waits for it; at the end of the input, so is a
// search without a limit.
func (c *conversation) proceed(ctx context.Context) {
	for c.search == nil && len(c.waiting) > 0 && !c.over {
		command := c.waiting[0]
		c.waiting = c.waiting[1:]
		c.size -= command.size()
		if err := c.obey(ctx, command); err != nil {
			c.complain(err)
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

// obey executes a command while no search runs.
func (c *conversation) obey(ctx context.Context, command *command) (err error) {
	switch command.name {
	case "setoption":
		return c.setOption(command.arguments)
	case "ucinewgame":
		if c.NewGame != nil {
			c.NewGame()
		}
	case "position":
		c.placed = command.arguments
		c.game, err = fianchetto.ParseUCIPosition(c.placed, c.chess960)
		return err
	case "go":
		c.start(ctx, command)
	case "stop":
	case "quit":
		c.quit()
	default:
		answer, err := c.Commands[command.name](c.game, command.arguments)
		if answer != "" {
			c.printf("%s", answer)
		}
		return err
	}
	return nil
}

// stop ends the search that runs, and those that wait to begin; counts that wait are still made.
func (c *conversation) stop() {
	for i := range c.waiting {
		c.waiting[i].isStopped = true
	}
	if c.search != nil {
		c.search.Stop()
	}
}

// quit ends the search that runs, answers it, and drops the commands that wait.
func (c *conversation) quit() {
	c.over = true
	if c.finish(); c.search != nil {
		c.answer()
	}
}

// finish waits for the end of the search that runs, if one does.
func (c *conversation) finish() {
	if c.search != nil {
		c.search.Stop()
		<-c.search.done
	}
}

func (c *conversation) introduce() {
	text := fmt.Sprintf("id name %s\nid author %s\n", c.Name, c.Author)
	for i := range c.options {
		text += c.options[i].String() + "\n"
	}
	c.printf("%suciok\n", text)
}

// setOption reads "name NAME value VALUE", the words in any case.
func (c *conversation) setOption(text string) error {
	words := strings.Fields(text)
	if len(words) < 2 || !strings.EqualFold(words[0], "name") {
		return errors.New("setoption: want name, the name of an option, value, and its value")
	}
	end := slices.IndexFunc(words, func(word string) bool { return strings.EqualFold(word, "value") })
	value := ""
	if end < 0 {
		end = len(words)
	} else {
		value = strings.Join(words[end+1:], " ")
	}
	name := strings.Join(words[1:end], " ")
	option := findOption(c.options, name)
	if option == nil {
		c.printf("No such option: %s\n", quote.Printable(quote.Plain(name)))
		return nil
	}
	value, err := option.canonical(value)
	if err != nil || option.set == nil {
		return err
	}
	if err := option.set(value); err != nil {
		return fmt.Errorf("option %s: %w", option.Name, err)
	}
	return nil
}

// start begins a search in its own goroutine, or says why it does not.
func (c *conversation) start(ctx context.Context, command *command) {
	arguments, isPerft := strings.CutPrefix(command.arguments+" ", "perft ")
	isPerft = isPerft && c.Perft != nil
	if c.lastGo == command {
		c.lastGo = nil
	}
	var limits Limits
	var err error
	switch {
	case c.game == nil:
		err = ErrNoPosition
	case !isPerft:
		pos := c.game.Position()
		limits, err = ParseLimits(command.arguments, &pos)
	}
	if err != nil {
		c.complain(err)
		if !isPerft {
			c.printf("bestmove %v\n", fianchetto.NoMove) // every go has an answer
		}
		return
	}
	s := NewSearch(c.game, limits)
	ctx, s.cancel = context.WithCancel(context.WithoutCancel(ctx)) // Stop ends it
	s.conversation, s.Debug, s.isPerft, s.now, s.began = c, c.debug, isPerft, c.now, c.now()
	if command.isStopped && !isPerft {
		s.Stop()
	}
	if command.isHit {
		s.PonderHit()
	}
	c.search = s
	go func() {
		defer close(s.done)
		defer s.cancel()
		if !isPerft {
			s.best = c.Search(ctx, s)
			if s.Limits.Infinite {
				<-ctx.Done()
			}
			select {
			case <-s.hit:
			case <-ctx.Done():
			}
		} else if err := c.Perft(ctx, s, strings.TrimSpace(arguments)); err != nil {
			c.complain(err)
		}
	}()
}

// answer prints the answer of a search that has ended, and leaves the conversation free for the
// next.
func (c *conversation) answer() {
	if s := c.search; !s.isPerft {
		c.printf("%s\n", s.best.AppendText(nil, &s.root))
	}
	c.search = nil
}

func (c *conversation) printf(format string, args ...any) { c.print(fmt.Appendf(nil, format, args...)) }

// print writes text at once. Two goroutines print.
func (c *conversation) print(text []byte) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if _, err := c.out.Write(text); err != nil {
		c.fail(err)
	}
}

// complain tells the user of an error, in one line.
func (c *conversation) complain(err error) {
	c.printf("info string %s\n", quote.Printable(strings.ReplaceAll(err.Error(), "fianchetto: ", "")))
}

// Search is a search that is under way. Its methods, except Report, may be called by several
// goroutines.
type Search struct {
	Game   *fianchetto.Game // the position and those before it, which the search leaves as it finds them
	Limits Limits           // when the search ends
	Debug  bool             // the user wants to know more

	conversation *conversation // nil: there is nobody to report to
	root         fianchetto.Position
	now          func() time.Time
	began        time.Time
	isPerft      bool
	buffer       []byte // of Report
	stopped      atomic.Bool
	pondered     atomic.Int64 // nanoseconds from the beginning to ponderhit; notYet before it
	cancel       context.CancelFunc
	hit          chan struct{} // closed by ponderhit, or from the beginning
	done         chan struct{} // closed when best may be printed
	best         Best
}

const notYet = -1

// NewSearch returns a search without a session, for tests of an engine and for programs that have
// one built in: its reports go nowhere. The time begins at once.
func NewSearch(game *fianchetto.Game, limits Limits) *Search {
	s := &Search{
		Game: game, Limits: limits, root: game.Position(), now: time.Now, began: time.Now(), cancel: func() {},
		hit: make(chan struct{}), done: make(chan struct{}),
	}
	if limits.Ponder {
		s.pondered.Store(notYet)
	} else {
		close(s.hit)
	}
	return s
}

// Stop has the search end as soon as it can.
func (s *Search) Stop() {
	s.stopped.Store(true)
	s.cancel()
}

// Stopped reports whether the search must end. It costs a load, so it can be asked at every node.
func (s *Search) Stopped() bool { return s.stopped.Load() }

// PonderHit starts the clock of a search that ponders.
func (s *Search) PonderHit() {
	if s.pondered.CompareAndSwap(notYet, int64(s.now().Sub(s.began))) {
		close(s.hit)
	}
}

// Elapsed returns the time on the clock since the search began: none before ponderhit.
func (s *Search) Elapsed() time.Duration {
	pondered := s.pondered.Load()
	if pondered == notYet {
		return 0
	}
	return s.now().Sub(s.began) - time.Duration(pondered)
}

// Report prints the state of the search. To a score without a time it adds the time since go and
// the nodes a second. It does not allocate, and is for one goroutine at a time.
func (s *Search) Report(info Info) {
	c := s.conversation
	if c == nil {
		return
	}
	if info.Score.Unit != NoScore && info.Time == 0 {
		info.Time = max(s.now().Sub(s.began), time.Microsecond)
		info.NPS = uint64(float64(info.Nodes) / info.Time.Seconds())
	}
	s.buffer = append(info.AppendText(s.buffer[:0], &s.root), '\n')
	c.print(s.buffer)
}

// Printf prints text that is no info, such as the lines of a perft.
func (s *Search) Printf(format string, args ...any) {
	if s.conversation != nil {
		s.conversation.printf(format, args...)
	}
}

// needsCommand reports whether there is no answer without another command.
func (s *Search) needsCommand() bool { return s.Limits.Infinite || s.pondered.Load() == notYet }
