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
// what this package and perft.Unique count.
var (
	startLeaves = []string{"1", "20", "400", "8902", "197281", "4865609", "119060324", "3195901860", "84998978956",
		"2439530234167",
		"69352859712417", "2097651003696806", "62854969236701747", "1981066775000396239", "61885021521585529237", "2015099950053364471960"}
	startPositions = []float64{1, 20, 400, 5362, 72078, 822518, 9417681, 96400068, 988187354}
)

// What was measured: see docs/cluster.md.
const (
	scratchBytes  = 190e6 // to expand on two threads
	frontierBytes = 80.0  // of a position in the coordinator, at most: while the last ply is expanded
	ledgerBytes   = 80.0  // of a task there, with garbage, at most
	lineBytes     = 200.0 // of a line of the journal, without counts
	messages      = 2.0   // for a task: the report, and its answer with the next task
	workers       = 1000.0
)

// capacity is what a count from the start position takes.
type capacity struct {
	depth, split                               int
	seconds, tasks, journal, memory, positions float64
}

// capacityOf works out what a count takes, by the estimate that tasks are cut by.

func capacityOf(depth, split int) capacity {
	c := capacity{depth: depth, split: split, positions: startPositions[split]}
	below := leaves(depth) / leaves(split)
	plies := depth - split
	breadth := math.Pow(below, 1/float64(plies))
	each := cost(int(breadth*breadth), plies)
	c.seconds = each * c.positions
	c.tasks = math.Ceil(max(c.positions/MaxBatch, c.seconds/min(max(shortTask, c.seconds/enoughTasks),
		max(longTask, each))))
	countBytes := math.Ceil(math.Log10(below)) + 1
	c.journal = c.tasks*lineBytes + c.positions*countBytes
	c.memory = scratchBytes + c.positions*frontierBytes + c.tasks*ledgerBytes
	return c
}

func leaves(plies int) float64 {
	n, ok := new(big.Float).SetString(startLeaves[plies])
	if !ok {
		panic(startLeaves[plies])
	}
	f, _ := n.Float64()
	return f
}

func (c capacity) row() string {
	return fmt.Sprintf("| %d | %d | %s | %s | %s | %s | %s | %s |", c.depth, c.split, inWords(c.positions),
		inWords(c.seconds/3600),
		inWords(c.tasks), inBytes(c.journal), inBytes(c.memory), inWords(messages*workers*c.tasks/c.seconds))
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

func inBytes(n float64) string {
	units := []string{"B", "kB", "MB", "GB"}
	for n >= 1000 && len(units) > 1 {
		n, units = n/1000, units[1:]
	}
	return fmt.Sprintf("%.3g %s", n, units[0])
}

// TestCapacityOnPaper computes the table in docs/cluster.md again.
func TestCapacityOnPaper(t *testing.T) {
	page := must.Get(os.ReadFile("../../../../docs/cluster.md"))(t)
	for _, c := range [][2]int{{10, 5}, {11, 5}, {12, 6}, {13, 6}, {13, 7}, {14, 7}, {15, 7}, {15, 8}} {
		if row := capacityOf(c[0], c[1]).row(); !strings.Contains(string(page), row+"\n") {
			t.Errorf("docs/cluster.md must have\n%s", row)
		}
	}
}
