//go:build long && unix

package main

import (
	"cmp"
	"expvar"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/fianchetto-chess/fianchetto/internal/must"
)

// brokerCluster is a broker of three servers, each a process.
type brokerCluster struct {
	t     *testing.T
	ports []string
	dirs  [3]string
	nodes [3]*process
}

// startCluster starts the servers, and waits until they have elected a leader: for the first time,
// NATS needs all three for that.
func startCluster(t *testing.T) *brokerCluster {
	c := &brokerCluster{t: t, ports: freePorts(6)}
	for i := range c.nodes {
		c.dirs[i] = t.TempDir()
		c.startNode(i)
	}
	client := must.Get(nats.Connect(c.urls(), nats.RetryOnFailedConnect(true), nats.MaxReconnects(-1)))(t)
	defer client.Close()
	for js := must.Get(client.JetStream())(t); ; {
		if _, err := js.AccountInfo(); err == nil {
			return c
		}
	}
}

func (c *brokerCluster) startNode(i int) {
	c.nodes[i] = startNode(c.t, i, c.dirs[i], c.ports[:3], c.ports[3:])
}

func (c *brokerCluster) urls() string { return clusterURLs(c.ports[:3]) }

// TestFaultNodeKilled kills one of three servers after the other, giving each time to come back,
// and at last for good the one from which the run reads its results, while another restarts.
func TestFaultNodeKilled(t *testing.T) {
	c, dir := startCluster(t), t.TempDir()
	run := startProcess(t, "fianchetto-cluster", faultJob("run", "--connect", c.urls(), "--state", dir)...)
	startWorkers(t, 2, c.urls(), "400ms")
	for i := range c.nodes {
		awaitResults(t, dir, 10+15*i)
		c.nodes[i].Kill()
		time.Sleep(2 * time.Second)
		c.startNode(i)
		awaitResults(t, dir, results(dir)+5)
	}
	client := must.Get(nats.Connect(c.urls()))(t)
	defer client.Close()
	js := must.Get(client.JetStream())(t)
	reader := new(nats.ConsumerInfo)
	for stream := range js.StreamNames() {
		for consumer := range js.ConsumersInfo(stream) {
			if consumer.Name != "workers" && consumer.Created.After(reader.Created) {
				reader = consumer
			}
		}
	}
	lost := int(reader.Cluster.Leader[len("node-")] - '0')
	c.nodes[lost].Kill()
	c.nodes[(lost+1)%3].Kill()
	c.startNode((lost + 1) % 3)
	run.WantExit(0, faultTotal)
}

// TestFaultNodeLost begins a run and ends it, loses one of three servers for good and has another
// come back: the next run goes on with two.
func TestFaultNodeLost(t *testing.T) {
	c := startCluster(t)
	startWorkers(t, 2, c.urls(), "8ms")
	for range 2 {
		startProcess(t, "fianchetto-cluster", faultJob("run", "--verify", "--connect", c.urls())...).WantExit(0, faultTotal)
		c.nodes[0].Kill()
		c.nodes[1].Kill()
		c.startNode(1)
		time.Sleep(2 * time.Second)
	}
}

// TestFaultBrokerGone kills all servers for long: the run must report that, and how to go on, and
// go on when they are back.
func TestFaultBrokerGone(t *testing.T) {
	c, dir := startCluster(t), t.TempDir()
	run := startProcess(t, "fianchetto-cluster", faultJob("run", "--connect", c.urls(), "--state", dir, "--patience",
		"15s")...)
	startWorkers(t, 1, c.urls(), "100ms")
	awaitResults(t, dir, 5)
	for i := range c.nodes {
		c.nodes[i].Kill()
	}
	run.WantExit(3, "")
	if !strings.Contains(run.Text(), "resume --state "+dir) {
		t.Error("the error does not name the way to go on")
	}
	for i := range c.nodes {
		c.startNode(i)
	}
	again := startProcess(t, "fianchetto-cluster", faultJob("resume", "--connect", c.urls(), "--state", dir)...)
	again.WantExit(0, faultTotal)
}

// TestKills kills coordinators, workers and brokers at random moments, FIANCHETTO_KILLS times, else
// 200 times, and starts them again. Each run must come to the right total. FIANCHETTO_SEED repeats
// what was chosen at random, though not the moments.
func TestKills(t *testing.T) {
	kills, seed := variable(t, "FIANCHETTO_KILLS", 200), variable(t, "FIANCHETTO_SEED", uint64(time.Now().UnixNano()))
	t.Logf("FIANCHETTO_SEED=%d", seed)
	var all expvar.Map // what became of the processes that were killed, and of the runs
	begun := time.Now()
	t.Run("trials", func(t *testing.T) {
		for i := range (kills + killsPerTrial - 1) / killsPerTrial {
			t.Run(strconv.FormatUint(i, 10), func(t *testing.T) {
				t.Parallel()
				trial := newKillTrial(t, rand.New(rand.NewPCG(seed, i)), &all)
				for trial.kills < killsPerTrial {
					trial.run()
				}
			})
		}
	})
	t.Logf("in %v: %v", time.Since(begun).Round(time.Second), &all)
}

// variable returns the number in a variable of the environment, or another if it is not set.
func variable(t *testing.T, name string, otherwise uint64) uint64 {
	t.Helper()
	text := cmp.Or(os.Getenv(name), strconv.FormatUint(otherwise, 10))
	return must.Get(strconv.ParseUint(text, 10, 64))(t)
}

// killsPerTrial is how many kills of coordinators and workers there are in a trial: in one run, or
// in several if it ends before.
const killsPerTrial = 5

// killTrial is a run and those who take part in it.
type killTrial struct {
	*testing.T
	random *rand.Rand
	all    *expvar.Map
	kills  int

	verify      bool
	address     string         // of the broker; "": the coordinator counts itself, and no other can join
	nodes       *brokerCluster // nil: the broker is in the coordinator
	lost        bool           // one of them, for good
	dir         string
	coordinator *process
	workers     []*process
}

func newKillTrial(t *testing.T, random *rand.Rand, all *expvar.Map) *killTrial {
	k := &killTrial{T: t, random: random, all: all, verify: random.IntN(2) == 0}
	kind := random.IntN(4)
	if kind == 0 {
		return k
	}
	k.address = "127.0.0.1:" + freePorts(1)[0]
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
	k.dir = k.TempDir()
	k.startCoordinator()
	last := time.Now()
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
	k.all.Add("runs that came to the right total", 1)
	if k.verify {
		k.all.Add("runs that came to the right total, verified", 1)
	}
	k.Logf("%v from the last kill to the end", time.Since(last).Round(time.Millisecond))
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
		k.all.Add("workers killed", 1)
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
		k.all.Add("coordinators killed", 1)
		time.Sleep(pause)
		k.startCoordinator()
	}
	k.kills++
	return true
}

// stop stops a process for longer than a lease.
func (k *killTrial) stop(what string, p *process) {
	p.Process.Signal(syscall.SIGSTOP)
	k.all.Add(what, 1)
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
		k.all.Add("all servers killed", 1)
		time.Sleep(pause)
		for i := range k.nodes.nodes {
			k.nodes.startNode(i)
		}
	case what == 1 && !k.lost:
		k.nodes.nodes[i].Kill()
		k.lost = true
		k.all.Add("servers lost for good", 1)
	case what == 2:
		k.stop("servers stopped", k.nodes.nodes[i])
	default:
		k.nodes.nodes[i].Kill()
		k.all.Add("servers killed", 1)
		time.Sleep(pause)
		k.nodes.startNode(i)
	}
}
