package coordinator

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/job"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/worker"
)

// Status describes the progress of a run. The page's /status.json and "fianchetto-cluster status
// --json" print it.
type Status struct {
	job.Summary
	Time          time.Time      `json:"time"`
	Running       bool           `json:"running"`         // false if the status is of the journal alone
	TasksBefore   int            `json:"tasks_before"`    // done when this run began
	TasksOut      int            `json:"tasks_out"`       // given out and not done
	Elapsed       float64        `json:"elapsed_seconds"` // since this run began
	Rate          float64        `json:"nps"`             // leaves per second since then
	Threads       int            `json:"threads"`         // counting now
	Left          float64        `json:"left_seconds"`    // of the missing results on all Threads; 0 if unknown
	Redeliveries  int            `json:"redeliveries"`
	RefusedLogins int            `json:"refused_logins,omitzero"` // of the embedded broker
	Workers       []WorkerStatus `json:"workers"`
	Blocked       *Blocked       `json:"blocked,omitzero"` // why the run cannot go on; nil if it can
	Address       string         `json:"address,omitzero"` // where other workers can join
	Join          string         `json:"join,omitzero"`    // the command by which they do

	before float64 // the leaves counted before this run
}

// NewStatus returns the status of a run by its journal alone.
func NewStatus(l *job.Ledger) *Status {
	return &Status{Summary: l.Summary(), Time: time.Now(), Workers: []WorkerStatus{}}
}

// Counted returns the number of leaves counted in this run.
func (s *Status) Counted() float64 { return s.Nodes.Float() - s.before }

// Share returns the share of the tasks that are done, 0 to 1.
func (s *Status) Share() float64 {
	if s.Job.Tasks == 0 {
		return 1
	}
	return float64(s.TasksDone) / float64(s.Job.Tasks)
}

// Percent returns the share of the tasks that are done, like "12.5%".
func (s *Status) Percent() string { return fmt.Sprintf("%.1f%%", 100*s.Share()) }

// WorkerStatus describes a process of workers.
type WorkerStatus struct {
	Name    string    `json:"name"`
	Threads int       `json:"threads"`        // 0 if it has left
	Tasks   int       `json:"tasks"`          // counted in this run
	Rate    float64   `json:"nps_per_thread"` // each position's leaves once
	Seen    time.Time `json:"seen"`

	Holds []Hold `json:"holds,omitzero"` // its tasks

	credential string
	nodes      float64
	counted    time.Duration // of all threads
	told       bool          // it knows that the run has ended
}

// Hold is a task that a worker has.
type Hold struct {
	Task  int       `json:"task"`
	Since time.Time `json:"since"`
}

// silentTime is how long a silent worker counts for estimates. Heartbeats come every three seconds.
const silentTime = 10 * time.Second

// Silent returns how long the worker has been silent, or 0 if that is not unusual.
func (w *WorkerStatus) Silent(now time.Time) time.Duration {
	if silent := now.Sub(w.Seen); silent > silentTime {
		return silent
	}
	return 0
}

// statusFile contains the status of a running process, for people only.
const statusFile = "status.json"

// SaveStatus replaces the status in the directory of a run, for ReadStatus.
func SaveStatus(dir string, s Status) error {
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	path := filepath.Join(dir, statusFile)
	_ = os.Remove(path + ".new") // of an interrupted process, or a link that another user has made
	file, err := os.OpenFile(path+".new", os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = file.Write(append(text, '\n'))
	if err = errors.Join(err, file.Close()); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}

// ReadStatus reads the last status that a run wrote into its directory. Its Time shows its age.
func ReadStatus(dir string) (Status, error) {
	var s Status
	text, err := os.ReadFile(filepath.Join(dir, statusFile))
	if err == nil {
		err = json.Unmarshal(text, &s)
	}
	return s, err
}

// RemoveStatus removes the status of a run that ends.
func RemoveStatus(dir string) { _ = os.Remove(filepath.Join(dir, statusFile)) } // if it stays, Time shows its age

// members lists the processes that work, which may claim any names.
type members struct {
	known map[string]*WorkerStatus // by name
	names map[string]int           // the number of names by credential
}

func newMembers() members { return members{make(map[string]*WorkerStatus), make(map[string]int)} }

const (
	maxNames       = 256     // the most names of a credential
	maxSharedNames = 4096    // the most names of all workers with a shared token
	maxTasks       = 1 << 14 // the most tasks in a heartbeat
)

// member returns the entry of a process that was heard now. It does not keep the entry of a name
// too many.
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

// forget removes a silent process of each credential that has no room for another name.
func (all *members) forget(now time.Time) {
	for name, m := range all.known {
		full := all.names[m.credential] >= share(m.credential, maxNames, maxSharedNames)
		if full && (m.Threads == 0 || m.Silent(now) > 0) {
			delete(all.known, name)
			all.names[m.credential]--
		}
	}
}

// ignorant reports whether a present process does not know yet that the run has ended.
func (all *members) ignorant() bool {
	for _, m := range all.known {
		if m.Threads > 0 && m.Silent(time.Now()) == 0 && !m.told {
			return true
		}
	}
	return false
}

// credit counts a result for its process, new or not.
func (all *members) credit(r *job.Result, credential string, now time.Time) {
	m := all.member(worker.Process(r.Worker), credential, now)
	m.Tasks++
	m.counted += r.Elapsed
	m.nodes += r.Sum().Float()
	m.Rate = m.nodes / max(m.counted, time.Nanosecond).Seconds()
}

// Status returns the status of the run. Any goroutine may call it.
func (c *Coordinator) Status() Status {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	s, now := *NewStatus(c.ledger), time.Now()
	s.Running, s.Elapsed, s.before = true, now.Sub(c.begun).Seconds(), c.before.Nodes.Float()
	s.TasksBefore, s.TasksOut = c.before.TasksDone, len(c.schedule.tasks)
	s.Rate = s.Counted() / max(s.Elapsed, 1e-9)
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
