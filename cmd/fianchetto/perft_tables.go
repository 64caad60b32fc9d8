package main

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
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
	err := gather(cmd, pos, o.threads)
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
	return cli.Print(cmd, o.json, table, table.text(o.wide, terminal.Width(cmd.OutOrStdout())))
}

func (t *depthTable) gatherStats(cmd *cobra.Command, pos fianchetto.Position, threads int) error {
	progress := terminal.NewMeter(cmd.ErrOrStderr())
	defer progress.End()
	progress.Update(perft.Progress{})
	stats, err := perft.Stats(cmd.Context(), pos, t.Depth, perft.Options{Threads: threads, Progress: progress.Update})
	if err != nil {
		return err
	}
	t.Stats, t.Nodes = append([]perft.Statistics{}, stats...), 1
	if t.Depth > 0 {
		t.Nodes = stats[t.Depth-1].Nodes
	}
	return nil
}

func (t *depthTable) gatherUnique(cmd *cobra.Command, pos fianchetto.Position, threads int) error {
	meter, at := terminal.NewMeter(cmd.ErrOrStderr()), 0
	defer func() { meter.End() }()
	progress := func(p perft.Progress) {
		if p.Depth > at {
			meter.End()
			meter, at = terminal.NewMeter(cmd.ErrOrStderr()), p.Depth
			meter.Update(perft.Progress{Tasks: p.Tasks})
		}
		meter.Update(p)
	}
	positions, err := perft.Unique(cmd.Context(), pos, t.Depth, perft.Options{Threads: threads, Progress: progress})
	t.Unique = make([]uniquePositions, 0, len(positions))
	for i, n := range positions {
		t.Unique = append(t.Unique, uniquePositions{i + 1, n})
	}
	return err
}

// text is the table that was gathered, so many columns wide, and its last count again.
func (t *depthTable) text(wide bool, columns int) string {
	switch {
	case t.Unique == nil:
		return t.statistics(wide, columns) + fmt.Sprintf("Nodes searched: %d\n", t.Nodes)
	case t.Depth == 0:
		return "Distinct positions: 1\n"
	}
	return t.positions() + fmt.Sprintf("Distinct positions: %d\n", t.Unique[t.Depth-1].Positions)
}

// statistics is the table of perft.Stats, so many columns wide, or with full names and digits.
func (t *depthTable) statistics(wide bool, columns int) string {
	head := "depth\tnodes\tcapt\te.p.\tcastl\tpromo\tcheck\tdir\tdisc\tboth\tdbl\tmate\tstale"
	format, padding := figures.Short, 1
	if wide {
		head = "depth\tnodes\tcaptures\ten passant\tcastles\tpromotions\tchecks\tdirect\tdiscovered\t" +
			"direct+discovered\tdouble discovered\tmates\tstalemates"
		format, padding, columns = func(n uint64) string { return strconv.FormatUint(n, 10) }, 2, math.MaxInt
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
	return alignRight(rows, padding, columns)
}

// positions is the table of distinct positions, as far as it goes.
func (t *depthTable) positions() string {
	rows := [][]string{{"depth", "positions"}}
	for _, u := range t.Unique {
		rows = append(rows, []string{strconv.Itoa(u.Depth), strconv.FormatUint(u.Positions, 10)})
	}
	return alignRight(rows, 2, math.MaxInt)
}

// alignRight returns rows below a head, with so many spaces before each cell; nothing for a head alone. What is wider
// than columns becomes several tables, each of which begins with the first cells.
func alignRight(rows [][]string, padding, columns int) string {
	if len(rows) == 1 {
		return ""
	}
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], padding+len(cell))
		}
	}
	var text strings.Builder
	for begin, end := 1, 1; begin < len(widths); begin = end {
		room := columns - widths[0]
		for ; end < len(widths) && (end == begin || room >= widths[end]); end++ {
			room -= widths[end]
		}
		for _, row := range rows {
			fmt.Fprintf(&text, "%*s", widths[0], row[0])
			for i := begin; i < end; i++ {
				fmt.Fprintf(&text, "%*s", widths[i], row[i])
			}
			fmt.Fprintln(&text)
		}
	}
	return text.String()
}
