//go:build long

package main

import (
	"strconv"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli/clitest"
)

// TestRunHoweverCut counts perft 7 from the start with all sorts of splits, batches and workers.
func TestRunHoweverCut(t *testing.T) {
	for _, split := range []string{"3", "4"} {
		for workers := 1; workers <= 4; workers++ {
			for _, batch := range []string{"0", "3", "500", "16384"} {
				for _, verify := range []string{"--verify=false", "--verify"} {
					args := []string{"run", "--depth", "7", "--split", split, "--batch", batch, verify, "--workers",
						strconv.Itoa(workers), "--hash", "64"}
					code, stdout, stderr := clitest.Run(t.Context(), newRootCommand(), args...)
					if code != 0 || !strings.HasSuffix(stdout, "\nNodes searched: 3195901860\n") {
						t.Errorf("%q: exit code %d, stdout %q, stderr %q", args, code, stdout, stderr)
					}
				}
			}
		}
	}
}
