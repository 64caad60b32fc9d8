package perft

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/figures"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// readDepth takes the depth from the argument, N or N..M, if it is not in the flag.
func (o *options) readDepth(cmd *cobra.Command, args []string) error {
	given := cmd.Flags().Changed("depth")
	switch {
	case len(args) == 0 && !given:
		return errors.New("perft needs a depth: fianchetto perft 5")
	case len(args) == 0:
		o.last = o.depth
		return nil
	case given || cli.IsPosition(args[0]):
		return cli.NoArguments(cmd, args)
	case len(args) > 1:
		return cli.NoArguments(cmd, args[1:])
	}
	first, last, isRange := strings.Cut(args[0], "..")
	if !isRange {
		last = first
	}
	var err error
	if o.depth, err = strconv.Atoi(first); err == nil {
		o.last, err = strconv.Atoi(last)
	}
	switch {
	case err != nil:
		return fmt.Errorf("%s is not a depth (5, or a range, 1..6)", quote.Text(args[0], 0))
	case o.last < o.depth:
		return fmt.Errorf("the range %s is empty", args[0])
	case isRange && (o.divide || o.journal != "" || o.stats || o.unique):
		return fmt.Errorf("a range of depths has no --divide, --journal, --stats or --unique (--stats and --unique have every depth up to N)")
	}
	return nil
}

// explainNegative explains a depth below 0, which is read as short flags; other errors of flags are explained as those of all commands.
func explainNegative(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) && strings.ContainsAny(unknown.GetSpecifiedName(), "0123456789") && unknown.GetSpecifiedShortnames() != "" {
		return fmt.Errorf("perft: depth out of range: -%s is not in 0..%d", quote.Plain(unknown.GetSpecifiedShortnames()), perft.MaxDepth)
	}
	return cmd.Root().FlagErrorFunc()(cmd, err)
}

// runRange counts one depth after the other, and prints each as soon as it is known.
func (o *options) runRange(cmd *cobra.Command, pos fianchetto.Position) error {
	out := cmd.OutOrStdout()
	for ; o.depth <= o.last; o.depth++ {
		report, err := o.count(cmd.Context(), pos, cmd.ErrOrStderr())
		switch {
		case err != nil:
			return err
		case o.json:
			err = json.NewEncoder(out).Encode(report)
		default:
			_, err = fmt.Fprintf(out, "depth %d: %d\n", o.depth, report.Nodes)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// The warning about a long count is made from counts that take a tenth of a second in all.
const (
	sampleTime = 100 * time.Millisecond
	longCount  = time.Hour
	millennium = 1000 * 365.25 * 24 * 60 * 60 // seconds
)

// warn reports how long a count will take if that is hours: before it begins, so that it can be begun in another way.
func (o *options) warn(ctx context.Context, pos *fianchetto.Position, diagnostics io.Writer) {
	const shortest = 6 // no position has so many moves that fewer plies take hours
	if o.depth < shortest || o.depth > perft.MaxDepth || o.journal != "" {
		return
	}
	nodes, depth, seconds := o.sample(ctx, pos)
	if depth < 2 || depth == o.depth {
		return
	}
	// The number of leaves grows by about the same factor every two plies.
	growth := math.Sqrt(nodes[depth] / max(1, nodes[depth-2]))
	estimate := nodes[depth] * math.Pow(growth, float64(o.depth-depth)) / (nodes[depth] / seconds)
	if estimate > longCount.Seconds() {
		duration := "about " + figures.Seconds(estimate)
		switch {
		case estimate > millennium:
			duration = "more than a thousand years"
		case o.hash.Given():
			duration = "at most " + duration
		}
		fmt.Fprintf(diagnostics, "%s at this rate; --journal FILE to be able to go on\n", duration)
	}
}

// sample counts from depth 1 on for a short time, and returns the counts, the last depth, and how long that took.
func (o *options) sample(ctx context.Context, pos *fianchetto.Position) (nodes []float64, depth int, seconds float64) {
	ctx, cancel := context.WithTimeout(ctx, sampleTime)
	defer cancel()
	method, err := perft.ParseMethod(cli.Canonical(o.method, perft.MethodNames()))
	nodes = []float64{1}
	for err == nil && depth < o.depth {
		start := time.Now()
		var result perft.Result
		if result, err = perft.Run(ctx, *pos, depth+1, perft.Options{Method: method, Threads: o.threads}); err == nil {
			depth, seconds = depth+1, time.Since(start).Seconds()
			nodes = append(nodes, float64(result.Nodes))
		}
	}
	return nodes, depth, max(seconds, 1e-6)
}
