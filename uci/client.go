package uci

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/lines"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

// Client runs an engine. Only Send may be called concurrently. If a method that waits for an answer
// fails, close the client, because a late answer may still arrive.
type Client struct {
	Name, Author string   // from the engine
	Options      []Option // declared by the engine

	// Trace, if set before the first command, receives each line as it passes: a sent line after
	// "> ", a line from stdout after "< ", a line from stderr after "! ".
	Trace func(line string)

	prompt   string // what the program prints before its answers, or ""
	command  *exec.Cmd
	in       io.WriteCloser
	lines    chan line
	open     int // open outputs
	exited   chan struct{}
	gone     chan struct{}
	kill     func() // ends the program and all pending reads and writes, once
	failed   bool
	last     string   // the last non-blank line on stdout
	stderr   []string // non-blank lines, the last ones or those after the cause of a crash
	crashed  int      // index of the cause in stderr, or -1
	cause    string   // of a crash, up to two lines
	chess960 bool     // the last value sent
}

type line struct {
	text    string
	isError bool  // from stderr
	err     error // io.EOF at the end of an output, or lines.ErrTooLong
}

// Causes of an *Error. If a program does not answer in time, the cause is that of the context.
const (
	ErrStart    fianchetto.Problem = "it cannot be started"
	ErrEnded    fianchetto.Problem = "it has ended without an answer"
	ErrGarbage  fianchetto.Problem = "its answer cannot be understood"
	ErrOption   fianchetto.Problem = "it refuses an option"
	ErrChess960 fianchetto.Problem = "it declares no option UCI_Chess960, which the position needs"
)

// Error describes the failure of a program.
type Error struct {
	Program  string // path
	Question string // the command awaiting an answer, or ""
	Detail   string // exit status, last line and the like, or ""
	Err      error  // one of the causes above, or that of a context

	// Stderr holds up to ten non-blank lines from stderr: the last ones, or those from the cause of
	// a crash on.
	Stderr []string
}

// Error returns program, command and cause in one line.
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

// patience is how long a program may take to exit after its input or output has ended, and to
// answer stop.
const patience = time.Second

// Open starts a program, greets it and waits until it is ready. If ctx is done first, the program
// is killed.
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

// Start starts a program and sends nothing; Greet comes next. If command.Stdin is set, the program
// reads that instead of the client's commands. The program runs until Close or until the command's
// context is done. command.Cancel, if set, is used to kill the program and is called again after it
// exits, so that it can also kill child processes.
func Start(command *exec.Cmd) (*Client, error) {
	c := &Client{command: command, lines: make(chan line), open: 2, exited: make(chan struct{}),
		gone: make(chan struct{}), crashed: -1}
	var noInput error
	if command.Stdin == nil {
		c.in, noInput = command.StdinPipe()
	}
	// With its own pipes, the client can tell the end of the program from the end of its outputs.
	out, theirOut, noOutput := os.Pipe()
	stderr, theirStderr, noErrors := os.Pipe()
	command.Stdout, command.Stderr = theirOut, theirStderr
	err := cmp.Or(noInput, noOutput, noErrors)
	if err == nil {
		err = command.Start()
	}
	_, _ = theirOut.Close(), theirStderr.Close() // fails if there is no pipe
	c.kill = sync.OnceFunc(func() {
		close(c.gone)
		if command.Cancel != nil {
			_ = command.Cancel()
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
		_ = command.Wait()
		close(c.exited)
	}()
	return c, nil
}

const maxAnswer = 64 << 10

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

// Close asks the program to quit and kills it after a second, or at once after an error.
func (c *Client) Close() {
	if c.failed {
		c.kill()
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	_ = c.Send(ctx, "quit")
	if c.in != nil {
		c.in.Close()
	}
	c.end()
}

// end waits for the end of the program and its output, and describes it.
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
	c.kill()
	<-c.exited
	text := cmp.Or(how, c.command.ProcessState.String()) + ", " + c.lastLine()
	if len(c.stderr) > 0 {
		text += "; stderr: " + quote.Text(cmp.Or(c.cause, c.stderr[len(c.stderr)-1]), 0)
	}
	return text
}

// Patterns, compiled on first use.
var (
	// crash matches the line that names the cause of a panic, exception or failed assertion, but no
	// line of a stack.
	crash = lines.Pattern(`^(?:panic:|fatal error:|thread '.*panicked at|terminate called|what\(\):|[\w.]*` +
		`(?:Error|Exception)\b|(?:Exception|Error) in\b|.*\b[Aa]ssert(?:ion)?\b.*[Ff]ailed|.*Sanitizer:|Segmentation fault)`)
	// notUCI matches answers to uci from programs with another protocol.
	notUCI = lines.Pattern(`(?i)\b(?:illegal|invalid|unknown|unrecognized|bad) (?:move|command)\b.*\buci\b`)
	// refusal matches answers to an unknown option.
	refusal = lines.Pattern(`(?i)\b(no such|unknown|invalid) option\b`)
	// prompted matches an answer after one or several prompts, such as "engine> readyok".
	prompted = lines.Pattern(`^([\w .()-]{0,30}[>$#:])(?:[\w .()>$#:-]*\s)?(?:id name .*|uciok|readyok|pong 1)$`)
)

// afterPrompt returns a line without the program's prompts, which it knows from the first answer.
func (c *Client) afterPrompt(line string) string {
	if c.prompt == "" && (strings.HasSuffix(line, "ok") || strings.Contains(line, "id name ") ||
		strings.HasSuffix(line, "pong 1")) {
		if found := prompted().FindStringSubmatch(line); found != nil {
			c.prompt = found[1]
		}
	}
	for c.prompt != "" && strings.HasPrefix(line, c.prompt) {
		line = strings.TrimSpace(line[len(c.prompt):])
	}
	return line
}

// note remembers what errors quote of a line.
func (c *Client) note(l *line) {
	if c.Trace != nil && l.err == nil {
		mark := "< "
		if l.isError {
			mark = "! "
		}
		c.Trace(mark + l.text)
	}
	if !l.isError {
		l.text = c.afterPrompt(l.text)
	}
	switch {
	case l.err == io.EOF:
		c.open--
	case l.isError && l.text != "":
		c.keep(l.text)
	case !l.isError:
		c.last = cmp.Or(l.text, c.last)
	}
}

// keep appends a line of stderr. If there are many, it drops the first one, but never the cause of
// a crash.
func (c *Client) keep(text string) {
	const most = 10
	if strings.HasSuffix(c.cause, ":") && c.crashed == len(c.stderr)-1 {
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

// Send sends a command without an answer, such as ponderhit, or stop during Go. It may be called
// concurrently. If ctx is done before the program has read the command, Send kills the program and
// returns the cause of ctx.
func (c *Client) Send(ctx context.Context, command string) error {
	if ctx.Err() != nil || c.in == nil {
		return context.Cause(ctx)
	}
	if c.Trace != nil {
		for line := range strings.SplitSeq(command, "\n") {
			c.Trace("> " + line)
		}
	}
	defer context.AfterFunc(ctx, c.kill)()
	if _, err := io.WriteString(c.in, command+"\n"); err != nil { // exited: the next answer reports it
		return context.Cause(ctx)
	}
	return nil
}

// Ask sends a command and calls take with each line from stdout and stderr until take returns true
// or an error, which Ask returns. With an empty command it only listens. If ctx is cancelled first,
// the *Error wraps context.Cause(ctx); if the program exits, it wraps ErrEnded.
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
		case <-exited: // its last output follows
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

// Greet sends uci and reads name, author and options. If the program refuses the command, the
// *Error wraps ErrGarbage.
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

// maxDeclared is the maximal size of all declarations in bytes. Further ones are dropped.
const maxDeclared = 1 << 20

// Ready waits until the program has executed all commands. A complaint about an option is an error.
func (c *Client) Ready(ctx context.Context) error {
	return c.Ask(ctx, "isready", func(line string, _ bool) (bool, error) {
		if refusal().MatchString(line) {
			return false, &Error{Program: c.command.Args[0], Detail: quote.Text(line, 0), Err: ErrOption}
		}
		return line == "readyok", nil
	})
}

// SetOption sets a declared option; a button has the value "". If the declaration does not allow
// the value, the *Error wraps ErrOption. UCI_Chess960 need not be declared, because some programs
// know Chess960 without it.
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

// SetPosition sends a position and the moves after it, and sets UCI_Chess960 accordingly. If the
// program needs that option but does not declare it, the *Error wraps ErrChess960.
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
	return c.Send(ctx, string(appendMoves([]byte("position fen "+pos.FEN()), "moves", &pos, moves)))
}

// Go searches the last position of game. It passes each info to report, unless report is nil. When
// ctx is done, Go sends stop and waits a second for the best move, which it returns without an
// error. Errors are those of SetPosition and Ask; for an illegal move the *Error wraps ErrGarbage.
func (c *Client) Go(ctx context.Context, game *fianchetto.Game, limits Limits, report func(Info)) (best Best,
	err error) {
	if err := c.SetPosition(ctx, game.At(0), game.Moves()...); err != nil {
		return best, err
	}
	answering, end := context.WithCancelCause(context.WithoutCancel(ctx))
	defer end(nil)
	defer context.AfterFunc(ctx, func() {
		time.AfterFunc(patience, func() { end(context.Cause(ctx)) })
		stopping, done := context.WithTimeout(context.Background(), patience)
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
