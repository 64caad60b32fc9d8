//go:build long && unix

package main

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/must"
)

// brokerCluster is a broker of three servers, each a process.
type brokerCluster struct {
	t     *testing.T
	ports []string
	dirs  [3]string
	nodes [3]*process
}

// startCluster starts the servers, and waits until they have elected a leader: for the first time, NATS
// needs all three for that.
func startCluster(t *testing.T) *brokerCluster {
	c := &brokerCluster{t: t, ports: freePorts(t, 6)}
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
	c.nodes[i] = startProcess(c.t, "node", append([]string{strconv.Itoa(i), c.dirs[i]}, c.ports...)...)
}

func (c *brokerCluster) urls() string {
	return "nats://127.0.0.1:" + strings.Join(c.ports[:3], ",nats://127.0.0.1:")
}

// TestFaultNodeKilled kills one of three servers after the other, giving each time to come back,
// while a run is under way.
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
	run.WantExit(0, faultTotal)
}

// TestFaultNodeLost begins a run and ends it, loses one of three servers for good and has another come
// back: the next run goes on with two.
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

// TestFaultAllNodesKilled kills all servers, and starts them again.
func TestFaultAllNodesKilled(t *testing.T) {
	c, dir := startCluster(t), t.TempDir()
	run := startProcess(t, "fianchetto-cluster", faultJob("run", "--connect", c.urls(), "--state", dir)...)
	startWorkers(t, 2, c.urls(), "100ms")
	awaitResults(t, dir, 20)
	for i := range c.nodes {
		c.nodes[i].Kill()
	}
	kept := results(dir)
	for i := range c.nodes {
		c.startNode(i)
	}
	run.WantExit(0, faultTotal)
	if kept >= faultTasks {
		t.Errorf("all %d tasks were done before the servers were killed: nothing was shown", kept)
	}
}

// TestFaultBrokerGone kills all servers for long: the run must report that, and how to go on, and go
// on when they are back.
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
