package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto/attacks"
)

// command runs the command in this process.
func command(ctx context.Context, args ...string) (code int, stdout, stderr string) {
	var out, diagnostics bytes.Buffer
	code = run(ctx, args, strings.NewReader(""), &out, &diagnostics)
	return code, out.String(), diagnostics.String()
}

// interrupt runs a command and interrupts it after a while, again after a longer one until it has printed a text, for the machine may
// be busy.
func interrupt(t *testing.T, far string, command func(ctx context.Context) (code int, stdout, stderr string)) (code int, stdout, stderr string) {
	for pause := 50 * time.Millisecond; ; pause *= 4 {
		ctx, cancel := context.WithTimeout(t.Context(), pause)
		code, stdout, stderr = command(ctx)
		cancel()
		if strings.Contains(stdout+stderr, far) || pause > time.Minute {
			return code, stdout, stderr
		}
	}
}

// brokenWriter fails as a full disk or a closed pipe does.
type brokenWriter struct{}

var errBroken = errors.New("no space left")

func (brokenWriter) Write([]byte) (int, error) { return 0, errBroken }

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
		code := run(t.Context(), strings.Fields(line), nil, brokenWriter{}, &stderr)
		if code != 3 || strings.Count(stderr.String(), errBroken.Error()) != 1 {
			t.Errorf("%s: exit code %d, stderr %q; want 3, and the cause once", line, code, stderr.String())
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
		code, stdout, stderr := command(ctx, strings.Fields(line)...)
		cancel()
		if code != 130 || stdout != "" || strings.Count(stderr, "interrupted") != 1 {
			t.Errorf("%s: exit code %d, stdout %q, stderr %q; want 130 and a message", line, code, stdout, stderr)
		}
	}
}

// TestInterruptSignal interrupts a count when it has printed that it takes hours, both with the advice to keep a journal.
func TestInterruptSignal(t *testing.T) {
	p := start(t, "fianchetto", "perft", "13", "--threads", "1", "--method", "plain")
	p.await(`(?m)^(about .*|more than a thousand years) at this rate; --journal FILE to be able to go on$`)
	p.Process.Signal(os.Interrupt)
	p.wantExit(130, "")
	p.await(`fianchetto: perft interrupted after .* --journal FILE keeps what is counted`)
}

// TestVersionIsQuick builds the command, as the test binary has more to start than it, and takes the
// quickest of several starts by the processor time of the process, for the machine may be busy with others.
func TestVersionIsQuick(t *testing.T) {
	const allowed = 10 * time.Millisecond
	program := filepath.Join(t.TempDir(), "fianchetto.exe") // a name that every system can run
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	quickest := time.Hour
	for starts := 0; starts < 100 && quickest > allowed; starts++ {
		version := exec.Command(program, "version")
		if err := version.Run(); err != nil {
			t.Fatal(err)
		}
		quickest = min(quickest, version.ProcessState.UserTime()+version.ProcessState.SystemTime())
	}
	t.Logf("the quickest start took %v", quickest)
	if quickest > allowed {
		t.Errorf("version took %v at best, want at most %v", quickest, allowed)
	}
}

func TestAttacksByEveryAlgorithm(t *testing.T) {
	const want = "b1 c2 c4 d3 d4 d5 e3 e5 f3 f4 f5 g4 g6 h4\n"
	for _, a := range attacks.Algorithms() {
		code, stdout, stderr := command(t.Context(), "show", "--attacks", "queen:e4", "--algorithm", a.Name,
			"--fen", "4k3/7p/6p1/3pp3/2p1Q3/4PP2/8/1N2K2R w K - 0 1")
		if code != 0 || stdout != want {
			t.Errorf("%s: exit code %d, stdout %q, stderr %q; want %q", a.Name, code, stdout, stderr, want)
		}
	}
}

func TestPerftJSON(t *testing.T) {
	code, stdout, stderr := command(t.Context(), "perft", "--fen", "kiwipete", "--moves", "e1g1", "--depth", "2", "--divide", "--json", "--method", "plain", "--threads", "2")
	if code != 0 || stderr != "" {
		t.Fatalf("exit code %d, stderr %q", code, stderr)
	}
	var report struct {
		FEN    string
		Depth  int
		Nodes  uint64
		Divide []struct {
			Move  string
			Nodes uint64
		}
		Seconds float64
		NPS     uint64
		Method  string
		Threads int
	}
	decoder := json.NewDecoder(strings.NewReader(stdout))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&report); err != nil {
		t.Fatal(err)
	}
	if decoder.More() {
		t.Errorf("stdout has more than one value: %q", stdout)
	}
	const fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R4RK1 b kq - 1 1"
	if report.FEN != fen || report.Depth != 2 || report.Nodes != 2059 || report.Method != "plain" || report.Threads != 2 {
		t.Errorf("got %+v, want depth 2, 2059 nodes, method plain and 2 threads of %s", report, fen)
	}
	if report.Seconds <= 0 || report.NPS == 0 {
		t.Errorf("%v s, %d nodes/s; want more than 0", report.Seconds, report.NPS)
	}
	var sum uint64
	for _, d := range report.Divide {
		sum += d.Nodes
	}
	if len(report.Divide) != 43 || sum != report.Nodes {
		t.Errorf("%d moves with %d nodes in all, want 43 with %d", len(report.Divide), sum, report.Nodes)
	}
}

// TestExamples runs every example of every command's help, but for the one that serves until it is interrupted, which
// TestExploreServesUntilInterrupted runs.
func TestExamples(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip(err)
	}
	var check func(*cobra.Command)
	check = func(cmd *cobra.Command) {
		if cmd.Runnable() && cmd.HasParent() && !cmd.HasSubCommands() && cmd.Example == "" {
			t.Errorf("%s has no example", cmd.CommandPath())
		}
		for line := range strings.Lines(cmd.Example) {
			if cmd.Name() == "explore" {
				continue
			}
			process := exec.Command(shell, "-c", line)
			process.Dir = t.TempDir()
			if out, err := process.CombinedOutput(); err != nil {
				t.Errorf("%s: %v\n%s", strings.TrimSpace(line), err, out)
			}
		}
		for _, sub := range cmd.Commands() {
			check(sub)
		}
	}
	check(newRootCommand())
}
