package clitest

import (
	"bytes"
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
	mutex       sync.Mutex
	diagnostics bytes.Buffer  // stderr; stdout too, unless that is kept apart
	results     bytes.Buffer  // stdout of our programs
	Ended       chan struct{} // closed at its end
}

// diagnosticsWriter lets a test read what a process has written while it goes on.
type diagnosticsWriter struct{ *Process }

func (w diagnosticsWriter) Write(p []byte) (int, error) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return w.diagnostics.Write(p)
}

// Start starts a process that ends with the test. Without a token in the environment it has one.
func Start(t *testing.T, name string, args ...string) *Process {
	t.Helper()
	p := newProcess(t, name, args...)
	p.start()
	return p
}

// StartWaiting is Start for a process whose stdin stays open and empty.
func StartWaiting(t *testing.T, name string, args ...string) *Process {
	t.Helper()
	p := newProcess(t, name, args...)
	if _, err := p.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	p.start()
	return p
}

func newProcess(t *testing.T, name string, args ...string) *Process {
	p := &Process{Cmd: exec.Command(name, args...), t: t, Ended: make(chan struct{})}
	const token = "FIANCHETTO_TOKEN"
	if _, ok := os.LookupEnv(token); !ok {
		p.Env = append(os.Environ(), token+"=token-of-the-tests")
	}
	p.Stderr = diagnosticsWriter{p}
	p.Stdout = diagnosticsWriter{p}
	if name == "fianchetto" || name == "fianchetto-cluster" {
		p.Stdout = &p.results
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
		close(p.Ended)
	}()
	t.Cleanup(func() {
		p.Process.Kill()
		<-p.Ended
		if strings.Contains(p.Text(), "WARNING: DATA RACE") {
			t.Errorf("%q has a data race", p.Args)
		}
		if t.Failed() {
			t.Logf("%q printed\n%s", p.Args, p.Text())
		}
	})
}

// Text returns what the process has written: our programs to stderr, others to stdout and stderr.
func (p *Process) Text() string {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return p.diagnostics.String()
}

// Await waits until the process has printed what matches a pattern, and returns what the pattern's group matched.
func (p *Process) Await(pattern string) string {
	p.t.Helper()
	expression := regexp.MustCompile(pattern)
	for deadline := time.Now().Add(Patience); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if m := expression.FindStringSubmatch(p.Text()); m != nil {
			return m[len(m)-1]
		}
	}
	p.t.Fatalf("%q never printed %q", p.Args, pattern)
	return ""
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

// Results returns what one of our programs has written to stdout, when it has ended.
func (p *Process) Results() string { return p.results.String() }

// AwaitExit waits for the end of the process and returns the last line of its output.
func (p *Process) AwaitExit() string {
	p.t.Helper()
	select {
	case <-p.Ended:
	case <-time.After(Patience):
		p.t.Fatalf("%q has not ended", p.Args)
	}
	lines := strings.Split(strings.TrimSpace(p.results.String()), "\n")
	return lines[len(lines)-1]
}

// Kill ends the process at once, as kill -9 does.
func (p *Process) Kill() {
	p.Process.Kill()
	<-p.Ended
}
