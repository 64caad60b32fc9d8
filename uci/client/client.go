// Package client drives engines over UCI: it starts a program, sets options and asks for moves.
//
// A context limits each call.
//
//	engine, err := client.Open(ctx, exec.Command("stockfish"))
//	defer engine.Close()
//	best, err := engine.Go(ctx, game, uci.Limits{MoveTime: time.Second}, func(info uci.Info) { ... })
//
// Ask sends any other command, such as Stockfish's "go perft N", after SetPosition.
package client

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
	"github.com/fianchetto-chess/fianchetto/internal/pattern"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
	"github.com/fianchetto-chess/fianchetto/uci"
)

// Engine is a running engine. Only Send may be called concurrently. If a method that waits for an
// answer fails, close the engine, because the answer may still arrive.
type Engine struct {
	Name, Author string       // from the engine
	Options      []uci.Option // declared by the engine

	// Skipped counts skipped lines from stdout of more than 64 KiB.
	Skipped int

	// Trace, if set before the first command, receives each line: a sent line after "> ", a line
	// from stdout after "< ", a line from stderr after "! ".
	Trace func(line string)

	prompt   string // printed before answers, or ""
	command  *exec.Cmd
	in       io.WriteCloser
	outputs  sync.WaitGroup
	lines    chan line // closed after the program and both outputs end
	kill     func()    // ends the program, once
	failed   bool
	held     bool     // another process holds an output
	last     string   // the last non-blank line on stdout
	stderr   []string // as Error.Stderr
	chess960 bool     // the last value sent
	thinking bool     // the last go has no answer yet
}

type line struct {
	text    string
	isError bool  // from stderr
	err     error // lines.ErrTooLong, or at the end io.EOF or the reader's error
}

// Causes of an *Error. Without an answer in time, the cause is that of the context.
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

	// Stderr holds up to ten non-blank lines from stderr: the last, or those from the cause of a
	// crash on.
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

// patience is the time for a program to exit after its input or output ends, and to answer stop.
const patience = time.Second

// Open starts a program, greets it and waits until it is ready. It kills the program if ctx is done
// first.
func Open(ctx context.Context, command *exec.Cmd) (*Engine, error) {
	e, err := Start(command)
	if err != nil {
		return nil, err
	}
	if err = e.Greet(ctx); err == nil {
		err = e.Ready(ctx)
	}
	if err != nil {
		e.Close()
		return nil, err
	}
	return e, nil
}

// Start starts a program. Greet comes next. If command.Stdin is set, the program reads that instead
// of the client's commands. command.Cancel, if set, kills the program and is called again after it
// exits, so that it can also kill child processes.
func Start(command *exec.Cmd) (e *Engine, err error) {
	e = &Engine{command: command, lines: make(chan line)}
	if command.Stdin == nil {
		e.in, err = command.StdinPipe()
	}
	e.outputs.Add(2)
	command.Stdout, command.Stderr, command.WaitDelay = output{e: e}, output{e: e, isError: true}, patience
	if err == nil {
		err = command.Start()
	}
	if err != nil {
		return nil, &Error{Program: command.Args[0], Err: fmt.Errorf("%w: %w", ErrStart, err)}
	}
	kill := command.Cancel
	if kill == nil {
		kill = command.Process.Kill
	}
	e.kill = sync.OnceFunc(func() { _ = kill() })
	go func() {
		_ = command.Wait()
		e.outputs.Wait() // a caller may still receive lines
		close(e.lines)
	}()
	return e, nil
}

const maxAnswer = 64 << 10

// output is stdout or stderr of the program. The command copies it by ReadFrom, and closes it if
// another process still holds it after the exit.
type output struct {
	io.Writer // never used
	e         *Engine
	isError   bool
}

// ReadFrom reads the output to its end.
func (o output) ReadFrom(in io.Reader) (int64, error) {
	end := io.EOF
	for text, err := range lines.Read(in, maxAnswer) {
		if err != nil && !errors.Is(err, lines.ErrTooLong) {
			end = err
		} else {
			o.e.lines <- line{strings.TrimSpace(string(text)), o.isError, err}
		}
	}
	o.e.lines <- line{"", o.isError, end}
	o.e.outputs.Done()
	return 0, nil
}

func (e *Engine) fail(question string, cause error, detail string) error {
	return &Error{e.command.Args[0], question, detail, cause, e.stderr}
}

// Close asks the program to quit and kills it after a second, or at once after an error.
func (e *Engine) Close() {
	if e.failed {
		e.kill()
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	_ = e.Send(ctx, "quit")
	if e.in != nil {
		e.in.Close()
	}
	e.end()
}

func (e *Engine) end() string {
	overdue := time.AfterFunc(patience, e.kill)
	for l := range e.lines {
		e.note(&l)
	}
	text := e.command.ProcessState.String()
	switch isKilled := !overdue.Stop(); {
	case e.held:
		text += ", but a process that it has started holds its output"
	case isKilled:
		text = "it has closed its output, runs on, and is killed"
	}
	e.kill()
	text += ", " + e.lastLine()
	if n := len(e.stderr); n > 0 {
		cause := e.stderr[n-1]
		for i, line := range e.stderr {
			if crash().MatchString(line) {
				cause = line
				if strings.HasSuffix(line, ":") && i+1 < n {
					cause += " " + e.stderr[i+1]
				}
			}
		}
		text += "; stderr: " + quote.Text(cause, 0)
	}
	return text
}

// Patterns, compiled on first use.
var (
	// crash matches the line that names the cause of a panic, exception or failed assertion.
	crash = pattern.Lazy(`^(?:panic:|fatal error:|thread '.*panicked at|terminate called|what\(\):|[\w.]*` +
		`(?:Error|Exception)\b|(?:Exception|Error) in\b|.*\b[Aa]ssert(?:ion)?\b.*[Ff]ailed|.*Sanitizer:|Segmentation fault)`)
	// notUCI matches answers to uci from programs with another protocol.
	notUCI = pattern.Lazy(`(?i)\b(?:illegal|invalid|unknown|unrecognized|bad) (?:move|command)\b.*\buci\b`)
	// refusal matches answers to an unknown option.
	refusal = pattern.Lazy(`(?i)\b(no such|unknown|invalid) option\b`)
	// prompted matches an answer after one or several prompts, such as "engine> readyok".
	prompted = pattern.Lazy(`^([\w .()-]{0,30}[>$#:])(?:[\w .()>$#:-]*\s)?(?:id name .*|uciok|readyok|pong 1)$`)
)

// afterPrompt returns a line without the program's prompts, known from the first answer.
func (e *Engine) afterPrompt(line string) string {
	if e.prompt == "" && (strings.HasSuffix(line, "ok") || strings.Contains(line, "id name ") ||
		strings.HasSuffix(line, "pong 1")) {
		if found := prompted().FindStringSubmatch(line); found != nil {
			e.prompt = found[1]
		}
	}
	for e.prompt != "" && strings.HasPrefix(line, e.prompt) {
		line = strings.TrimSpace(line[len(e.prompt):])
	}
	return line
}

func (e *Engine) note(l *line) {
	mark := "< "
	if l.isError {
		mark = "! "
	}
	if e.Trace != nil && l.err == nil {
		e.Trace(mark + l.text)
	}
	e.held = e.held || errors.Is(l.err, os.ErrClosed)
	const most = 10
	switch {
	case !l.isError:
		l.text = e.afterPrompt(l.text)
		e.last = cmp.Or(l.text, e.last)
	case l.text == "":
	case len(e.stderr) < most || !crash().MatchString(e.stderr[0]) || crash().MatchString(l.text):
		e.stderr = append(e.stderr[max(0, len(e.stderr)-most+1):], l.text)
	}
}

func (e *Engine) lastLine() string {
	if e.last == "" {
		return "it has written nothing"
	}
	return "its last line is " + quote.Text(e.last, 0)
}

// Send sends a command without an answer, such as ponderhit, or stop during Go. If ctx is done
// before the program has read the command, Send kills the program and returns the cause of ctx.
func (e *Engine) Send(ctx context.Context, command string) error {
	if ctx.Err() != nil || e.in == nil {
		return context.Cause(ctx)
	}
	if e.Trace != nil {
		for line := range strings.SplitSeq(command, "\n") {
			e.Trace("> " + line)
		}
	}
	defer context.AfterFunc(ctx, e.kill)()
	_, _ = io.WriteString(e.in, command+"\n") // the next answer reports an exit
	return context.Cause(ctx)
}

// Ask sends a command, if any, and calls take with each line from stdout and stderr until take
// returns true or an error, which Ask returns. If ctx is cancelled first, the *Error wraps
// context.Cause(ctx). If the program exits, it wraps ErrEnded.
func (e *Engine) Ask(ctx context.Context, command string, take func(line string, isError bool) (last bool, err error),
) (err error) {
	defer func() { e.failed = err != nil }()
	if command != "" {
		if err := e.Send(ctx, command); err != nil {
			return e.fail(command, err, e.lastLine())
		}
	}
	for {
		select {
		case <-ctx.Done():
			return e.fail(command, context.Cause(ctx), e.lastLine())
		case l, isOpen := <-e.lines:
			isEnd := !isOpen || l.err != nil && !errors.Is(l.err, lines.ErrTooLong)
			if isOpen {
				e.note(&l)
			}
			switch {
			case isEnd && !l.isError:
				return e.fail(command, ErrEnded, e.end())
			case isEnd:
			case l.err != nil && !l.isError:
				e.Skipped++
			default:
				if last, err := take(l.text, l.isError); last || err != nil {
					return err
				}
			}
		}
	}
}

// Greet sends uci and reads name, author and options. If the program refuses the command, the
// *Error wraps ErrGarbage.
func (e *Engine) Greet(ctx context.Context) error {
	e.Options = nil
	declared := 0
	return e.Ask(ctx, "uci", func(line string, _ bool) (bool, error) {
		if notUCI().MatchString(line[:min(len(line), quote.Max)]) {
			return false, e.fail("", ErrGarbage, quote.Text(line, 0))
		}
		if name, ok := strings.CutPrefix(line, "id name "); ok {
			e.Name = name
		}
		if author, ok := strings.CutPrefix(line, "id author "); ok {
			e.Author = author
		}
		if option, ok := uci.ParseOption(line); ok && declared+len(line) <= maxDeclared {
			declared += len(line)
			e.Options = append(e.Options, option)
		}
		return line == "uciok", nil
	})
}

// maxDeclared is the greatest size of all declarations in bytes. Others are dropped.
const maxDeclared = 1 << 20

// Ready waits until the program has executed all commands. A complaint about an option is an error.
func (e *Engine) Ready(ctx context.Context) error {
	return e.Ask(ctx, "isready", func(line string, _ bool) (bool, error) {
		if refusal().MatchString(line) {
			return false, e.fail("", ErrOption, quote.Text(line, 0))
		}
		return line == "readyok", nil
	})
}

// SetOption sets an option. The value of a button is "". If the program does not declare the option
// or allow the value, the *Error wraps ErrOption. UCI_Chess960 need not be declared, because some
// programs know Chess960 without it.
func (e *Engine) SetOption(ctx context.Context, name, value string) error {
	isChess960 := strings.EqualFold(name, chess960)
	if isChess960 && e.option(name) == nil {
		e.Options = append(e.Options, uci.Check(chess960, false, nil))
	}
	option := e.option(name)
	if option == nil {
		var names []string
		for i := range e.Options {
			names = append(names, e.Options[i].Name)
		}
		return e.fail("", ErrOption, fmt.Sprintf("it declares none named %s; it declares %s", quote.Text(name, 0),
			cmp.Or(strings.Join(names, ", "), "no options")))
	}
	command, err := option.Command(value)
	if err != nil {
		return e.fail("", ErrOption, err.Error())
	}
	if isChess960 {
		e.chess960 = strings.HasSuffix(command, "true")
	}
	return e.Send(ctx, command)
}

const chess960 = "UCI_Chess960"

func (e *Engine) option(name string) *uci.Option {
	for i := range e.Options {
		if strings.EqualFold(e.Options[i].Name, name) {
			return &e.Options[i]
		}
	}
	return nil
}

// SetPosition sends a position and the moves after it, and sets UCI_Chess960 accordingly. If the
// program needs that option but does not declare it, the *Error wraps ErrChess960.
func (e *Engine) SetPosition(ctx context.Context, pos fianchetto.Position, moves ...fianchetto.Move) error {
	if is960 := pos.IsChess960(); is960 != e.chess960 {
		if e.option(chess960) == nil {
			return e.fail("", ErrChess960, "if it knows Chess960 all the same, set the option "+chess960+" to true")
		}
		if err := e.SetOption(ctx, chess960, strconv.FormatBool(is960)); err != nil {
			return err
		}
	}
	separator, command := " moves ", []byte("position fen "+pos.FEN())
	for _, m := range moves {
		command = pos.AppendUCI(append(command, separator...), m) // of pos, only IsChess960 matters
		separator = " "
	}
	return e.Send(ctx, string(command))
}

// Go searches the last position of game. It passes each info to report, unless report is nil. When
// ctx is done, Go sends stop, waits a second for the best move, and returns that without an error.
// Errors are those of SetPosition and Ask. For an illegal move the *Error wraps ErrGarbage.
//
// The best move is that of this search, because Go first stops an unanswered one, and discards all
// lines before the answer to isready.
func (e *Engine) Go(ctx context.Context, game *fianchetto.Game, limits uci.Limits, report func(uci.Info)) (best uci.Best,
	err error) {
	if e.thinking {
		isBest := func(line string, isError bool) (bool, error) {
			return !isError && strings.HasPrefix(line, "bestmove"), nil
		}
		if err := e.Ask(ctx, "stop", isBest); err != nil {
			return best, err
		}
		e.thinking = false
	}
	if err := e.SetPosition(ctx, game.At(0), game.Moves()...); err != nil {
		return best, err
	}
	if err := e.Ready(ctx); err != nil {
		return best, err
	}
	answering, end := context.WithCancelCause(context.WithoutCancel(ctx))
	defer end(nil)
	defer context.AfterFunc(ctx, func() {
		time.AfterFunc(patience, func() { end(context.Cause(ctx)) })
		_ = e.Send(context.WithoutCancel(ctx), "stop") // answering ends as soon as the answer is there
	})()
	pos := game.Position()
	e.thinking = true
	err = e.Ask(answering, string(limits.AppendText(nil, &pos)), func(line string, isError bool) (last bool, err error) {
		if isError {
			return false, nil
		}
		if info, ok := uci.ParseInfo(line, &pos); ok && report != nil {
			report(info)
		}
		if best, last, err = uci.ParseBest(line, &pos); err != nil {
			err = e.fail("go", ErrGarbage, err.Error())
		}
		e.thinking = !last
		return last, err
	})
	return best, err
}
