//go:build unix

package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/broker"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/exit"
	"github.com/fianchetto-chess/fianchetto/internal/must"
)

// What the tests of faults count: 96 tasks, of some milliseconds each.
const (
	faultTotal = "Nodes searched: 4865609"
	faultTasks = 96
)

func faultJob(command string, more ...string) []string {
	if command == "run" {
		more = append(more, "--depth", "5", "--split", "3", "--batch", "56")
	}
	return append([]string{command, "--workers", "0", "--hash", "0", "--lease", "1s"}, more...)
}

// startRun starts a run without workers of its own, and returns where they can join.
func startRun(t *testing.T, args ...string) (run *process, address string) {
	t.Helper()
	run = startProcess(t, "fianchetto-cluster", args...)
	return run, run.Await(`--connect (\S+)\n`)
}

// startWorkers starts workers of one thread that take their time for each task, and returns the
// last.
func startWorkers(t *testing.T, n int, address, delay string) (last *process) {
	for range n {
		last = startProcess(t, "slow-worker", "-connect", address, "-delay", delay)
	}
	return last
}

// results returns how many results a directory has or, if they are on servers, how many tasks its
// status has.
func results(dir string) (n int) {
	files, _ := filepath.Glob(dir + "/jetstream/RUNS/streams/*/msgs/*.blk")
	for _, name := range files {
		text, _ := os.ReadFile(name) // it may be gone
		n += bytes.Count(text, []byte(`"worker":"`))
	}
	if len(files) == 0 {
		if status, err := readState(dir); err == nil { // there may be none yet
			n = status.TasksDone
		}
	}
	return n
}

// awaitResults waits until a directory has so many results.
func awaitResults(t *testing.T, dir string, n int) {
	t.Helper()
	eventually(t, fmt.Sprint(n, " results"), func() bool { return results(dir) >= n })
}

// TestFaultWorker kills a worker in the middle of a task, or stops it until it has lost the task
// and lets it go on, so that its result comes a second time: another begins the task, and the total
// is right.
func TestFaultWorker(t *testing.T) {
	for delay, signal := range map[string]os.Signal{"1h": os.Kill, "200ms": syscall.SIGSTOP} {
		t.Run(signal.String(), func(t *testing.T) {
			t.Parallel()
			run, address := startRun(t, faultJob("run", "--listen", "127.0.0.1:0")...)
			victim := startWorkers(t, 1, address, delay)
			task := victim.Await(`task (\d+) begins`)
			must.Do(t, victim.Process.Signal(signal))
			startWorkers(t, 1, address, "30ms").Await(`task ` + task + ` begins`)
			victim.Process.Signal(syscall.SIGCONT)
			run.WantExit(0, faultTotal)
			run.Await(`[1-9]\d* redelivered`)
		})
	}
}

// TestFaultCoordinatorKilled kills a run, has another go on with its worker, interrupts it and
// damages its store. The remaining results are not counted again.
func TestFaultCoordinatorKilled(t *testing.T) {
	t.Parallel()
	dir, address := t.TempDir(), "127.0.0.1:"+freePorts(1)[0]
	run, _ := startRun(t, faultJob("run", "--listen", address, "--checks", "0", "--state", dir)...)
	worker := startWorkers(t, 1, address, "10ms")
	awaitResults(t, dir, 20)
	run.Kill()
	kept := results(dir)

	resumed, _ := startRun(t, faultJob("resume", "--listen", address, "--checks", "0", "--state", dir)...)
	worker.Await(`lost the connection to the broker(?s:.*)connected to the broker again, at nats://` + address)
	awaitResults(t, dir, kept+20)
	resumed.Process.Signal(os.Interrupt) // its server writes an index
	<-resumed.Ended
	kept = results(dir)
	files := must.Get(filepath.Glob(dir + "/jetstream/RUNS/streams/*/msgs/*.blk"))(t)
	text := must.Get(os.ReadFile(files[0]))(t)
	text[bytes.Index(text[len(text)/2:], []byte(`"counts":[`))+len(text)/2+10] ^= 1
	must.Do(t, os.WriteFile(files[0], text, 0o600))

	resumed, _ = startRun(t, faultJob("resume", "--listen", address, "--checks", "0", "--state", dir)...)
	resumed.WantExit(0, faultTotal)
	before, _ := strconv.Atoi(resumed.Await(`(\d+) of them done before`))
	if before < kept/3 || before >= kept {
		t.Errorf("went on from %d results, want some less than %d", before, kept)
	}
	again := startProcess(t, "fianchetto-cluster", "resume", "--state", dir)
	again.WantExit(0, faultTotal)
	if again.Await(`(\d+) of them done before`) != strconv.Itoa(faultTasks) {
		t.Error("the finished run was counted again")
	}
}

// TestFaultDiskFull limits files to some kilobytes: the run must end with an error, and go on when
// there is room.
func TestFaultDiskFull(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	full := startProcess(t, "sh", "-c",
		`ulimit -f 16; exec fianchetto-cluster run --depth 5 --split 3 --batch 56 --hash 0 --state "$0"`, dir)
	<-full.Ended
	if code := full.ProcessState.ExitCode(); code != 3 || !strings.Contains(full.Text(), "file too large") ||
		!strings.Contains(full.Text(), "resume --state "+dir) {
		t.Fatalf("ended with %d, want 3, what happened, and how to go on", code)
	}
	startProcess(t, "fianchetto-cluster", "resume", "--state", dir).WantExit(0, faultTotal)
}

// TestFaultTwoCoordinators starts two runs of one job on one broker, each with its own directory,
// and kills the first: the second ends, and the first can go on.
func TestFaultTwoCoordinators(t *testing.T) {
	t.Parallel()
	ports := freePorts(1)
	startNode(t, 0, t.TempDir(), ports, nil)
	broker, first, second := "nats://127.0.0.1:"+ports[0], t.TempDir(), t.TempDir()
	startWorkers(t, 2, broker, "20ms")
	runOn := func(dir string) *process {
		return startProcess(t, "fianchetto-cluster", faultJob("run", "--verify", "--connect", broker, "--state", dir)...)
	}
	run, other := runOn(first), runOn(second)
	awaitResults(t, first, 5)
	run.Kill()
	other.WantExit(0, faultTotal)
	runOn(first).WantExit(0, faultTotal)
	elsewhere := startProcess(t, "fianchetto-cluster", "resume", "--state", first)
	elsewhere.WantExit(2, "")
	elsewhere.Await("the results of this run are elsewhere: give --connect " + broker)
}

// TestInterruptedRun interrupts a run and has a worker leave: both must end at once, and nothing
// that was counted be lost.
func TestInterruptedRun(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	run, address := startRun(t, faultJob("run", "--listen", "127.0.0.1:0", "--state", dir)...)
	leaver := startProcess(t, "fianchetto-cluster", "worker", "--hash", "0", "--connect", address, "--threads", "1")
	other := startWorkers(t, 1, address, "100ms")
	leaver.Await(`connected`)
	awaitResults(t, dir, 1)
	leaver.Process.Signal(syscall.SIGTERM)
	leaver.WantExit(0, "")
	other.Await(` begins`)
	run.Process.Signal(os.Interrupt)
	if run.AwaitExit(); run.ProcessState.ExitCode() != 0 {
		run.WantExit(130, "")
		if !strings.Contains(run.Text(), "go on with: fianchetto-cluster resume --state "+dir) {
			t.Error("the error does not name the way to go on")
		}
	}
	startProcess(t, "fianchetto-cluster", "resume", "--hash", "0", "--state", dir).WantExit(0, faultTotal)
}

// TestStopsWhileWaiting interrupts commands that wait without end for input, for data in a pipe, or for
// the pipe's other end.
func TestStopsWhileWaiting(t *testing.T) {
	dir := t.TempDir()
	pipe, state := filepath.Join(dir, "pipe"), filepath.Join(dir, "state")
	must.Do(t, syscall.Mkfifo(pipe, 0o600))
	if code, _, text := execute(t, "tasks --depth 3 --state "+state, ""); code != exit.OK {
		t.Fatal(text)
	}
	for line, want := range map[string]int{
		"total --state " + state:              exit.Interrupted,
		"total --state " + state + " " + pipe: exit.Interrupted,
		"leaf --hash 0":                       exit.Interrupted,
		"worker --connect 127.0.0.1:1 --hash 0 --token-file " + pipe:        exit.Interrupted,
		"run --depth 3 --hash 0 --listen 127.0.0.1:0 --token-file " + pipe:  exit.Interrupted,
		"run --depth 3 --hash 0 --listen 127.0.0.1:0 --credentials " + pipe: exit.Interrupted,
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		stdin, _ := io.Pipe()
		var output strings.Builder
		if code := cli.Run(ctx, newRootCommand(), strings.Fields(line), stdin, &output, &output); code != want {
			t.Errorf("%s ended with %d, want %d: %s", line, code, want, output.String())
		}
		cancel()
	}
}

// TestPortInUse holds that a port in use is a failure of the machine, and an invalid address wrong
// usage.
func TestPortInUse(t *testing.T) {
	listener := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	defer listener.Close()
	t.Setenv(tokenVariable, "secret")
	for _, flags := range []string{" --http ", " --listen "} {
		code, _, text := execute(t, "run --depth 3 --hash 0"+flags+listener.Addr().String(), "")
		if code != exit.Failed || !strings.Contains(text, "address already in use") {
			t.Errorf("%s: exit code %d, %s", flags, code, text)
		}
	}
}

// TestFailedWritesAreReported has commands print to a disk that is full.
func TestFailedWritesAreReported(t *testing.T) {
	state := " --state " + t.TempDir()
	reader, stdout := io.Pipe()
	reader.CloseWithError(errors.New("no space left"))
	for _, line := range []string{
		"run --depth 3 --hash 0" + state, "run --depth 3 --hash 0 --json", "status" + state, "export" + state,
		"total" + state + " " + os.DevNull, "tasks --depth 3" + state + "-new",
	} {
		var text strings.Builder
		code := cli.Run(t.Context(), newRootCommand(), strings.Fields(line), nil, stdout, &text)
		if code != exit.Failed || strings.Count(text.String(), "no space left") != 1 {
			t.Errorf("%s: exit code %d, %q, want the cause once", line, code, text.String())
		}
	}
}

// write writes a file of a test and returns its path.
func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	must.Do(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

// TestTokens reads tokens from flags, files and the environment. It refuses a file that other users
// can read, and short tokens at addresses that others can reach.
func TestTokens(t *testing.T) {
	file, named := write(t, "token", "from-file\n"), write(t, "named", "alpha own\n")
	open, short := write(t, "open", "0123456789abcdef"), write(t, "short", "0123456789abcde")
	must.Do(t, os.Chmod(open, 0o644))
	shared := func(token string) []broker.Credential { return []broker.Credential{{Token: token}} }
	alpha, fifteen := []broker.Credential{{Name: "alpha", Token: "own"}}, shared("0123456789abcde")
	for _, test := range []struct {
		flags    program
		variable string
		want     []broker.Credential
		problem  string
	}{
		{program{}, "", nil, ""},
		{program{}, "from-variable", shared("from-variable"), ""},
		{program{}, "alpha own", alpha, ""},
		{program{tokenFile: file}, "from-variable", shared("from-file"), ""},
		{program{token: "from-flag"}, "from-variable", shared("from-flag"), ""},
		{program{tokenFile: named}, "", alpha, ""},
		{program{tokenFile: open, access: broker.Options{Connect: "localhost:1"}}, "", nil, "chmod 600 " + open},
		{program{tokenFile: short, access: broker.Options{Listen: "0.0.0.0:4222"}}, "", nil, "a token of 15 bytes is too short"},
		{program{tokenFile: short, access: broker.Options{Listen: "127.0.0.1:4222"}}, "", fifteen, ""},
		{program{tokenFile: short, access: broker.Options{Connect: "192.0.2.1:4222"}}, "", fifteen, ""},
	} {
		t.Setenv(tokenVariable, test.variable)
		got, err := test.flags.credentials(t.Context())
		if test.problem == "" && (err != nil || !slices.Equal(got, test.want)) ||
			test.problem != "" && (err == nil || !strings.Contains(err.Error(), test.problem)) {
			t.Errorf("%+v, %q: %+v, %v, want %+v, %q", test.flags, test.variable, got, err, test.want, test.problem)
		}
	}
}

// TestLocalToken has a run and its workers use the token of this user: those with another do not
// get in, and no other user can read it.
func TestLocalToken(t *testing.T) {
	cache := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	t.Setenv("HOME", cache)
	t.Setenv(tokenVariable, "")
	run, address := startRun(t, faultJob("run", "--listen", "127.0.0.1:0")...)
	path, text, err := localToken()
	if info, failed := os.Stat(path); err != nil || failed != nil || info.Mode().Perm() != 0o600 || len(text) < 20 {
		t.Fatalf("%s: %v, %v, %v, want it for this user only", path, info, err, failed)
	}
	guesser := startProcess(t, "fianchetto-cluster", "worker", "--hash", "0", "--connect", address, "--token", "guess")
	guesser.WantExit(exit.Usage, "")
	guesser.Await("refused the token")
	worker := startProcess(t, "fianchetto-cluster", "worker", "--hash", "0", "--connect",
		strings.TrimPrefix(address, "nats://"))
	run.WantExit(exit.OK, faultTotal)
	if strings.Contains(run.Text()+run.results.String()+worker.Text(), text) {
		t.Error("the token was printed")
	}
}

// TestIdleWorker has a worker wait for a broker that never answers: it ends when --idle wants it
// to.
func TestIdleWorker(t *testing.T) {
	t.Parallel()
	silent := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	defer silent.Close()
	begin := time.Now()
	code, _, _ := execute(t, "worker --token secret --hash 0 --idle 500ms --connect "+silent.Addr().String(), "")
	if took := time.Since(begin); code != exit.Failed || took < time.Second/2 {
		t.Errorf("exit code %d after %v, want %d after 500ms", code, took, exit.Failed)
	}
}

// TestImpatientWorker has the broker of workers go for good: they report that, and --idle or
// --patience ends them.
func TestImpatientWorker(t *testing.T) {
	t.Parallel()
	run, address := startRun(t, faultJob("run", "--listen", "127.0.0.1:0")...)
	busy := startWorkers(t, 1, address, "1h")
	busy.Await(` begins`)
	worker := []string{"worker", "--hash", "0", "--connect", address, "--threads", "1"}
	idle := startProcess(t, "fianchetto-cluster", append(worker, "--idle", "1s")...)
	impatient := startProcess(t, "fianchetto-cluster", append(worker, "--patience", "1s")...)
	idle.Await(`connected`)
	impatient.Await(`connected`)
	run.Kill()
	impatient.WantExit(exit.Failed, "")
	impatient.Await(`lost the connection to the broker`)
	impatient.Await(`the broker failed: no answer for `)
	idle.AwaitExit()
}

// TestReadmit changes the file of the credentials while a run goes on: an unusable one changes
// nothing.
func TestReadmit(t *testing.T) {
	t.Parallel()
	path := write(t, "credentials", "alpha a\nbeta b\n")
	r := program{tokenFile: path, access: broker.Options{Listen: "127.0.0.1:0"}}
	r.access.Credentials = must.Get(r.credentials(t.Context()))(t)
	r.broker = must.Get(broker.Open(t.Context(), r.access))(t)
	defer r.broker.Close()
	reader, notices := io.Pipe()
	defer reader.Close()
	r.view = newView(notices)
	go r.readmit(t.Context())
	lines := bufio.NewScanner(reader)
	for _, change := range []struct{ text, notice string }{
		{"gamma new new", "stay as they were: " + path + ": line 1"}, {"gamma new", "reloaded " + path},
	} {
		must.Do(t, os.Rename(write(t, "new", change.text), path)) // at once, so that no half is read
		if !lines.Scan() || !strings.Contains(lines.Text(), change.notice) {
			t.Errorf("notice %q, want %q", lines.Text(), change.notice)
		}
	}
	if names := r.broker.Credentials(); !slices.Equal(names, []string{"gamma"}) {
		t.Errorf("admitted %q", names)
	}
}
