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

// TestPortInUse holds that a port in use is a failure of the machine for all that listen, and an invalid address wrong usage.
func TestPortInUse(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	address := listener.Addr().String()
	for _, args := range [][]string{
		{"run", "--depth", "3", "--hash", "0", "--http", address},
		{"run", "--depth", "3", "--hash", "0", "--listen", address, "--token", "secret"},
		{"explore", "--http", address},
	} {
		if code, _, stderr := clitest.Run(t.Context(), newRootCommand(), args...); code != exit.Failed || !strings.Contains(stderr, "address already in use") {
			t.Errorf("%q: exit code %d, %s", args, code, stderr)
		}
	}
	for _, args := range [][]string{{"run", "--depth", "3", "--hash", "0", "--http", "nowhere"}, {"explore", "--http", "nowhere"}} {
		if code, _, stderr := clitest.Run(t.Context(), newRootCommand(), args...); code != exit.Usage {
			t.Errorf("%q: exit code %d, %s", args, code, stderr)
		}
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

// TestVersionIsQuick holds the start of the command to 10 ms of processor time, in the best of many starts with pauses between
// them: while others use the processor, its caches serve them too. It builds the command, as the test binary has more to start.
func TestVersionIsQuick(t *testing.T) {
	program := filepath.Join(t.TempDir(), "fianchetto.exe") // a name that every system can run
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	const allowed = 10 * time.Millisecond
	quickest := time.Hour
	for starts := 0; starts < 400 && quickest > allowed; starts++ {
		process := exec.Command(program, "version")
		if err := process.Run(); err != nil {
			t.Fatal(err)
		}
		quickest = min(quickest, process.ProcessState.UserTime()+process.ProcessState.SystemTime())
		time.Sleep(time.Duration(starts) * time.Millisecond / 2)
	}
	if quickest > allowed {
		t.Errorf("version took %v of processor time at best, want at most %v", quickest, allowed)
	}
}

// TestExamples leaves out the example that serves until it is interrupted, which TestExploreServesUntilInterrupted runs.
func TestExamples(t *testing.T) { clitest.RunExamples(t, newRootCommand(), "explore") }
