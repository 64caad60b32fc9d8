//go:build unix

package main

import (
	"context"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli/clitest"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/exit"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/must"
)

// mkfifo makes a pipe that no process writes to.
func mkfifo(t *testing.T, path string) string {
	t.Helper()
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestStopsWhileWaiting interrupts commands that wait for what never comes, on stdin, in a pipe, or for its other end.
func TestStopsWhileWaiting(t *testing.T) {
	dir := t.TempDir()
	pipe, state := mkfifo(t, filepath.Join(dir, "pipe")), filepath.Join(dir, "state")
	if code, _, text := clitest.Run(t.Context(), newProgram(), "tasks", "--depth", "3", "--state",
		state); code != exit.OK {
		t.Fatal(text)
	}
	for _, test := range []struct {
		args []string
		want int
	}{
		{[]string{"total", "--state", state}, exit.Interrupted},
		{[]string{"total", "--state", state, pipe}, exit.Interrupted},
		{[]string{"leaf", "--hash", "0"}, exit.Interrupted},
		{[]string{"worker", "--connect", "127.0.0.1:1", "--hash", "0", "--token-file", pipe},
			exit.OK}, // it was asked to quit
		{[]string{"run", "--depth", "3", "--hash", "0", "--listen", "127.0.0.1:0", "--token-file", pipe},
			exit.Interrupted},
		{[]string{"run", "--depth", "3", "--hash", "0", "--listen", "127.0.0.1:0", "--credentials", pipe},
			exit.Interrupted},
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		stdin, _ := io.Pipe()
		var output strings.Builder
		if code := cli.Run(ctx, newProgram(), test.args, stdin, &output, &output); code != test.want {
			t.Errorf("%q ended with %d, want %d: %s", test.args, code, test.want, output.String())
		}
		cancel()
	}
}

// TestPortInUse holds that a port in use is a failure of the machine, and an invalid address wrong usage.
func TestPortInUse(t *testing.T) {
	listener := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	defer listener.Close()
	address := listener.Addr().String()
	for _, args := range [][]string{{"--http", address}, {"--listen", address, "--token", "secret"}} {
		code, _, text := clitest.Run(t.Context(), newProgram(),
			append([]string{"run", "--depth", "3", "--hash", "0"}, args...)...)
		if code != exit.Failed || !strings.Contains(text, "address already in use") {
			t.Errorf("%q: exit code %d, %s", args, code, text)
		}
	}
}

// TestFailedWritesAreReported has commands print to a disk that is full.
func TestFailedWritesAreReported(t *testing.T) {
	dir := t.TempDir()
	for _, args := range [][]string{
		{"run", "--depth", "3", "--hash", "0", "--state", dir},
		{"run", "--depth", "3", "--hash", "0", "--json"},
		{"status", "--state", dir},
		{"export", "--state", dir},
		{"total", "--state", dir, os.DevNull},
		{"tasks", "--depth", "3", "--state", dir + "-new"},
	} {
		var text strings.Builder
		code := cli.Run(t.Context(), newProgram(), args, nil, clitest.Broken, &text)
		if code != exit.Failed || strings.Count(text.String(), clitest.ErrBroken.Error()) != 1 {
			t.Errorf("%q: exit code %d, %q, want the cause once", args, code, text.String())
		}
	}
}
