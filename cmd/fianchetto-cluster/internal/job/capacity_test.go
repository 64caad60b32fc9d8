package job

import (
	"fmt"
	"math"
	"math/big"
	"os"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/must"
)

// The leaves of the start position by plies, and how many positions they are. Sources:
// https://oeis.org/A048987, https://oeis.org/A083276 for the first seven; both for the eighth are
// what this package and census.Distinct count.
var (
	startLeaves = []string{"1", "20", "400", "8902", "197281", "4865609", "119060324", "3195901860", "84998978956",
		"2439530234167",
		"69352859712417", "2097651003696806", "62854969236701747", "1981066775000396239", "61885021521585529237", "2015099950053364471960"}
	startPositions = []float64{1, 20, 400, 5362, 72078, 822518, 9417681, 96400068, 988187354}
)

// capacityOf estimates what a count from the start position takes, by the estimate that tasks are cut
// by, as a row of the table in docs/cluster.md.
func capacityOf(depth, split int) string {
	positions, below, plies := startPositions[split], leaves(depth)/leaves(split), depth-split
	breadth := math.Pow(below, 1/float64(plies))
	each := cost(int(breadth*breadth), plies)
	seconds := each * positions
	tasks := math.Ceil(max(positions/MaxBatch, seconds/min(max(shortTask, seconds/enoughTasks), max(longTask, each))))
	return fmt.Sprintf("| %d | %d | %s | %s | %s |", depth, split, inWords(positions), inWords(seconds/3600), inWords(tasks))
}

func leaves(plies int) float64 {
	n, ok := new(big.Float).SetString(startLeaves[plies])
	if !ok {
		panic(startLeaves[plies])
	}
	f, _ := n.Float64()
	return f
}

// inWords formats a number with two or three digits that matter.
func inWords(n float64) string {
	switch {
	case n >= 1e6:
		return fmt.Sprintf("%.0f million", n/1e6)
	case n >= 1000:
		return fmt.Sprintf("%.0f,%03.0f", math.Floor(n/1000), math.Floor(math.Mod(n, 1000)/100)*100)
	case n >= 10:
		return fmt.Sprintf("%.0f", n)
	}
	return fmt.Sprintf("%.2g", n)
}

// TestCapacityOnPaper computes the table in docs/cluster.md again.
func TestCapacityOnPaper(t *testing.T) {
	page := must.Get(os.ReadFile("../../../../docs/cluster.md"))(t)
	for _, c := range [][2]int{{12, 6}, {13, 7}, {15, 8}} {
		if row := capacityOf(c[0], c[1]); !strings.Contains(string(page), row+"\n") {
			t.Errorf("docs/cluster.md must have\n%s", row)
		}
	}
}
