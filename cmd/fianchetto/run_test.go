package main

import (
	"bytes"
	"context"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli/clitest"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/exit"
)

func TestFailedWritesAreReported(t *testing.T) {
	for _, line := range []string{
		"perft --depth 1",
		"perft --depth 1 --divide",
		"perft --depth 1 --json",
		"moves",
		"show",
		"show --square d4",
		"show --svg -",
		"magic find --piece bishop --square d4",
		"magic verify",
		"magic info",
		"version",
		"help",
		"perft --help",
		"completion bash",
	} {
		var stderr bytes.Buffer
		code := cli.Run(t.Context(), newRootCommand(), strings.Fields(line), nil, clitest.Broken, &stderr)
		if code != 3 || strings.Count(stderr.String(), clitest.ErrBroken.Error()) != 1 {
			t.Errorf("%s: exit code %d, stderr %q; want 3, and the cause once", line, code, stderr.String())
		}
	}
}

// TestPortInUse holds that a port in use is a failure of the machine, and an invalid address wrong usage.
func TestPortInUse(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	code, _, stderr := clitest.Run(t.Context(), newRootCommand(), "explore", "--http", listener.Addr().String())
	if code != exit.Failed || !strings.Contains(stderr, "address already in use") {
		t.Errorf("a port in use: exit code %d, %s", code, stderr)
	}
	if code, _, stderr := clitest.Run(t.Context(), newRootCommand(), "explore", "--http", "nowhere"); code != exit.Usage {
		t.Errorf("no address: exit code %d, %s", code, stderr)
	}
}

// TestClosedPipe closes the reading end of stdout, as head does: the command fails without a message.
func TestClosedPipe(t *testing.T) {
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	reader.Close()
	defer writer.Close()

	var stderr bytes.Buffer
	process := exec.Command("fianchetto", "moves")
	process.Stdout, process.Stderr = writer, &stderr
	process.Run()
	if code := process.ProcessState.ExitCode(); code != 3 || stderr.Len() != 0 {
		t.Errorf("exit code %d, stderr %q; want 3 and no message", code, stderr.String())
	}
}

func TestInterrupt(t *testing.T) {
	for _, line := range []string{
		"perft --depth 20",
		"perft --depth 20 --json --divide",
		"magic find --piece rook --square a1 --shift 53", // too few slots, as a search of seconds shows
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		code, stdout, stderr := clitest.Run(ctx, newRootCommand(), strings.Fields(line)...)
		cancel()
		if code != 130 || stdout != "" || strings.Count(stderr, "interrupted") != 1 {
			t.Errorf("%s: exit code %d, stdout %q, stderr %q; want 130 and a message", line, code, stdout, stderr)
		}
	}
}

// BenchmarkStart measures how long the command takes to start and end. It builds the command, as the test binary has more to start.
func BenchmarkStart(b *testing.B) {
	program := filepath.Join(b.TempDir(), "fianchetto.exe") // a name that every system can run
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	var used time.Duration
	for b.Loop() {
		process := exec.Command(program, "version")
		if err := process.Run(); err != nil {
			b.Fatal(err)
		}
		used += process.ProcessState.UserTime() + process.ProcessState.SystemTime()
	}
	b.ReportMetric(float64(used.Nanoseconds())/float64(b.N), "cpu-ns/op")
}

// TestExamples runs every example of every command's help, except of explore, which serves until it is interrupted, and of the cluster's.
func TestExamples(t *testing.T) {
	except := []string{"explore"}
	for _, c := range clusterCommands {
		except = append(except, c.name)
	}
	clitest.RunExamples(t, newRootCommand(), except...)
}
