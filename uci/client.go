package uci

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/lines"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

// Client is the other side of the protocol: a program that is started, told what to do, and
// listened to. Its methods are for one goroutine, except Send. After an error of a method that
// waits, answers may still be on their way: close the client and start another.
type Client struct {
	Name, Author string   // as the program introduces itself
	Options      []Option // that it declares

	command  *exec.Cmd
	in       io.WriteCloser
	lines    chan line
	open     int           // the number of its outputs that have not ended
	exited   chan struct{} // closed when the program has ended
	gone     chan struct{} // closed when lines are no longer read
	kill     func()        // ends the program, and all reads and writes that wait for it, once
	failed   bool          // the last answer was an error
	last     string        // the last line of the output that is not blank
	stderr   []string      // lines that are not blank: from the cause of a crash on, or the last ones
	crashed  int           // the place of the cause among them, -1 for none
	cause    string        // of a crash, which may take two lines
	chess960 bool          // the last value of the option
}

// line is a line that a program writes, without the space around it.
type line struct {
	text    string
	isError bool  // it is on stderr
	err     error // io.EOF at the end of one of the two, lines.ErrTooLong
}

// The problems of a program, for errors.Is on an *Error. A program that does not answer in time is
// the error of the context: context.DeadlineExceeded, or the cause that the caller gave.
const (
	ErrStart    fianchetto.Problem = "it cannot be started"
	ErrEnded    fianchetto.Problem = "it has ended without an answer"
	ErrGarbage  fianchetto.Problem = "its answer cannot be understood"
	ErrOption   fianchetto.Problem = "it refuses an option"
	ErrChess960 fianchetto.Problem = "it declares no option UCI_Chess960, which the position needs"
)

// Error describes the failure of a program.
type Error struct {
	Program  string // its path
	Question string // the command that it was to answer; "" if there was none
	Detail   string // exit status, the last line, and so on; "" if there is none
	Err      error  // the cause, one of the problems above or of a context

	// Stderr has what the program has written there that is not blank: at most ten lines, the last
	// ones, or those from the line on that names the cause of a crash.
	Stderr []string
}

// Error names the program, the question and what went wrong, in one line.
func (e *Error) Error() string {
	text := "engine " + e.Program + ": "
	if e.Question != "" {
		text += "asked \"" + e.Question + "\", "
	}
	text += e.Err.Error()
	if e.Detail != "" {
		text += ": " + e.Detail
	}
	return text
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// patience is the time limit for the end of a program whose input or output has ended, and for its
// answer to stop.
const patience = time.Second

// Open starts a program as Start does and greets it, so that it is ready for Go. If ctx ends
// before, so does the program.
func Open(ctx context.Context, command *exec.Cmd) (*Client, error) {
	c, err := Start(command)
	if err != nil {
		return nil, err
	}
	if err = c.Greet(ctx); err == nil {
		err = c.Ready(ctx)
	}
	if err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// Start starts a program with the arguments, the directory and the environment of the command, and
// nothing else: Greet comes next. The program reads the command's Stdin if that is set, and what
// the client sends otherwise. It runs until Close, or until the context that the command was made
// with ends. If the command has a Cancel function, that ends the program, and is called once more
// after its end: it can end the processes that the program has started, too.
func Start(command *exec.Cmd) (*Client, error) {
	c := &Client{command: command, lines: make(chan line), open: 2, exited: make(chan struct{}),
		gone: make(chan struct{}), crashed: -1}
	var noInput error
	if command.Stdin == nil {
		c.in, noInput = command.StdinPipe()
	}
	// With pipes of our own, the end of the program is told from the end of its outputs.
	out, theirOut, noOutput := os.Pipe()
	stderr, theirStderr, noErrors := os.Pipe()
	command.Stdout, command.Stderr = theirOut, theirStderr
	err := cmp.Or(noInput, noOutput, noErrors)
	if err == nil {
		err = command.Start()
	}
	_, _ = theirOut.Close(), theirStderr.Close() // nil if there is no pipe
	c.kill = sync.OnceFunc(func() {
		close(c.gone)
		if command.Cancel != nil {
			_ = command.Cancel() // it may have ended already
		} else {
			_ = command.Process.Kill()
		}
		_, _ = out.Close(), stderr.Close()
	})
	if err != nil {
		_, _ = out.Close(), stderr.Close()
		return nil, &Error{Program: command.Args[0], Err: fmt.Errorf("%w: %w", ErrStart, err)}
	}
	go c.scan(out, false)
	go c.scan(stderr, true)
	go func() {
		_ = command.Wait() // what it returns is in ProcessState
		close(c.exited)
	}()
	return c, nil
}

// maxAnswer is the greatest length of a line that a program writes, in bytes.
const maxAnswer = 64 << 10

// scan reads one of the outputs until it ends or is no longer read.
func (c *Client) scan(out io.Reader, isError bool) {
	send := func(text string, err error) bool {
		select {
		case c.lines <- line{strings.TrimSpace(text), isError, err}:
			return true
		case <-c.gone:
			return false
		}
	}
	for text, err := range lines.Read(out, maxAnswer) {
		if err != nil && !errors.Is(err, lines.ErrTooLong) || !send(string(text), err) {
			break
		}
	}
	send("", io.EOF)
}

// Close asks the program to quit, and kills it if it still runs after a second, or at once if its
// last answer was an error. The client cannot be used after that.
func (c *Client) Close() {
	if c.failed {
		c.kill()
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	_ = c.Send(ctx, "quit") // a program that reads nothing is killed
	if c.in != nil {
		c.in.Close()
	}
	c.end()
}

// end waits for the end of the program and of what it writes, and describes it.
func (c *Client) end() string {
	overdue := time.NewTimer(patience)
	defer overdue.Stop()
	exited, how := c.exited, ""
	for c.open > 0 || exited != nil {
		select {
		case l := <-c.lines:
			c.note(&l)
		case <-exited:
			exited = nil
		case <-overdue.C:
			how = "it has closed its output, runs on, and is killed"
			if exited == nil {
				how = c.command.ProcessState.String() + ", but a process that it has started holds its output"
			}
			c.kill()
		case <-c.gone:
			c.open, exited = 0, nil
		}
	}
	c.kill() // what it has started
	<-c.exited
	text := cmp.Or(how, c.command.ProcessState.String()) + ", " + c.lastLine()
	if len(c.stderr) > 0 {
		text += "; stderr: " + quote.Text(cmp.Or(c.cause, c.stderr[len(c.stderr)-1]), 0)
	}
	return text
}

// Patterns of lines, which are compiled when they are first used.
var (
	// crash is the line of a panic, an exception or an assertion that names the cause. The lines
	// after it, of a stack, do not match.
	crash = compiled(`^(?:panic:|fatal error:|thread '.*panicked at|terminate called|what\(\):|[\w.]*` +
		`(?:Error|Exception)\b|(?:Exception|Error) in\b|.*\b[Aa]ssert(?:ion)?\b.*[Ff]ailed|.*Sanitizer:|Segmentation fault)`)
	// notUCI is what programs answer to uci that speak another protocol.
	notUCI = compiled(`(?i)\b(?:illegal|invalid|unknown|unrecognized|bad) (?:move|command)\b.*\buci\b`)
	// refusal is the answer of programs to an option that they do not have.
	refusal = compiled(`(?i)\b(no such|unknown|invalid) option\b`)
)

func compiled(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

// note keeps what errors report of a line.
func (c *Client) note(l *line) {
	switch {
	case l.err == io.EOF:
		c.open--
	case l.isError && l.text != "":
		c.keep(l.text)
	case !l.isError:
		c.last = cmp.Or(l.text, c.last)
	}
}

// keep keeps a line of stderr in place of the first one if there are many, but not in place of the
// cause of a crash.
func (c *Client) keep(text string) {
	const most = 10
	if strings.HasSuffix(c.cause, ":") && c.crashed == len(c.stderr)-1 { // the message is on the next line
		c.cause += " " + text
	} else if crash().MatchString(text) {
		c.cause, c.crashed = text, len(c.stderr)
	}
	if len(c.stderr) == most {
		if c.crashed == 0 {
			return
		}
		c.stderr = c.stderr[1:]
		c.crashed--
	}
	c.stderr = append(c.stderr, text)
}

func (c *Client) lastLine() string {
	if c.last == "" {
		return "it has written nothing"
	}
	return "its last line is " + quote.Text(c.last, 0)
}

// Send sends a command that has no answer, such as ponderhit, or stop while Go waits. It may be
// called by any goroutine. If ctx ends before the program has read it, the program is killed, and
// the error is the cause of ctx.
func (c *Client) Send(ctx context.Context, command string) error {
	if ctx.Err() != nil || c.in == nil {
		return context.Cause(ctx)
	}
	defer context.AfterFunc(ctx, c.kill)()
	if _, err := io.WriteString(c.in, command+"\n"); err != nil { // it has ended: the next answer is the error
		return context.Cause(ctx)
	}
	return nil
}

// Ask sends a command, and calls take with each line that the program writes to its output or to
// stderr, without the space around it, until take returns true or an error, which Ask returns.
// Without a command it listens only. If ctx ends before, the error is an *Error with its cause; if
// the program does, an *Error with ErrEnded.
func (c *Client) Ask(ctx context.Context, command string, take func(line string, isError bool) (last bool, err error),
) (err error) {
	defer func() { c.failed = err != nil }()
	fail := func(cause error, detail string) error {
		return &Error{c.command.Args[0], command, detail, cause, c.stderr}
	}
	if command != "" {
		if err := c.Send(ctx, command); err != nil {
			return fail(err, c.lastLine())
		}
	}
	exited := c.exited
	var overdue <-chan time.Time
	for {
		var l line
		select {
		case l = <-c.lines:
		case <-exited: // what it has written follows
			exited, overdue = nil, time.After(patience)
			continue
		case <-overdue:
			return fail(ErrEnded, c.end())
		case <-c.gone:
			return fail(ErrEnded, c.end())
		case <-ctx.Done():
			return fail(context.Cause(ctx), c.lastLine())
		}
		c.note(&l)
		switch {
		case l.err == io.EOF && !l.isError:
			return fail(ErrEnded, c.end())
		case l.err == io.EOF:
			continue
		case l.err != nil && !l.isError:
			return fail(ErrGarbage, fmt.Sprintf("a line is longer than %d KiB", maxAnswer>>10))
		}
		if last, err := take(l.text, l.isError); last || err != nil {
			return err
		}
	}
}

// Greet sends uci, and reads the program's name, author and options. A program that refuses the
// command is an *Error with ErrGarbage.
func (c *Client) Greet(ctx context.Context) error {
	c.Options = nil
	declared := 0
	return c.Ask(ctx, "uci", func(line string, _ bool) (bool, error) {
		if notUCI().MatchString(line[:min(len(line), quote.Max)]) {
			return false, &Error{Program: c.command.Args[0], Detail: quote.Text(line, 0), Err: ErrGarbage}
		}
		if name, ok := strings.CutPrefix(line, "id name "); ok {
			c.Name = name
		}
		if author, ok := strings.CutPrefix(line, "id author "); ok {
			c.Author = author
		}
		if option, ok := ParseOption(line); ok && declared+len(line) <= maxDeclared {
			declared += len(line)
			c.Options = append(c.Options, option)
		}
		return line == "uciok", nil
	})
}

// maxDeclared is the greatest length of the declarations of all options of a program, in bytes;
// others are dropped.
const maxDeclared = 1 << 20

// Ready waits until the program has obeyed all commands before. A complaint about an option is an
// error.
func (c *Client) Ready(ctx context.Context) error {
	return c.Ask(ctx, "isready", func(line string, _ bool) (bool, error) {
		if refusal().MatchString(line) {
			return false, &Error{Program: c.command.Args[0], Detail: quote.Text(line, 0), Err: ErrOption}
		}
		return line == "readyok", nil
	})
}

// SetOption sets an option that the program has declared, to a value that fits the declaration:
// otherwise the error is an *Error with ErrOption. A button has the value "". UCI_Chess960 may be
// set even if it is not declared: some programs know Chess960 without it.
func (c *Client) SetOption(ctx context.Context, name, value string) error {
	isChess960 := strings.EqualFold(name, chess960Option)
	if isChess960 && findOption(c.Options, name) == nil {
		c.Options = append(c.Options, Check(chess960Option, false, nil))
	}
	option := findOption(c.Options, name)
	var err error
	if option != nil {
		value, err = option.canonical(value)
	} else {
		var names []string
		for i := range c.Options {
			names = append(names, c.Options[i].Name)
		}
		err = fmt.Errorf("it declares none named %s; it declares %s", quote.Text(name, 0),
			cmp.Or(strings.Join(names, ", "), "no options"))
	}
	if err != nil {
		return &Error{Program: c.command.Args[0], Detail: err.Error(), Err: ErrOption}
	}
	if isChess960 {
		c.chess960 = value == "true"
	}
	command := "setoption name " + option.Name
	if value != "" {
		command += " value " + value
	}
	return c.Send(ctx, command)
}

// SetPosition sends a position and the moves after it, which the program makes. It sets
// UCI_Chess960 as the position wants it; a program that does not declare that option is an *Error
// with ErrChess960 if it needs it.
func (c *Client) SetPosition(ctx context.Context, pos fianchetto.Position, moves ...fianchetto.Move) error {
	if chess960 := pos.IsChess960(); chess960 != c.chess960 {
		if findOption(c.Options, chess960Option) == nil {
			return &Error{Program: c.command.Args[0], Err: ErrChess960,
				Detail: "if it knows Chess960 all the same, set the option " + chess960Option + " to true"}
		}
		if err := c.SetOption(ctx, chess960Option, strconv.FormatBool(chess960)); err != nil {
			return err
		}
	}
	return c.Send(ctx, string(appendLine([]byte("position fen "+pos.FEN()), "moves", &pos, moves)))
}

// Perft has the program count the leaves at a depth below a position, with Stockfish's extension
// "go perft N" and its answer "Nodes searched: M".
func (c *Client) Perft(ctx context.Context, pos fianchetto.Position, depth int) (nodes uint64, err error) {
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

// Go has the program search the last position of a game, and calls report, unless it is nil, with
// all that it reports. When ctx ends, the program is told to stop and has a second to answer; its
// move is then returned without an error. So a search without limits lasts as long as ctx. The
// errors are those of SetPosition and Ask, and an *Error with ErrGarbage if the move is not legal.
func (c *Client) Go(ctx context.Context, game *fianchetto.Game, limits Limits, report func(Info)) (best Best,
	err error) {
	if err := c.SetPosition(ctx, game.At(0), game.Moves()...); err != nil {
		return best, err
	}
	answering, end := context.WithCancelCause(context.WithoutCancel(ctx))
	defer end(nil)
	defer context.AfterFunc(ctx, func() {
		time.AfterFunc(patience, func() { end(context.Cause(ctx)) })
		stopping, done := context.WithTimeout(context.Background(), patience) // not answering: the answer may be faster
		defer done()
		_ = c.Send(stopping, "stop")
	})()
	pos := game.Position()
	err = c.Ask(answering, string(limits.AppendText(nil, &pos)), func(line string, isError bool) (last bool, err error) {
		if isError {
			return false, nil
		}
		if info, ok := ParseInfo(line, &pos); ok && report != nil {
			report(info)
		}
		if best, last, err = ParseBest(line, &pos); err != nil {
			err = &Error{Program: c.command.Args[0], Question: "go", Detail: err.Error(), Err: ErrGarbage}
		}
		return last, err
	})
	return best, err
}
