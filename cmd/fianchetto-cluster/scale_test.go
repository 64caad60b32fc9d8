//go:build unix

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/broker"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/job"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/worker"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/must"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// BenchmarkScale runs jobs of as many tasks as there are positions 5, 6 and 7 plies below the
// start, each a task that takes no time to count, and asks for their state: processor time and
// greatest resident memory of each command, and the size of the journal. docs/cluster.md has its
// figures. -bench 'Scale/split=5' runs the smallest, in a minute.
func BenchmarkScale(b *testing.B) {
	for split, total := range map[int]string{5: "4865609", 6: "119060324", 7: "3195901860"} {
		b.Run(fmt.Sprintf("split=%d", split), func(b *testing.B) {
			for b.Loop() {
				dir := filepath.Join(b.TempDir(), "state")
				depth := fmt.Sprint(split)
				run := []string{"run", "--depth", depth, "--split", depth, "--batch", "1", "--hash", "0", "--state", dir}
				for _, args := range [][]string{run, {"status", "--state", dir}, {"export", "--state", dir},
					{"resume", "--hash", "0", "--state", dir}} {
					cmd := exec.Command("fianchetto-cluster", args...)
					cmd.Stderr = os.Stderr
					begun := time.Now()
					out, err := cmd.Output()
					if err != nil || args[0] != "status" && !strings.Contains(string(out), total) {
						b.Fatalf("%q: %v\n%s", args, err, out)
					}
					b.ReportMetric(time.Since(begun).Seconds(), args[0]+"-s")
					reportUse(b, args[0], cmd)
				}
				info := must.Get(os.Stat(filepath.Join(dir, "journal")))(b)
				b.ReportMetric(float64(info.Size())/1e6, "journal-MB")
			}
		})
	}
}

// reportUse reports processor time and greatest resident memory of a process that has ended.
func reportUse(b *testing.B, name string, cmd *exec.Cmd) {
	used := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	b.ReportMetric((cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds(), name+"-cpu-s")
	b.ReportMetric(float64(used.Maxrss)*1024/1e6, name+"-MB") // Linux counts in KiB
}

// BenchmarkLightWorkers runs a job of 18,020 tasks of 2 s each with many workers of one thread,
// which only wait.
func BenchmarkLightWorkers(b *testing.B) {
	for _, workers := range []int{1000, 4000} {
		b.Run(fmt.Sprint(workers), func(b *testing.B) {
			for b.Loop() {
				run := startProcess(b, "fianchetto-cluster", "run", "--depth", "4", "--split", "4", "--batch", "4",
					"--workers", "0", "--hash", "0", "--listen", "127.0.0.1:0")
				address := run.Await(`--connect (\S+)`)
				ctx, cancel := context.WithCancel(b.Context())
				counter := delayed(must.Get(job.NewCounter(perft.Plain, 0))(b).Count, 2*time.Second)
				var all sync.WaitGroup
				begun := time.Now()
				for i := range workers {
					all.Go(func() {
						o := broker.Options{Connect: address, Credentials: []broker.Credential{{Token: "token-of-the-tests"}}}
						w := worker.Options{Name: fmt.Sprint("light-", i), Threads: 1, Notice: func(string) {},
							Count: counter}
						if err := work(ctx, o, w); err != nil {
							b.Error(err)
						}
					})
				}
				run.WantExit(0, "Nodes searched: 197281")
				b.ReportMetric(18020/time.Since(begun).Seconds(), "tasks/s")
				reportUse(b, "run", run.Cmd)
				cancel()
				all.Wait()
			}
		})
	}
}

// BenchmarkAbuse times an honest worker of one thread alone, and beside a credential that does what
// its name says, as long as the run lasts. docs/cluster.md has its figures.
func BenchmarkAbuse(b *testing.B) {
	for _, abuse := range []string{"alone", "names", "pulls", "lies", "connections", "all"} {
		b.Run(abuse, func(b *testing.B) {
			for b.Loop() {
				path := filepath.Join(b.TempDir(), "credentials")
				must.Do(b, os.WriteFile(path, []byte("alpha a\nbeta b\n"), 0o600))
				run := startProcess(b, "fianchetto-cluster", "run", "--depth", "8", "--split", "4", "--verify=false",
					"--workers", "0", "--hash", "0", "--listen", "127.0.0.1:0", "--credentials", path)
				a := &abuser{B: b, url: run.Await(`--connect (\S+)`)}
				ctx, cancel := context.WithCancel(b.Context())
				a.commit(ctx, abuse)
				begun := time.Now()
				cmd := exec.Command("fianchetto-cluster", "worker", "--threads", "1", "--hash", "64", "--connect", a.url,
					"--idle", "3s")
				cmd.Env = append(os.Environ(), tokenVariable+"=beta b")
				must.Do(b, cmd.Start())
				run.WantExit(0, "Nodes searched: 84998978956")
				b.ReportMetric(time.Since(begun).Seconds(), "run-s")
				reportUse(b, "run", run.Cmd)
				cancel()
				a.all.Wait()
				_ = cmd.Process.Kill()
				_ = cmd.Wait()
			}
		})
	}
}

// abuser is a client with a credential that does not behave.
type abuser struct {
	*testing.B
	url string
	all sync.WaitGroup
}

func (a *abuser) connect() *nats.Conn {
	c := must.Get(nats.Connect(a.url, nats.UserInfo("alpha", "a")))(a)
	a.Cleanup(c.Close)
	return c
}

// commit begins an abuse, or all of them.
func (a *abuser) commit(ctx context.Context, abuse string) {
	is := func(name string) bool { return abuse == name || abuse == "all" }
	if abuse == "alone" {
		return
	}
	c := a.connect()
	answer := must.Get(c.Request("fianchetto.jobs", nil, time.Minute))(a)
	var offered broker.Job
	must.Do(a, json.Unmarshal(answer.Data, &offered))
	subject := func(kind broker.Kind) string {
		return "fianchetto." + offered.Name + "." + string(kind) + ".alpha"
	}
	if is("names") { // 5,000 processes, each of which sends a heartbeat a second
		a.all.Go(func() {
			for i := 0; ctx.Err() == nil; i++ {
				text, _ := json.Marshal(worker.Heartbeat{Name: fmt.Sprint("alpha:", i%5000), Threads: 4})
				_ = c.Publish(subject(broker.Heartbeat), text)
				if i%500 == 0 {
					time.Sleep(100 * time.Millisecond)
				}
			}
		})
	}
	if is("pulls") { // 600 threads that ask without end, and keep what they get
		for i := range 600 {
			a.all.Go(func() {
				for ctx.Err() == nil {
					_, _ = c.RequestWithContext(ctx, subject(broker.Take), fmt.Appendf(nil, "alpha:p/%d", i))
				}
			})
		}
	}
	if is("lies") { // 20,000 wrong answers about a task that is not there, one after the other
		a.all.Go(func() {
			wrong := &job.Result{Head: job.Head{Index: 1, Method: perft.Plain, Build: job.Build()},
				Worker: "alpha:p/1", Counts: make([]uint64, 100)}
			report := job.Line(wrong)
			for range 20_000 {
				_, _ = c.RequestWithContext(ctx, subject(broker.Report), report)
			}
		})
	}
	if is("connections") {
		for range 2047 {
			a.connect()
		}
	}
}
