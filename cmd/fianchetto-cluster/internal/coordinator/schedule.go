package coordinator

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/job"
)

// schedule decides which tasks an owner gets and when a task is given out again. It does no
// input or output, and its callers tell it the time, which is monotonic.
//
// A task belongs to its holder while heartbeats of the holder's process name it and the limit has
// not passed. A holder that loses a task puts its owner on probation: until that owner brings a
// result, it holds at most one task at a time. If an owner asks in vain, the tasks that take longer
// than most go to a second holder, and later to a third.
//
// A waiting task goes first to the owners that have not had it yet. Then one second after the other
// opens it to those that have, beginning with the owner that took it longest ago. So every task
// reaches each asking owner that may count it, whatever the others do.
type schedule struct {
	lease     time.Duration
	rest      func() (job.Want, bool) // returns the next task that was never given out
	last      bool                    // whether rest is exhausted
	tasks     map[int]*task           // the tasks taken from rest and not done, by index
	counting  map[int]*task           // those of tasks with a holder
	queues    []*queue                // the waiting tasks
	held      map[string]int          // the number of tasks by owner
	probation map[string]bool         // the owners that lost a task after their last result
	vain      bool                    // whether an owner asked in vain since the last review

	reviewed     time.Time
	times        []time.Duration // how long the last tasks took
	median       time.Duration   // the median of times
	redeliveries int
}

// task is a task that is not done.
type task struct {
	want    job.Want
	holders []holder
	tried   []string  // the owners that hold it or have lost it, in the order in which they took it
	queue   *queue    // where it waits for an owner; nil if it does not
	since   time.Time // when it began to wait
}

// holder is a process with a task.
type holder struct {
	asker
	since, heard time.Time
}

// asker is a thread that asks for tasks.
type asker struct{ owner, process string }

// queue lists waiting tasks with the same set of barred owners, the first to wait first. It also
// lists tasks that wait no longer: their field queue differs.
type queue struct {
	barred []string
	tasks  []*task
}

// first returns the first waiting task, nil if there is none.
func (q *queue) first() *task {
	for len(q.tasks) > 0 && q.tasks[0].queue != q {
		q.tasks = q.tasks[1:]
	}
	if len(q.tasks) == 0 {
		return nil
	}
	return q.tasks[0]
}

const (
	maxHeld = 4096        // the most tasks that one owner can hold
	least   = time.Second // the shortest time before a task goes to one more owner
)

func newSchedule(lease time.Duration, rest func() (job.Want, bool)) *schedule {
	return &schedule{lease: lease, rest: rest, tasks: make(map[int]*task), counting: make(map[int]*task),
		held: make(map[string]int), probation: make(map[string]bool)}
}

// give returns a task for a thread, which then holds it. It reports false if there is none.
func (s *schedule) give(a asker, now time.Time) (want job.Want, ok bool) {
	if n := s.held[a.owner]; n >= maxHeld || n > 0 && s.probation[a.owner] {
		return want, false
	}
	t := s.next(a.owner, now)
	if t == nil {
		s.vain = true
		return want, false
	}
	t.queue = nil
	t.holders = append(t.holders, holder{a, now, now})
	t.tried = append(without(t.tried, a.owner), a.owner)
	s.held[a.owner]++
	s.counting[t.want.Index] = t
	return t.want, true
}

// next returns the next task for an owner, nil if there is none.
func (s *schedule) next(owner string, now time.Time) *task {
	if t := s.waiting(func(q *queue, _ *task) bool { return !slices.Contains(q.barred, owner) }); t != nil {
		return t
	}
	for !s.last {
		want, ok := s.rest()
		s.last = !ok
		if !ok || s.tasks[want.Index] != nil {
			continue
		}
		t := &task{want: want}
		s.tasks[want.Index] = t
		if !slices.Contains(want.Avoid, owner) {
			return t
		}
		s.wait(t, now)
	}
	return s.waiting(func(_ *queue, t *task) bool {
		turn := time.Duration(slices.Index(t.tried, owner)+1) * least
		return now.Sub(t.since) >= turn && !slices.Contains(t.want.Avoid, owner) &&
			s.heldSince(t.want.Index, owner).IsZero()
	})
}

// waiting returns the first task of the first queue for which suits reports true, nil if there is
// none. It drops empty queues.
func (s *schedule) waiting(suits func(*queue, *task) bool) (found *task) {
	s.queues = slices.DeleteFunc(s.queues, func(q *queue) bool {
		if found != nil {
			return false
		}
		t := q.first()
		if t != nil && suits(q, t) {
			found = t
		}
		return t == nil
	})
	return found
}

// wait puts a task into the queue of its barred owners.
func (s *schedule) wait(t *task, now time.Time) {
	barred := slices.Concat(t.want.Avoid, t.tried)
	slices.Sort(barred)
	barred = slices.Compact(barred)
	i := slices.IndexFunc(s.queues, func(q *queue) bool { return slices.Equal(q.barred, barred) })
	if i < 0 {
		i = len(s.queues)
		s.queues = append(s.queues, &queue{barred: barred})
	}
	t.queue, t.since = s.queues[i], now
	t.queue.tasks = append(t.queue.tasks, t)
}

// has reports whether tasks wait for an owner.
func (s *schedule) has() bool {
	return !s.last || s.waiting(func(*queue, *task) bool { return true }) != nil
}

// heard records a heartbeat of a process that names its tasks.
func (s *schedule) heard(process string, indices []int, now time.Time) {
	for _, index := range indices {
		if t := s.counting[index]; t != nil {
			for i := range t.holders {
				if t.holders[i].process == process {
					t.holders[i].heard = now
				}
			}
		}
	}
}

// leave takes all tasks back from a process that leaves.
func (s *schedule) leave(process string, now time.Time) {
	for _, t := range s.sorted() {
		s.drop(t, func(h holder) bool {
			left := h.process == process
			if left {
				t.tried = without(t.tried, h.owner)
			}
			return left
		})
		s.waitIfFree(t, now)
	}
}

// without removes an owner from a list.
func without(owners []string, owner string) []string {
	return slices.DeleteFunc(owners, func(other string) bool { return other == owner })
}

// sorted returns the tasks with a holder, by index.
func (s *schedule) sorted() (tasks []*task) {
	for _, index := range slices.Sorted(maps.Keys(s.counting)) {
		tasks = append(tasks, s.counting[index])
	}
	return tasks
}

// waitIfFree lets a task wait if it has no holder and does not wait yet. It reports whether it did.
func (s *schedule) waitIfFree(t *task, now time.Time) bool {
	free := len(t.holders) == 0 && t.queue == nil
	if free {
		s.wait(t, now)
	}
	return free
}

// drop removes some holders of a task.
func (s *schedule) drop(t *task, lost func(holder) bool) {
	t.holders = slices.DeleteFunc(t.holders, func(h holder) bool {
		if !lost(h) {
			return false
		}
		if s.held[h.owner]--; s.held[h.owner] == 0 {
			delete(s.held, h.owner)
		}
		return true
	})
	if len(t.holders) == 0 {
		delete(s.counting, t.want.Index)
	}
}

// heldSince returns since when an owner has held a task, the zero time if it does not.
func (s *schedule) heldSince(index int, owner string) (since time.Time) {
	if t := s.counting[index]; t != nil {
		for _, h := range t.holders {
			if h.owner == owner {
				return h.since
			}
		}
	}
	return since
}

// holds returns the tasks of each process, the longest held first.
func (s *schedule) holds() map[string][]Hold {
	all := make(map[string][]Hold)
	for index, t := range s.counting {
		for _, h := range t.holders {
			all[h.process] = append(all[h.process], Hold{index, h.since})
		}
	}
	for _, holds := range all {
		slices.SortFunc(holds, func(a, b Hold) int {
			return cmp.Or(a.Since.Compare(b.Since), cmp.Compare(a.Task, b.Task))
		})
	}
	return all
}

// report records that an owner reported a result, after which the ledger wants another result of
// the task, or none if the task is done.
func (s *schedule) report(index int, owner string, want *job.Want, now time.Time) {
	t := s.tasks[index]
	if t == nil {
		t = &task{want: job.Want{Index: index, Pass: -1}}
	}
	s.drop(t, func(h holder) bool { return want == nil || h.owner == owner })
	switch {
	case want == nil:
		t.queue = nil
		delete(s.tasks, index)
	case t.want.Pass != want.Pass:
		t.want, t.tried = *want, nil
		for _, h := range t.holders {
			t.tried = append(t.tried, h.owner)
		}
		s.tasks[index] = t
		s.wait(t, now)
	default:
		s.waitIfFree(t, now)
	}
}

// timesKept is the least number of times in a median, once there are so many.
const timesKept = 99

// credit records that an owner brought a new result and how long the task took.
func (s *schedule) credit(owner string, took time.Duration) {
	delete(s.probation, owner)
	if s.times = append(s.times, took); len(s.times) == 2*timesKept {
		s.times = slices.Delete(s.times, 0, timesKept)
	}
}

// limit returns how long an owner can hold a task: ten times as long as most tasks take, because a
// slow machine or an unusual position takes several times as long. There is no limit before the
// first result.
func (s *schedule) limit() time.Duration {
	if len(s.times) == 0 {
		return math.MaxInt64
	}
	return max(s.lease, 10*s.median)
}

// review takes tasks from holders that are silent or too slow, and lets these tasks wait. If an
// owner asked in vain, slow tasks wait as well.
func (s *schedule) review(now time.Time) {
	if len(s.times) > 0 {
		sorted := slices.Sorted(slices.Values(s.times))
		s.median = sorted[len(sorted)/2]
	}
	deaf := now.Sub(s.reviewed) > s.lease/2 // this process was stopped and may have missed heartbeats
	s.reviewed = now
	slow := max(least, 2*s.median)
	for _, t := range s.sorted() {
		for i := range t.holders {
			if deaf {
				t.holders[i].heard = now
			}
		}
		s.drop(t, func(h holder) bool {
			lost := now.Sub(h.since) > s.limit() || now.Sub(h.heard) > s.lease
			if lost {
				s.probation[h.owner] = true
			}
			return lost
		})
		switch n := len(t.holders); {
		case s.waitIfFree(t, now):
			s.redeliveries++
		case n > 0 && t.queue == nil && s.vain && now.Sub(t.holders[n-1].since) > slow:
			s.wait(t, now)
			s.redeliveries++
		}
	}
	s.vain = false
}
