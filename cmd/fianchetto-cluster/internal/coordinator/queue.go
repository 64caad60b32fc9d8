package coordinator

import (
	"slices"
	"strings"
	"time"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/broker"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/job"
)

// queue keeps enough of the wanted tasks in the broker's queue for all workers, and few enough for
// its memory. A wanted task that is missing there is given again, whoever acknowledged it.
type queue struct {
	ledger *job.Ledger
	fit    int                                    // the tasks that fit into aheadBytes
	give   func(want job.Want, copies int) string // to the broker, for its name there
	drop   func(index int)
	tasks  map[int]*queued
	groups map[string]*group // by the owners to avoid, one a line
	next   int               // the first task that was never queued
	dry    time.Time         // since when no task waits for a worker, or zero
	again  int
}

// queued is a task in the queue.
type queued struct {
	want    job.Want
	name    string // in the broker
	group   *group
	copies  int
	since   time.Time
	missing bool // at the last look
}

// group is tasks that the same owners must not count. They must not fill the queue, because the
// others may be absent.
type group struct {
	queued  int
	waiting []int // indices, for which there was no room
}

const (
	aheadTasks = 4096     // of the first pass, or
	aheadEach  = 16       // for each thread
	aheadBytes = 24 << 20 // bytes, if there are two tasks for each thread
	aheadAgain = 256
)

// newQueue takes the mean size of a task in bytes.
func newQueue(ledger *job.Ledger, size int, give func(job.Want, int) string, drop func(int)) *queue {
	q := &queue{ledger: ledger, fit: aheadBytes / size, give: give, drop: drop}
	q.renew()
	return q
}

// renew begins again with the first task.
func (q *queue) renew() {
	q.tasks, q.groups, q.next, q.dry = make(map[int]*queued), make(map[string]*group), 0, time.Time{}
}

func (q *queue) groupOf(avoid []string) *group {
	key := strings.Join(avoid, "\n")
	if q.groups[key] == nil {
		q.groups[key] = new(group)
	}
	return q.groups[key]
}

// put queues a task, or lets it wait if its group has enough.
func (q *queue) put(want job.Want) {
	g := q.groupOf(want.Avoid)
	if want.Pass > 0 && g.queued >= aheadAgain {
		g.waiting = append(g.waiting, want.Index)
		return
	}
	g.queued++
	q.tasks[want.Index] = &queued{want: want, name: q.give(want, 0), group: g, since: time.Now()}
}

// settle follows a result of a task. The ledger may want another.
func (q *queue) settle(index int) {
	want, wanted := q.ledger.Wanted(index)
	if t := q.tasks[index]; t != nil {
		if wanted && want.Pass == t.want.Pass && slices.Equal(want.Avoid, t.want.Avoid) {
			return // an owner that had counted the task before
		}
		if t.copies > 0 {
			q.drop(index)
		}
		t.group.queued--
		delete(q.tasks, index)
	}
	if wanted && index < q.next {
		q.put(want)
	}
}

// fill queues enough tasks for so many threads.
func (q *queue) fill(threads int) {
	for key, g := range q.groups {
		for len(g.waiting) > 0 && g.queued < aheadAgain {
			index := g.waiting[0]
			g.waiting = g.waiting[1:]
			if want, ok := q.ledger.Wanted(index); ok && q.tasks[index] == nil {
				q.put(want)
			}
		}
		if g.queued == 0 && len(g.waiting) == 0 {
			delete(q.groups, key)
		}
	}
	first := q.groupOf(q.ledger.Quarantined())
	ahead := max(min(max(aheadTasks, aheadEach*threads), q.fit), 2*threads)
	for q.next < q.ledger.Tasks && first.queued < ahead {
		if want, ok := q.ledger.Wanted(q.next); ok {
			q.put(want)
		}
		q.next++
	}
}

// review gives lost tasks again, and those acknowledged without a result. For each worker that asks
// while no task waits, it gives a copy of one that takes longer than slow.
func (q *queue) review(seen broker.Queue, slow time.Duration) {
	copies := 0
	switch {
	case seen.Queued > 0:
		q.dry = time.Time{}
	case q.dry.IsZero():
		q.dry = time.Now()
	case time.Since(q.dry) > slow: // all have been taken so long ago
		copies = seen.Asking
	}
	for _, t := range q.tasks {
		_, there := seen.Names[t.name]
		switch {
		case !there && t.missing:
			t.name = q.give(t.want, t.copies)
			q.again++
		case there && copies > 0 && time.Since(t.since) > slow:
			copies--
			t.copies++
			t.name, t.since = q.give(t.want, t.copies), time.Now()
			q.again++
		}
		t.missing = !there && !t.missing
	}
}
