//go:build long

package perft_test

import (
	"math"
	"testing"

	"github.com/fianchetto-chess/fianchetto/internal/suites"
)

// TestCountSuitesInFull compares every count of every suite.
func TestCountSuitesInFull(t *testing.T) {
	testSuites(t, func(t *testing.T, c suites.Case) {
		t.Logf("line %d %s: %d leaves compared", c.Line, c.Name, compareCounts(t, c, math.MaxUint64))
	})
}
