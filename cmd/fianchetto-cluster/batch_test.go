//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto/internal/must"
)

// fakeSlurm is sbatch and squeue of one array at a time. Job 0 runs at once. If there is a file
// "cancel", the array ends when that file has gone: without job 1, and with the last bytes of job
// 2's results missing.
const fakeSlurm = `#!/bin/sh
here=$(dirname "$0")
if [ "$(basename "$0")" = squeue ]; then cat "$here/queue" 2>/dev/null; exit; fi
while [ "${1#--}" != "$1" ]; do shift; done
job() { SLURM_ARRAY_TASK_ID=$1 sh "$2" "$3"; }
echo "array 7" > "$here/queue"
(
	job 0 "$@"
	if [ -e "$here/cancel" ]; then
		touch "$here/waits"
		while [ -e "$here/cancel" ]; do sleep 0.05; done
		job 2 "$@"
		truncate -s -9 "$2/result.0002"
	else
		job 1 "$@"
		job 2 "$@"
	fi
	rm "$here/queue"
) >/dev/null 2>&1 &
echo 7
`

// startSlurm makes the commands of Slurm for a test, in a new directory.
func startSlurm(t *testing.T) (dir, bin string) {
	t.Helper()
	dir, bin = t.TempDir(), t.TempDir()
	for _, name := range []string{"sbatch", "squeue"} {
		must.Do(t, os.WriteFile(filepath.Join(bin, name), []byte(fakeSlurm), 0o700))
	}
	for name, value := range map[string]string{"PATH": bin + ":" + os.Getenv("PATH"), "PARTS": "3", "HASH": "1",
		"POLL": "0.1"} {
		t.Setenv(name, value)
	}
	return dir, bin
}

// TestSlurmInterrupted kills the script for Slurm while its array counts, and cancels the array
// later. No result is lost: the script leaves the array alone as long as it is in the queue, takes
// in its results after that, and counts what is missing.
func TestSlurmInterrupted(t *testing.T) {
	dir, bin := startSlurm(t)
	cancel := filepath.Join(bin, "cancel")
	must.Do(t, os.WriteFile(cancel, nil, 0o600))
	script := startProcess(t, "sh", "deploy/slurm.sh", dir, "7")
	isThere := func(name string) bool { _, err := os.Stat(filepath.Join(bin, name)); return err == nil }
	eventually(t, "waits", func() bool { return isThere("waits") })
	script.Kill()
	all := lineCount(t, filepath.Join(dir, "tasks"))
	first := must.Get(filepath.Glob(dir + "/round.*/result.0000"))(t)
	if len(first) != 1 {
		t.Fatalf("results %v", first)
	}
	counted := lineCount(t, first[0])

	again := startProcess(t, "sh", "deploy/slurm.sh", dir)
	again.WantExit(3, "")
	if !strings.Contains(again.Text(), "still in the queue") || lineCount(t, first[0]) != counted {
		t.Errorf("%s has %d results, and had %d", first[0], lineCount(t, first[0]), counted)
	}

	must.Do(t, os.Remove(cancel))
	eventually(t, "ends", func() bool { return !isThere("queue") })
	last := startProcess(t, "sh", "deploy/slurm.sh", dir)
	last.WantExit(0, "")
	last.Await("\nNodes searched: 3195901860\n")
	if left := lineCount(t, filepath.Join(dir, "tasks")); left < all/3 || left > all*2/3 {
		t.Errorf("the second array had %d of %d tasks, want those of job 1 and one more", left, all)
	}
	if files, _ := filepath.Glob(dir + "/round.*/result.*"); len(files) > 0 {
		t.Errorf("%v are taken in and still there", files)
	}
}

// TestSlurmDamagedResult has a line of a result damaged: the script sets the file aside, says so
// once, counts what is missing, and ends well.
func TestSlurmDamagedResult(t *testing.T) {
	dir, _ := startSlurm(t)
	code, tasks, text := execute(t, "tasks --depth 5 --batch 5 --state "+filepath.Join(dir, "state"), "")
	if code != 0 {
		t.Fatal(text)
	}
	_, results, _ := execute(t, "leaf --hash 0", tasks)
	round := filepath.Join(dir, "round.1")
	must.Do(t, os.Mkdir(round, 0o700))
	damaged := filepath.Join(round, "result.0000")
	must.Do(t, os.WriteFile(damaged, []byte(strings.Replace(results, "counts", "COUNTS", 1)), 0o600))
	for _, said := range []int{1, 0} {
		script := startProcess(t, "sh", "deploy/slurm.sh", dir)
		script.WantExit(0, "")
		if n := strings.Count(script.Text(), "it is set aside as "+damaged+".damaged"); n != said ||
			!strings.Contains(script.Text(), "\nNodes searched: 4865609\n") {
			t.Errorf("said %d times, want %d, and the total:\n%s", n, said, script.Text())
		}
	}
	if _, err := os.Stat(damaged + ".damaged"); err != nil {
		t.Error(err)
	}
}

func lineCount(t *testing.T, path string) int {
	t.Helper()
	return bytes.Count(must.Get(os.ReadFile(path))(t), []byte("\n"))
}

// TestPageExamples runs the commands of docs/cluster.md as they stand, one block after the other in
// one directory.
func TestPageExamples(t *testing.T) {
	if testing.Short() {
		t.Skip("starts several processes")
	}
	page := must.Get(os.ReadFile("../../docs/cluster.md"))(t)
	blocks := regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(string(page), -1)
	totals := [][]string{{"3195901860"}, {"119060324", "119060324"}, {"119060324"}, {"119060324"}}
	if len(blocks) != len(totals) {
		t.Fatalf("%d blocks, want %d", len(blocks), len(totals))
	}
	dir := t.TempDir()
	for i, block := range blocks {
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			if _, err := exec.LookPath("parallel"); err != nil && strings.Contains(block[1], "parallel") {
				t.Skip("GNU parallel is not installed (Debian: parallel)")
			}
			shell := exec.Command("sh", "-ec", block[1])
			shell.Dir = dir
			out, err := shell.CombinedOutput()
			var got []string
			for _, total := range regexp.MustCompile(`(?m)^Nodes searched: (\d+)$`).FindAllStringSubmatch(string(out), -1) {
				got = append(got, total[1])
			}
			if err != nil || !slices.Equal(got, totals[i]) {
				t.Errorf("%v, totals %v, want %v\n%s\n%s", err, got, totals[i], block[1], out)
			}
		})
	}
}
