//go:build unix

package main

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/exit"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/must"
)

// mkfifo makes a pipe that no process writes to.
func mkfifo(t *testing.T, path string) string {
	t.Helper()
	must.Do(t, syscall.Mkfifo(path, 0o600))
	return path
}

// TestStopsWhileWaiting interrupts commands that wait for what never comes, on stdin, in a pipe, or
// for its other end.
func TestStopsWhileWaiting(t *testing.T) {
	dir := t.TempDir()
	pipe, state := mkfifo(t, filepath.Join(dir, "pipe")), filepath.Join(dir, "state")
	if code, _, text := execute(t, "tasks --depth 3 --state "+state, ""); code != exit.OK {
		t.Fatal(text)
	}
	for line, want := range map[string]int{
		"total --state " + state:              exit.Interrupted,
		"total --state " + state + " " + pipe: exit.Interrupted,
		"leaf --hash 0":                       exit.Interrupted,
		"worker --connect 127.0.0.1:1 --hash 0 --token-file " + pipe:        exit.Interrupted,
		"run --depth 3 --hash 0 --listen 127.0.0.1:0 --token-file " + pipe:  exit.Interrupted,
		"run --depth 3 --hash 0 --listen 127.0.0.1:0 --credentials " + pipe: exit.Interrupted,
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		stdin, _ := io.Pipe()
		var output strings.Builder
		if code := cli.Run(ctx, newRootCommand(), strings.Fields(line), stdin, &output, &output); code != want {
			t.Errorf("%s ended with %d, want %d: %s", line, code, want, output.String())
		}
		cancel()
	}
}

// TestPortInUse holds that a port in use is a failure of the machine, and an invalid address wrong
// usage.
func TestPortInUse(t *testing.T) {
	listener := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	defer listener.Close()
	t.Setenv(tokenVariable, "secret")
	for _, flags := range []string{" --http ", " --listen "} {
		code, _, text := execute(t, "run --depth 3 --hash 0"+flags+listener.Addr().String(), "")
		if code != exit.Failed || !strings.Contains(text, "address already in use") {
			t.Errorf("%s: exit code %d, %s", flags, code, text)
		}
	}
}

// TestFailedWritesAreReported has commands print to a disk that is full.
func TestFailedWritesAreReported(t *testing.T) {
	state := " --state " + t.TempDir()
	reader, stdout := io.Pipe()
	reader.CloseWithError(errors.New("no space left"))
	for _, line := range []string{
		"run --depth 3 --hash 0" + state, "run --depth 3 --hash 0 --json", "status" + state, "export" + state,
		"total" + state + " " + os.DevNull, "tasks --depth 3" + state + "-new",
	} {
		var text strings.Builder
		code := cli.Run(t.Context(), newRootCommand(), strings.Fields(line), nil, stdout, &text)
		if code != exit.Failed || strings.Count(text.String(), "no space left") != 1 {
			t.Errorf("%s: exit code %d, %q, want the cause once", line, code, text.String())
		}
	}
}
