package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/broker"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/cluster"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/job"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/exit"
	"github.com/fianchetto-chess/fianchetto/internal/must"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// playSlowWorker is a worker process that reports each task it begins, and may take its time.
func playSlowWorker() {
	connect := flag.String("connect", "", "")
	delay := flag.Duration("delay", 0, "")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	counter, err := job.NewCounter(perft.TwoPly, 0)
	if err == nil {
		say := func(text string) { fmt.Println(text) }
		flags := program{access: broker.Options{Connect: *connect, Notice: say}}
		flags.access.Credentials, _ = flags.credentials(ctx) // the broker refuses a bad token
		err = work(ctx, flags.access, cluster.Options{
			Name: processName(), Threads: 1, Notice: say,
			Count: func(ctx context.Context, thread string, t *job.Task) (*job.Result, error) {
				fmt.Printf("task %d begins\n", t.Index)
				broker.Pause(ctx, *delay)
				return counter.Count(ctx, thread, t)
			},
		})
	}
	if err != nil {
		fmt.Println(err)
	}
	os.Exit(exit.Code(runError(err)))
}

func clusterURLs(ports []string) string {
	return "nats://127.0.0.1:" + strings.Join(ports, ",nats://127.0.0.1:")
}

// startNode starts a server of a broker, which is a cluster if there are ports for one another as well
// as for clients.
func startNode(t *testing.T, number int, dir string, clients, others []string) *process {
	t.Helper()
	args := []string{"-n", fmt.Sprint("node-", number), "-a", "127.0.0.1", "-p", clients[number], "-js", "-sd", dir}
	if len(others) > 0 {
		args = append(args, "-cluster_name", "cluster", "-cluster", "nats://127.0.0.1:"+others[number], "-routes",
			clusterURLs(others))
	}
	return startProcess(t, "node", args...)
}

// playNode is nats-server, with every message on disk.
func playNode() {
	options, err := server.ConfigureOptions(flag.NewFlagSet("node", flag.ExitOnError), os.Args[1:], nil, nil, nil)
	if err != nil {
		panic(err)
	}
	options.NoLog, options.SyncAlways = true, true
	s, err := server.NewServer(options)
	if err != nil {
		panic(err)
	}
	s.Start()
	s.WaitForShutdown()
}

var lastPort atomic.Int64 // of freePorts, so that no two tests get the same

// freePorts returns ports at which no process listens, below those that systems give to
// connections, so that they stay free. It does not listen there: a process that another test starts
// could hold the listener for a moment longer.
func freePorts(n int) (ports []string) {
	for len(ports) < n {
		port := strconv.FormatInt(10_000+(lastPort.Add(1)+31*int64(os.Getpid()))%20_000, 10)
		if c, err := net.Dial("tcp", "127.0.0.1:"+port); err == nil {
			c.Close()
			continue
		}
		ports = append(ports, port)
	}
	return ports
}

// patience limits the wait for a process. It is much longer than any process takes, because the
// machine may be busy.
const patience = 3 * time.Minute

// process is a process that a test started, and its output so far.
type process struct {
	*exec.Cmd
	t           testing.TB
	diagnostics transcript    // stderr; stdout too, unless that is kept apart
	results     bytes.Buffer  // stdout of our programs
	Ended       chan struct{} // closed at its end
}

// transcript is the output of a process until now.
type transcript struct {
	mutex sync.Mutex
	text  []byte
}

// Write adds to the transcript.
func (s *transcript) Write(p []byte) (int, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.text = append(s.text, p...)
	return len(p), nil
}

// startProcess starts a process that ends with the test. Without a token in the environment it has
// one.
func startProcess(t testing.TB, name string, args ...string) *process {
	t.Helper()
	if testing.Short() {
		t.Skip("starts processes")
	}
	p := &process{Cmd: exec.Command(name, args...), t: t, Ended: make(chan struct{})}
	if _, ok := os.LookupEnv(tokenVariable); !ok {
		p.Env = append(os.Environ(), tokenVariable+"=token-of-the-tests")
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
func (p *process) Text() string {
	p.diagnostics.mutex.Lock()
	defer p.diagnostics.mutex.Unlock()
	return string(p.diagnostics.text)
}

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
	lines := strings.Split(strings.TrimSpace(p.results.String()), "\n")
	return lines[len(lines)-1]
}

// eventually waits until a condition holds.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("never %s", what)
		}
	}
}

// Kill ends the process at once, as kill -9 does.
func (p *process) Kill() {
	p.Process.Kill()
	<-p.Ended
}
