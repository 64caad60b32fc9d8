package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli"
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
		return errors.Join(err, cli.Print(cmd, false, nil, table.positions()))
	case err != nil:
		return err
	}
	if !o.json {
		defer fmt.Fprintf(cmd.ErrOrStderr(), "%.3f s\n", table.Seconds)
	}
	return cli.Print(cmd, o.json, table, table.text(o.wide))
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

// text is the table that was gathered, and its last count again.
func (t *depthTable) text(wide bool) string {
	switch {
	case t.Unique == nil:
		return t.statistics(wide) + fmt.Sprintf("Nodes searched: %d\n", t.Nodes)
	case t.Depth == 0:
		return "Distinct positions: 1\n"
	}
	return t.positions() + fmt.Sprintf("Distinct positions: %d\n", t.Unique[t.Depth-1].Positions)
}

// statistics is the table of perft.Stats, in 80 columns unless it may be wide.
func (t *depthTable) statistics(wide bool) string {
	head := "depth\tnodes\tcapt\te.p.\tcastl\tpromo\tcheck\tdir\tdisc\tboth\tdbl\tmate\tstale"
	format, padding := figures.Short, 1
	if wide {
		head = "depth\tnodes\tcaptures\ten passant\tcastles\tpromotions\tchecks\tdirect\tdiscovered\t" +
			"direct+discovered\tdouble discovered\tmates\tstalemates"
		format, padding = func(n uint64) string { return strconv.FormatUint(n, 10) }, 2
	}
	rows := [][]string{strings.Split(head, "\t")}
	for _, s := range t.Stats {
		var row []string
		for _, n := range [...]uint64{
			uint64(s.Depth), s.Nodes, s.Captures, s.EnPassant, s.Castles, s.Promotions, s.Checks, s.DirectChecks,
			s.SingleDiscoveredChecks, s.DirectDiscoveredChecks, s.DoubleDiscoveredChecks, s.Checkmates, s.Stalemates,
		} {
			row = append(row, format(n))
		}
		rows = append(rows, row)
	}
	return alignRight(rows, padding)
}

// positions is the table of distinct positions, as far as it goes.
func (t *depthTable) positions() string {
	rows := [][]string{{"depth", "positions"}}
	for _, u := range t.Unique {
		rows = append(rows, []string{strconv.Itoa(u.Depth), strconv.FormatUint(u.Positions, 10)})
	}
	return alignRight(rows, 2)
}

// alignRight returns rows below a head in columns, with so many spaces between them; nothing for a head alone.
func alignRight(rows [][]string, padding int) string {
	var text strings.Builder
	table := tabwriter.NewWriter(&text, 0, 0, padding, ' ', tabwriter.AlignRight)
	for _, row := range rows {
		fmt.Fprintln(table, strings.Join(row, "\t")+"\t")
	}
	table.Flush()
	if len(rows) == 1 {
		return ""
	}
	return text.String()
}
