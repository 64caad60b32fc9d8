package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestUCIMemory counts again and again, with tables of several sizes: the process never has more memory than the table
// may have and 64 MiB.
func TestUCIMemory(t *testing.T) {
	if info, ok := debug.ReadBuildInfo(); ok &&
		slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"}) {
		t.Skip("the race detector takes memory of its own")
	}
	p := exec.Command("fianchetto", "uci")
	commands, err := p.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	answers, err := p.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { commands.Close(); p.Process.Kill(); p.Wait() })
	lines := bufio.NewScanner(answers)
	ask := func(text, last string) {
		t.Helper()
		io.WriteString(commands, text+"\n")
		for lines.Scan() {
			if strings.Contains(lines.Text(), "info string") {
				t.Fatalf("%q: %s", text, lines.Text())
			}
			if strings.HasPrefix(lines.Text(), last) {
				return
			}
		}
		t.Fatalf("the session ended at %q", text)
	}
	const beside = 64
	most := 0
	for _, hash := range []int{64, 8, 128, 32} {
		most = max(most, hash)
		ask(fmt.Sprintf("setoption name Hash value %d\nposition startpos\ngo perft 7", hash),
			"Nodes searched: 3195901860")
		for range 50 {
			ask("position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1\ngo perft 4",
				"Nodes searched: 4085603")
		}
		now, peak := memoryOf(t, p.Process.Pid)
		t.Logf("Hash %d: %d MiB, %d at most", hash, now, peak)
		if now > hash+beside || peak > most+beside {
			t.Errorf("Hash %d: %d MiB, and %d at most", hash, now, peak)
		}
	}
	ask("ucinewgame\nisready", "readyok")
	if now, _ := memoryOf(t, p.Process.Pid); now > beside {
		t.Errorf("%d MiB after ucinewgame", now)
	}
}

// memoryOf returns the memory in MiB that a process has, and the most it ever had.
func memoryOf(t *testing.T, id int) (now, peak int) {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", id))
	if err != nil {
		t.Fatal(err)
	}
	value := func(name string) int {
		_, rest, _ := strings.Cut(string(text), name+":")
		kilobytes, err := strconv.Atoi(strings.Fields(rest)[0])
		if err != nil {
			t.Fatal(err)
		}
		return kilobytes >> 10
	}
	return value("VmRSS"), value("VmHWM")
}
