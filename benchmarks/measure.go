package main

import (
	"context"
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/perft"
)

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
// One ply less does for that.
func makeContest(workloads []workload, contenders ...contender) contest {
	return contest{
		title:      "Generate and make every move",
		unit:       "move",
		expected:   workload.moves,
		workloads:  shallower(workloads, 1),
		contenders: contenders,
		references: 1,
	}
}

// makeAndEvaluateContest is makeContest with every position evaluated.
func makeAndEvaluateContest(workloads []workload, contenders ...contender) contest {
	c := makeContest(workloads, contenders...)
	c.title = "Generate, make and evaluate every move"
	return c
}

// evaluatedPlies is how deep below a workload's root the positions are that are evaluated: they fit into a cache.
const evaluatedPlies = 2

// evaluationContest is about evaluation alone.
func evaluationContest(workloads []workload, contenders ...contender) contest {
	c := bulkContest(workloads, contenders...)
	c.title, c.unit = "Evaluate by sets", "position"
	c.workloads = shallower(workloads, 0)
	for i := range c.workloads {
		c.workloads[i].depth = evaluatedPlies
	}
	return c
}

// perftPart compares methods of counting and other generators.
func perftPart(cmd *cobra.Command, s *settings) (report, error) {
	workloads, err := readWorkloads(s.testdata, plans)
	if err != nil {
		return report{}, err
	}
	c := bulkContest(workloads, referencePerft())
	bulk, err := s.programs(s.bulk, "its own process; counts and times as it prints them")
	if err != nil {
		return report{}, err
	}
	if s.gigantua != "" {
		gigantua := program{"Gigantua", []string{s.gigantua, "{fen}", "{depth}"}}
		c.contenders = append(c.contenders, gigantua.contender("in C++, its own process; counts and times as it prints them"))
		c.references = 2
	}
	c.contenders = append(c.contenders, bulk...)
	for _, path := range s.engines {
		c.contenders = append(c.contenders, enginePerft(path))
	}
	c.contenders = append(c.contenders, corentingsPerft(), notnilPerft())
	methods := methodContenders(cmd.Context())
	c.contenders = append(c.contenders, methods...)
	o, err := s.hold(cmd, c)
	if err != nil {
		return report{}, err
	}
	var notPlain []string
	for _, m := range methods[1:] {
		notPlain = append(notPlain, m.name)
	}
	return report{o.tables(), []picture{
		o.picture("perft-plain", "Perft, the last ply counted, all others made", notPlain...),
		o.picture("perft", "Perft on one thread, without a hash table"),
	}}, nil
}

// movesPart compares what an engine does at every node.
func movesPart(cmd *cobra.Command, s *settings) (report, error) {
	workloads, err := readWorkloads(s.testdata, plans)
	if err != nil {
		return report{}, err
	}
	programs, err := s.programs(s.makers, "its own process; counts and times as it prints them")
	if err != nil {
		return report{}, err
	}
	c := makeContest(workloads, append([]contender{referenceMake()}, programs...)...)
	c.references = len(c.contenders)
	c.contenders = append(c.contenders, copyMake(), makeUnmake(), after(), corentingsMake(), notnilMake())
	o, err := s.hold(cmd, c)
	if err != nil {
		return report{}, err
	}
	return report{o.tables(), []picture{o.picture("moves", "Every move listed and made")}}, nil
}

// evaluationPart compares the reading of sets.
func evaluationPart(cmd *cobra.Command, s *settings) (report, error) {
	workloads, err := readWorkloads(s.testdata, plans)
	if err != nil {
		return report{}, err
	}
	alone, err := s.hold(cmd, evaluationContest(workloads, evaluateReferenceAlone(), evaluateAlone()))
	if err != nil {
		return report{}, err
	}
	all, err := s.hold(cmd, makeAndEvaluateContest(workloads, referenceMakeAndEvaluate(), copyMakeAndEvaluate()))
	if err != nil {
		return report{}, err
	}
	return report{append(alone.tables(), all.tables()...), []picture{all.picture("evaluation", "Every move listed and made, every position evaluated")}}, nil
}

// methodContenders are all methods that this CPU has, on one thread without a hash table, plain first.
func methodContenders(ctx context.Context) []contender {
	remarks := map[string]string{
		"plain":   "every move but those of the last ply made, which is counted",
		"two-ply": "the last two plies counted at once, by what each move changes: most of the moves before the last are not made",
		"simd":    "positions counted side by side with vector instructions",
	}
	var contenders []contender
	for _, name := range perft.MethodNames() {
		method, err := perft.ParseMethod(name)
		if err != nil || method == perft.Auto {
			continue
		}
		options := perft.Options{Method: method, Threads: 1}
		if _, err := perft.Run(ctx, fianchetto.StartPosition(), 1, options); err != nil {
			continue // not on this CPU
		}
		contenders = append(contenders, counting(name, remarks[name], options))
	}
	return contenders
}

// startposDeep is how many leaves the start position has to depths 7 and 8.
// Source: https://www.chessprogramming.org/Perft_Results
var startposDeep = []uint64{3195901860, 84998978956}

// startpos is the start position as a workload to depth 8.
func startpos(s *settings) (workload, error) {
	workloads, err := readWorkloads(s.testdata, []plan{{"startpos", 6}})
	if err != nil {
		return workload{}, err
	}
	start := workloads[0]
	start.leaves = append(start.leaves, startposDeep...)
	start.depth = len(start.leaves) - 1
	return start, nil
}

// tableMB is the size of the hash table in MiB that deep counts are measured with.
const tableMB = 1024

const hashedRemark = "whole positions kept and compared, the table made anew for each count"

// hashedPart measures counting with a hash table, in a tree deep enough to need one.
func hashedPart(cmd *cobra.Command, s *settings) (report, error) {
	start, err := startpos(s)
	if err != nil {
		return report{}, err
	}
	auto := counting("no table", "the fastest method, no hash table; one thread", perft.Options{Threads: 1})
	auto.fewer = 1
	c := bulkContest([]workload{start}, auto)
	c.title = "Perft with a hash table"
	tables := []struct{ megabytes, threads int }{{tableMB / 4, 1}, {tableMB, 1}}
	if n := runtime.NumCPU(); n > 1 {
		tables = append(tables, struct{ megabytes, threads int }{tableMB, n})
	}
	for _, table := range tables {
		c.contenders = append(c.contenders, counting(fmt.Sprintf("%d MiB, %s", table.megabytes, threads(table.threads)),
			hashedRemark, perft.Options{HashMB: table.megabytes, Threads: table.threads}))
	}
	programs, err := s.programs(s.hashed, "its own process; counts and times as it prints them")
	if err != nil {
		return report{}, err
	}
	c.contenders = append(c.contenders, programs...)
	o, err := s.hold(cmd, c)
	if err != nil {
		return report{}, err
	}
	return report{o.tables(), []picture{o.picture("hashed", "Perft 8 of the start position with a hash table")}}, nil
}

func threads(n int) string {
	if n == 1 {
		return "1 thread"
	}
	return fmt.Sprintf("%d threads", n)
}

// depthsPart measures what a leaf parent costs, by depth. A leaf parent is a node one ply before the leaves: counting its leaves
// is what all work comes down to.
func depthsPart(cmd *cobra.Command, s *settings) (report, error) {
	start, err := startpos(s)
	if err != nil {
		return report{}, err
	}
	const shallowest = 4
	all := threads(runtime.NumCPU())
	columns := []struct {
		counted          contender
		shallow, deepest int // depths at which the table costs less than the count, and the count less than minutes
	}{
		{counting("plain, 1 thread", "", perft.Options{Method: perft.Plain, Threads: 1}), shallowest, 7},
		{counting("auto, 1 thread", "", perft.Options{Threads: 1}), shallowest, 7},
		{counting("hashed, 1 thread", "", perft.Options{Threads: 1, HashMB: tableMB}), 6, 8},
		{counting("auto, "+all, "", perft.Options{}), shallowest, 7},
		{counting("hashed, "+all, "", perft.Options{HashMB: tableMB}), 6, 8},
	}
	if runtime.NumCPU() == 1 {
		columns = columns[:3]
	}
	t := &table{
		title: "Cost by depth",
		notes: []string{fmt.Sprintf("The start position; nanoseconds for each leaf parent, which is a node one ply before the leaves, the median of %d counts. "+
			"Without a hash table a leaf parent costs the same at every depth; with one (%d MiB, made anew for each count), the less the more of them repeat.", s.rounds, tableMB)},
		header: []string{"depth", "leaf parents"},
	}
	for _, c := range columns {
		t.header = append(t.header, c.counted.name[len(ourName):])
	}
	for depth := shallowest; depth <= start.depth; depth++ {
		start := start
		start.depth = depth
		row := []string{fmt.Sprint(depth), fmt.Sprint(start.leaves[depth-1])}
		for _, c := range columns {
			if depth < c.shallow || depth > c.deepest {
				row = append(row, "")
				continue
			}
			o, err := s.hold(cmd, bulkContest([]workload{start}, c.counted))
			if err != nil {
				return report{}, err
			}
			seconds := float64(start.leaves[depth]) / spreadOf(o.scores[0][0].rates).median
			row = append(row, fmt.Sprintf("%.3g", seconds*1e9/float64(start.leaves[depth-1])))
		}
		t.add(row...)
	}
	return report{[]*table{t}, nil}, nil
}

// hold holds a contest with the rounds that were asked for.
func (s *settings) hold(cmd *cobra.Command, c contest) (outcome, error) {
	c.rounds = s.rounds
	return hold(cmd, c)
}
