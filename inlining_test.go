package fianchetto_test

import (
	"math/bits"
	"os/exec"
	"regexp"
	"testing"
)

// TestHotFunctionsInline asks the compiler for what engines and the generator call at every node and every move: losing
// their inlining would go unnoticed everywhere but in speed.
func TestHotFunctionsInline(t *testing.T) {
	if bits.UintSize < 64 {
		t.Skip("counting the bits of 64 is a call where words have 32")
	}
	report, err := exec.Command("go", "build", "-gcflags=-m", ".", "./internal/core").CombinedOutput()
	if err != nil {
		t.Skipf("cannot run the compiler: %v\n%s", err, report)
	}
	inlined := make(map[string]bool)
	for _, match := range regexp.MustCompile(`can inline (\S+)`).FindAllSubmatch(report, -1) {
		inlined[string(match[1])] = true
	}
	for _, name := range []string{
		"Move.From", "Move.To", "Move.Kind", "Move.Piece", "Move.Promotion", "NewMove",
		"(*Position).SideToMove", "(*Position).Occupancy", "(*Position).ByColor", "(*Position).EnPassant", "(*Position).InCheck",
		"(*Position).HalfmoveClock", "(*Position).Key", "(*Position).absolute", "(*Position).relative", "(*Position).flip",
		"(*Position).CountLegal", "(*Position).HasLegalMove", "(*Position).After", "(*Position).Make", "(*Position).Unmake", "newState",
		"Encode", "Decode", "(*Board).Occupancy", "(*Board).Kings", "(*Board).EnPassant", "(*Board).CastlingRooks", "(*Board).CountMoves",
		"(*TargetSets).Knights", "(*TargetSets).Bishops", "(*TargetSets).Rooks", "(*TargetSets).Queens", "(*TargetSets).King", "(*TargetSets).Pieces",
		"(*safety).isDouble", "(*safety).bishopTargets", "(*safety).rookTargets", "(*PawnTargets).any",
		"(*Board).Captures", "(*Board).Noisy", "(*Board).Quiets", "pawnTargets", "countPawnMoves", "CastlingTargets",
	} {
		if !inlined[name] {
			t.Errorf("%s does not inline", name)
		}
	}
}
