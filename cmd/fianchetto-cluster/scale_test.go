//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// BenchmarkScale runs jobs of as many tasks as there are positions 5, 6 and 7 plies below the start, each a task that
// takes no time to count, and asks for their state: processor time and greatest resident memory of each command, and
// the size of the journal. docs/cluster.md has its figures. -bench 'Scale/split=5' runs the smallest, in a minute.
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
					used := cmd.ProcessState.SysUsage().(*syscall.Rusage)
					b.ReportMetric((cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds(), args[0]+"-cpu-s")
					b.ReportMetric(float64(used.Maxrss)*1024/1e6, args[0]+"-MB") // Linux counts in KiB
				}
				info, err := os.Stat(filepath.Join(dir, "journal"))
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(info.Size())/1e6, "journal-MB")
			}
		})
	}
}
