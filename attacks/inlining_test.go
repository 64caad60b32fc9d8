package attacks

import (
	"os/exec"
	"regexp"
	"testing"
)

// The generator calls these millions of times a second; losing their inlining would go unnoticed
// everywhere but in its speed.
func TestLookupsInline(t *testing.T) {
	report, err := exec.Command("go", "build", "-gcflags=-m", ".").CombinedOutput()
	if err != nil {
		t.Skipf("cannot run the compiler: %v\n%s", err, report)
	}
	inlined := make(map[string]bool)
	for _, match := range regexp.MustCompile(`can inline (\S+)`).FindAllSubmatch(report, -1) {
		inlined[string(match[1])] = true
	}
	for _, name := range []string{
		"Bishop", "Rook", "Queen", "Knight", "King", "Pawn",
		"PawnAttacks", "PawnAttacksEast", "PawnAttacksWest", "PawnPushes", "PawnDoublePushes",
	} {
		if !inlined[name] {
			t.Errorf("%s does not inline", name)
		}
	}
}

func TestLookupsDoNotAllocate(t *testing.T) {
	queries := randomQueries(64)
	for _, a := range Algorithms() {
		a.Queen(0, 0) // builds its tables
		allocations := testing.AllocsPerRun(10, func() {
			for _, q := range queries {
				a.Queen(q.square, q.occupancy)
			}
		})
		if allocations != 0 {
			t.Errorf("%s allocates %v times for %d lookups", a.Name, allocations, len(queries))
		}
	}
}
