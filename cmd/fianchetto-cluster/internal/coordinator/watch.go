package coordinator

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/broker"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/job"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/worker"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// watch gathers what Status reports.
type watch struct {
	mutex        sync.Mutex
	begun        time.Time
	before       job.Summary
	now          job.Summary
	divide       []job.Nodes
	out          int
	redeliveries int
	workers      map[string]*WorkerStatus
	rate         rates
}

// begin takes note of what is done before the run.
func (w *watch) begin(l *job.Ledger) {
	w.begun = time.Now()
	w.before = l.Summary()
	w.now, w.divide = w.before, l.Divide()
	w.workers = make(map[string]*WorkerStatus)
}

// note takes note of what is done now.
func (w *watch) note(l *job.Ledger, out int) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.now, w.divide, w.out = l.Summary(), l.Divide(), out
	w.rate.note(time.Since(w.begun), w.now.Counted.Float()-w.before.Counted.Float())
}

// The most that is remembered of workers, who may claim to be any number.
const (
	maxWorkers   = 4096
	maxHeld      = 2048     // tasks that one has
	maxHeartbeat = 64 << 10 // bytes
)

// worker returns what is known of a process, to be changed. If there are too many, that of which nothing was heard for longest
// is forgotten.
func (w *watch) worker(name string) *WorkerStatus {
	if w.workers[name] == nil {
		if len(w.workers) >= maxWorkers {
			w.forgetOldest()
		}
		w.workers[name] = &WorkerStatus{Name: name}
	}
	w.workers[name].Seen = time.Now()
	return w.workers[name]
}

func (w *watch) forgetOldest() {
	var oldest *WorkerStatus
	for _, s := range w.workers {
		if oldest == nil || s.Seen.Before(oldest.Seen) {
			oldest = s
		}
	}
	delete(w.workers, oldest.Name)
}

// heartbeat takes note of a worker's heartbeat.
func (w *watch) heartbeat(h broker.Heartbeat) {
	var p worker.Heartbeat
	if len(h.Data) > maxHeartbeat || json.Unmarshal(h.Data, &p) != nil || job.CheckName(p.Name, h.Credential) != nil ||
		p.Threads < 0 || p.Threads > perft.MaxThreads || len(p.Tasks) > maxHeld {
		return // not ours
	}
	has := make([]taskKey, 0, len(p.Tasks))
	for _, text := range p.Tasks {
		if k, ok := parseKey(text); ok {
			has = append(has, k)
		}
	}
	w.mutex.Lock()
	defer w.mutex.Unlock()
	s := w.worker(p.Name)
	s.Threads, s.has = p.Threads, has
}

// taskKey is the key of a task in eight bytes.
type taskKey struct{ pass, index int32 }

func (k taskKey) String() string { return fmt.Sprintf("%d.%d", k.pass, k.index) }

// parseKey reads what String writes.
func parseKey(text string) (taskKey, bool) {
	before, after, _ := strings.Cut(text, ".")
	pass, err1 := strconv.ParseUint(before, 10, 31)
	index, err2 := strconv.ParseUint(after, 10, 31)
	return taskKey{int32(pass), int32(index)}, err1 == nil && err2 == nil
}

// held returns the keys of the tasks that workers have, of those that were heard of within a time.
func (w *watch) held(within time.Duration) map[taskKey]bool {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	keys := make(map[taskKey]bool)
	for _, s := range w.workers {
		if time.Since(s.Seen) > within {
			continue
		}
		for _, key := range s.has {
			keys[key] = true
		}
	}
	return keys
}

// result takes note of a result, whether or not it changes anything.
func (w *watch) result(r *job.Result, deliveries int) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.redeliveries += max(0, deliveries-1)
	s := w.worker(worker.Process(r.Worker))
	s.Tasks++
	s.counted += r.Elapsed
	if sum, err := r.Sum(); err == nil {
		s.nodes += sum.Float()
	}
	s.Rate = s.nodes / max(s.counted, time.Nanosecond).Seconds()
}

// Status returns how far the run is. It may be called from any goroutine.
func (c *Coordinator) Status() Status {
	s := c.watch.status()
	s.Address = c.broker.Address()
	return s
}

func (w *watch) status() Status {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	now, elapsed := time.Now(), time.Since(w.begun)
	w.rate.note(elapsed, w.now.Counted.Float()-w.before.Counted.Float())
	s := NewStatus(&w.now)
	s.Running, s.Elapsed = true, elapsed.Seconds()
	s.TasksBefore, s.TasksOut, s.Divide = w.before.TasksDone, w.out, w.divide
	s.Rate, s.History, s.Interval = w.rate.recent(), w.rate.history(), w.rate.interval.Seconds()
	s.Redeliveries, s.before = w.redeliveries, w.before.Counted.Float()
	for _, known := range w.workers {
		s.Workers = append(s.Workers, *known)
		if known.Silent(now) == 0 {
			s.Threads += known.Threads
		}
	}
	slices.SortFunc(s.Workers, func(a, b WorkerStatus) int { return strings.Compare(a.Name, b.Name) })
	s.Left = s.ThreadSecondsLeft / float64(max(1, s.Threads))
	if s.Threads == 0 {
		s.Left = 0
	}
	return s
}
