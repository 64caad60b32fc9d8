//go:build unix

package main

import (
	"context"
	"io"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/exit"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/must"
)

// TestStopsWhileWaiting interrupts commands that wait for what never comes, on stdin, in a pipe
// with a name, or for its other end.
func TestStopsWhileWaiting(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	must.Do(t, syscall.Mkfifo(pipe, 0o600))
	for _, args := range [][]string{
		{"uci"},
		{"suite", "-"},
		{"suite", pipe},
		{"magic", "verify", "-"},
		{"magic", "verify", pipe},
		{"compare", "--engine", "stockfish", "--depth", "1", "-"},
		{"compare", "--engine", "stockfish", "--depth", "1", pipe},
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond) // whenever it comes, it ends them
		stdin, _ := io.Pipe()
		var output strings.Builder
		if code := cli.Run(ctx, newRootCommand(), args, stdin, &output, &output); code != exit.Interrupted {
			t.Errorf("%q ended with %d, want %d: %s", args, code, exit.Interrupted, output.String())
		}
		cancel()
	}
}
