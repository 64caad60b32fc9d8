package engine

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

// process is a program that runs.
type process struct {
	command    *exec.Cmd
	in         io.WriteCloser
	out        io.ReadCloser
	lines      *bufio.Scanner
	complaints lastWords
	last       string // the last line that it wrote and was not blank
}

// patience is how long a program may take to end once it has nothing more to say.
const patience = time.Second

func start(config *Config, args ...string) (*process, error) {
	p := &process{command: exec.Command(config.Path, append(append([]string(nil), config.Args...), args...)...)}
	p.command.Stderr = &p.complaints
	p.command.WaitDelay = patience // a child of its own may have inherited the pipe
	var err error
	if p.in, err = p.command.StdinPipe(); err == nil {
		p.out, err = p.command.StdoutPipe()
	}
	if err == nil {
		err = p.command.Start()
	}
	if err != nil {
		return nil, &Error{Path: config.Path, Err: ErrStart, Detail: err.Error()}
	}
	p.lines = bufio.NewScanner(p.out)
	return p, nil
}

// kill ends the program, and whoever waits for it to read or to write.
func (p *process) kill() {
	_ = p.command.Process.Kill() // it may have ended already
	p.in.Close()
	p.out.Close()
}

// close ends the program and waits until it has ended.
func (p *process) close() {
	p.kill()
	_ = p.command.Wait() // it was killed, and says so
}

// write gives the program a line.
func (p *process) write(line string) error {
	_, err := io.WriteString(p.in, line+"\n")
	return err
}

// read returns the next line.
func (p *process) read() (string, error) {
	if !p.lines.Scan() {
		if err := p.lines.Err(); err != nil {
			return "", err
		}
		return "", io.EOF
	}
	line := strings.TrimSpace(p.lines.Text())
	if line != "" {
		p.last = line
	}
	return line, nil
}

// fail says why a conversation broke off, and ends the program.
func (p *process) fail(ctx context.Context, config *Config, question string, err error) error {
	failure := &Error{Path: config.Path, Question: question}
	switch deadline := context.Cause(ctx); {
	case errors.Is(err, bufio.ErrTooLong):
		failure.Err, failure.Detail = ErrGarbage, "a line is longer than 64 KiB"
	case errors.Is(err, errTooManyLines):
		failure.Err, failure.Detail = ErrGarbage, fmt.Sprintf("it has more than %d lines, the last %s", maxLines, quote.Text(p.last, 0))
	case errors.Is(deadline, errTimeLimit):
		failure.Err, failure.Detail = ErrSilent, config.TimeLimit.String()+", "+p.lastLine()
	case deadline != nil:
		p.close()
		return deadline
	default:
		failure.Err, failure.Detail = ErrEnded, p.ending()
		return failure
	}
	p.close()
	return failure
}

// errTimeLimit is why a question's context ends if the time is up.
var errTimeLimit = errors.New("time limit")

// ending waits for the program, which has closed its output, to end, and says how it did.
func (p *process) ending() string {
	deadline := time.AfterFunc(patience, p.kill)
	defer deadline.Stop()
	p.in.Close()
	_ = p.command.Wait() // what it returns is in ProcessState
	text := p.command.ProcessState.String() + ", " + p.lastLine()
	if complaint := p.complaints.line(); complaint != "" {
		text += "; stderr: " + quote.Text(complaint, 0)
	}
	return text
}

func (p *process) lastLine() string {
	if p.last == "" {
		return "it has written nothing"
	}
	return "its last line is " + quote.Text(p.last, 0)
}

// lastWords keeps the end of what is written to it.
type lastWords struct {
	mutex sync.Mutex
	text  []byte
}

func (w *lastWords) Write(text []byte) (int, error) {
	const enough = 1 << 10
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.text = append(w.text, text...)
	w.text = w.text[max(0, len(w.text)-enough):]
	return len(text), nil
}

// line returns the last line that is not blank.
func (w *lastWords) line() string {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	text := strings.TrimSpace(string(w.text))
	return text[strings.LastIndexByte(text, '\n')+1:]
}
