package job

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/fianchetto-chess/fianchetto/perft"
)

// Memory is what the counters of one process remember from task to task: a hash table for each pass they meet, with a seed of its
// own, so that what one pass has learnt wrong another does not.
type Memory struct {
	megabytes int
	mutex     sync.Mutex
	tables    map[int]*perft.Table
}

// NewMemory returns a memory with tables of so many MiB, each made when it is first needed; 0 is none. It returns
// perft.ErrOptions if the machine cannot have one.
func NewMemory(megabytes int) (*Memory, error) {
	m := &Memory{megabytes: megabytes, tables: make(map[int]*perft.Table)}
	if megabytes == 0 {
		return m, nil
	}
	_, err := m.table(0)
	return m, err
}

// table returns the table of a pass, nil if there is none.
func (m *Memory) table(pass int) (*perft.Table, error) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if m.megabytes == 0 || m.tables[pass] != nil {
		return m.tables[pass], nil
	}
	table, err := perft.NewTable(m.megabytes, uint64(pass)*0x9e3779b97f4a7c15)
	if err == nil {
		m.tables[pass] = table
	}
	return table, err
}

// CheckWorker returns an error if a name is none for a worker: it has 1 to 200 bytes that can be shown.
func CheckWorker(name string) error {
	if name == "" || len(name) > maxText || !printable(name) {
		return fmt.Errorf("the name of a worker has 1 to %d bytes that can be shown: %q", maxText, name)
	}
	return nil
}

// Counter counts tasks, one at a time, for a worker. Counters of one memory share its tables.
type Counter struct {
	memory   *Memory
	worker   string
	method   perft.Method
	counters map[int]*perft.Counter // by pass
}

// NewCounter returns a counter that counts the first pass by method, and others by others.
func (m *Memory) NewCounter(worker string, method perft.Method) *Counter {
	return &Counter{memory: m, worker: worker, method: method, counters: make(map[int]*perft.Counter)}
}

// Worker returns the name of the worker.
func (c *Counter) Worker() string { return c.worker }

// counter returns what counts a pass.
func (c *Counter) counter(pass int) (*perft.Counter, error) {
	if c.counters[pass] != nil {
		return c.counters[pass], nil
	}
	table, err := c.memory.table(pass)
	if err != nil {
		return nil, err
	}
	first, err := perft.NewCounter(c.method, nil)
	if err != nil {
		return nil, err
	}
	c.counters[pass], err = perft.NewCounter(methodOf(first.Method(), pass), table)
	return c.counters[pass], err
}

// methodOf returns the method of a pass, given the first's: no two passes one after the other have the same.
func methodOf(first perft.Method, pass int) perft.Method {
	methods := []perft.Method{first}
	for _, m := range []perft.Method{perft.TwoPly, perft.Plain} {
		if m != first {
			methods = append(methods, m)
		}
	}
	return methods[pass%len(methods)]
}

// Count counts a task. Its errors are that of ctx, if it is done before the count, perft.ErrOverflow, ErrPosition, and those
// of the method and the memory.
func (c *Counter) Count(ctx context.Context, t *Task) (*Result, error) {
	counter, err := c.counter(t.Pass)
	if err != nil {
		return nil, err
	}
	start := time.Now()
	r := &Result{
		Job: t.Job, Index: t.Index, Pass: t.Pass, Depth: t.Depth,
		Algorithm: fmt.Sprintf("%v, seed %d", counter.Method(), t.Pass),
		Worker:    c.worker,
		Build:     Build(),
		Counts:    make([]Count, 0, len(t.Positions)),
	}
	for i := range t.Positions {
		pos, err := t.position(i)
		if err != nil {
			return nil, fmt.Errorf("task %d, position %d: %w", t.Index, i, err)
		}
		nodes, err := counter.Count(ctx, &pos, t.Depth)
		if err != nil {
			return nil, fmt.Errorf("task %d, position %d (%s): %w", t.Index, i, pos.FEN(), err)
		}
		r.Counts = append(r.Counts, Count{Lo: nodes})
	}
	r.Elapsed = time.Since(start)
	return r, nil
}
