package coordinator

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/job"
)

// schedule decides which tasks a thread gets, and when a task is given out again. It is pure
// bookkeeping: its callers tell it the time, which is monotonic, so that no wall clock matters.
//
// A task is with its holder as long as heartbeats of the process name it, within the lease, but no
// longer than limit. The last tasks of a run are given to a second worker as soon as they take
// longer than most. An owner that was too late gets nothing, as long as others ask, until it has
// brought as many results.
type schedule struct {
	lease  time.Duration
	rest   func() (job.Want, bool) // returns the tasks that were never given out
	last   bool                    // whether rest has none
	tasks  map[int]*task           // those that were given out and are not done, by index
	queues map[string][]int        // the tasks among them that wait to be given out again, by who must not have them
	held   map[string]int          // tasks by credential
	late   map[string]int          // tasks that went to others too, by the owner who had them for too long

	prompt string    // the owner that asked last of those that are not late
	asked  time.Time // when that was

	reviewed     time.Time
	times        []time.Duration // that the last tasks took
	median       time.Duration
	redeliveries int
}

// task is a task that was given out and is not done.
type task struct {
	want    job.Want
	waits   bool      // to be given out again
	since   time.Time // when it began to wait
	tried   []string  // the owners that have had it for too long, or have it still: others go first
	doubled bool
	holders []holder
}

// holder is a process that has a task.
type holder struct {
	asker
	since, heard time.Time
}

// asker is a thread that asks for tasks.
type asker struct{ owner, process, credential string }

// maxHeld is how many tasks one credential can have at a time.
const maxHeld = 4096

func newSchedule(lease time.Duration, rest func() (job.Want, bool)) *schedule {
	return &schedule{lease: lease, rest: rest, tasks: make(map[int]*task), queues: make(map[string][]int),
		held: make(map[string]int), late: make(map[string]int)}
}

// give returns a task for a thread, which from then on holds it, and false if there is none.
func (s *schedule) give(a asker, now time.Time) (want job.Want, ok bool) {
	if a.credential != "" && s.held[a.credential] >= maxHeld {
		return want, false
	}
	t := s.next(a.owner, now)
	if t == nil {
		return want, false
	}
	t.holders = append(t.holders, holder{a, now, now})
	s.held[a.credential]++
	return t.want, true
}

// next returns the next task for an owner, nil if there is none.
func (s *schedule) next(owner string, now time.Time) *task {
	if s.late[owner] == 0 {
		s.prompt, s.asked = owner, now
	} else if s.prompt != owner && now.Sub(s.asked) < s.limit() {
		return nil
	}
	for avoid := range s.queues {
		if slices.Contains(strings.Split(avoid, "\n"), owner) {
			continue
		}
		if t := s.first(avoid); t != nil {
			s.queues[avoid] = s.queues[avoid][1:]
			t.waits = false
			return t
		}
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
	return nil
}

// first returns the first task that waits in a queue, nil if there is none, and drops what no
// longer waits before it.
func (s *schedule) first(avoid string) *task {
	for i, index := range s.queues[avoid] {
		if t := s.tasks[index]; t != nil && t.waits && t.avoid() == avoid {
			s.queues[avoid] = s.queues[avoid][i:]
			return t
		}
	}
	delete(s.queues, avoid)
	return nil
}

// avoid returns who must not have a task, and whom it should not go to, a line each.
func (t *task) avoid() string { return strings.Join(slices.Concat(t.want.Avoid, t.tried), "\n") }

// wait has a task given out again.
func (s *schedule) wait(t *task, now time.Time) {
	t.waits, t.since = true, now
	s.queues[t.avoid()] = append(s.queues[t.avoid()], t.want.Index)
}

// has reports whether tasks wait for a worker.
func (s *schedule) has() bool {
	for avoid := range s.queues {
		if s.first(avoid) != nil {
			return true
		}
	}
	return !s.last
}

// heard takes note of a process that counts tasks.
func (s *schedule) heard(process string, indices []int, now time.Time) {
	for _, index := range indices {
		if t := s.tasks[index]; t != nil {
			for i := range t.holders {
				if t.holders[i].process == process {
					t.holders[i].heard = now
				}
			}
		}
	}
}

// leave gives the tasks of a process to others.
func (s *schedule) leave(process string, now time.Time) {
	for _, t := range s.tasks {
		if s.drop(t, func(h holder) bool { return h.process == process }); len(t.holders) == 0 && !t.waits {
			s.wait(t, now)
		}
	}
}

// drop takes a task from holders.
func (s *schedule) drop(t *task, lost func(holder) bool) {
	t.holders = slices.DeleteFunc(t.holders, func(h holder) bool {
		if !lost(h) {
			return false
		}
		if s.held[h.credential]--; s.held[h.credential] == 0 {
			delete(s.held, h.credential)
		}
		return true
	})
}

// heldSince returns since when an owner has held a task, the zero time if it does not.
func (s *schedule) heldSince(index int, owner string) (since time.Time) {
	if t := s.tasks[index]; t != nil {
		for _, h := range t.holders {
			if h.owner == owner {
				return h.since
			}
		}
	}
	return since
}

// holds returns the tasks of each process, those that it has longest first.
func (s *schedule) holds() map[string][]Hold {
	all := make(map[string][]Hold)
	for index, t := range s.tasks {
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

// settle takes note of a result, and of what the ledger wants next of its task, nil if it is done.
func (s *schedule) settle(index int, owner string, want *job.Want, now time.Time) {
	t := s.tasks[index]
	if t == nil {
		t = &task{want: job.Want{Pass: -1}}
	}
	if since := s.heldSince(index, owner); !since.IsZero() {
		s.note(now.Sub(since))
	}
	if s.late[owner]--; s.late[owner] <= 0 {
		delete(s.late, owner)
	}
	s.drop(t, func(h holder) bool { return want == nil || h.owner == owner })
	switch {
	case want == nil:
		delete(s.tasks, index)
	case t.want.Pass != want.Pass:
		*t = task{want: *want, holders: t.holders}
		s.tasks[index] = t
		s.wait(t, now)
	case len(t.holders) == 0 && !t.waits:
		s.wait(t, now)
	}
}

// timesKept is how many times the median is of.
const timesKept = 99

// note takes note of the time that a task took.
func (s *schedule) note(took time.Duration) {
	if s.times = append(s.times, took); len(s.times) == 2*timesKept {
		s.times = slices.Delete(s.times, 0, timesKept)
	}
}

// limit returns how long a worker can hold a task. Tasks are cut to take about the same time; a
// slow machine, or a position that is much larger than it looks, takes some times as long.
func (s *schedule) limit() time.Duration { return max(s.lease, 10*s.median) }

// least is the shortest time after which one of the last tasks is given out twice.
const least = time.Second

// review looks for tasks that must be given out again.
func (s *schedule) review(now time.Time) {
	if len(s.times) > 0 {
		sorted := slices.Sorted(slices.Values(s.times))
		s.median = sorted[len(sorted)/2]
	}
	deaf := now.Sub(s.reviewed) > s.lease/2 // as when this process was stopped: heartbeats may have been missed
	s.reviewed = now
	idle := !s.has()
	for _, t := range s.tasks {
		for i := range t.holders {
			if deaf {
				t.holders[i].heard = now
			}
		}
		s.drop(t, func(h holder) bool {
			late := now.Sub(h.since) > s.limit()
			if late {
				s.tooLate(t, h.owner)
			}
			return late || now.Sub(h.heard) > s.lease
		})
		switch {
		case t.waits && len(t.tried) > 0 && now.Sub(t.since) > s.lease:
			t.tried = nil // no other wants it
			s.wait(t, now)
		case t.waits:
		case len(t.holders) == 0:
			s.redeliveries++
			s.wait(t, now)
		case idle && !t.doubled && now.Sub(t.holders[0].since) > max(least, 2*s.median):
			t.doubled = true
			s.tooLate(t, t.holders[0].owner)
			s.redeliveries++
			s.wait(t, now)
		}
	}
}

// tooLate takes note that an owner has had a task for too long.
func (s *schedule) tooLate(t *task, owner string) {
	t.tried = append(t.tried, owner)
	s.late[owner]++
}
