package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/cluster/job"
	"github.com/fianchetto-chess/fianchetto/internal/lines"
)

func newTotalCommand() *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   "total --state DIR [FILE...]",
		Short: "Take in the results of leaf, and print the total if none is missing",
		Long: `Total reads results, as "fianchetto leaf" prints them, from files or stdin, into the journal in DIR, and prints,
if no task is missing, the leaves below each move at the root, sorted, and last "Nodes searched: N". Else it reports how many are
missing, and exits with 2; "fianchetto tasks" prints them.

A result that is there already adds nothing; one that differs from it is an error, with both named, and exit code 1. A
line that is not a result, or is of another build, is named on stderr, and the rest is taken in all the same; the exit code
is then 2 even if the total is printed.`,
		Example: `  fianchetto tasks --depth 4 --state four | fianchetto leaf > four.results; fianchetto total --state four four.results`,
		RunE: func(cmd *cobra.Command, files []string) (err error) {
			stdin := bufio.NewReader(waitingReader{cmd.Context(), io.NopCloser(cmd.InOrStdin())})
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
			s, err := openState(cmd, dir, j)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, s.close()) }()
			if err := s.takeFiles(cmd.Context(), stdin, files, cmd.ErrOrStderr()); err != nil {
				return err
			}
			return errors.Join(s.writeTotal(cmd.OutOrStdout()), mismatchesOf(s.ledger), s.refusal())
		},
	}
	registerState(cmd, &dir, "`DIR` of the run")
	return cmd
}

// takeFiles takes in the results in files, or on stdin if there is none.
func (s *state) takeFiles(ctx context.Context, stdin io.Reader, files []string, diagnostics io.Writer) error {
	if len(files) == 0 {
		return s.take(stdin, "stdin", diagnostics)
	}
	for _, name := range files {
		file, err := openInput(ctx, name, stdin)
		if err != nil {
			return err
		}
		err = s.take(file, name, diagnostics)
		if err := errors.Join(err, file.Close()); err != nil {
			return err
		}
	}
	return nil
}

// keptTogether is how many results are made safe with one fsync.
const keptTogether = 1 << 10

// take takes in the results of a file.
func (s *state) take(file io.Reader, name string, diagnostics io.Writer) error {
	var fresh []*job.Result
	number := 0
	for line, err := range lines.Read(file, maxTaskLine) {
		number++
		var r *job.Result
		switch {
		case err == nil:
			r, err = s.accept(bytes.TrimSpace(line))
		case !errors.Is(err, lines.ErrTooLong):
			err = &ioError{err}
		}
		switch {
		case isRefusal(err):
			s.refused++
			fmt.Fprintf(diagnostics, "%s:%d: %v\n", name, number, err)
		case err != nil:
			return errors.Join(clusterError(fmt.Errorf("%s:%d: %w", name, number, err)), stateError(s.journal.Append(fresh...)))
		case r != nil:
			fresh = append(fresh, r)
		}
		if len(fresh) == keptTogether {
			if err := s.journal.Append(fresh...); err != nil {
				return stateError(err)
			}
			fresh = fresh[:0]
		}
	}
	return stateError(s.journal.Append(fresh...))
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
	s.seconds += r.Elapsed.Seconds()
	return &r, nil
}

// isRefusal reports whether an error is that of one line, which changes nothing.
func isRefusal(err error) bool {
	var message *job.MessageError
	return errors.As(err, &message) || errors.Is(err, lines.ErrTooLong) || errors.Is(err, job.ErrBuild) || errors.Is(err, job.ErrJob) || errors.Is(err, job.ErrTask)
}

// writeTotal writes the divide and the total, or returns an error with how much is missing.
func (s *state) writeTotal(results io.Writer) error {
	sum := s.ledger.Summary()
	if !sum.Done {
		return fmt.Errorf("%s: there is no total yet; \"fianchetto tasks\" prints the tasks that are left", s.overview())
	}
	slices.SortFunc(sum.Divide, func(a, b job.Nodes) int { return strings.Compare(a.Move, b.Move) })
	var text strings.Builder
	for _, d := range sum.Divide {
		fmt.Fprintf(&text, "%s: %s\n", d.Move, d.Nodes)
	}
	fmt.Fprintf(&text, "Nodes searched: %s\n", sum.Nodes)
	_, err := io.WriteString(results, text.String())
	return err
}

// refusal returns an error if lines were refused.
func (s *state) refusal() error {
	if s.refused == 0 {
		return nil
	}
	return errors.New(plural(s.refused, "line is not a result", "lines are not results") + " of this run")
}
