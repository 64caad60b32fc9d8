package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto/internal/exit"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/cluster/job"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/cluster/worker"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// faultyCounter counts as the product's workers do, but prints each task it begins, may take its time, may be off by one, and may name
// SIMD as its method though it has counted by another, as a machine with AVX-512 would.
type faultyCounter struct {
	worker.Counter
	delay time.Duration
	wrong string // "": nothing; "all": all counts; else those by this method
	simd  bool
}

func (c *faultyCounter) Count(ctx context.Context, t *job.Task) (*job.Result, error) {
	fmt.Printf("task %d begins\n", t.Index)
	select {
	case <-ctx.Done():
	case <-time.After(c.delay):
	}
	result, err := c.Counter.Count(ctx, t)
	if err != nil {
		return nil, err
	}
	if c.simd && t.Method == perft.Auto {
		result.Method = perft.SIMD
	}
	if c.wrong == "all" || c.wrong == result.Method.String() {
		result.Counts[0].Lo++
	}
	return result, nil
}

// playFaultyWorker is a worker with the faults that its flags name, as a process of its own.
func playFaultyWorker() {
	connect := flag.String("connect", "", "")
	delay := flag.Duration("delay", 0, "")
	wrong := flag.String("wrong", "", "")
	method := perft.TwoPly
	flag.TextVar(&method, "method", method, "")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	memory, err := job.NewMemory(0)
	if err == nil {
		engine := engineFlags{connect: *connect}
		err = work(ctx, engine.workerOptions(ctx, processName(), func(string) {}), worker.Options{
			Name: processName(), Threads: 1, Notice: func(text string) { fmt.Println(text) },
			NewCounter: func(name string) worker.Counter {
				if method == perft.SIMD {
					return &faultyCounter{memory.NewCounter(name, perft.Plain), *delay, *wrong, true}
				}
				return &faultyCounter{memory.NewCounter(name, method), *delay, *wrong, false}
			},
		})
	}
	if err != nil {
		fmt.Println(err)
	}
	os.Exit(exit.Code(clusterError(err)))
}

// playNode is a server of an engine that is a cluster: its arguments are its number, its directory, and the ports of all for
// clients, then of all for one another.
func playNode() {
	var number int
	fmt.Sscan(os.Args[1], &number)
	ports := make([]int, len(os.Args)-3)
	for i := range ports {
		fmt.Sscan(os.Args[i+3], &ports[i])
	}
	nodes := len(ports) / 2
	var routes []string
	for _, port := range ports[nodes:] {
		routes = append(routes, fmt.Sprintf("nats://127.0.0.1:%d", port))
	}
	options := &server.Options{
		ServerName: "node-" + os.Args[1], Host: "127.0.0.1", Port: ports[number], JetStream: true, StoreDir: os.Args[2], NoLog: true,
	}
	if nodes > 1 {
		options.Cluster = server.ClusterOpts{Name: "cluster", Host: "127.0.0.1", Port: ports[nodes+number]}
		options.Routes = server.RoutesFromStr(strings.Join(routes, ","))
	}
	s, err := server.NewServer(options)
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	s.Start()
	s.WaitForShutdown()
}

// processPatience is how long a process may take for what a test waits for: much longer than it does, for the machine may be busy.
const processPatience = 3 * time.Minute

// wantWithin holds what takes a time to a limit, in the best of several tries. measure returns how long it took.
func wantWithin(t *testing.T, limit time.Duration, what string, measure func() time.Duration) {
	t.Helper()
	took := measure()
	for tries := 1; tries < 5 && took > limit; tries++ {
		took = min(took, measure())
	}
	t.Logf("%s took %v", what, took)
	if took > limit {
		t.Errorf("%s took %v at best, want at most %v", what, took, limit)
	}
}

// process is a process that a test started, and its output so far.
type process struct {
	*exec.Cmd
	t           *testing.T
	mutex       sync.Mutex
	diagnostics bytes.Buffer // stderr; stdout too, unless that is kept apart
	out         bytes.Buffer // stdout of the product's command
	ended       chan struct{}
}

// diagnosticsWriter lets a test read what a process has written while it goes on.
type diagnosticsWriter struct{ *process }

func (w diagnosticsWriter) Write(p []byte) (int, error) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return w.diagnostics.Write(p)
}

// start starts a process that ends with the test.
func start(t *testing.T, name string, args ...string) *process {
	t.Helper()
	return startWith(t, nil, name, args...)
}

func startWith(t *testing.T, stdin *os.File, name string, args ...string) *process {
	t.Helper()
	p := &process{Cmd: exec.Command(name, args...), t: t, ended: make(chan struct{})}
	if _, ok := os.LookupEnv(tokenVariable); !ok {
		p.Env = append(os.Environ(), tokenVariable+"=token-of-the-tests")
	}
	p.Stderr = diagnosticsWriter{p}
	p.Stdout = diagnosticsWriter{p}
	if stdin != nil {
		p.Stdin = stdin
	}
	if name == "fianchetto" {
		p.Stdout = &p.out
	}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		p.Wait() // its exit code is asked for where it matters
		close(p.ended)
	}()
	t.Cleanup(func() {
		p.Process.Kill()
		<-p.ended
		if strings.Contains(p.text(), "WARNING: DATA RACE") {
			t.Errorf("%q has a data race", p.Args)
		}
		if t.Failed() {
			t.Logf("%s %q printed\n%s", name, args, p.text())
		}
	})
	return p
}

func (p *process) text() string {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return p.diagnostics.String()
}

// await waits until the process has printed what matches a pattern, and returns what the pattern's group matched.
func (p *process) await(pattern string) string {
	p.t.Helper()
	expression := regexp.MustCompile(pattern)
	for deadline := time.Now().Add(processPatience); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if m := expression.FindStringSubmatch(p.text()); m != nil {
			return m[len(m)-1]
		}
	}
	p.t.Fatalf("%q never printed %q", p.Args, pattern)
	return ""
}

// wantExit waits for the end of the process, which must have an exit code and end its output with a line.
func (p *process) wantExit(code int, last string) {
	p.t.Helper()
	got := p.awaitExit()
	if exit := p.ProcessState.ExitCode(); exit != code || got != last {
		p.t.Errorf("%q ended with %d, %q, want %d, %q", p.Args, exit, got, code, last)
	}
}

// wantExitCode waits for the end of the process, which must have an exit code.
func (p *process) wantExitCode(code int) {
	p.t.Helper()
	p.awaitExit()
	if got := p.ProcessState.ExitCode(); got != code {
		p.t.Errorf("%q ended with %d, want %d", p.Args, got, code)
	}
}

// awaitExit waits for the end of the process and returns the last line of its output.
func (p *process) awaitExit() string {
	p.t.Helper()
	select {
	case <-p.ended:
	case <-time.After(processPatience):
		p.t.Fatalf("%q has not ended", p.Args)
	}
	lines := strings.Split(strings.TrimSpace(p.out.String()), "\n")
	return lines[len(lines)-1]
}

// kill ends the process at once, as kill -9 does.
func (p *process) kill() {
	p.Process.Kill()
	<-p.ended
}

// freePorts returns ports at which no process listens, below those that systems give to connections, so that they stay free.
func freePorts(t *testing.T, n int) []string {
	t.Helper()
	var ports []string
	for len(ports) < n {
		port := strconv.Itoa(10_000 + rand.IntN(20_000))
		l, err := net.Listen("tcp", "127.0.0.1:"+port)
		if err != nil {
			continue // taken
		}
		defer l.Close()
		ports = append(ports, port)
	}
	return ports
}
