package coordinator

import (
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/broker"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/job"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/worker"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// Status describes the progress of a run. Its JSON is that of the page's /status.json, and of "fianchetto-cluster
// status --json".
type Status struct {
	Job         job.Description `json:"job"`
	Time        time.Time       `json:"time"`
	Running     bool            `json:"running"`      // whether a coordinator made the status; else the journal did
	TasksBefore int             `json:"tasks_before"` // done when this run began
	TasksDone   int             `json:"tasks_done"`
	TasksOut    int             `json:"tasks_out"`       // given out, and not done
	Nodes       job.Count       `json:"nodes,omitzero"`  // the leaves below what is done
	Divide      []job.Nodes     `json:"divide,omitzero"` // the same by root move, in the order of generation
	Elapsed     float64         `json:"elapsed_seconds"` // since this run began
	Rate        float64         `json:"nps"`             // leaves per second, of late
	Threads     int             `json:"threads"`         // that count now

	// The one estimate of the time that is left: the results that are missing take as long, on one thread each, as
	// those that are there took on the mean. Zeros are unknown.
	ThreadSeconds     float64 `json:"thread_seconds"`      // of all results
	ThreadSecondsLeft float64 `json:"thread_seconds_left"` // of those that are missing
	Left              float64 `json:"left_seconds"`        // the same on all Threads

	Redeliveries int            `json:"redeliveries"`
	Workers      []WorkerStatus `json:"workers"`
	Mismatches   []job.Mismatch `json:"mismatches,omitzero"`
	Address      string         `json:"address,omitzero"` // where other workers can join
	Join         string         `json:"join,omitzero"`    // the command by which they do

	History  []float64 `json:"history,omitzero"`                  // leaves per second, by interval of this run
	Interval float64   `json:"history_interval_seconds,omitzero"` // the length of an interval

	before float64 // the leaves that were counted when this run began
}

// NewStatus returns the status of a run of which only the journal is known.
func NewStatus(s *job.Summary) Status {
	return Status{
		Job: s.Description, Time: time.Now(), TasksDone: s.TasksDone, Nodes: s.Counted,
		ThreadSeconds: s.Seconds, ThreadSecondsLeft: s.SecondsLeft, Workers: []WorkerStatus{}, Mismatches: s.Mismatches,
	}
}

// Counted returns how many leaves this run has counted.
func (s *Status) Counted() float64 { return s.Nodes.Float() - s.before }

// Done returns what part of the tasks is done, 0 to 1.
func (s *Status) Done() float64 {
	if s.Job.Tasks == 0 {
		return 1
	}
	return float64(s.TasksDone) / float64(s.Job.Tasks)
}

// WorkerStatus is how a process that counts is.
type WorkerStatus struct {
	Name    string    `json:"name"`
	Threads int       `json:"threads"`        // 0: it has left
	Tasks   int       `json:"tasks"`          // that it has counted in this run
	Rate    float64   `json:"nps_per_thread"` // while it counts; each position's leaves once
	Seen    time.Time `json:"seen"`

	Holds []Hold `json:"holds,omitzero"` // its tasks

	nodes   float64
	counted time.Duration // of all threads
}

// Hold is a task that a worker has.
type Hold struct {
	Task  int       `json:"task"`
	Since time.Time `json:"since"`
}

// silentTime is how long a worker may send nothing before its threads no longer count for estimates: heartbeats come
// every second.
const silentTime = 5 * time.Second

// Silent returns for how long a worker has sent nothing, 0 if that means nothing.
func (w *WorkerStatus) Silent(now time.Time) time.Duration {
	if silent := now.Sub(w.Seen); silent > silentTime {
		return silent
	}
	return 0
}

// statusFile is where a run keeps its status for other processes. It is for people only: nothing depends on it.
const statusFile = "status.json"

// SaveStatus writes a status into the directory of a run, where ReadStatus finds it, whole or not at all.
func SaveStatus(dir string, s Status) error {
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	path := filepath.Join(dir, statusFile)
	if err := os.WriteFile(path+".new", append(text, '\n'), 0o666); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}

// ReadStatus reads the last status that a run wrote into its directory. Its Time shows how old it is. The error is that
// of the file, or of what is in it.
func ReadStatus(dir string) (Status, error) {
	var s Status
	text, err := os.ReadFile(filepath.Join(dir, statusFile))
	if err == nil {
		err = json.Unmarshal(text, &s)
	}
	return s, err
}

// RemoveStatus takes away what SaveStatus wrote, for the run has ended.
func RemoveStatus(dir string) { _ = os.Remove(filepath.Join(dir, statusFile)) } // if it stays, its Time shows its age

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

// The most that is remembered of workers, who may claim any names.
const (
	maxWorkers = 4096
	maxNames   = 256 // of one credential
	maxTasks   = 1 << 14
)

// worker returns what is known of a process, to be changed. If there are too many, that of which nothing was heard for
// longest is forgotten.
func (w *watch) worker(name string) *WorkerStatus {
	if w.workers[name] == nil {
		if owner, _, owned := strings.Cut(name, ":"); owned {
			w.forget(maxNames, owner+":")
		}
		w.forget(maxWorkers, "")
		w.workers[name] = &WorkerStatus{Name: name}
	}
	w.workers[name].Seen = time.Now()
	return w.workers[name]
}

// forget leaves room for one more worker whose name begins so.
func (w *watch) forget(most int, prefix string) {
	var oldest *WorkerStatus
	n := 0
	for name, s := range w.workers {
		if !strings.HasPrefix(name, prefix) {
			continue
		}
		if n++; oldest == nil || s.Seen.Before(oldest.Seen) {
			oldest = s
		}
	}
	if n >= most {
		delete(w.workers, oldest.Name)
	}
}

// heartbeat takes note of a worker's heartbeat, and returns it unless it is not ours.
func (w *watch) heartbeat(r *broker.Request) (h worker.Heartbeat, ok bool) {
	if json.Unmarshal(r.Data, &h) != nil || job.CheckName(h.Name, r.Credential) != nil || h.Threads < 0 ||
		h.Threads > perft.MaxThreads || len(h.Tasks) > maxTasks {
		return h, false
	}
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.worker(h.Name).Threads = h.Threads
	return h, true
}

// hold takes note of who has which tasks.
func (w *watch) hold(s *schedule) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.redeliveries = s.redeliveries
	for _, known := range w.workers {
		known.Holds = nil
	}
	for index, t := range s.tasks {
		for _, h := range t.holders {
			if known := w.workers[h.process]; known != nil {
				known.Holds = append(known.Holds, Hold{index, h.since})
			}
		}
	}
	for _, known := range w.workers {
		slices.SortFunc(known.Holds, func(a, b Hold) int {
			return cmp.Or(a.Since.Compare(b.Since), cmp.Compare(a.Task, b.Task))
		})
	}
}

// counting reports whether a process counts that is not among some.
func (w *watch) counting(but map[string]bool) bool {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	for name, s := range w.workers {
		if s.Threads > 0 && s.Silent(time.Now()) == 0 && !but[name] {
			return true
		}
	}
	return false
}

// result takes note of a result, whether or not it changes anything.
func (w *watch) result(r *job.Result) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
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
	s.Address, s.Join = c.broker.Address(), c.Join
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

// rates remembers how much was done when, at even intervals, which double when there are too many, so that a run of
// days needs no more memory than one of minutes.
type rates struct {
	interval time.Duration
	done     []float64 // at the end of each interval
	last     float64
}

const (
	firstInterval = time.Second
	mostRates     = 240
	recentRates   = 10 // intervals that are of late
)

// note records what is done at a time, which may be later than the last by more than an interval.
func (r *rates) note(elapsed time.Duration, done float64) {
	if r.interval == 0 {
		r.interval = firstInterval
	}
	for int(elapsed/r.interval) > len(r.done) {
		r.done = append(r.done, r.last)
		if len(r.done) == mostRates {
			r.halve()
		}
	}
	r.last = done
}

func (r *rates) halve() {
	for i := range r.done[:mostRates/2] {
		r.done[i] = r.done[2*i+1]
	}
	r.done, r.interval = r.done[:mostRates/2], 2*r.interval
}

// recent returns what is done per second of late.
func (r *rates) recent() float64 {
	n := min(recentRates, len(r.done)-1)
	if n < 1 {
		if len(r.done) == 1 {
			return r.done[0] / r.interval.Seconds()
		}
		return 0
	}
	last := len(r.done) - 1
	return (r.done[last] - r.done[last-n]) / (float64(n) * r.interval.Seconds())
}

// history returns what was done per second in each interval.
func (r *rates) history() []float64 {
	speeds := make([]float64, len(r.done))
	before := 0.0
	for i, done := range r.done {
		speeds[i], before = (done-before)/r.interval.Seconds(), done
	}
	return speeds
}
