package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/broker"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/job"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/worker"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/exit"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// delayed returns a counter that takes its time.
func delayed(counter worker.Counter, delay time.Duration) worker.Counter {
	return func(ctx context.Context, thread string, t *job.Task) (*job.Result, error) {
		select {
		case <-ctx.Done():
		case <-time.After(delay):
		}
		return counter(ctx, thread, t)
	}
}

// playFaultyWorker is a worker that reports each task it begins, may take its time, and may be off
// by one, as a process of its own.
func playFaultyWorker() {
	connect := flag.String("connect", "", "")
	delay := flag.Duration("delay", 0, "")
	wrong := flag.Bool("wrong", false, "")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	counter, err := job.NewCounter(perft.TwoPly, 0)
	if err == nil {
		flags := brokerFlags{access: broker.Options{Connect: *connect}}
		access, _ := flags.options(ctx, processName(), func(string) {}) // the broker refuses a bad token
		err = work(ctx, access, worker.Options{
			Name: processName(), Threads: 1, Notice: func(text string) { fmt.Println(text) },
			Count: func(ctx context.Context, thread string, t *job.Task) (*job.Result, error) {
				fmt.Printf("task %d begins\n", t.Index)
				result, err := delayed(counter.Count, *delay)(ctx, thread, t)
				if err == nil && *wrong {
					result.Counts[0]++
				}
				return result, err
			},
		})
	}
	if err != nil {
		fmt.Println(err)
	}
	os.Exit(exit.Code(runError(err)))
}

// playNode is a server of a broker that is a cluster: its arguments are its number, its directory, and
// the ports of all for clients, then of all for one another.
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
		ServerName: "node-" + os.Args[1], Host: "127.0.0.1", Port: ports[number], NoLog: true, JetStream: true,
		StoreDir: os.Args[2], SyncAlways: true,
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

// freePorts returns ports at which no process listens, below those that systems give to
// connections, so that they stay free.
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
