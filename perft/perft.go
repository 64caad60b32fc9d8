// Package perft counts the leaves of trees of legal moves, to validate and compare move generators.
//
//	nodes, err := perft.Count(fianchetto.StartPosition(), 6) // 119060324
//
// Depths are in plies. [Count] and [Divide], which shows below which move a count is wrong, count
// on the calling goroutine. [Run] counts on all processors, with a hash table, a journal and
// progress reports, and can be cancelled. A [Counter] counts many positions with one hash table.
//
// Source: https://www.chessprogramming.org/Perft
package perft

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"strings"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/parallel"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
	"github.com/fianchetto-chess/fianchetto/perft/internal/simd"
)

// Errors of this package, to be tested with errors.Is.
const (
	ErrOverflow    fianchetto.Problem = "perft: the count does not fit into 64 bits"
	ErrDepth       fianchetto.Problem = "perft: depth out of range"
	errUnavailable fianchetto.Problem = "perft: method not available on this machine"
	ErrOptions     fianchetto.Problem = "perft: options out of range"
	ErrJournal     fianchetto.Problem = "perft: not the journal of this count"
)

// MaxDepth is the greatest depth that the functions of this package accept.
const MaxDepth = 1000

// Count returns the number of leaves depth plies below pos, which is 1 for depth 0. The errors are
// ErrDepth for a depth outside 0 to MaxDepth, and ErrOverflow if the count does not fit into 64
// bits.
func Count(pos fianchetto.Position, depth int) (uint64, error) {
	result, err := Run(context.Background(), pos, depth, Options{Threads: 1})
	return result.Nodes, err
}

func checkDepth(depth int) error {
	if depth < 0 || depth > MaxDepth {
		return fmt.Errorf("%w: %d is not in 0..%d", ErrDepth, depth, MaxDepth)
	}
	return nil
}

func threadCount(asked int) (int, error) {
	if asked < 0 || asked > MaxThreads {
		return 0, fmt.Errorf("%w: %d threads of 0..%d", ErrOptions, asked, MaxThreads)
	}
	return cmp.Or(asked, runtime.GOMAXPROCS(0)), nil
}

// MoveCount is the count of a root move.
type MoveCount struct {
	Move  fianchetto.Move // legal at the root
	Nodes uint64          // leaves below it
}

// Divide splits Count(pos, depth) by root move, in the order of generation. It returns nil for
// depth 0, and the errors of Count, even if only the sum overflows.
func Divide(pos fianchetto.Position, depth int) ([]MoveCount, error) {
	result, err := Run(context.Background(), pos, depth, Options{Threads: 1})
	return result.Moves, err
}

// The greatest values of Options. On Linux, Run also refuses a hash table that exceeds the memory
// available to the process.
const (
	MaxThreads = 4096
	MaxHashMB  = 1 << 20
)

// Options are the settings of Run.
type Options struct {
	Method  Method // 0 means Auto, the fastest
	Threads int    // 0 means GOMAXPROCS; 1 counts on the calling goroutine
	HashMB  int    // size of the hash table in MiB; 0 means no hash table

	// Table, if not nil, is the hash table to use, and HashMB must be 0. Runs can share a table,
	// also at the same time. Entries of earlier runs are replaced first.
	Table *Table

	// Counted, if not nil, is called when a root move is counted, with all such moves in the order
	// of completion and the number of root moves. Calls do not overlap.
	Counted func(done []MoveCount, moves int)

	// Progress, if not nil, is called when counting begins, after the hash table is allocated, and
	// after each task. Calls do not overlap.
	Progress func(Progress)

	// Journal, if not "", is the path of a file to which Run appends the count of each task. A
	// later run of the same position and depth resumes from it, whatever its other options. Tasks
	// with damaged lines are counted again.
	Journal string
}

// Progress counts the tasks of a run: trees of about the same depth below the root moves.
type Progress struct {
	Done, Tasks int    // counted tasks, and all tasks
	Nodes       uint64 // leaves of the counted tasks
}

// Result is the result of Run. After an interruption it covers the completely counted root moves.
type Result struct {
	Nodes   uint64      // leaves
	Moves   []MoveCount // root moves, in the order of generation
	Method  Method      // method used, never Auto
	Threads int         // threads used
	Probes  uint64      // lookups in the hash table
	Hits    uint64      // successful lookups
	Tasks   int         // all tasks
	Resumed int         // tasks counted by an earlier run, according to the journal
	Refused int         // unused lines of the journal: damaged, or not of this run
}

// Method is a way to count the last two plies. All return the same counts. On one core of an Intel
// Xeon with AVX-512, TwoPly is 2.2 times as fast as Plain, and SIMD 2.9 times. With GOAMD64=v3
// instead of v1, Plain gains 16% and TwoPly 21%.
type Method uint8

const (
	// Auto selects the fastest available method: SIMD, or otherwise TwoPly.
	Auto Method = iota
	// Plain makes the moves of all plies except the last and counts the last ply in bulk.
	Plain
	// TwoPly sums the replies to all moves of a position from the changes that each move makes.
	TwoPly
	// SIMD sums the replies to most moves likewise and makes the other moves eight at a time. A
	// Counter measures both, and counts by TwoPly where that is faster, as on sparse boards. SIMD
	// needs a processor with AVX-512, VBMI2, VPOPCNTDQ, GFNI and BMI2, such as AMD since Zen 4 and
	// Intel Xeon since Ice Lake.
	SIMD
)

var methodNames = quote.Names[Method]{Type: "Method", List: []string{"auto", "plain", "two-ply", "simd"}}

// String returns the name of the method.
func (m Method) String() string { return methodNames.String(m) }

// MarshalText returns the name of the method. An invalid value is an error.
func (m Method) MarshalText() ([]byte, error) { return methodNames.Text(m) }

// UnmarshalText reads the name of a method. After an error m is unchanged.
func (m *Method) UnmarshalText(text []byte) error {
	if methodNames.ReadText(m, text) != nil {
		return fmt.Errorf("perft: unknown method: %s (want %s)", quote.Text(string(text), 0),
			strings.Join(methodNames.List, ", "))
	}
	return nil
}

// Available reports whether this machine can count by the method.
func (m Method) Available() bool {
	return m < SIMD || m == SIMD && simd.Available()
}

// resolve replaces Auto by the fastest available method. It refuses invalid and unavailable
// methods.
func (m Method) resolve() (Method, error) {
	switch {
	case int(m) >= len(methodNames.List):
		return m, fmt.Errorf("%w: %v", ErrOptions, m)
	case !m.Available():
		return m, fmt.Errorf("%w: %v", errUnavailable, m)
	case m != Auto:
		return m, nil
	case SIMD.Available():
		return SIMD, nil
	}
	return TwoPly, nil
}

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
