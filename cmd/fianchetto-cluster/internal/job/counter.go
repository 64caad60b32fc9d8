package job

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/fianchetto-chess/fianchetto/perft"
)

// Memory is what the counters of one process remember from task to task: a hash table for each method, so that what one method
// has counted wrong another does not find there.
type Memory struct {
	megabytes int
	mutex     sync.Mutex
	unused    *perft.Table // for the first method
	tables    map[perft.Method]*perft.Table
}

// NewMemory returns a memory with tables of a size in MiB, each made when it is first needed; with 0 there are none. It returns
// perft.ErrOptions if the machine cannot have one.
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

// Worker returns the name of the worker.
func (c *Counter) Worker() string { return c.worker }

// counter returns what counts the tasks that ask for a method.
func (c *Counter) counter(asked perft.Method) (*perft.Counter, error) {
	if c.counters[asked] != nil {
		return c.counters[asked], nil
	}
	method := asked
	if asked == perft.Auto {
		method = c.method
	}
	resolved, err := perft.NewCounter(method, nil) // resolves Auto
	if err != nil {
		return nil, err
	}
	method = resolved.Method()
	table, err := c.memory.table(method)
	if err != nil {
		return nil, err
	}
	c.counters[asked], err = perft.NewCounter(method, table)
	return c.counters[asked], err
}

// Count counts a task. Its errors are that of ctx, if it is done before the count, perft.ErrOverflow, ErrPosition, and those
// of the method and the memory.
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
		Counts: make([]Count, 0, len(t.Positions)),
	}
	for i := range t.Positions {
		pos, err := t.position(i)
		if err != nil {
			return nil, fmt.Errorf("task %d, position %d: %w", t.Index, i, err)
		}
		nodes, err := counter.Count(ctx, pos, t.Depth)
		if err != nil {
			return nil, fmt.Errorf("task %d, position %d (%s): %w", t.Index, i, pos.FEN(), err)
		}
		r.Counts = append(r.Counts, Count{Lo: nodes})
	}
	r.Elapsed = time.Since(start)
	return r, nil
}
