//go:build long

package perft_test

import (
	"math"
	"testing"
)

// TestStatsAgainstOracleInFull compares at every node of the suites to depth 3.
func TestStatsAgainstOracleInFull(t *testing.T) { compareSuites(t, math.MaxUint64) }
