package main

import (
	"fmt"
	"time"

	"github.com/fianchetto-chess/fianchetto/benchmarks/search/dragontooth"
	"github.com/fianchetto-chess/fianchetto/benchmarks/search/position"
	"github.com/fianchetto-chess/fianchetto/benchmarks/search/tuned"
)

// searchEntries is the size of the transposition tables, 1 MiB, which fits in a cache.
const searchEntries = 1 << 16

// The depths are those of iterative deepening, and the counts are nodes.
func searchContest(*settings) []contest {
	open := func(name, remark string, open func(fen string, entries int) func(depth int) uint64) contender {
		parse := func(fen string) (string, error) { return fen, nil }
		return library(name, remark, parse, func(fen string) func(int) uint64 { return open(fen, searchEntries) })
	}
	workloads := newWorkloads()
	for i, depth := range []int{12, 10, 12, 14} {
		workloads[i].depth, workloads[i].leaves = depth, nil
	}
	counted := map[string]uint64{}
	nodes := func(w workload, depth int) uint64 {
		at := fmt.Sprint(w.name, depth)
		if counted[at] == 0 {
			counted[at] = tuned.Open(w.fen, searchEntries)(depth)
		}
		return counted[at]
	}
	return []contest{{
		title: "A search of the same tree", unit: "node", node: "node", expected: nodes, nodes: nodes,
		workloads: workloads, references: 2, shortest: 250 * time.Millisecond, report: outcome.byWorkload,
		contenders: []contender{
			open("tuned board", "a plain board as tuned engines have it: search/tuned", tuned.Open),
			open(referenceName, "one list, Apply and the undo; exchanges of the tuned board", dragontooth.Open),
			open(ourName+"as its pages say", "search/position", position.Open),
		},
	}}
}
