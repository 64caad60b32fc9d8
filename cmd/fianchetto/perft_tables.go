package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/exit"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/figures"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/terminal"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// depthTable has what is known of each depth, in the form of its JSON.
type depthTable struct {
	FEN     string             `json:"fen"`
	Depth   int                `json:"depth"`
	Nodes   uint64             `json:"nodes,omitempty"`
	Stats   []perft.Statistics `json:"stats,omitzero"`
	Unique  []uniquePositions  `json:"unique,omitzero"`
	Seconds float64            `json:"seconds"`
	Speed   uint64             `json:"nps,omitempty"`
}

// uniquePositions is the number of distinct positions at a depth.
type uniquePositions struct {
	Depth     int    `json:"depth"`
	Positions uint64 `json:"positions"`
}

// runTable gathers the table that was asked for, and writes it.
func (o *perftOptions) runTable(cmd *cobra.Command, pos fianchetto.Position) error {
	table := depthTable{FEN: pos.FEN(), Depth: o.depth}
	gather := table.gatherStats
	if o.unique {
		gather = table.gatherUnique
	}
	start := time.Now()
	err := gather(cmd.Context(), pos, o.threads, cmd.ErrOrStderr())
	table.Seconds = max(time.Since(start), time.Nanosecond).Seconds()
	table.Speed = uint64(float64(table.Nodes) / table.Seconds)
	switch {
	case err != nil && errors.Is(err, cmd.Context().Err()):
		err = fmt.Errorf("perft %w after %.1f s", exit.ErrInterrupted, table.Seconds)
		if o.json {
			return err
		}
		return errors.Join(err, table.writePositions(cmd.OutOrStdout()))
	case err != nil:
		return err
	case o.json:
		return json.NewEncoder(cmd.OutOrStdout()).Encode(table)
	case o.unique:
		err = table.writeUnique(cmd.OutOrStdout())
	default:
		err = table.writeStats(cmd.OutOrStdout(), o.wide)
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "%.3f s\n", table.Seconds)
	return err
}

func (t *depthTable) gatherStats(ctx context.Context, pos fianchetto.Position, threads int,
	diagnostics io.Writer) error {
	progress := terminal.NewMeter(diagnostics)
	defer progress.End()
	progress.Update(perft.Progress{})
	stats, err := perft.Stats(ctx, pos, t.Depth, perft.Options{Threads: threads, Progress: progress.Update})
	if err != nil {
		return err
	}
	t.Stats, t.Nodes = append([]perft.Statistics{}, stats...), 1
	if t.Depth > 0 {
		t.Nodes = stats[t.Depth-1].Nodes
	}
	return nil
}

func (t *depthTable) gatherUnique(ctx context.Context, pos fianchetto.Position, threads int,
	diagnostics io.Writer) error {
	meter, at := terminal.NewMeter(diagnostics), 0
	defer func() { meter.End() }()
	positions, err := perft.Unique(ctx, pos, t.Depth, perft.Options{Threads: threads, Progress: func(p perft.Progress) {
		if p.Depth > at {
			meter.End()
			meter, at = terminal.NewMeter(diagnostics), p.Depth
			meter.Update(perft.Progress{Tasks: p.Tasks})
		}
		meter.Update(p)
	}})
	t.Unique = make([]uniquePositions, 0, len(positions))
	for i, n := range positions {
		t.Unique = append(t.Unique, uniquePositions{i + 1, n})
	}
	return err
}

// newTable returns a writer that aligns columns to the right.
func newTable(to io.Writer) *tabwriter.Writer {
	return tabwriter.NewWriter(to, 0, 0, 2, ' ', tabwriter.AlignRight)
}

// writeStats writes the table, in 80 columns unless it may be wide.
func (t *depthTable) writeStats(results io.Writer, wide bool) error {
	const short = "depth\tnodes\tcapt\te.p.\tcastl\tpromo\tcheck\tdir\tdisc\tboth\tdbl\tmate\tstale\t"
	const long = "depth\tnodes\tcaptures\ten " +
		"passant\tcastles\tpromotions\tchecks\tdirect\tdiscovered\tdirect+discovered\tdouble " +
		"discovered\tmates\tstalemates\t"
	head, format, table := short, figures.Short, tabwriter.NewWriter(results, 0, 0, 1, ' ', tabwriter.AlignRight)
	if wide {
		head, format, table = long, func(n uint64) string { return strconv.FormatUint(n, 10) }, newTable(results)
	}
	if len(t.Stats) > 0 {
		fmt.Fprintln(table, head)
	}
	for _, s := range t.Stats {
		for _, n := range [...]uint64{
			uint64(s.Depth), s.Nodes, s.Captures, s.EnPassant, s.Castles, s.Promotions, s.Checks, s.DirectChecks,
			s.SingleDiscoveredChecks,
			s.DirectDiscoveredChecks, s.DoubleDiscoveredChecks, s.Checkmates, s.Stalemates,
		} {
			fmt.Fprint(table, format(n), "\t")
		}
		fmt.Fprintln(table)
	}
	err := table.Flush()
	if err == nil {
		_, err = fmt.Fprintf(results, "Nodes searched: %d\n", t.Nodes)
	}
	return err
}

// writeUnique writes the positions at each depth, and those of the last again.
func (t *depthTable) writeUnique(results io.Writer) error {
	err := t.writePositions(results)
	last := uint64(1)
	if t.Depth > 0 {
		last = t.Unique[t.Depth-1].Positions
	}
	if err == nil {
		_, err = fmt.Fprintf(results, "Distinct positions: %d\n", last)
	}
	return err
}

// writePositions writes the table of distinct positions, as far as it goes.
func (t *depthTable) writePositions(results io.Writer) error {
	table := newTable(results)
	if len(t.Unique) > 0 {
		fmt.Fprintln(table, "depth\tpositions\t")
	}
	for _, u := range t.Unique {
		fmt.Fprintf(table, "%d\t%d\t\n", u.Depth, u.Positions)
	}
	return table.Flush()
}
