// Command benchmarks measures Fianchetto and compares it with others: slider algorithms with each other, move
// generators, perft and an engine's work with dragontoothmg, with a further Go library, with any engine that speaks
// "go perft N", and with any program that prints a count and a time. It is a module of its own, so that its
// requirements stay out of the library's go.mod.
//
//	go run . bench       the ratios to dragontoothmg, in about a minute
//	go run . sliders     and so on: one part of it, printed
//	go run . --write     everything, into results/ and plots/
//
// Contenders take turns of half a second or more, in an order drawn anew each time, on one processor. A figure is the
// best of its rounds: other work of the machine only slows. Every count is checked: a wrong one ends the run with exit
// status 1.
//
// dragontoothmg is under the GPL, version 3, and so is a program built from this module; the library is not.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"slices"

	"github.com/spf13/cobra"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := newRoot().ExecuteContext(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "benchmarks:", err)
		os.Exit(1)
	}
}

// settings are what all parts share.
type settings struct {
	engines                         []string    // paths of programs that speak "go perft N"
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
				chosen = names[1:] // bench is for those in a hurry
			}
			return measure(cmd, s, chosen, int(rounds), write)
		},
	}
	flags := root.Flags()
	flags.UintVar(&rounds, "rounds", 0, "how often each contender has its turn; 0: as suits each part")
	flags.BoolVar(&write, "write", false, "write the results of each part to results/PART.md, and pictures to plots/")
	flags.StringArrayVar(&s.engines, "engine", nil,
		`program that speaks UCI and "go perft N", to compare with; may be repeated`)
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

// measure measures parts, prints or writes each, and names each contest on standard error when it begins.
func measure(cmd *cobra.Command, s *settings, names []string, rounds int, write bool) error {
	for _, p := range parts {
		if !slices.Contains(names, p.name) {
			continue
		}
		r := report{machine: machine()}
		for _, c := range p.contests(s) {
			if c.rounds = rounds; rounds == 0 {
				c.rounds = p.rounds
			}
			fmt.Fprintf(cmd.ErrOrStderr(), "%s: %s\n", p.name, c.title)
			o, err := c.run(cmd.Context())
			if err != nil {
				return err
			}
			r.tables = append(r.tables, o.tables()...)
			r.pictures = append(r.pictures, o.bars())
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
