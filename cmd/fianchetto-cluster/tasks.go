package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/cluster"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/job"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/monitor"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/exit"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/format"
	"github.com/fianchetto-chess/fianchetto/internal/lines"
)

func (p *program) tasks() error {
	l := p.Ledger()
	fmt.Fprintf(p.ErrOrStderr(), "%s\n%s\n", l.Description, monitor.Text("overview", cluster.NewStatus(l)))
	if err := errors.Join(p.saveLoaded(), p.Close()); err != nil { // before total, at the end of a pipe, opens it
		return err
	}
	out := bufio.NewWriter(p.OutOrStdout())
	for i := range l.Tasks {
		if want, wanted := l.Wanted(i); wanted {
			if _, err := out.Write(job.Line(l.Task(want))); err != nil {
				return err
			}
		}
	}
	return out.Flush()
}

// leaf counts the tasks on stdin, and writes a line for each result, until one fails.
func (p *program) leaf() error {
	const longest = 2 << 20 // bytes, more than any task's line
	job.Build()             // before the executable may be replaced
	group, counting := errgroup.WithContext(p.Context())
	group.SetLimit(max(p.options.Threads, 1))
	var writing sync.Mutex
	number := 0
	for line, err := range lines.Read(cli.NewReader(counting, io.NopCloser(p.InOrStdin())), longest) {
		number++
		place, text := number, bytes.Clone(bytes.TrimSpace(line))
		if counting.Err() != nil {
			break
		}
		if len(text) == 0 && err == nil {
			continue
		}
		group.Go(func() error {
			var result *job.Result
			task := new(job.Task)
			if err = cmp.Or(err, job.Read(text, task)); err == nil && task.Avoids(p.options.Name) {
				err = fmt.Errorf("task %d is to be verified by another worker than %s", task.Index, p.options.Name)
			}
			if err == nil {
				result, err = p.options.Count(counting, p.options.Name, task)
			}
			if err != nil {
				return fmt.Errorf("line %d: %w", place, err)
			}
			writing.Lock()
			defer writing.Unlock()
			_, err = p.OutOrStdout().Write(job.Line(result))
			return err
		})
	}
	err := group.Wait()
	if p.Context().Err() != nil {
		return fmt.Errorf("leaf %w; the results that are printed are whole", exit.ErrInterrupted)
	}
	return err
}

// awaitInput waits for stdin without files: in a pipe from tasks the state exists after that. Errors
// come again.
func (p *program) awaitInput() error {
	p.stdin = bufio.NewReader(cli.NewReader(p.Context(), io.NopCloser(p.InOrStdin())))
	if len(p.files) == 0 {
		_, _ = p.stdin.Peek(1)
		p.files = []string{"-"}
	}
	return nil
}

// total takes in results, and prints the total if none is missing.
func (p *program) total() (err error) {
	ctx, stop := p.broker.Bind(p.Context())
	defer stop(nil)
	defer func() { err = errors.Join(err, p.saveLoaded()) }()
	refused := 0
	for _, name := range p.files {
		n, err := p.takeFile(ctx, name)
		if refused += n; err != nil {
			return err
		}
	}
	summary := p.Ledger().Summary()
	if summary.Done {
		err = p.printTotal(&summary, nil)
	} else {
		err = fmt.Errorf("%s: there is no total yet; \"fianchetto-cluster tasks\" prints the tasks that are left",
			monitor.Text("overview", cluster.NewStatus(p.Ledger())))
		for _, d := range summary.Disagreements {
			err = errors.Join(err, errors.New(d.String()))
		}
		err = errors.Join(err, faultsOf(&summary))
	}
	if refused > 0 {
		err = errors.Join(err, errors.New(format.Plural(refused, "line is not a result", "lines are not results")+
			" of this run"))
	}
	return err
}

// takeFile takes in the results of a file, and with --remove removes it if it has no other lines,
// whose number it returns. It reports each of them. A torn last line does not count, because its
// writer was interrupted.
func (p *program) takeFile(ctx context.Context, name string) (refused int, err error) {
	const together = 1000
	file, err := cli.Open(ctx, name, p.stdin)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	report := func(line int, problem error) {
		fmt.Fprintf(p.ErrOrStderr(), "%s:%d: %v\n", cli.NameOf(name), line, problem)
	}
	var fresh []*job.Result // not stored yet
	store := func() (err error) {
		err, fresh = cluster.Store(ctx, p.broker, fresh), nil
		return err
	}
	unused, torn, err := lines.Recover(file, func(number int, line []byte) (used bool, err error) {
		if line = bytes.TrimSpace(line); len(line) == 0 {
			return true, nil
		}
		r, news, problem := p.Add(line)
		if problem != nil {
			refused++
			report(number, problem)
		}
		if news {
			fresh = append(fresh, r)
		}
		if len(fresh) == together {
			err = store()
		}
		return true, err
	})
	for _, line := range unused {
		refused++
		report(line, lines.ErrTooLong)
	}
	if torn > 0 {
		report(torn, errors.New("the line has no end, so its writer was interrupted"))
	}
	err = errors.Join(err, store())
	if info, gone := os.Lstat(name); err == nil && gone == nil && info.Mode().IsRegular() && p.remove && refused == 0 {
		err = exit.IO(os.Remove(name))
	}
	return refused, err
}
