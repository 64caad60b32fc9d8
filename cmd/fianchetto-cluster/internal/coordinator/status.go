package coordinator

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/job"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/worker"
)

// Status describes the progress of a run. Its JSON is that of the page's /status.json, and of
// "fianchetto-cluster status --json".
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

	// The one estimate of the time that is left: the results that are missing take as long, on one
	// thread each, as those that are there took on the mean. Zeros are unknown.
	ThreadSeconds     float64 `json:"thread_seconds"`      // of all results
	ThreadSecondsLeft float64 `json:"thread_seconds_left"` // of those that are missing
	Left              float64 `json:"left_seconds"`        // the same on all Threads

	Redeliveries  int                `json:"redeliveries"`
	RefusedLogins int                `json:"refused_logins,omitzero"` // of the embedded broker
	Workers       []WorkerStatus     `json:"workers"`
	Mismatches    []job.Mismatch     `json:"mismatches,omitzero"`
	Disagreements []job.Disagreement `json:"disagreements,omitzero"` // between results of tasks that are not done
	Blocked       *Blocked           `json:"blocked,omitzero"`       // why the run cannot go on; nil if it can
	Address       string             `json:"address,omitzero"`       // where other workers can join
	Join          string             `json:"join,omitzero"`          // the command by which they do

	before float64 // the leaves that were counted when this run began
}

// NewStatus returns the status of a run of which only what the journal has is known.
func NewStatus(l *job.Ledger) *Status {
	s := l.Summary()
	return &Status{
		Job: s.Description, Time: time.Now(), TasksDone: s.TasksDone, Nodes: s.Counted,
		ThreadSeconds: s.Seconds, ThreadSecondsLeft: s.SecondsLeft, Workers: []WorkerStatus{}, Mismatches: s.Mismatches,
		Disagreements: s.Disagreements,
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

// Percent returns what part of the tasks is done, as people read it.
func (s *Status) Percent() string { return fmt.Sprintf("%.1f%%", 100*s.Done()) }

// WorkerStatus is how a process that counts is.
type WorkerStatus struct {
	Name    string    `json:"name"`
	Threads int       `json:"threads"`        // 0: it has left
	Tasks   int       `json:"tasks"`          // that it has counted in this run
	Rate    float64   `json:"nps_per_thread"` // while it counts; each position's leaves once
	Seen    time.Time `json:"seen"`

	Holds []Hold `json:"holds,omitzero"` // its tasks

	credential string
	nodes      float64
	counted    time.Duration // of all threads
	told       bool          // that the run has ended
}

// Hold is a task that a worker has.
type Hold struct {
	Task  int       `json:"task"`
	Since time.Time `json:"since"`
}

// silentTime is how long a worker may send nothing before its threads no longer count for
// estimates: heartbeats come every three seconds.
const silentTime = 10 * time.Second

// Silent returns for how long a worker has sent nothing, 0 if that means nothing.
func (w *WorkerStatus) Silent(now time.Time) time.Duration {
	if silent := now.Sub(w.Seen); silent > silentTime {
		return silent
	}
	return 0
}

// statusFile is where a run keeps its status for other processes. It is for people only: nothing
// depends on it.
const statusFile = "status.json"

// SaveStatus writes a status into the directory of a run, where ReadStatus finds it, whole or not
// at all.
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

// ReadStatus reads the last status that a run wrote into its directory. Its Time shows how old it
// is. The error is that of the file, or of what is in it.
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

// members lists the processes that work, which may claim any names.
type members struct {
	known map[string]*WorkerStatus // by name
	names map[string]int           // the number of names by credential
}

func newMembers() members { return members{make(map[string]*WorkerStatus), make(map[string]int)} }

// The most that is taken note of: names of one credential, and of all workers with a shared token;
// tasks that a heartbeat names.
const (
	maxNames       = 256
	maxSharedNames = 4096
	maxTasks       = 1 << 14
)

// member returns what is known of a process, to be changed; of one name too many that is nothing,
// and forgotten.
func (all *members) member(name, credential string, now time.Time) *WorkerStatus {
	m := all.known[name]
	if m == nil {
		m = &WorkerStatus{Name: name}
		if all.names[credential] < share(credential, maxNames, maxSharedNames) {
			all.known[name], m.credential = m, credential
			all.names[credential]++
		}
	}
	m.Seen = now
	return m
}

// forget makes room for other names, where none is left, in place of those of which nothing was
// heard for longest.
func (all *members) forget(now time.Time) {
	for credential, n := range all.names {
		if n < share(credential, maxNames, maxSharedNames) {
			continue
		}
		for name, m := range all.known {
			if m.credential == credential && (m.Threads == 0 || m.Silent(now) > 0) {
				delete(all.known, name)
				all.names[credential]--
			}
		}
	}
}

// ignorant reports whether a process counts that does not know of the end of the run.
func (all *members) ignorant() bool {
	for _, m := range all.known {
		if m.Threads > 0 && m.Silent(time.Now()) == 0 && !m.told {
			return true
		}
	}
	return false
}

// credit takes note of a result, whether or not it changes anything.
func (all *members) credit(r *job.Result, credential string, now time.Time) {
	m := all.member(worker.Process(r.Worker), credential, now)
	m.Tasks++
	m.counted += r.Elapsed
	m.nodes += r.Sum().Float()
	m.Rate = m.nodes / max(m.counted, time.Nanosecond).Seconds()
}

// Status returns how far the run is. It may be called from any goroutine.
func (c *Coordinator) Status() Status {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	s, now := *NewStatus(c.ledger), time.Now()
	s.Running, s.Elapsed, s.before = true, now.Sub(c.begun).Seconds(), c.before.Counted.Float()
	s.TasksBefore, s.TasksOut, s.Divide = c.before.TasksDone, len(c.schedule.tasks), c.ledger.Divide()
	s.Rate = c.rate.recent(now.Sub(c.begun), s.Counted())
	s.Redeliveries, s.RefusedLogins = c.schedule.redeliveries, c.broker.RefusedLogins()
	s.Address, s.Join, s.Blocked = c.broker.Address(), c.Join, c.blocked
	holds := c.schedule.holds()
	for name, m := range c.members.known {
		member := *m
		member.Holds = holds[name]
		s.Workers = append(s.Workers, member)
		if m.Silent(now) == 0 {
			s.Threads += m.Threads
		}
	}
	slices.SortFunc(s.Workers, func(a, b WorkerStatus) int { return strings.Compare(a.Name, b.Name) })
	if s.Threads > 0 {
		s.Left = s.ThreadSecondsLeft / float64(s.Threads)
	}
	return s
}

// rates measures how fast a run was in the last seconds.
type rates struct {
	seconds int
	counted [recentRates + 1]float64 // the counted leaves at the end of the last seconds, in a ring
}

const recentRates = 10 // seconds

// recent returns the leaves per second in the last whole seconds, given the counted leaves.
func (r *rates) recent(elapsed time.Duration, counted float64) float64 {
	for ; r.seconds < int(elapsed/time.Second); r.seconds++ {
		r.counted[(r.seconds+1)%len(r.counted)] = counted
	}
	n := min(r.seconds, recentRates)
	first := r.counted[(r.seconds-n)%len(r.counted)]
	return (r.counted[r.seconds%len(r.counted)] - first) / float64(max(n, 1))
}
