package perft

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/parallel"
)

// Run counts the leaves depth plies below pos, in total and below each root move.
//
// The errors are ErrDepth, ErrOptions, ErrOverflow, ErrJournal, *fs.PathError if the journal cannot
// be read or written, and one for a method that is not Available. If ctx ends first, Run returns
// ctx.Err() with the completely counted root moves.
func Run(ctx context.Context, pos fianchetto.Position, depth int, options Options) (Result, error) {
	var threadsErr, tableErr, methodErr error
	options.Threads, threadsErr = threadCount(options.Threads)
	if options.Table != nil && options.HashMB != 0 {
		tableErr = fmt.Errorf("%w: a hash table, and %d MiB for a new one", ErrOptions, options.HashMB)
	}
	options.Method, methodErr = options.Method.resolve()
	if err := cmp.Or(checkDepth(depth), threadsErr, checkHashMB(options.HashMB), tableErr, methodErr); err != nil {
		return Result{}, err
	}
	if depth == 0 {
		return Result{Nodes: 1, Method: options.Method, Threads: 1}, nil
	}
	r := newRun(ctx, &pos, depth, options)
	if options.Journal != "" {
		if err := r.resume(options.Journal, journalJob(&pos, depth, depth-r.depth)); err != nil {
			return Result{}, err
		}
	}
	r.report()
	err := r.count()
	if r.journal != nil {
		err = cmp.Or(err, r.journal.close())
	}
	return r.result(err)
}

type run struct {
	ctx     context.Context
	options Options // with resolved method and number of threads
	depth   int     // greatest depth of a task
	table   *Table

	tasks   []task // without those counted in the journal
	resumed int    // tasks counted in the journal

	counters []*Counter // by thread
	roots    []root
	done     []MoveCount
	progress Progress
	journal  *taskJournal // nil: none
}

// task is a tree to count, at or below a root move.
type task struct {
	root  int
	pos   fianchetto.Position
	depth int
	moves string // the moves from the root position to pos
}

type root struct {
	move  fianchetto.Move
	tasks int // remaining tasks
	nodes checkedSum
}

// The tasks depend on position and depth only, so that a journal is valid for any later run.
const (
	enoughTasks = 1 << 10 // then no thread waits long for the last of the unequal tasks
	manyTasks   = 1 << 14 // not split further, to save memory
	longTask    = 8       // plies, because an interruption would lose the seconds of a deeper task
)

func newRun(ctx context.Context, pos *fianchetto.Position, depth int, options Options) *run {
	r := &run{ctx: ctx, options: options, depth: depth - 1}
	switch {
	case options.Table != nil:
		r.table = options.Table
		r.table.age.Add(1)
	case options.HashMB > 0:
		// Allocating a large table takes longer than a small count.
		if size := min(options.HashMB, 8*autoHashMB(*pos, depth, math.MaxUint64)); size > 0 {
			r.table = newTable(size, 0)
			r.table.touch(ctx, options.Threads)
		}
	}
	for i, m := range pos.AppendLegal(nil) {
		r.roots = append(r.roots, root{move: m})
		r.tasks = append(r.tasks, task{i, pos.After(m), depth - 1, pos.UCI(m)})
	}
	r.split()
	for _, t := range r.tasks {
		r.roots[t.root].tasks++
	}
	r.progress.Tasks = len(r.tasks)
	return r
}

// split replaces the tasks by those one ply below until there are enough or they are too small. A
// position without moves remains a task, because its root move must be completed.
func (r *run) split() {
	var buffer [256]fianchetto.Move
	for r.depth > pollDepth && (len(r.tasks) < enoughTasks || len(r.tasks) < manyTasks && r.depth >= longTask) {
		var smaller []task
		for _, t := range r.tasks {
			moves := t.pos.AppendLegal(buffer[:0])
			if len(moves) == 0 {
				smaller = append(smaller, task{t.root, t.pos, t.depth - 1, t.moves})
			}
			for _, m := range moves {
				smaller = append(smaller, task{t.root, t.pos.After(m), t.depth - 1, t.moves + " " + t.pos.UCI(m)})
			}
		}
		r.tasks, r.depth = smaller, r.depth-1
	}
}

func (r *run) resume(path, job string) error {
	j, err := openJournal(path, job)
	if err != nil {
		return err
	}
	r.journal = j
	left := r.tasks[:0]
	for _, t := range r.tasks {
		if nodes, counted := j.counts[t.moves]; counted {
			if err := r.addCounted(&t, nodes); err != nil {
				return errors.Join(err, j.close())
			}
			r.resumed++
		} else {
			left = append(left, t)
		}
	}
	r.tasks = left
	return nil
}

func (r *run) count() error {
	return parallel.Do(r.options.Threads, len(r.tasks), func() func(int) (uint64, error) {
		c := newCounter(r.options.Method, r.table)
		r.counters = append(r.counters, c)
		return func(i int) (uint64, error) { return c.Count(r.ctx, r.tasks[i].pos, r.tasks[i].depth) }
	}, r.finish)
}

func (r *run) finish(i int, nodes uint64) error {
	if r.journal != nil {
		if err := r.journal.record(r.tasks[i].moves, nodes); err != nil {
			return err
		}
	}
	err := r.addCounted(&r.tasks[i], nodes)
	if err == nil {
		r.report()
	}
	return err
}

func (r *run) report() {
	if r.options.Progress != nil {
		r.options.Progress(r.progress)
	}
}

func (r *run) addCounted(t *task, nodes uint64) error {
	root := &r.roots[t.root]
	if err := root.nodes.add(nodes); err != nil {
		return err
	}
	r.progress.Done++
	r.progress.Nodes += nodes
	if root.tasks--; root.tasks == 0 {
		r.done = append(r.done, MoveCount{root.move, uint64(root.nodes)})
		if r.options.Counted != nil {
			r.options.Counted(r.done, len(r.roots))
		}
	}
	return nil
}

func (r *run) result(failure error) (Result, error) {
	result := Result{Method: r.options.Method, Threads: r.options.Threads, Tasks: r.progress.Tasks,
		Resumed: r.resumed}
	for _, c := range r.counters {
		result.Probes += c.probes
		result.Hits += c.hits
	}
	if r.journal != nil {
		result.Refused = r.journal.discarded + len(r.journal.counts) - r.resumed
	}
	var total checkedSum
	for _, root := range r.roots {
		if root.tasks > 0 {
			continue
		}
		result.Moves = append(result.Moves, MoveCount{root.move, uint64(root.nodes)})
		if err := total.add(uint64(root.nodes)); err != nil {
			return result, err
		}
	}
	result.Nodes = uint64(total)
	return result, failure
}
