// Package perft is the subcommand that counts the leaves of the tree of legal moves: in all, below each move, by depth, by what the moves are.
package perft

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/exit"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/figures"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/progress"
	"github.com/fianchetto-chess/fianchetto/perft"
)

type options struct {
	cli.PositionFlags
	depth   int
	last    int // of a range of depths; else depth
	divide  bool
	json    bool
	method  string
	hash    cli.HashSize
	threads int
	journal string
	stats   bool
	unique  bool
	wide    bool // tables
}

// NewCommand returns the subcommand perft.
func NewCommand() *cobra.Command {
	var o options
	cmd := &cobra.Command{
		Use:   "perft DEPTH",
		Short: "Count the leaves of the tree of legal moves",
		Long: `Perft counts the leaves of the tree of legal moves, DEPTH plies deep: the standard proof of a move generator. DEPTH may be a
range, 1..6. All methods, any number of threads and any size of hash table give the same count.

Stdout has the line "Nodes searched: N"; with --divide a line for each root move before it: "e2e4: 600". Progress, time and speed go
to stderr. Ctrl-C reports what is counted so far; with --journal FILE the same command goes on from there, whatever has happened.

A hash table makes a deep count many times faster. --hash auto gives it twice the room of the positions that the count will look up, but
at most half of the memory that is left.

The columns of --stats are nodes, captures, those en passant, castlings, promotions, checks, and of the checks the direct ones, the
discovered ones, those that are both, and the double discovered ones; then mates and stalemates.`,
		Example: `  fianchetto perft 6
  fianchetto perft 1..5 --fen kiwipete
  fianchetto perft 4 --fen kiwipete --divide
  fianchetto perft 6 --hash 1G --threads 2
  fianchetto perft 6 --journal six.journal
  fianchetto perft 5 --moves "e2e4 e7e5" --json
  fianchetto perft 4 --fen kiwipete --stats
  fianchetto perft 5 --unique
  fianchetto perft 4 --chess960 --fen "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"`,
		Args: o.readDepth,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("journal") && o.journal == "" {
				return errors.New("--journal is empty: it needs the name of a file")
			}
			if err := cli.CheckThreads("threads", o.threads); err != nil {
				return err
			}
			if o.wide && !o.stats {
				return errors.New("--wide is for --stats only")
			}
			pos, err := o.Position()
			if err != nil {
				return err
			}
			switch {
			case o.stats || o.unique:
				return o.runTable(cmd, pos)
			case o.last > o.depth:
				return o.runRange(cmd, pos)
			}
			o.warn(cmd.Context(), &pos, cmd.ErrOrStderr())
			report, err := o.count(cmd.Context(), pos, cmd.ErrOrStderr())
			if err != nil && !errors.Is(err, exit.ErrInterrupted) {
				return err
			}
			if err != nil {
				return errors.Join(err, report.writeDivide(cmd.OutOrStdout()))
			}
			if o.json {
				return report.writeJSON(cmd.OutOrStdout())
			}
			return report.writeText(cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	cmd.SetFlagErrorFunc(explainNegative)
	o.Register(cmd)
	cmd.Flags().BoolVar(&o.divide, "divide", false, "count below each root move, too")
	cmd.Flags().IntVar(&o.depth, "depth", 0, "how deep, `N` plies, 0 or more: the same as DEPTH")
	cli.HashVar(cmd.Flags(), &o.hash)
	cmd.Flags().IntVar(&o.threads, "threads", 0, "count on `N` threads; 0 is as many as there are processors")
	cmd.Flags().StringVar(&o.journal, "journal", "", "keep what is counted in `FILE`, and go on from what it has")
	cmd.Flags().StringVar(&o.method, "method", perft.Auto.String(), "how to count the last plies, a `NAME`: "+strings.Join(perft.MethodNames(), ", "))
	cli.JSONVar(cmd.Flags(), &o.json)
	o.registerTables(cmd)
	cli.Complete(cmd, "method", perft.MethodNames())
	return cmd
}

// count runs the perft of pos and shows how far it is. If it is interrupted the report has what is done.
func (o *options) count(ctx context.Context, pos fianchetto.Position, diagnostics io.Writer) (*report, error) {
	method, err := perft.ParseMethod(cli.Canonical(o.method, perft.MethodNames()))
	if err != nil {
		return nil, fmt.Errorf("--method: %w%s", err, cli.DidYouMean(o.method, perft.MethodNames()))
	}
	start, progress := time.Now(), progress.New(diagnostics)
	hash := o.hash.MegabytesFor(pos, o.depth)
	result, err := perft.Run(ctx, pos, o.depth, perft.Options{
		Method: method, Threads: o.threads, HashMB: hash, Progress: progress.Update, Journal: o.journal,
	})
	progress.End()
	if result.Refused > 0 {
		fmt.Fprintf(diagnostics, "%s of the journal left out: damaged, contradicted, or not of a task\n", figures.Things(result.Refused, "line"))
	}
	report := newReport(&pos, o.depth, &result, time.Since(start))
	report.HashMB = hash
	if before := progress.Before().Nodes; before > 0 && before <= result.Nodes {
		report.Speed = uint64(float64(result.Nodes-before) / report.Seconds) // the rest was counted another time
	}
	if !o.divide {
		report.Divide = nil
	}
	if err != nil && errors.Is(err, ctx.Err()) {
		return report, o.interruption(&result, progress.Done(), pos.CountLegal(), report.Seconds)
	}
	var journal *fs.PathError
	if errors.As(err, &journal) {
		return report, exit.IO(fmt.Errorf("the journal: %w", err))
	}
	return report, err
}

// interruption describes what was counted before a count of so many root moves was interrupted.
func (o *options) interruption(result *perft.Result, done perft.Progress, moves int, seconds float64) error {
	text := fmt.Sprintf("%d of %s counted, with %s nodes", len(result.Moves), figures.Plain(moves, "root move"), figures.Count(result.Nodes))
	hint := "; the same command goes on from the journal, which has them"
	switch {
	case len(result.Moves) > 0 && done.Nodes > result.Nodes:
		text += fmt.Sprintf(", and %s nodes below the others", figures.Count(done.Nodes-result.Nodes))
	case len(result.Moves) == 0 && done.Done > 0:
		text = fmt.Sprintf("%s nodes counted, none of %s to its end", figures.Count(done.Nodes), figures.Plain(moves, "root move"))
	case len(result.Moves) == 0:
		text, hint = "nothing is counted yet", ""
	}
	if 0 < done.Done && done.Done < done.Tasks {
		text += fmt.Sprintf("; %s of %s done", figures.Count(done.Done), figures.Things(done.Tasks, "task"))
	}
	if o.journal == "" {
		hint = "; --journal FILE keeps what is counted"
	}
	return fmt.Errorf("perft %w after %.1f s: %s%s", exit.ErrInterrupted, seconds, text, hint)
}
