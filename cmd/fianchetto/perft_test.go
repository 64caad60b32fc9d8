package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli/clitest"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/exit"
	"github.com/fianchetto-chess/fianchetto/internal/goamd64"
	"github.com/fianchetto-chess/fianchetto/internal/must"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// TestInterruptSignal interrupts a count when it has printed that it takes hours, both with the
// advice to keep a journal. It must stop within a second of processor time.
func TestInterruptSignal(t *testing.T) {
	for signal, code := range map[os.Signal]int{os.Interrupt: exit.Interrupted, syscall.SIGTERM: exit.Terminated} {
		p := exec.CommandContext(t.Context(), "unhurried", "perft", "13", "--threads", "1", "--hash", "16")
		stderr, err := p.StderrPipe()
		if err != nil || p.Start() != nil {
			t.Fatal("fianchetto cannot be started", err)
		}
		lines := bufio.NewScanner(stderr)
		await := func(want string) {
			for pattern := regexp.MustCompile(want); lines.Scan(); {
				if pattern.MatchString(lines.Text()) {
					return
				}
			}
			t.Errorf("no line is %s", want)
		}
		await(`^(about|more than) .* at this rate, less with the hash table; --journal FILE to be able to go on$`)
		p.Process.Signal(signal)
		await(`^fianchetto: perft interrupted after .* perft 13 --journal FILE keeps what is counted$`)
		if p.Wait(); p.ProcessState.ExitCode() != code || p.ProcessState.UserTime() > time.Second {
			t.Errorf("%v: %v after %v, want exit status %d", signal, p.ProcessState, p.ProcessState.UserTime(), code)
		}
	}
}

// TestAdvice counts as a program that a build for another level would beat, or would not.
func TestAdvice(t *testing.T) {
	level := strings.TrimPrefix(goamd64.Setting(), "GOAMD64=")
	want := 0
	if goamd64.Best() == "v3" && (level == "v1" || level == "v2") {
		want = 1
	}
	for command, want := range map[string]int{"perft 3": want, "perft 1..3": want, "perft 3 --json": 0} {
		t.Setenv("XDG_CACHE_HOME", t.TempDir())
		for range 2 { // the advice comes once a day
			_, _, stderr := clitest.Run(t.Context(), newRootCommand(), strings.Fields(command)...)
			if got := strings.Count(stderr, "built for GOAMD64="); got != want {
				t.Errorf("%s, built for %s: the level is named %d times, want %d: %s", command, level, got, want, stderr)
			}
			want = 0
		}
	}
}

// TestInterruption describes counts at every stage.
func TestInterruption(t *testing.T) {
	counted := perft.Result{Nodes: 40, Moves: []perft.MoveCount{{Nodes: 19}, {Nodes: 21}}}
	for _, test := range []struct {
		result  perft.Result
		done    perft.Progress
		journal string
		want    string
	}{
		{perft.Result{}, perft.Progress{}, "", "nothing is counted yet; perft 9 --journal FILE keeps what is counted"},
		{perft.Result{}, perft.Progress{Tasks: 8902}, "",
			"nothing is counted yet; perft 9 --journal FILE keeps what is counted"},
		{perft.Result{}, perft.Progress{Tasks: 8902}, "file", "nothing is counted yet"},
		{perft.Result{}, perft.Progress{Tasks: 8902, Done: 16, Nodes: 2500}, "file",
			"0 of 20 root moves counted, with 0 nodes, and 2,500 nodes below the others; 16 of 8,902 tasks done; " +
				"the same command goes on from the journal, which has them"},
		{counted, perft.Progress{}, "",
			"2 of 20 root moves counted, with 40 nodes; perft 9 --journal FILE keeps what is counted"},
		{counted, perft.Progress{Tasks: 400, Done: 45, Nodes: 1040}, "",
			"2 of 20 root moves counted, with 40 nodes, and 1,000 nodes below the others; 45 of 400 tasks done; " +
				"perft 9 --journal FILE keeps what is counted"},
	} {
		o := perftOptions{journal: test.journal, depthRange: depthRange{9, 9}}
		if err := o.interruption(&test.result, test.done, 20,
			1.5); err.Error() != "perft interrupted after 1.5 s: "+test.want {
			t.Errorf("%+v, %+v: %q, want %q", test.result, test.done, err, test.want)
		}
	}
}

// TestKilledPerftGoesOn kills a count that has written some of its journal, and has another go on.
func TestKilledPerftGoesOn(t *testing.T) {
	journal := filepath.Join(t.TempDir(), "journal")
	killed := exec.CommandContext(t.Context(), "fianchetto", "perft", "--depth", "7", "--threads", "1", "--method",
		"plain", "--journal", journal)
	must.Do(t, killed.Start())
	tasks := func() int {
		text, _ := os.ReadFile(journal) // there may be none yet
		return bytes.Count(text, []byte("\n")) - 1
	}
	for tasks() < 100 {
		time.Sleep(time.Millisecond)
	}
	killed.Process.Kill()
	killed.Wait()
	code, stdout, stderr := clitest.Run(t.Context(), newRootCommand(), "perft", "--depth", "7", "--journal", journal)
	if code != 0 || stdout != "Nodes searched: 3195901860\n" ||
		!strings.Contains(stderr, "going on from the journal: ") || tasks() != 8902 {
		t.Errorf("exit code %d, stdout %q, stderr %q, %d tasks", code, stdout, stderr, tasks())
	}
}

func TestInterruptedPerftNamesTheJournal(t *testing.T) {
	journal := filepath.Join(t.TempDir(), "journal")
	code, _, stderr := interrupt(t, "perft --depth 9 --journal "+journal, "", "tasks done")
	text, err := os.ReadFile(journal)
	want := fmt.Sprintf("; %d of 8,902 tasks done; the same command goes on from the journal, which has them",
		bytes.Count(text, []byte("\n"))-1)
	if code != 130 || err != nil || !strings.Contains(stderr, want) {
		t.Errorf("exit code %d, %v, stderr %q, want %q", code, err, stderr, want)
	}
}
