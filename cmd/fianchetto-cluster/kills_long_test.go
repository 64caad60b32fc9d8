//go:build long && unix

package main

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// TestKills kills coordinators, workers and brokers at random moments, FIANCHETTO_KILLS times, else
// 200 times, and starts them again. Each run must come to the right total. FIANCHETTO_SEED repeats
// what was chosen at random, though not the moments.
func TestKills(t *testing.T) {
	kills, seed := variable(t, "FIANCHETTO_KILLS", 200), variable(t, "FIANCHETTO_SEED", uint64(time.Now().UnixNano()))
	t.Logf("FIANCHETTO_SEED=%d", seed)
	all := killCounts{counts: make(map[string]int), pauses: make(map[string][]time.Duration)}
	begun := time.Now()
	t.Run("trials", func(t *testing.T) {
		for i := range (kills + killsPerTrial - 1) / killsPerTrial {
			t.Run(strconv.FormatUint(i, 10), func(t *testing.T) {
				t.Parallel()
				trial := newKillTrial(t, rand.New(rand.NewPCG(seed, i)), &all)
				for trial.kills < killsPerTrial {
					trial.run()
				}
				trial.measuring.Wait()
			})
		}
	})
	t.Logf("in %v:\n%v", time.Since(begun).Round(time.Second), &all)
}

// variable returns the number in a variable of the environment, or another if it is not set.
func variable(t *testing.T, name string, otherwise uint64) uint64 {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return otherwise
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return n
}

// killCounts counts what became of the processes that were killed, and of the runs.
type killCounts struct {
	mutex   sync.Mutex
	counts  map[string]int
	pauses  map[string][]time.Duration // from a fault to the next result in the journal
	longest time.Duration              // from the last kill to the end of a run
}

func (k *killCounts) add(what string) {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	k.counts[what]++
}

func (k *killCounts) String() string {
	var text strings.Builder
	for _, line := range slices.Sorted(maps.Keys(k.counts)) {
		fmt.Fprintf(&text, "%4d %s", k.counts[line], line)
		if pauses := k.pauses[line]; len(pauses) > 0 {
			slices.Sort(pauses)
			fmt.Fprintf(&text, ": the next result after %.1f s (median), %.1f s (at most)",
				pauses[len(pauses)/2].Seconds(), pauses[len(pauses)-1].Seconds())
		}
		text.WriteString("\n")
	}
	fmt.Fprintf(&text, "the longest time from the last kill to the end of a run was %v",
		k.longest.Round(time.Millisecond))
	return text.String()
}

// fault counts a fault, and measures in the background how long it takes until the next result is
// in the journal.
func (k *killTrial) fault(kind string) {
	k.all.add(kind)
	dir, over, before, begun := k.dir, k.over, results(k.dir), time.Now()
	k.measuring.Go(func() {
		for ; results(dir) == before; time.Sleep(10 * time.Millisecond) {
			select {
			case <-over:
				return
			default:
			}
		}
		k.all.mutex.Lock()
		defer k.all.mutex.Unlock()
		k.all.pauses[kind] = append(k.all.pauses[kind], time.Since(begun))
	})
}

// killsPerTrial is how many kills of coordinators and workers there are in a trial: in one run, or
// in several if it ends before.
const killsPerTrial = 5

// killTrial is a run and those who take part in it.
type killTrial struct {
	*testing.T
	random    *rand.Rand
	all       *killCounts
	over      chan struct{} // closed at the end of the run
	measuring sync.WaitGroup
	kills     int

	verify      bool
	address     string         // of the broker; "": the coordinator counts itself, and no other can join
	nodes       *brokerCluster // nil: the broker is in the coordinator
	lost        bool           // one of them, for good
	dir         string
	coordinator *process
	workers     []*process
}

func newKillTrial(t *testing.T, random *rand.Rand, all *killCounts) *killTrial {
	k := &killTrial{T: t, random: random, all: all, verify: random.IntN(2) == 0}
	kind := random.IntN(4)
	if kind == 0 {
		return k
	}
	k.address = "127.0.0.1:" + freePorts(t, 1)[0]
	if kind < 3 {
		k.nodes = startCluster(t)
		k.address = k.nodes.urls()
	}
	k.workers = []*process{k.startWorker(), k.startWorker()}
	return k
}

func (k *killTrial) startWorker() *process { return startWorkers(k.T, 1, k.address, "8ms") }

// startCoordinator starts the run, or goes on with it by either command.
func (k *killTrial) startCoordinator() {
	what := []string{"run", "--depth", "5", "--split", "3", "--batch", "56"}
	if k.address == "" {
		what = []string{"run", "--depth", "6", "--split", "3", "--batch", "10", "--method", "plain"}
	}
	if k.verify {
		what = append(what, "--verify")
	}
	if results(k.dir) > 0 && k.random.IntN(2) == 0 {
		what = []string{"resume"}
	}
	how := []string{"--state", k.dir, "--hash", "0", "--lease", "500ms"}
	switch {
	case k.nodes != nil:
		how = append(how, "--workers", "0", "--connect", k.address)
	case k.address != "":
		how = append(how, "--workers", "0", "--listen", k.address)
	default:
		how = append(how, "--workers", strconv.Itoa(1+k.random.IntN(2)))
	}
	k.coordinator = startProcess(k.T, "fianchetto-cluster", append(what, how...)...)
}

// run runs a job to its end, with kills until there are enough.
func (k *killTrial) run() {
	k.dir, k.over = k.TempDir(), make(chan struct{})
	defer close(k.over)
	k.startCoordinator()
	before, last := k.kills, time.Now()
	for k.kills < killsPerTrial {
		select {
		case <-k.coordinator.Ended:
		case <-time.After(time.Duration(k.random.IntN(700)) * time.Millisecond):
		}
		if !k.killOne() {
			break
		}
		last = time.Now()
	}
	want := faultTotal
	if k.address == "" {
		want = "Nodes searched: 119060324"
	}
	k.coordinator.WantExit(0, want)
	k.all.add("runs that came to the right total")
	if k.verify {
		k.all.add("runs that came to the right total, verified")
	}
	if k.kills == before {
		k.all.add("runs that came to the right total, without a kill")
		return
	}
	k.all.mutex.Lock()
	defer k.all.mutex.Unlock()
	k.all.longest = max(k.all.longest, time.Since(last))
}

// killOne kills or stops one process, or more, and starts the same again after a while. It reports
// false if the run had ended before.
func (k *killTrial) killOne() bool {
	pause := time.Duration(k.random.IntN(200)) * time.Millisecond
	victim := k.random.IntN(12)
	switch {
	case victim < 4 && k.nodes != nil:
		k.killNodes(victim, pause)
	case victim < 6 && len(k.workers) > 0:
		i := k.random.IntN(len(k.workers))
		k.workers[i].Kill()
		k.fault("workers killed")
		time.Sleep(pause)
		k.workers[i] = k.startWorker()
	case victim < 8 && len(k.workers) > 0:
		k.stop("workers stopped", k.workers[k.random.IntN(len(k.workers))])
	case victim == 8:
		k.stop("coordinators stopped", k.coordinator)
	default:
		k.coordinator.Kill()
		if k.coordinator.ProcessState.Exited() {
			return false
		}
		k.fault("coordinators killed")
		if results(k.dir) == 0 {
			k.all.add("coordinators killed, before a result was kept")
		}
		time.Sleep(pause)
		k.startCoordinator()
	}
	k.kills++
	return true
}

// stop stops a process for longer than a lease.
func (k *killTrial) stop(what string, p *process) {
	p.Process.Signal(syscall.SIGSTOP)
	k.fault(what)
	time.Sleep(700 * time.Millisecond)
	p.Process.Signal(syscall.SIGCONT)
}

// killNodes does to the servers of the broker what a number chooses.
func (k *killTrial) killNodes(what int, pause time.Duration) {
	i := k.random.IntN(len(k.nodes.nodes))
	switch {
	case what == 0:
		for _, node := range k.nodes.nodes {
			node.Kill()
		}
		k.fault("all servers killed")
		time.Sleep(pause)
		for i := range k.nodes.nodes {
			k.nodes.startNode(i)
		}
	case what == 1 && !k.lost:
		k.nodes.nodes[i].Kill()
		k.lost = true
		k.fault("servers lost for good")
	case what == 2:
		k.stop("servers stopped", k.nodes.nodes[i])
	default:
		k.nodes.nodes[i].Kill()
		k.fault("servers killed")
		time.Sleep(pause)
		k.nodes.startNode(i)
	}
}
