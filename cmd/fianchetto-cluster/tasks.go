package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"sync"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/coordinator"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/job"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/monitor"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/store"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/worker"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/exit"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/format"
	"github.com/fianchetto-chess/fianchetto/internal/lines"
)

func newTasksCommand() *cobra.Command {
	var (
		wanted specFlags
		dir    string
	)
	cmd := &cobra.Command{
		Use:  "tasks --state DIR",
		Args: cli.TakeAll(nil),
		RunE: func(cmd *cobra.Command, _ []string) error {
			spec, err := specOf(cmd, &wanted, dir)
			if err != nil {
				return err
			}
			s := new(state)
			if err := s.load(cmd, spec, dir); err != nil {
				return err
			}
			fmt.Fprintf(cmd.ErrOrStderr(), "%s\n%s\n", s.job.Description, monitor.Text("overview", coordinator.NewStatus(s.Ledger())))
			if err := s.saveLoaded(); err != nil { // before total, at the end of a pipe, opens it
				return err
			}
			return s.writeTasks(cmd.OutOrStdout())
		},
	}
	wanted.position.Register(cmd)
	wanted.register(cmd)
	requireState(cmd, &dir, "keep what is counted in `DIR`")
	return cmd
}

type specFlags struct {
	position cli.PositionFlags
	spec     job.Spec
}

func (f *specFlags) register(cmd *cobra.Command) {
	cmd.Flags().IntVar(&f.spec.Depth, "depth", 0, "how deep, `N` plies, 1 or more")
	cmd.Flags().IntVar(&f.spec.Split, "split", 0, "expand `K` plies; 0 chooses")
	cmd.Flags().IntVar(&f.spec.Batch, "batch", 0, "`N` positions in a task; 0 cuts by the time that they will take")
	cmd.Flags().BoolVar(&f.spec.Verify, "verify", false, "count everything twice, by different methods and workers")
	cmd.Flags().IntVar(&f.spec.Quorum, "quorum", 0,
		"`N` workers must agree on each count; from 2 on, this implies --verify")
}

func (f *specFlags) read() (job.Spec, error) {
	pos, err := f.position.Position()
	f.spec.FEN, f.spec.Chess960 = pos.FEN(), pos.IsChess960()
	f.spec.Verify = f.spec.Verify || f.spec.Quorum > 1
	if f.spec.Quorum == 1 || f.spec.Quorum == 2 { // as without and with --verify
		f.spec.Quorum = 0
	}
	return f.spec, err
}

// specOf returns the spec of the flags, or without --depth of the run in dir.
func specOf(cmd *cobra.Command, wanted *specFlags, dir string) (job.Spec, error) {
	if cmd.Flags().Changed("depth") {
		return wanted.read()
	}
	d, err := store.Describe(dir)
	if errors.Is(err, store.ErrNoRun) {
		err = fmt.Errorf("%w: a new one needs --depth", err)
	}
	return d.Spec, err
}

func (s *state) writeTasks(results io.Writer) error {
	out := bufio.NewWriter(results)
	for i := range s.job.Tasks {
		if want, wanted := s.Ledger().Wanted(i); wanted {
			if _, err := out.Write(job.Line(s.job.Task(want))); err != nil {
				return err
			}
		}
	}
	return out.Flush()
}

func newLeafCommand() *cobra.Command {
	var (
		f    workerFlags
		name string
	)
	cmd := &cobra.Command{
		Use:  "leaf",
		Args: cli.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := job.CheckName(name, ""); err != nil {
				return fmt.Errorf("--worker: %w", err)
			}
			options, err := f.read(name, nil)
			if err != nil {
				return err
			}
			job.Build() // before the executable may be replaced
			return countLines(cmd.Context(), options, cmd.InOrStdin(), cmd.OutOrStdout())
		},
	}
	f.register(cmd)
	cli.ThreadsVar(cmd.Flags(), &f.Threads, "threads", runtime.GOMAXPROCS(0), "count on `N` threads, a task each")
	cmd.Flags().StringVar(&name, "worker", processName(), "the `NAME` of the worker in the results")
	return cmd
}

// countLines writes a line for each result, until one fails.
func countLines(ctx context.Context, o worker.Options, tasks io.Reader, results io.Writer) error {
	const longest = 2 << 20 // bytes, more than any task's line
	group, counting := errgroup.WithContext(ctx)
	group.SetLimit(max(o.Threads, 1))
	var writing sync.Mutex
	number := 0
	for line, err := range lines.Read(cli.NewReader(counting, io.NopCloser(tasks)), longest) {
		number++
		place, text := number, bytes.Clone(bytes.TrimSpace(line))
		if counting.Err() != nil {
			break
		}
		if len(text) == 0 && err == nil {
			continue
		}
		group.Go(func() error {
			result, err := countLine(counting, o, text, err)
			if err != nil {
				return fmt.Errorf("line %d: %w", place, err)
			}
			writing.Lock()
			defer writing.Unlock()
			_, err = results.Write(job.Line(result))
			return err
		})
	}
	err := group.Wait()
	if ctx.Err() != nil {
		return fmt.Errorf("leaf %w; the results that are printed are whole", exit.ErrInterrupted)
	}
	return err
}

// countLine counts the task of a line. err is the error of reading the line.
func countLine(ctx context.Context, o worker.Options, text []byte, err error) (*job.Result, error) {
	var task job.Task
	if err == nil {
		err = job.Read(text, &task)
	}
	if err == nil && task.Avoids(o.Name) {
		err = fmt.Errorf("task %d is to be verified by another worker than %s", task.Index, o.Name)
	}
	if err != nil {
		return nil, err
	}
	return o.Count(ctx, o.Name, &task)
}

func newTotalCommand() *cobra.Command {
	var (
		asJSON, remove bool
		dir            string
	)
	cmd := &cobra.Command{
		Use:  "total --state DIR [FILE...]",
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, files []string) (err error) {
			stdin := bufio.NewReader(cli.NewReader(cmd.Context(), io.NopCloser(cmd.InOrStdin())))
			if len(files) == 0 {
				_, _ = stdin.Peek(1) // in a pipe from tasks the state exists by then; errors come again
				files = []string{"-"}
			}
			d, err := store.Describe(dir)
			if err != nil {
				return err
			}
			s := new(state)
			if err := s.load(cmd, d.Spec, dir); err != nil {
				return err
			}
			defer func() { err = errors.Join(err, s.saveLoaded()) }()
			refused := 0
			for _, name := range files {
				n, err := s.takeFile(cmd, stdin, name, remove)
				if refused += n; err != nil {
					return err
				}
			}
			err = s.printTotal(cmd, asJSON)
			if refused > 0 {
				err = errors.Join(err, errors.New(format.Plural(refused, "line is not a result", "lines are not results")+
					" of this run"))
			}
			return err
		},
	}
	requireState(cmd, &dir, "`DIR` of the run")
	cli.JSONVar(cmd.Flags(), &asJSON)
	cmd.Flags().BoolVar(&remove, "remove", false, "remove each FILE when all its results are in DIR")
	return cmd
}

// takeFile takes in the results of a file, and removes it if it has no other lines, whose number it
// returns. It reports each of them. A torn last line does not count, because its writer was
// interrupted.
func (s *state) takeFile(cmd *cobra.Command, stdin io.Reader, name string, remove bool) (refused int, err error) {
	const together = 1000
	file, err := cli.Open(cmd.Context(), name, stdin)
	if err != nil {
		return 0, err
	}
	report := func(line int, problem error) {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s:%d: %v\n", cli.NameOf(name), line, problem)
	}
	var fresh []*job.Result // that are not stored yet
	contents, err := lines.Recover(file, func(number int, line []byte) (used bool, err error) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			return true, nil
		}
		r, news, problem := s.Add(line)
		if problem != nil {
			refused++
			report(number, problem)
		}
		if news {
			fresh = append(fresh, r)
		}
		if len(fresh) == together {
			err = worker.Store(cmd.Context(), s.broker, fresh)
			fresh = nil
		}
		return true, err
	})
	for _, damage := range contents.Damage {
		if damage.Torn {
			report(damage.Line, errors.New("the line has no end, so its writer was interrupted"))
		} else {
			refused++
			report(damage.Line, lines.ErrTooLong)
		}
	}
	file.Close()
	err = errors.Join(err, worker.Store(cmd.Context(), s.broker, fresh))
	if info, gone := os.Lstat(name); err == nil && gone == nil && info.Mode().IsRegular() && remove && refused == 0 {
		err = exit.IO(os.Remove(name))
	}
	return refused, err
}

// printTotal prints the total, or returns an error that tells how much is missing.
func (s *state) printTotal(cmd *cobra.Command, asJSON bool) error {
	summary := s.Ledger().Summary()
	if summary.Done {
		return printTotal(cmd, asJSON, &summary, nil)
	}
	err := fmt.Errorf("%s: there is no total yet; \"fianchetto-cluster tasks\" prints the tasks that are left",
		monitor.Text("overview", coordinator.NewStatus(s.Ledger())))
	for _, d := range summary.Disagreements {
		err = errors.Join(err, errors.New(d.String()))
	}
	return errors.Join(err, faultsOf(&summary))
}
