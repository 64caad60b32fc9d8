//go:build unix

package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/broker"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/cluster"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/job"
	"github.com/fianchetto-chess/fianchetto/internal/must"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// BenchmarkScale runs jobs of as many tasks as there are positions 5, 6 and 7 plies below the
// start, each a task that takes no time to count, and asks for their state: processor time and
// greatest resident memory of each command, and the size of the directory. docs/cluster.md has its
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
				var size float64 // in KiB
				fmt.Sscan(string(must.Get(exec.Command("du", "-sk", dir).Output())(b)), &size)
				b.ReportMetric(size*1024/1e6, "state-MB")
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

// BenchmarkLightWorkers runs jobs with many workers of one thread: of 2 s tasks, in which they only
// wait, and of trivial ones.
func BenchmarkLightWorkers(b *testing.B) {
	for _, test := range []struct {
		workers, batch int
		delay          time.Duration
	}{{1000, 1, 0}, {1000, 50, 2 * time.Second}, {4000, 50, 2 * time.Second}} {
		b.Run(fmt.Sprintf("%d/%v", test.workers, test.delay), func(b *testing.B) {
			for b.Loop() {
				run := startProcess(b, "fianchetto-cluster", "run", "--depth", "5", "--split", "4", "--batch",
					fmt.Sprint(test.batch), "--workers", "0", "--hash", "0", "--listen", "127.0.0.1:0")
				address := run.Await(`--connect (\S+)`)
				ctx, cancel := context.WithCancel(b.Context())
				counter := must.Get(job.NewCounter(perft.Plain, 0))(b)
				count := func(ctx context.Context, thread string, t *job.Task) (*job.Result, error) {
					broker.Pause(ctx, test.delay)
					return counter.Count(ctx, thread, t)
				}
				var all sync.WaitGroup
				begun := time.Now()
				for i := range test.workers {
					all.Go(func() {
						o := broker.Options{Connect: address, Credentials: []broker.Credential{{Token: "token-of-the-tests"}}}
						w := cluster.Options{Name: fmt.Sprint("light-", i), Threads: 1, Notice: func(string) {},
							Count: count}
						if err := work(ctx, o, w); err != nil {
							b.Error(err)
						}
					})
				}
				run.WantExit(0, faultTotal)
				tasks := strings.ReplaceAll(run.Await(`in ([\d,]+) tasks`), ",", "")
				n, _ := strconv.ParseFloat(tasks, 64)
				b.ReportMetric(n/time.Since(begun).Seconds(), "tasks/s")
				reportUse(b, "run", run.Cmd)
				cancel()
				all.Wait()
			}
		})
	}
}
