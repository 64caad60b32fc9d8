package clitest

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// Patience is how long a process may take for what a test waits for: much longer than it does, for the machine may be busy.
const Patience = 3 * time.Minute

// Process is a process that a test started, and its output so far.
type Process struct {
	*exec.Cmd
	t           *testing.T
	stdin       io.Writer     // nil: none
	diagnostics *transcript   // stderr; stdout too, unless that is kept apart
	results     *transcript   // stdout of our programs
	Ended       chan struct{} // closed at its end
}

// transcript is what a process has written so far.
type transcript struct {
	mutex sync.Mutex
	grown sync.Cond // or ended
	text  bytes.Buffer
	ended bool
}

func newTranscript() *transcript {
	s := new(transcript)
	s.grown.L = &s.mutex
	return s
}

// Write adds to the transcript.
func (s *transcript) Write(p []byte) (int, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.grown.Broadcast()
	return s.text.Write(p)
}

func (s *transcript) end() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.ended = true
	s.grown.Broadcast()
}

// String returns the text so far.
func (s *transcript) String() string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.text.String()
}

// await waits until the text has a match of a pattern or has ended, and returns the match and its groups; nil if there is none.
func (s *transcript) await(pattern *regexp.Regexp) []string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for {
		if match := pattern.FindStringSubmatch(s.text.String()); match != nil || s.ended {
			return match
		}
		s.grown.Wait()
	}
}

// Start starts a process that ends with the test. Without a token in the environment it has one.
func Start(t *testing.T, name string, args ...string) *Process {
	t.Helper()
	p := newProcess(t, name, args...)
	p.start()
	return p
}

// StartWaiting is Start for a process whose stdin stays open, for Say.
func StartWaiting(t *testing.T, name string, args ...string) *Process {
	t.Helper()
	p := newProcess(t, name, args...)
	stdin, err := p.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	p.stdin = stdin
	p.start()
	return p
}

func newProcess(t *testing.T, name string, args ...string) *Process {
	p := &Process{Cmd: exec.Command(name, args...), t: t, diagnostics: newTranscript(), results: newTranscript(), Ended: make(chan struct{})}
	const token = "FIANCHETTO_TOKEN"
	if _, ok := os.LookupEnv(token); !ok {
		p.Env = append(os.Environ(), token+"=token-of-the-tests")
	}
	p.Stderr, p.Stdout = p.diagnostics, p.diagnostics
	if name == "fianchetto" || name == "fianchetto-cluster" {
		p.Stdout = p.results
	}
	return p
}

func (p *Process) start() {
	t := p.t
	t.Helper()
	if err := p.Cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		p.Wait() // its exit code is asked for where it matters
		p.diagnostics.end()
		p.results.end()
		close(p.Ended)
	}()
	t.Cleanup(func() {
		p.Kill()
		if strings.Contains(p.Text(), "WARNING: DATA RACE") {
			t.Errorf("%q has a data race", p.Args)
		}
		if t.Failed() {
			t.Logf("%q printed\n%s", p.Args, p.Text())
		}
	})
}

// Say writes a line to the stdin of a process that StartWaiting started.
func (p *Process) Say(line string) {
	p.t.Helper()
	if _, err := io.WriteString(p.stdin, line+"\n"); err != nil {
		p.t.Fatal(err)
	}
}

// Text returns what the process has written: our programs to stderr, others to stdout and stderr.
func (p *Process) Text() string { return p.diagnostics.String() }

// Results returns what one of our programs has written to stdout.
func (p *Process) Results() string { return p.results.String() }

// Await waits until what Text returns has a match of a pattern, and returns what the pattern's group matched.
func (p *Process) Await(pattern string) string {
	p.t.Helper()
	return p.await(p.diagnostics, pattern)
}

// AwaitResult is Await for what Results returns.
func (p *Process) AwaitResult(pattern string) string {
	p.t.Helper()
	return p.await(p.results, pattern)
}

func (p *Process) await(s *transcript, pattern string) string {
	p.t.Helper()
	match := s.await(regexp.MustCompile(pattern))
	if match == nil {
		p.t.Fatalf("%q ended and never printed %q", p.Args, pattern)
	}
	return match[len(match)-1]
}

// WantExit waits for the end of the process, which must have an exit code and end its output with a line.
func (p *Process) WantExit(code int, last string) {
	p.t.Helper()
	got := p.AwaitExit()
	if exit := p.ProcessState.ExitCode(); exit != code || got != last {
		p.t.Errorf("%q ended with %d, %q, want %d, %q", p.Args, exit, got, code, last)
	}
}

// WantExitCode waits for the end of the process, which must have an exit code.
func (p *Process) WantExitCode(code int) {
	p.t.Helper()
	p.AwaitExit()
	if got := p.ProcessState.ExitCode(); got != code {
		p.t.Errorf("%q ended with %d, want %d", p.Args, got, code)
	}
}

// AwaitExit waits for the end of the process and returns the last line of its results.
func (p *Process) AwaitExit() string {
	<-p.Ended
	lines := strings.Split(strings.TrimSpace(p.Results()), "\n")
	return lines[len(lines)-1]
}

// Kill ends the process at once, as kill -9 does.
func (p *Process) Kill() {
	p.Process.Kill()
	<-p.Ended
}
