package worker

import (
	"slices"
	"strconv"
	"sync"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/broker"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/job"
)

// spares are tasks that a thread has taken although it must not count them, for it has before: they wait for another thread of
// this process. Without them such tasks would go back and forth between the broker and the threads that must not count them.
type spares struct {
	mutex sync.Mutex
	tasks []spare
}

type spare struct {
	lease *broker.Lease
	task  *job.Task
}

const mostSpares = maxBatch

// offer keeps a task for another of the named threads, if there is one that may count it, and room.
func (s *spares) offer(process string, threads int, offered spare) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if len(s.tasks) >= mostSpares {
		return false
	}
	for i := range threads {
		if !offered.task.Avoids(ThreadName(process, i)) {
			s.tasks = append(s.tasks, offered)
			return true
		}
	}
	return false
}

// adopt returns a task for a thread, if there is one that it may count.
func (s *spares) adopt(thread string) (*broker.Lease, bool) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for i, offered := range s.tasks {
		if !offered.task.Avoids(thread) {
			s.tasks = slices.Delete(s.tasks, i, i+1)
			return offered.lease, true
		}
	}
	return nil, false
}

// giveBack returns all tasks to the broker.
func (s *spares) giveBack() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for _, offered := range s.tasks {
		_ = offered.lease.Return(0) // else the lease ends
	}
	s.tasks = nil
}

// ThreadName returns the name of the i-th thread of a process, as results have it.
func ThreadName(process string, i int) string { return process + "/" + strconv.Itoa(i+1) }
