package main

import (
	"fmt"
	"runtime"
	"slices"

	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto/perft"
)

// part is one part of the comparison.
type part struct {
	name    string
	short   string // what it measures
	rounds  int    // how often each contender has its turn, unless asked otherwise
	measure func(cmd *cobra.Command, s *settings) (report, error)
}

// parts are all parts, in the order of the page of results.
var parts = []part{
	{"perft", "Count leaves: Fianchetto's methods and other generators, on one thread without a hash table", 5,
		inContests(perftContest)},
	{"moves", "List and make every move, as an engine does", 9, inContests(movesContest)},
	{"evaluation", "Evaluate by sets, alone and with every move listed and made", 9, inContests(evaluationContests)},
	{"depths", "The cost of counting by depth, with and without a hash table, on one thread and on all", 3, depthsPart},
	{"hashed", "Count deep with a hash table", 3, inContests(hashedContest)},
	{"sliders", "Look up attacks by every slider algorithm: time, table size, warm and thrashed caches", 5,
		slidersPart},
}

// inContests measures a part by contests, one after the other.
func inContests(contests func(*settings) []contest) func(*cobra.Command, *settings) (report, error) {
	return func(cmd *cobra.Command, s *settings) (r report, err error) {
		for _, c := range contests(s) {
			o, err := s.hold(cmd, c)
			if err != nil {
				return report{}, err
			}
			r.tables = append(r.tables, o.tables()...)
			for _, p := range c.pictures {
				r.pictures = append(r.pictures, o.picture(p))
			}
		}
		return r, nil
	}
}

// bulkContest is about leaves: the last ply is counted, not made.
func bulkContest(workloads []workload, contenders ...contender) contest {
	return contest{
		title:      "Perft",
		unit:       "leaf",
		expected:   func(w workload, depth int) uint64 { return w.leaves[depth] },
		workloads:  workloads,
		contenders: contenders,
		references: 1,
	}
}

// makeContest is about moves: all legal moves of all nodes are listed and made, those of the last ply too.
// One ply less suffices for that.
func makeContest(workloads []workload, contenders ...contender) contest {
	c := bulkContest(slices.Clone(workloads), contenders...)
	c.title, c.unit, c.expected = "Generate and make every move", "move", workload.moves
	for i := range c.workloads {
		c.workloads[i].depth--
	}
	return c
}

// evaluatedPlies is how far below a workload's root the evaluated positions are: they fit into a cache.
const evaluatedPlies = 2

// evaluationContests are about evaluation alone, and about makeContest with every position evaluated.
func evaluationContests(s *settings) []contest {
	alone := bulkContest(slices.Clone(s.workloads), evaluateReferenceAlone(), evaluateAlone())
	alone.title, alone.unit = "Evaluate by sets", "position"
	for i := range alone.workloads {
		alone.workloads[i].depth = evaluatedPlies
	}
	made := makeContest(s.workloads, referenceMake(true), copyMake(true))
	made.title = "Generate, make and evaluate every move"
	made.pictures = []summary{{file: "evaluation", title: "Every move listed and made, every position evaluated"}}
	return []contest{alone, made}
}

// perftContest compares methods of counting and other generators.
func perftContest(s *settings) []contest {
	c := bulkContest(s.workloads, referencePerft())
	if s.gigantua != "" {
		gigantua := program{"Gigantua", []string{s.gigantua, "{fen}", "{depth}"}}
		c.contenders = append(c.contenders,
			gigantua.contender("in C++, its own process; counts and times as it prints them"))
		c.references = 2
	}
	c.contenders = append(c.contenders, s.bulk...)
	for _, path := range s.engines {
		c.contenders = append(c.contenders, enginePerft(path))
	}
	c.contenders = append(c.contenders, corentings().contender(false), notnil().contender(false))
	methods := methodContenders()
	c.contenders = append(c.contenders, methods...)
	plain := summary{file: "perft-plain", title: "Perft, the last ply counted, all others made"}
	for _, m := range methods[1:] {
		plain.without = append(plain.without, m.name)
	}
	c.pictures = []summary{plain, {file: "perft", title: "Perft on one thread, without a hash table"}}
	return []contest{c}
}

// movesContest compares what an engine does at every node.
func movesContest(s *settings) []contest {
	c := makeContest(s.workloads, append([]contender{referenceMake(false)}, s.makers...)...)
	c.references = len(c.contenders)
	c.contenders = append(c.contenders, copyMake(false), makeUnmake(), after(),
		corentings().contender(true), notnil().contender(true))
	c.pictures = []summary{{file: "moves", title: "Every move listed and made"}}
	return []contest{c}
}

// startpos returns the start position as a workload with the counts of depths 7 and 8 too.
// Source: https://www.chessprogramming.org/Perft_Results
func (s *settings) startpos() workload {
	start := s.workloads[0]
	start.leaves = append(slices.Clone(start.leaves), 3195901860, 84998978956)
	start.depth = len(start.leaves) - 1
	return start
}

// tableMB is the size of the hash table in MiB that deep counts are measured with.
const tableMB = 1024

// hashedContest measures counting with a hash table, in a tree deep enough to need one.
func hashedContest(s *settings) []contest {
	auto := counting("no table", "the fastest method, no hash table; one thread", perft.Options{Threads: 1})
	auto.fewer = 1
	c := bulkContest([]workload{s.startpos()}, auto)
	c.title = "Perft with a hash table"
	tables := []perft.Options{{HashMB: tableMB / 4, Threads: 1}, {HashMB: tableMB, Threads: 1}}
	if n := runtime.NumCPU(); n > 1 {
		tables = append(tables, perft.Options{HashMB: tableMB, Threads: n})
	}
	for _, table := range tables {
		const remark = "whole positions kept and compared, the table made anew for each count"
		name := fmt.Sprintf("%d MiB, %s", table.HashMB, threads(table.Threads))
		c.contenders = append(c.contenders, counting(name, remark, table))
	}
	c.contenders = append(c.contenders, s.hashed...)
	c.pictures = []summary{{file: "hashed", title: "Perft 8 of the start position with a hash table"}}
	return []contest{c}
}

func threads(n int) string {
	if n == 1 {
		return "1 thread"
	}
	return fmt.Sprintf("%d threads", n)
}

// depthsPart measures what a leaf parent costs, by depth. A leaf parent is a node one ply before the leaves: all
// work is done to count its leaves.
func depthsPart(cmd *cobra.Command, s *settings) (report, error) {
	const shallowest = 4
	all := threads(runtime.NumCPU())
	columns := []struct {
		name             string
		options          perft.Options
		shallow, deepest int // depths at which the table costs less than the count, and the count less than minutes
	}{
		{"plain, 1 thread", perft.Options{Method: perft.Plain, Threads: 1}, shallowest, 7},
		{"auto, 1 thread", perft.Options{Threads: 1}, shallowest, 7},
		{"hashed, 1 thread", perft.Options{Threads: 1, HashMB: tableMB}, 6, 8},
		{"auto, " + all, perft.Options{}, shallowest, 7},
		{"hashed, " + all, perft.Options{HashMB: tableMB}, 6, 8},
	}
	if runtime.NumCPU() == 1 {
		columns = columns[:3]
	}
	t := &table{
		title: "Cost by depth",
		notes: []string{fmt.Sprintf("The start position; nanoseconds for each leaf parent, which is a node one ply "+
			"before the leaves, the median of %d counts. Without a hash table a leaf parent costs the same at every "+
			"depth; with one (%d MiB, made anew for each count), the less the more of them repeat.",
			s.rounds, tableMB)},
		header: []string{"depth", "leaf parents"},
	}
	for _, c := range columns {
		t.header = append(t.header, c.name)
	}
	start := s.startpos()
	for depth := shallowest; depth < len(start.leaves); depth++ {
		start.depth = depth
		row := []string{fmt.Sprint(depth), fmt.Sprint(start.leaves[depth-1])}
		for _, c := range columns {
			if depth < c.shallow || depth > c.deepest {
				row = append(row, "")
				continue
			}
			o, err := s.hold(cmd, bulkContest([]workload{start}, counting(c.name, "", c.options)))
			if err != nil {
				return report{}, err
			}
			seconds := float64(start.leaves[depth]) / spreadOf(o.scores[0][0].rates).median
			row = append(row, fmt.Sprintf("%.3g", seconds*1e9/float64(start.leaves[depth-1])))
		}
		t.rows = append(t.rows, row)
	}
	return report{tables: []*table{t}}, nil
}
