package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/job"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/exit"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/figures"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/input"
	"github.com/fianchetto-chess/fianchetto/internal/lines"
)

func newTotalCommand() *cobra.Command {
	var (
		dir    string
		asJSON bool
	)
	cmd := &cobra.Command{
		Use:   "total --state DIR [FILE...]",
		Short: "Take in the results of leaf, and print the total if none is missing",
		Long: `Total reads results, as "fianchetto-cluster leaf" prints them, from files or stdin, into the journal in DIR, and prints,
if no task is missing, the leaves below each move at the root, sorted, and last "Nodes searched: N"; or with --json one JSON object: fen,
depth, split, nodes, divide, positions, tasks and, if there are any, mismatches. A count above 2^53 is a string. If tasks are missing it
reports how many, and exits with 2; "fianchetto-cluster tasks" prints them.

A result that is there already adds nothing; one that differs from it is an error, with both named, and exit code 1. A
line that is not a result, or is of another build, is named on stderr, and the rest is taken in all the same; the exit code
is then 2 even if the total is printed.`,
		Example: `  fianchetto-cluster tasks --depth 4 --state four | fianchetto-cluster leaf > four.results; fianchetto-cluster total --state four four.results`,
		RunE: func(cmd *cobra.Command, files []string) (err error) {
			stdin := bufio.NewReader(input.NewReader(cmd.Context(), io.NopCloser(cmd.InOrStdin())))
			if len(files) == 0 {
				_, _ = stdin.Peek(1) // in a pipe from tasks the journal is there by then; errors come again
			}
			d, err := describe(cmd, dir)
			if err != nil {
				return err
			}
			j, err := remake(cmd, d)
			if err != nil {
				return err
			}
			notice := func(text string) { fmt.Fprintln(cmd.ErrOrStderr(), text) }
			s, err := openState(cmd.Context(), dir, j, notice)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, s.close()) }()
			in := &intake{state: s, notice: notice}
			if err := in.takeFiles(cmd.Context(), stdin, files); err != nil {
				return err
			}
			return errors.Join(s.writeTotal(cmd.OutOrStdout(), asJSON), mismatchesOf(s.ledger), in.refusal())
		},
	}
	requireState(cmd, &dir, "`DIR` of the run")
	cli.JSONVar(cmd.Flags(), &asJSON)
	return cmd
}

// intake takes results from files into a state.
type intake struct {
	*state
	notice  func(text string)
	refused int // lines that are not results of the job
}

// takeFiles takes in the results in files, or on stdin if there is none.
func (in *intake) takeFiles(ctx context.Context, stdin io.Reader, files []string) error {
	if len(files) == 0 {
		return in.take(stdin, "stdin")
	}
	for _, name := range files {
		file, err := input.Open(ctx, name, stdin)
		if err != nil {
			return err
		}
		err = in.take(file, name)
		if err := errors.Join(err, file.Close()); err != nil {
			return err
		}
	}
	return nil
}

// keptTogether is how many results are made safe with one fsync.
const keptTogether = 1 << 10

// take takes in the results of a file.
func (in *intake) take(file io.Reader, name string) error {
	var fresh []*job.Result
	number := 0
	for line, err := range lines.Read(file, maxTaskLine) {
		number++
		var r *job.Result
		switch {
		case err == nil:
			r, err = in.accept(bytes.TrimSpace(line))
		case !errors.Is(err, lines.ErrTooLong):
			err = exit.IO(err)
		}
		switch {
		case isRefusal(err):
			in.refused++
			in.notice(fmt.Sprintf("%s:%d: %v", name, number, err))
		case err != nil:
			return errors.Join(runError(fmt.Errorf("%s:%d: %w", name, number, err)), stateError(in.journal.Append(fresh...)))
		case r != nil:
			fresh = append(fresh, r)
		}
		if len(fresh) == keptTogether {
			if err := in.journal.Append(fresh...); err != nil {
				return stateError(err)
			}
			fresh = fresh[:0]
		}
	}
	return stateError(in.journal.Append(fresh...))
}

// accept reads a result, if text is not empty, adds it to the ledger, and returns it if it is to be kept.
func (s *state) accept(text []byte) (*job.Result, error) {
	if len(text) == 0 {
		return nil, nil
	}
	var r job.Result
	if err := r.UnmarshalText(text); err != nil {
		return nil, err
	}
	if err := job.CheckBuild("worker "+r.Worker, r.Build); err != nil {
		return nil, err
	}
	r.Alone = false // other workers can be asked
	outcome, err := s.ledger.Add(&r)
	if err != nil || outcome.Standing == job.Duplicate && len(outcome.Mismatches) == 0 {
		return nil, err
	}
	return &r, nil
}

// isRefusal reports whether an error is that of one line, which changes nothing.
func isRefusal(err error) bool {
	var message *job.MessageError
	return errors.As(err, &message) || errors.Is(err, lines.ErrTooLong) || errors.Is(err, job.ErrBuild) || errors.Is(err, job.ErrJob) || errors.Is(err, job.ErrTask)
}

// writeTotal writes the divide and the total, or returns an error with how much is missing.
func (s *state) writeTotal(results io.Writer, asJSON bool) error {
	summary := s.ledger.Summary()
	if !summary.Done {
		return fmt.Errorf("%s: there is no total yet; \"fianchetto-cluster tasks\" prints the tasks that are left", s.overview())
	}
	t := newTotal(&summary)
	if asJSON {
		return json.NewEncoder(results).Encode(t)
	}
	return t.write(results)
}

// refusal returns an error if lines were refused.
func (in *intake) refusal() error {
	if in.refused == 0 {
		return nil
	}
	return errors.New(figures.Plural(in.refused, "line is not a result", "lines are not results") + " of this run")
}
