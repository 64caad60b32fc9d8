package perft

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli/clitest"
)

// TestKilledPerftGoesOn kills a count that has written some of its journal, and has another go on.
func TestKilledPerftGoesOn(t *testing.T) {
	journal := filepath.Join(t.TempDir(), "journal")
	killed := exec.Command("fianchetto", "perft", "--depth", "7", "--threads", "1", "--method", "plain", "--journal", journal)
	if err := killed.Start(); err != nil {
		t.Fatal(err)
	}
	tasks := func() int {
		text, _ := os.ReadFile(journal) // there may be none yet
		return bytes.Count(text, []byte("\n")) - 1
	}
	for deadline := time.Now().Add(clitest.Patience); tasks() < 100 && time.Now().Before(deadline); {
		time.Sleep(time.Millisecond)
	}
	killed.Process.Kill()
	killed.Wait()
	if n := tasks(); n < 100 || n > 8000 {
		t.Fatalf("killed after %d of 8902 tasks", n)
	}

	code, stdout, stderr := clitest.Run(t.Context(), newProgram(), "perft", "--depth", "7", "--journal", journal)
	if code != 0 || stdout != "Nodes searched: 3195901860\n" || !strings.Contains(stderr, "going on from the journal: ") || tasks() != 8902 {
		t.Errorf("exit code %d, stdout %q, stderr %q, %d tasks", code, stdout, stderr, tasks())
	}
}

func TestInterruptedPerftNamesTheJournal(t *testing.T) {
	journal := filepath.Join(t.TempDir(), "journal")
	code, _, stderr := clitest.Interrupt(t, "tasks done", func(ctx context.Context) (int, string, string) {
		return clitest.Run(ctx, newProgram(), "perft", "--depth", "9", "--journal", journal)
	})
	text, err := os.ReadFile(journal)
	want := fmt.Sprintf("; %d of 8,902 tasks done; the same command goes on from the journal, which has them", bytes.Count(text, []byte("\n"))-1)
	if code != 130 || err != nil || !strings.Contains(stderr, want) {
		t.Errorf("exit code %d, %v, stderr %q, want %q", code, err, stderr, want)
	}
}
