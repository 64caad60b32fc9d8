//go:build long

package census

import (
	"math"
	"testing"
)

// TestLeavesAgainstOracleInFull compares at every node of the suites to depth 3.
func TestLeavesAgainstOracleInFull(t *testing.T) { compareSuites(t, math.MaxUint64) }
