//go:build unix

package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/must"
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
		last = startProcess(t, "faulty-worker", "-connect", address, "-delay", delay)
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
		if status, err := readStatus(dir); err == nil { // there may be none yet
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

// TestFaultCoordinatorKilled kills a run, damages its store, and has another go on with the worker
// that was there. The results that the store still has are not counted again.
func TestFaultCoordinatorKilled(t *testing.T) {
	t.Parallel()
	dir, address := t.TempDir(), "127.0.0.1:"+freePorts(1)[0]
	run, _ := startRun(t, faultJob("run", "--listen", address, "--checks", "0", "--state", dir)...)
	startWorkers(t, 1, address, "10ms")
	awaitResults(t, dir, 20)
	run.Kill()
	kept := results(dir)

	resumed, _ := startRun(t, faultJob("resume", "--listen", address, "--checks", "0", "--state", dir)...)
	awaitResults(t, dir, kept+20)
	resumed.Kill()
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

// TestFaultDiskFull lets files grow to some kilobytes: the run must end with an error, and go on
// when there is room.
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

// TestFaultTwoCoordinators starts two runs of one job on one broker, each with a directory of its
// own, and kills the first: the second ends, and the first can go on afterwards.
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

// TestFaultyWorker has one of three workers be wrong: the total must be right, and the worker
// named.
func TestFaultyWorker(t *testing.T) {
	t.Parallel()
	run, address := startRun(t, faultJob("run", "--verify", "--listen", "127.0.0.1:0")...)
	faulty := startProcess(t, "faulty-worker", "-connect", address, "-wrong")
	faulty.Await(`task (\d+) begins`)
	startWorkers(t, 2, address, "0s")
	run.WantExit(1, faultTotal)
	name := regexp.MustCompile(`faulty worker: (\S+)/1[:;] `)
	named := name.FindAllStringSubmatch(run.Text(), -1)
	if len(named) == 0 {
		t.Error("no worker was named")
	}
	for _, m := range named {
		if !strings.HasSuffix(m[1], "-"+strconv.Itoa(faulty.Process.Pid)) {
			t.Errorf("%s was named, and process %d is wrong", m[1], faulty.Process.Pid)
		}
	}
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
