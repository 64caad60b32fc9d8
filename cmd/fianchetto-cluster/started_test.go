//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/must"
)

// patience is how long a process may take for what a test waits for: much longer than it does, for
// the machine may be busy.
const patience = 3 * time.Minute

// process is a process that a test started, and its output so far.
type process struct {
	*exec.Cmd
	t           testing.TB
	diagnostics transcript    // stderr; stdout too, unless that is kept apart
	results     bytes.Buffer  // stdout of our programs
	Ended       chan struct{} // closed at its end
}

// transcript is what a process has written so far.
type transcript struct {
	mutex sync.Mutex
	text  bytes.Buffer
}

// Write adds to the transcript.
func (s *transcript) Write(p []byte) (int, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.text.Write(p)
}

// String returns the transcript.
func (s *transcript) String() string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.text.String()
}

// startProcess starts a process that ends with the test. Without a token in the environment it has
// one.
func startProcess(t testing.TB, name string, args ...string) *process {
	t.Helper()
	p := &process{Cmd: exec.Command(name, args...), t: t, Ended: make(chan struct{})}
	const token = "FIANCHETTO_TOKEN"
	if _, ok := os.LookupEnv(token); !ok {
		p.Env = append(os.Environ(), token+"=token-of-the-tests")
	}
	p.Stderr, p.Stdout = &p.diagnostics, &p.diagnostics
	if name == "fianchetto" || name == "fianchetto-cluster" {
		p.Stdout = &p.results
	}
	must.Do(t, p.Cmd.Start())
	go func() {
		p.Wait() // its exit code is asked for where it matters
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
	return p
}

// Text returns what the process has written: our programs to stderr, others to stdout and stderr.
func (p *process) Text() string { return p.diagnostics.String() }

// Await waits until what Text returns has a match of a pattern, and returns what the pattern's
// group matched.
func (p *process) Await(pattern string) string {
	p.t.Helper()
	for ended := false; ; {
		if match := regexp.MustCompile(pattern).FindStringSubmatch(p.Text()); match != nil {
			return match[len(match)-1]
		}
		if ended {
			p.t.Fatalf("%q ended and never printed %q", p.Args, pattern)
		}
		select {
		case <-p.Ended:
			ended = true
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// Results returns what one of our programs has written to stdout, when it has ended.
func (p *process) Results() string { return p.results.String() }

// WantExit waits for the end of the process, which must have an exit code and end its output with a
// line.
func (p *process) WantExit(code int, last string) {
	p.t.Helper()
	got := p.AwaitExit()
	if exit := p.ProcessState.ExitCode(); exit != code || got != last {
		p.t.Errorf("%q ended with %d, %q, want %d, %q", p.Args, exit, got, code, last)
	}
}

// AwaitExit waits for the end of the process and returns the last line of its results.
func (p *process) AwaitExit() string {
	<-p.Ended
	lines := strings.Split(strings.TrimSpace(p.Results()), "\n")
	return lines[len(lines)-1]
}

// Kill ends the process at once, as kill -9 does.
func (p *process) Kill() {
	p.Process.Kill()
	<-p.Ended
}
