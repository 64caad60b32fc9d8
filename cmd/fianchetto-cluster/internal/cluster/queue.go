package cluster

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
	give   func(wants []job.Want, copies int) string // in one message, for its name in the broker
	tasks  map[int]*queued
	groups map[string]*group // by the owners to avoid, one a line
	next   int               // the first task that was never wanted
	dry    time.Time         // since when no task was put or waits for a worker, or zero
	again  int
}

// queued is a task in the queue.
type queued struct {
	want    job.Want
	name    string // of its message
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
	aheadEach  = 2        // messages for each thread
	aheadBytes = 24 << 20 // bytes, if there are two tasks for each thread
	aheadAgain = 256
)

func newQueue(ledger *job.Ledger, give func([]job.Want, int) string) *queue {
	q := &queue{ledger: ledger, give: give}
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

// wait has a task wait for room, unless it is wanted no more.
func (q *queue) wait(index int) {
	if want, ok := q.ledger.Wanted(index); ok {
		g := q.groupOf(want.Avoid)
		g.waiting = append(g.waiting, index)
	}
}

// settle follows a result of a task. The ledger may want another.
func (q *queue) settle(index int) {
	if t := q.tasks[index]; t != nil {
		want, wanted := q.ledger.Wanted(index)
		if wanted && want.Pass == t.want.Pass && slices.Equal(want.Avoid, t.want.Avoid) {
			return // an owner that had counted the task before
		}
		t.group.queued--
		delete(q.tasks, index)
	}
	if index < q.next {
		q.wait(index)
	}
}

// fill queues enough tasks for so many threads.
func (q *queue) fill(threads int) {
	first, bundle := q.groupOf(q.ledger.Quarantined()), q.ledger.Bundle
	ahead := max(min(max(aheadTasks, aheadEach*bundle*threads), aheadBytes/q.ledger.Bytes()), 2*threads, bundle)
	for ; q.next < q.ledger.Tasks && first.queued+len(first.waiting) < ahead; q.next++ {
		q.wait(q.next)
	}
	for key, g := range q.groups {
		room := aheadAgain
		if g == first {
			room = ahead
		}
		for len(g.waiting) > 0 && g.queued+min(bundle, len(g.waiting)) <= room {
			q.put(g, bundle)
		}
		if g.queued == 0 && len(g.waiting) == 0 {
			delete(q.groups, key)
		}
	}
}

// put queues the first waiting tasks of a group in one message.
func (q *queue) put(g *group, most int) {
	var wants []job.Want
	for len(g.waiting) > 0 && len(wants) < most {
		index := g.waiting[0]
		g.waiting = g.waiting[1:]
		want, ok := q.ledger.Wanted(index)
		switch {
		case !ok || q.tasks[index] != nil:
		case q.groupOf(want.Avoid) != g:
			q.wait(index)
		default:
			wants = append(wants, want)
			q.tasks[index] = &queued{want: want, group: g, since: time.Now()}
		}
	}
	if g.queued += len(wants); len(wants) == 0 {
		return
	}
	name := q.give(wants, 0)
	q.dry = time.Time{}
	for _, want := range wants {
		q.tasks[want.Index].name = name
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
			t.name = q.give([]job.Want{t.want}, t.copies)
			q.again++
		case there && copies > 0 && time.Since(t.since) > slow:
			copies--
			t.copies++
			t.name, t.since = q.give([]job.Want{t.want}, t.copies), time.Now()
			q.again++
		}
		t.missing = !there && !t.missing
	}
}
