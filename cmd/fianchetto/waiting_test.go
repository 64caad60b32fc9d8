//go:build unix

package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/exit"
	"github.com/fianchetto-chess/fianchetto/internal/must"
)

// waiting are command lines for each subcommand that would not end. PIPE is a named pipe: without a
// writer, silent, or with endless text. Subcommands without a line neither read nor count for long.
var waiting = map[string][]string{
	"perft":        {"perft 20", "perft 20 --stats", "perft 20 --unique", "perft 20 --method plain", "perft 6 -"},
	"suite":        {"suite -", "suite PIPE"},
	"compare":      {"compare --engine stockfish --depth 1 -", "compare --engine stockfish --depth 1 PIPE"},
	"moves":        {"moves -"},
	"show":         {"show -"},
	"explore":      {"explore --http 127.0.0.1:0 --no-browser"},
	"magic find":   {"magic find --piece rook --square a1 --shift 53 --tries 1000000000000"},
	"magic verify": {"magic verify -", "magic verify PIPE"},
	"magic info":   nil,
	"pgn":          {"pgn -", "pgn PIPE", "pgn --as pgn PIPE"},
	"uci":          {"uci"},
	"licenses":     nil, "version": nil, "help": nil, "go": nil, "go perft": {"go perft 20"}, "completion": nil, "magic": nil,
}

// sources are the inputs of command lines.
var sources = map[string]func(w io.Writer) error{
	"silence":    func(io.Writer) error { time.Sleep(time.Hour); return nil },
	"one letter": func(w io.Writer) error { return repeat(w, strings.Repeat("x", 1<<16)) },
	"comments":   func(w io.Writer) error { return repeat(w, strings.Repeat("# comment\n", 1<<12)) },
	"games":      func(w io.Writer) error { return repeat(w, "[Event \"?\"]\n\n1. e4 e5 *\n\n") },
}

func repeat(w io.Writer, text string) error {
	for {
		if _, err := io.WriteString(w, text); err != nil {
			return err
		}
	}
}

// TestObeysSignals sends SIGINT and SIGTERM to each subcommand while it waits, reads or counts.
func TestObeysSignals(t *testing.T) {
	var check func(cmd *cobra.Command)
	check = func(cmd *cobra.Command) {
		name := strings.TrimPrefix(cmd.CommandPath(), "fianchetto ")
		if _, ok := waiting[name]; !ok && cmd.HasParent() {
			t.Errorf("subcommand %s: no line in the table", name)
		}
		for _, sub := range cmd.Commands() {
			check(sub)
		}
	}
	check(newRootCommand())
	for _, lines := range waiting {
		for _, line := range lines {
			names := []string{"silence"}
			if strings.HasSuffix(line, "-") || strings.HasSuffix(line, "PIPE") {
				names = []string{"silence", "one letter", "comments", "games"}
			}
			for i, source := range names {
				sig := []syscall.Signal{syscall.SIGINT, syscall.SIGTERM}[i%2]
				t.Run(fmt.Sprintf("%s, %s, %v", line, source, sig), func(t *testing.T) {
					obeySignal(t, strings.Fields(line), sources[source], sig)
				})
			}
		}
	}
	t.Run("stdout that nobody reads", func(t *testing.T) {
		obeySignal(t, []string{"pgn", "--as", "pgn", "-"}, sources["games"], syscall.SIGTERM)
	})
}

func obeySignal(t *testing.T, args []string, feed func(io.Writer) error, sig syscall.Signal) {
	if i := slices.Index(args, "PIPE"); i >= 0 {
		args[i] = filepath.Join(t.TempDir(), "pipe")
		must.Do(t, syscall.Mkfifo(args[i], 0o600))
		go func() {
			if w, err := os.OpenFile(args[i], os.O_WRONLY, 0); err == nil {
				defer w.Close()
				_ = feed(w)
			}
		}()
	}
	p := exec.Command("signing", args...)
	read, sign, err := os.Pipe()
	must.Do(t, err)
	p.ExtraFiles = []*os.File{sign}
	stdin := must.Get(p.StdinPipe())(t)
	must.Get(p.StdoutPipe())(t) // nobody reads it
	var stderr strings.Builder
	p.Stderr = &stderr
	started := time.Now()
	must.Do(t, p.Start(), sign.Close())
	go feed(stdin)
	must.Get(io.ReadAll(read))(t) // until it begins
	start := time.Since(started)
	time.Sleep(100 * time.Millisecond) // in which it comes to wait, read or count
	must.Do(t, p.Process.Signal(sig))
	begun := time.Now()
	watchdog := time.AfterFunc(10*time.Second, func() { p.Process.Kill() })
	defer watchdog.Stop()
	_ = p.Wait()
	took, code := time.Since(begun), p.ProcessState.ExitCode()
	lines := strings.Split("\n"+stderr.String(), "\nfianchetto: ") // the last one says how it ended
	last := lines[len(lines)-1]
	if code == exit.Usage || code == exit.Failed {
		if len(lines) == 1 || strings.Contains(last, "interrupted") || strings.Contains(last, "goroutine") {
			t.Errorf("exit code %d; stderr %s", code, stderr.String())
		}
		return // it refused its input before the signal
	}
	want := map[syscall.Signal]int{syscall.SIGINT: exit.Interrupted, syscall.SIGTERM: exit.Terminated}[sig]
	if code != want || took > 1500*time.Millisecond+start { // a busy machine takes long for both
		t.Errorf("%v after %v, started in %v, want exit code %d; stderr %s", p.ProcessState, took, start, want, stderr.String())
	}
}
