package perft

import (
	"context"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli/clitest"
)

func TestInterruptedTables(t *testing.T) {
	for line, want := range map[string]string{
		"perft --depth 20 --stats":         "",
		"perft --depth 20 --stats --json":  "",
		"perft --depth 20 --unique":        "  depth  positions\n      1         20\n",
		"perft --depth 20 --unique --json": "",
	} {
		code, stdout, stderr := clitest.Interrupt(t, want, func(ctx context.Context) (int, string, string) {
			return clitest.Run(ctx, newProgram(), strings.Fields(line)...)
		})
		if code != 130 || !strings.HasPrefix(stdout, want) || want == "" && stdout != "" || strings.Count(stderr, "interrupted") != 1 {
			t.Errorf("%s: exit code %d, stdout %q, stderr %q; want 130, %q and a message", line, code, stdout, stderr, want)
		}
	}
}
