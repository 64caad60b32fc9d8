// Command benchmarks compares Fianchetto with other generators. README.md describes its parts.
//
//	go run . bench       print the ratios to dragontoothmg
//	go run . sliders     print one part
//	go run . --write     write all parts to results/, and a picture to plots/
//
// dragontoothmg is under the GPL, version 3, and so is a program built from this module.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto/perft"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := newRoot().ExecuteContext(ctx)
	if err != nil {
		fmt.Fprintln(os.Stderr, "benchmarks:", err)
	}
	os.Exit(exitCode(err))
}

func exitCode(err error) int {
	switch {
	case err == nil:
		return 0
	case errors.Is(err, errWrongCount):
		return 1
	case errors.Is(err, context.Canceled):
		return 130
	case errors.As(err, new(failure)):
		return 3
	}
	return 2
}

// failure is an error after the arguments were read.
type failure struct{ error }

func (f failure) Unwrap() error { return f.error }

type settings struct {
	bulk, makers, searchers, hashed []contender // further programs
	workloads                       []workload
}

func newRoot() *cobra.Command {
	s := &settings{workloads: newWorkloads()}
	rounds, write := uint(0), false
	names, list := []string{}, ""
	for _, p := range parts {
		names = append(names, p.name)
		list += fmt.Sprintf("  %-8s %s\n", p.name, p.short)
	}
	root := &cobra.Command{
		Use:   "benchmarks [PART...]",
		Short: "Measure Fianchetto, and compare it with others",
		Long: `Measure Fianchetto, and compare it with others. Parts:

` + list + `
A program to compare with is given as NAME=COMMAND. COMMAND is run with a FEN and a depth, at its end or where it has
{fen} and {depth}; it prints a count and the time it took on one line, such as "193690690 80.1ms". Other output is
ignored, and of several such lines the last one counts.`,
		ValidArgs:     names,
		Args:          cobra.OnlyValidArgs,
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE: func(cmd *cobra.Command, chosen []string) error {
			if len(chosen) == 0 {
				chosen = names[1:] // all except bench
			}
			if err := measure(cmd, s, chosen, int(rounds), write); err != nil {
				return failure{err}
			}
			return nil
		},
	}
	flags := root.Flags()
	flags.UintVar(&rounds, "rounds", 0, "how often each contender has its turn; 0: as suits each part")
	flags.BoolVar(&write, "write", false, "write the results of each part to results/PART.md, and the picture of pieces to plots/")
	for _, programs := range []struct {
		flag, usage string
		contenders  *[]contender
	}{
		{"bulk", "counts leaves; ratios to the first one get a column", &s.bulk},
		{"make", "lists and makes every move, and counts those", &s.makers},
		{"search", "does at every node what engine.go does, without exchanges, and counts moves", &s.searchers},
		{"hashed", "counts leaves with a hash table", &s.hashed},
	} {
		flags.Func(programs.flag, "program, `NAME=COMMAND`, that "+programs.usage+"; may be repeated",
			func(text string) error {
				program, err := parseProgram(text)
				*programs.contenders = append(*programs.contenders, program)
				return err
			})
	}
	return root
}

func measure(cmd *cobra.Command, s *settings, names []string, rounds int, write bool) error {
	for _, p := range parts {
		if !slices.Contains(names, p.name) {
			continue
		}
		r := report{machine: machine()}
		for _, c := range p.contests(s) {
			c.rounds = cmp.Or(rounds, p.rounds)
			fmt.Fprintf(cmd.ErrOrStderr(), "%s: %s\n", p.name, c.title)
			o, err := c.run(cmd.Context())
			if err != nil {
				return err
			}
			table, picture := c.report(o)
			r.tables, r.picture = append(r.tables, table), picture
		}
		fmt.Fprint(cmd.OutOrStdout(), r.text())
		if write {
			if err := r.write(p.name, "results", "plots"); err != nil {
				return err
			}
		}
	}
	return nil
}

type part struct {
	name     string
	short    string // what it measures
	rounds   int    // turns of each contender
	contests func(*settings) []contest
}

var parts = []part{
	{"bench", "In three minutes: perft, making moves, an engine's work, a search, beside dragontoothmg", 3, benchContests},
	{"perft", "Count leaves, on one thread without a hash table, on full and on sparse boards", 9, perftContests},
	{"pieces", "Count leaves of random positions, by the number of pieces", 3, piecesContest},
	{"moves", "List and make every move", 9, movesContest},
	{"engine", "Do at every node what an engine does: look up, list in stages, order, make, evaluate", 9, engineContest},
	{"search", "Search the same tree on a tuned board, on dragontoothmg's and on ours", 8, searchContest},
	{"hashed", "Count deep with a hash table", 4, hashedContest},
	{"sliders", "Look up attacks by every slider algorithm, with warm and thrashed caches", 20, slidersContests},
}

func bulkContest(workloads []workload, contenders ...contender) contest {
	return contest{
		title:      "Perft on one thread, without a hash table",
		unit:       "leaf",
		expected:   workload.leavesAt,
		node:       "leaf parent",
		nodes:      workload.parents,
		workloads:  workloads,
		contenders: contenders,
		references: 1,
		shortest:   500 * time.Millisecond,
		report:     outcome.byWorkload,
	}
}

func makeContest(workloads []workload, contenders ...contender) contest {
	c := bulkContest(slices.Clone(workloads), contenders...)
	c.title, c.unit, c.node = "Every move listed and made", "move", "move"
	c.expected, c.nodes = workload.moves, workload.moves
	for i := range c.workloads {
		c.workloads[i].depth--
	}
	return c
}

func perftContest(s *settings, contenders ...contender) contest {
	c := bulkContest(s.workloads, slices.Concat([]contender{referencePerft()}, s.bulk, contenders)...)
	c.references = 1 + min(len(s.bulk), 1)
	return c
}

func perftContests(s *settings) []contest {
	full := perftContest(s, slices.Insert(methodContenders(), 0, corentingsChess())...)
	sparse := full
	sparse.title = "Perft on sparse boards"
	sparse.workloads = sparseWorkloads()
	return []contest{full, sparse}
}

func movesContest(s *settings) []contest {
	c := makeContest(s.workloads, append([]contender{referenceMake()}, s.makers...)...)
	c.references = len(c.contenders)
	c.contenders = append(c.contenders, copyMake(), makeUnmake())
	return []contest{c}
}

// The other libraries have no exchanges.
func engineContest(s *settings) []contest {
	c := makeContest(s.workloads, append([]contender{searchingReference()}, s.searchers...)...)
	c.title, c.references = "What an engine does at every node", len(c.contenders)
	c.workloads[3].depth-- // the tree of the endgame is by far the largest
	c.contenders = append(c.contenders,
		searching("as its pages say", "two lists, CopyMake, sets in place; without exchanges", false),
		searching("with exchanges", "as its pages say, and SEEAtLeast of each noisy move", true))
	return []contest{c}
}

func benchContests(s *settings) []contest {
	methods := methodContenders()
	return []contest{
		perftContest(s, methods[0], methods[len(methods)-1]),
		makeContest(s.workloads, referenceMake(), copyMake()),
		engineContest(&settings{workloads: s.workloads})[0],
		searchContest(s)[0],
	}
}

// Source: https://www.chessprogramming.org/Perft_Results
func hashedContest(s *settings) []contest {
	start := s.workloads[0]
	start.leaves = append(slices.Clone(start.leaves), 3195901860, 84998978956)
	start.depth = len(start.leaves) - 1
	auto := counting("no table", "the fastest method on one thread", perft.Options{Threads: 1})
	auto.fewer = 1
	c := bulkContest([]workload{start}, auto)
	c.title = "Perft 8 of the start position, with a hash table"
	for _, table := range []perft.Options{{HashMB: 256, Threads: 1}, {HashMB: 1024, Threads: 1}, {HashMB: 1024}} {
		const remark = "a new table for each count"
		name := fmt.Sprintf("%d MiB, %d thread(s)", table.HashMB, cmp.Or(table.Threads, runtime.NumCPU()))
		c.contenders = append(c.contenders, counting(name, remark, table))
	}
	c.contenders = append(c.contenders, s.hashed...)
	return []contest{c}
}
