package main

import (
	"fmt"
	"os"
	"os/exec"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/must"
	"github.com/fianchetto-chess/fianchetto/uci/client"
)

// TestUCIMemory counts again and again, with tables of several sizes: the process never has more
// memory than the table may have and 64 MiB.
func TestUCIMemory(t *testing.T) {
	if info, ok := debug.ReadBuildInfo(); ok &&
		slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"}) {
		t.Skip("the race detector takes memory of its own")
	}
	program := exec.Command("fianchetto", "uci")
	p := must.Get(client.Open(t.Context(), program))(t)
	defer p.Close()
	count := func(fen string, depth int, want uint64) {
		t.Helper()
		must.Do(t, p.SetPosition(t.Context(), fianchetto.MustParseFEN(fen)))
		answers := ask(t, p, fmt.Sprintf("go perft %d", depth), "Nodes searched:")
		if got := answers[len(answers)-1]; got != fmt.Sprintf("Nodes searched: %d", want) {
			t.Fatalf("%s: %s, want %d", fen, got, want)
		}
	}
	const beside = 64
	most := 0
	for _, hash := range []int{64, 8, 128, 32} {
		most = max(most, hash)
		must.Do(t, p.SetOption(t.Context(), "Hash", strconv.Itoa(hash)))
		count(fianchetto.StartFEN, 7, 3195901860)
		for range 50 {
			count("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4, 4085603)
		}
		now, peak := memoryOf(t, program.Process.Pid)
		t.Logf("Hash %d: %d MiB, %d at most", hash, now, peak)
		if now > hash+beside || peak > most+beside {
			t.Errorf("Hash %d: %d MiB, and %d at most", hash, now, peak)
		}
	}
	must.Do(t, p.Send(t.Context(), "ucinewgame"), p.Ready(t.Context()))
	if now, _ := memoryOf(t, program.Process.Pid); now > beside {
		t.Errorf("%d MiB after ucinewgame", now)
	}
}

// memoryOf returns the memory in MiB that a process has, and the most it ever had.
func memoryOf(t *testing.T, id int) (now, peak int) {
	t.Helper()
	text := must.Get(os.ReadFile(fmt.Sprintf("/proc/%d/status", id)))(t)
	value := func(name string) int {
		_, rest, _ := strings.Cut(string(text), name+":")
		kilobytes := must.Get(strconv.Atoi(strings.Fields(rest)[0]))(t)
		return kilobytes >> 10
	}
	return value("VmRSS"), value("VmHWM")
}
