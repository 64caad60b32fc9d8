package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/job"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/exit"
	"github.com/fianchetto-chess/fianchetto/internal/lines"
	"github.com/fianchetto-chess/fianchetto/perft"
)

func newLeafCommand() *cobra.Command {
	var (
		o    workerOptions
		name string
	)
	cmd := &cobra.Command{
		Use:   "leaf",
		Short: "Count the tasks on stdin, a line each, and print a line for each result",
		Long: `Leaf is a filter: it reads tasks, as "fianchetto-cluster tasks" prints them, one on a line, and prints for each a line with
its result, as "fianchetto-cluster total" reads them, when it is counted. It needs no network and no directory, and keeps
nothing. So whatever can give lines to processes can drive it.

In a Slurm array of 100 jobs of 8 processors, then again for what is missing:

  fianchetto-cluster tasks --depth 11 --state eleven | split -n r/100 -d -a 3 - part.
  sbatch --array=0-99 --cpus-per-task=8 --wrap \
    'i=$(printf %03d $SLURM_ARRAY_TASK_ID); fianchetto-cluster leaf --hash 4096 < part.$i > result.$i'
  cat result.* | fianchetto-cluster total --state eleven

In a Kubernetes job with completionMode Indexed the number is $JOB_COMPLETION_INDEX; in Spark it is
sc.textFile("tasks").pipe("fianchetto-cluster leaf").saveAsTextFile("results").

A line that is not a task, or is of another build, ends it with exit code 2; what was counted before is printed.`,
		Example: `  fianchetto-cluster tasks --depth 4 --state four | fianchetto-cluster leaf --hash 16 | fianchetto-cluster total --state four`,
		Args:    cli.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := job.CheckName(name, ""); err != nil {
				return fmt.Errorf("--worker: %w", err)
			}
			method, err := perft.ParseMethod(o.method)
			if err != nil {
				return fmt.Errorf("--method: %w", err)
			}
			if err := cli.CheckThreads("threads", o.threads); err != nil {
				return err
			}
			memory, err := job.NewMemory(o.hash)
			if err != nil {
				return fmt.Errorf("--hash: %w", err)
			}
			job.Build() // while the executable is the one that runs
			f := &filter{results: cmd.OutOrStdout()}
			return f.run(cmd.Context(), cmd.InOrStdin(), max(o.threads, 1), func() *job.Counter { return memory.NewCounter(name, method) })
		},
	}
	o.register(cmd)
	cmd.Flags().IntVar(&o.threads, "threads", runtime.GOMAXPROCS(0), "count on `N` threads, a task each")
	cmd.Flags().StringVar(&name, "worker", processName(), "the `NAME` of the worker in the results")
	return cmd
}

// filter turns lines of tasks into lines of results.
type filter struct {
	lines chan line

	mutex   sync.Mutex // guards results
	results io.Writer
}

// line is a line of the input.
type line struct {
	number int
	text   []byte
}

// maxTaskLine is longer than the line of any task.
const maxTaskLine = 2 << 20

// run counts the tasks that are read, on a number of threads, until all are counted or one has failed.
func (f *filter) run(ctx context.Context, tasks io.Reader, threads int, newCounter func() *job.Counter) error {
	f.lines = make(chan line)
	group, counting := errgroup.WithContext(ctx)
	for range threads {
		group.Go(func() error { return f.countAll(counting, newCounter()) })
	}
	reading := make(chan error, 1)
	go func() { // not in the group: it may wait for a line that never comes
		reading <- f.read(counting, tasks)
		close(f.lines)
	}()
	err := group.Wait()
	if ctx.Err() != nil {
		return fmt.Errorf("leaf %w; the results that are printed are whole", exit.ErrInterrupted)
	}
	if err != nil {
		return err
	}
	return <-reading // the group ended because the lines did
}

// read hands out the lines.
func (f *filter) read(ctx context.Context, tasks io.Reader) error {
	number := 0
	for text, err := range lines.Read(tasks, maxTaskLine) {
		number++
		switch {
		case errors.Is(err, lines.ErrTooLong):
			return fmt.Errorf("line %d: %w", number, err)
		case err != nil:
			return exit.IO(fmt.Errorf("reading the tasks: %w", err))
		case len(bytes.TrimSpace(text)) == 0:
			continue
		}
		select {
		case f.lines <- line{number, bytes.Clone(text)}:
		case <-ctx.Done():
			return nil
		}
	}
	return nil
}

// countAll counts tasks until there is no more, one has failed, or ctx is done.
func (f *filter) countAll(ctx context.Context, counter *job.Counter) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case l, ok := <-f.lines:
			if !ok {
				return nil
			}
			if err := f.count(ctx, counter, l); err != nil {
				return err
			}
		}
	}
}

// count counts the task of a line and prints its result.
func (f *filter) count(ctx context.Context, counter *job.Counter, l line) error {
	var task job.Task
	if err := task.UnmarshalText(bytes.TrimSpace(l.text)); err != nil {
		return fmt.Errorf("line %d: %w", l.number, err)
	}
	if err := job.CheckBuild(fmt.Sprintf("task %d", task.Index), task.Build); err != nil {
		return fmt.Errorf("line %d: %w", l.number, err)
	}
	if task.Avoids(counter.Worker()) {
		return fmt.Errorf("line %d: task %d is to be verified by another worker than %s", l.number, task.Index, counter.Worker())
	}
	result, err := counter.Count(ctx, &task)
	if err != nil {
		return fmt.Errorf("line %d: %w", l.number, err)
	}
	text, err := result.MarshalText()
	if err != nil {
		return err
	}
	f.mutex.Lock()
	defer f.mutex.Unlock()
	_, err = f.results.Write(append(text, '\n'))
	return err
}
