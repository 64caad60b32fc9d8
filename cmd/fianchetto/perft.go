package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/perft"
)

type perftOptions struct {
	positionFlags
	depth  int
	divide bool
	json   bool
}

func newPerftCommand() *cobra.Command {
	var o perftOptions
	cmd := &cobra.Command{
		Use:   "perft --depth N",
		Short: "Count the leaves of the tree of legal moves",
		Long: `Perft counts the positions that are N plies away, move by move: the standard proof of a
move generator. The last ply is counted in bulk; one thread, no hash table.

Stdout has, with --divide, one line for each move at the root ("e2e4: 600"), sorted, and always
the line "Nodes searched: N". With --json it has one JSON object instead: fen, depth, nodes,
seconds, nps, method, and with --divide the list divide of objects with move and nodes. A count
above 2^53, which many readers of JSON would round, is a string. Time and speed go to stderr.`,
		Example: `  fianchetto perft --depth 6
  fianchetto perft --fen kiwipete --depth 4 --divide
  fianchetto perft --moves "e2e4 e7e5" --depth 5 --json
  fianchetto perft --chess960 --fen "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9" --depth 4`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			pos, err := o.position()
			if err != nil {
				return err
			}
			report, err := o.count(cmd.Context(), pos, newProgress(cmd.ErrOrStderr()))
			if err != nil {
				return err
			}
			if o.json {
				return report.writeJSON(cmd.OutOrStdout())
			}
			return report.writeText(cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	o.register(cmd)
	cmd.Flags().IntVar(&o.depth, "depth", 0, "how deep, `N` plies, 0 or more")
	cmd.Flags().BoolVar(&o.divide, "divide", false, "count below each move at the root, too")
	cmd.Flags().BoolVar(&o.json, "json", false, "print one JSON object instead of text")
	if err := cmd.MarkFlagRequired("depth"); err != nil {
		panic(err) // the flag does not exist: a mistake in this program
	}
	return cmd
}

// count runs the perft of pos and shows how far it is.
func (o *perftOptions) count(ctx context.Context, pos fianchetto.Position, progress *progress) (*perftReport, error) {
	start := time.Now()
	divided, err := perft.DivideContext(ctx, pos, o.depth, progress.update)
	progress.clear()
	elapsed := time.Since(start)
	switch {
	case err != nil && errors.Is(err, ctx.Err()):
		return nil, fmt.Errorf("perft %w after %.1f s, with %d of %d moves counted", errInterrupted, elapsed.Seconds(), len(divided), pos.CountLegal())
	case err != nil:
		return nil, err
	}
	report := newPerftReport(&pos, o.depth, divided, elapsed)
	if !o.divide {
		report.Divide = nil
	}
	return report, nil
}

// perftReport is what a perft found, in the form of its JSON.
type perftReport struct {
	FEN     string      `json:"fen"`
	Depth   int         `json:"depth"`
	Nodes   nodeCount   `json:"nodes"`
	Divide  []moveNodes `json:"divide,omitzero"`
	Seconds float64     `json:"seconds"`
	Speed   uint64      `json:"nps"`
	Method  string      `json:"method"`
}

type moveNodes struct {
	Move  string    `json:"move"`
	Nodes nodeCount `json:"nodes"`
}

func newPerftReport(pos *fianchetto.Position, depth int, divided []perft.MoveCount, elapsed time.Duration) *perftReport {
	r := &perftReport{FEN: pos.FEN(), Depth: depth, Divide: make([]moveNodes, 0, len(divided)), Method: "plain"}
	if depth == 0 {
		r.Nodes = 1 // the root is the leaf, and there is no move to divide by
	}
	for _, d := range divided {
		r.Nodes += nodeCount(d.Nodes)
		r.Divide = append(r.Divide, moveNodes{pos.UCI(d.Move), nodeCount(d.Nodes)})
	}
	slices.SortFunc(r.Divide, func(a, b moveNodes) int { return strings.Compare(a.Move, b.Move) })
	r.Seconds = max(elapsed, time.Nanosecond).Seconds()
	r.Speed = uint64(float64(r.Nodes) / r.Seconds)
	return r
}

// writeText writes the counts to results, and time and speed, which differ from run to run, to diagnostics.
func (r *perftReport) writeText(results, diagnostics io.Writer) error {
	var text strings.Builder
	for _, d := range r.Divide {
		fmt.Fprintf(&text, "%s: %d\n", d.Move, d.Nodes)
	}
	fmt.Fprintf(&text, "Nodes searched: %d\n", r.Nodes)
	_, err := io.WriteString(results, text.String())
	fmt.Fprintf(diagnostics, "%.3f s, %d nodes/s\n", r.Seconds, r.Speed)
	return err
}

func (r *perftReport) writeJSON(results io.Writer) error {
	return json.NewEncoder(results).Encode(r)
}

// nodeCount is a number of nodes. In JSON it is a number up to 2^53, the last that every reader of JSON
// keeps exactly, and a string beyond.
type nodeCount uint64

func (n nodeCount) MarshalJSON() ([]byte, error) {
	digits := strconv.FormatUint(uint64(n), 10)
	if n > 1<<53 {
		digits = strconv.Quote(digits)
	}
	return []byte(digits), nil
}
