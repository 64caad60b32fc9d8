//go:build unix

package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli/clitest"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/exit"
)

// TestStopsWhileWaiting interrupts commands that wait for what never comes, on stdin, in a pipe, or for its other end: the
// first signal must end them.
func TestStopsWhileWaiting(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	state := filepath.Join(dir, "state")
	if code, _, text := clitest.Run(t.Context(), newRootCommand(), "tasks", "--depth", "3", "--state", state); code != exit.OK {
		t.Fatal(text)
	}
	statusPipe := filepath.Join(dir, "status-pipe")
	if err := errors.Join(os.CopyFS(statusPipe, os.DirFS(state)), syscall.Mkfifo(filepath.Join(statusPipe, "status.json"), 0o600)); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"status", "--state", statusPipe},
		{"total", "--state", state},
		{"total", "--state", state, pipe},
		{"leaf", "--hash", "0"},
		{"uci"},
		{"suite", "-"},
		{"suite", pipe},
		{"magic", "verify", "-"},
		{"magic", "verify", pipe},
		{"compare", "--engine", "stockfish", "--depth", "1", "-"},
		{"compare", "--engine", "stockfish", "--depth", "1", pipe},
		{"worker", "--connect", "127.0.0.1:1", "--hash", "0", "--token-file", pipe},
		{"run", "--depth", "3", "--hash", "0", "--listen", "127.0.0.1:0", "--token-file", pipe},
		{"run", "--depth", "3", "--hash", "0", "--listen", "127.0.0.1:0", "--credentials", pipe},
	} {
		for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
			t.Run(strings.Join(args[:min(len(args), 3)], " ")+" "+signal.String(), func(t *testing.T) {
				code := signalWaiting(t, signal, args...)
				want := exit.Interrupted
				if args[0] == "worker" {
					want = exit.OK // it was asked to quit
				}
				if code != want {
					t.Errorf("%q ended with %d, want %d", args, code, want)
				}
			})
		}
	}
}

// TestJournalInPipe gives commands a pipe as a journal: they refuse it and do not wait for what may come through it.
func TestJournalInPipe(t *testing.T) {
	state := t.TempDir()
	pipe := filepath.Join(state, "journal")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"perft", "--depth", "3", "--journal", pipe},
		{"run", "--depth", "3", "--hash", "0", "--state", state},
		{"resume", "--state", state},
		{"status", "--state", state},
		{"export", "--state", state},
		{"tasks", "--state", state},
		{"tasks", "--depth", "3", "--state", state},
		{"total", "--state", state, os.DevNull},
	} {
		code, _, text := clitest.Run(t.Context(), newRootCommand(), args...)
		if code != exit.Usage || !strings.Contains(text, "not a regular file") {
			t.Errorf("%q: exit code %d, %q", args, code, text)
		}
	}
}

// signalWaiting starts a process, sends it a signal while it waits, and returns its exit code. A process that the signal killed was
// not yet ready for it: another one has more time.
func signalWaiting(t *testing.T, signal os.Signal, args ...string) (code int) {
	t.Helper()
	for pause := 300 * time.Millisecond; pause < 10*time.Second; pause *= 3 {
		p := clitest.StartWaiting(t, "fianchetto", args...)
		time.Sleep(pause)
		p.Process.Signal(signal)
		p.AwaitExit()
		if code = p.ProcessState.ExitCode(); code != -1 {
			break
		}
	}
	return code
}
