package job

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/fianchetto-chess/fianchetto/internal/core"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// Task is what a worker is asked to count: the leaves some plies below each of some positions.
//
// Its message has, after the head: the job's 16 bytes, index, depth, method, the number of workers to avoid and their
// names, the number of positions, and the positions, packed.
type Task struct {
	Job       ID
	Index     int
	Depth     int          // plies below the positions, 0 or more
	Method    perft.Method // how to count it; Auto is as the worker chooses
	Avoid     []string     // the owners of workers that must not count it
	Positions []core.State
	Build     string // of the program that made it
}

// The greatest numbers in a message.
const (
	maxIndex = 1<<31 - 1
	maxAvoid = 16
)

// Avoids reports whether a worker must not count the task.
func (t *Task) Avoids(worker string) bool { return slices.Contains(t.Avoid, Owner(worker)) }

func (t *Task) kind() kind { return kind{"task", "FiTk"} }

func (t *Task) code(c *coder) {
	c.head(&t.Build)
	c.bytes("job", t.Job[:])
	number(c, "index", &t.Index, maxIndex)
	number(c, "depth", &t.Depth, perft.MaxDepth)
	c.method(&t.Method)
	length(c, "avoid", &t.Avoid, maxAvoid)
	for i := range t.Avoid {
		c.text("avoid", &t.Avoid[i], maxName)
	}
	length(c, "number of positions", &t.Positions, MaxBatch)
	for i := range t.Positions {
		start := c.offset
		c.state(&t.Positions[i])
		if c.reads && c.err == nil {
			if _, err := positionOf(&t.Positions[i]); err != nil {
				c.fail("position", start, err)
			}
		}
	}
}

// Memory is what the counters of one process remember from task to task: a hash table for each method, so that what one
// method has counted wrong another does not find there.
type Memory struct {
	megabytes int
	mutex     sync.Mutex
	unused    *perft.Table // for the first method
	tables    map[perft.Method]*perft.Table
}

// NewMemory returns a memory with tables of a size in MiB, each made when it is first needed; with 0 there are none. It
// returns perft.ErrOptions if the machine cannot have one.
func NewMemory(megabytes int) (*Memory, error) {
	m := &Memory{megabytes: megabytes, tables: make(map[perft.Method]*perft.Table)}
	if megabytes == 0 {
		return m, nil
	}
	var err error
	m.unused, err = perft.NewTable(megabytes, 0)
	return m, err
}

// table returns the table of a method, nil if there is none. Each has another seed.
func (m *Memory) table(method perft.Method) (*perft.Table, error) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if m.megabytes == 0 || m.tables[method] != nil {
		return m.tables[method], nil
	}
	table, err := m.unused, error(nil)
	if table == nil {
		table, err = perft.NewTable(m.megabytes, uint64(len(m.tables))*0x9e3779b97f4a7c15)
	}
	if err == nil {
		m.unused, m.tables[method] = nil, table
	}
	return table, err
}

// Counter counts tasks, one at a time, for a worker. Counters of one memory share its tables.
type Counter struct {
	memory   *Memory
	worker   string
	method   perft.Method
	counters map[perft.Method]*perft.Counter // by the method that a task asks for
}

// NewCounter returns a counter that counts by method, but for tasks that ask for another.
func (m *Memory) NewCounter(worker string, method perft.Method) *Counter {
	return &Counter{memory: m, worker: worker, method: method, counters: make(map[perft.Method]*perft.Counter)}
}

// counter returns what counts the tasks that ask for a method.
func (c *Counter) counter(asked perft.Method) (*perft.Counter, error) {
	if c.counters[asked] != nil {
		return c.counters[asked], nil
	}
	resolved, err := perft.NewCounter(cmp.Or(asked, c.method), nil) // by which method, if that is Auto
	if err != nil {
		return nil, err
	}
	table, err := c.memory.table(resolved.Method())
	if err != nil {
		return nil, err
	}
	c.counters[asked], err = perft.NewCounter(resolved.Method(), table)
	return c.counters[asked], err
}

// Count counts a task. It returns ctx's error if ctx ends first, perft.ErrOverflow, ErrPosition, and the errors of the
// method and of the memory.
func (c *Counter) Count(ctx context.Context, t *Task) (*Result, error) {
	counter, err := c.counter(t.Method)
	if err != nil {
		return nil, err
	}
	start := time.Now()
	r := &Result{
		Job: t.Job, Index: t.Index, Depth: t.Depth,
		Method: counter.Method(),
		Worker: c.worker,
		Build:  Build(),
		Counts: make([]uint64, 0, len(t.Positions)),
	}
	for i := range t.Positions {
		pos, err := positionOf(&t.Positions[i])
		if err != nil {
			return nil, fmt.Errorf("task %d, position %d: %w", t.Index, i, err)
		}
		nodes, err := counter.Count(ctx, pos, t.Depth)
		if err != nil {
			return nil, fmt.Errorf("task %d, position %d (%s): %w", t.Index, i, pos.FEN(), err)
		}
		r.Counts = append(r.Counts, nodes)
	}
	r.Elapsed = time.Since(start)
	return r, nil
}
