package cluster

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/job"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/format"
)

// Status describes the progress of a run, also as JSON.
type Status struct {
	job.Summary
	Time          time.Time      `json:"time"`
	Running       bool           `json:"running"`         // a process has loaded the run, and counts
	TasksBefore   int            `json:"tasks_before"`    // done when this run began
	TasksOut      int            `json:"tasks_out"`       // queued or taken
	Elapsed       float64        `json:"elapsed_seconds"` // since this run began
	Rate          float64        `json:"nps"`             // leaves per second since then
	Threads       int            `json:"threads"`         // counting now
	Left          float64        `json:"left_seconds"`    // 0 if unknown
	Redeliveries  int            `json:"redeliveries"`
	RefusedLogins int            `json:"refused_logins,omitzero"` // of the embedded broker
	Workers       []WorkerStatus `json:"workers"`
	Blocked       *Blocked       `json:"blocked,omitzero"`
	Address       string         `json:"address,omitzero"` // where workers can join
	Join          string         `json:"join,omitzero"`    // the command by which they do

	before float64 // the leaves counted before this run
}

// NewStatus is of a run without workers.
func NewStatus(l *job.Ledger) *Status {
	return &Status{Summary: l.Summary(), Time: time.Now(), Workers: []WorkerStatus{}}
}

// Counted returns the leaves counted in this run.
func (s *Status) Counted() float64 { return s.Nodes.Float() - s.before }

// Share returns the done share of the tasks, 0 to 1.
func (s *Status) Share() float64 {
	if s.Job.Tasks == 0 {
		return 1
	}
	return float64(s.TasksDone) / float64(s.Job.Tasks)
}

// Percent returns Share like "12.5%".
func (s *Status) Percent() string { return fmt.Sprintf("%.1f%%", 100*s.Share()) }

// Problems returns a line for each problem of the run.
func (s *Status) Problems() (lines []string) {
	if s.Blocked != nil {
		lines = append(lines, s.Blocked.String())
	}
	for _, m := range s.Mismatches {
		lines = append(lines, m.String())
	}
	for _, d := range s.Disagreements {
		lines = append(lines, d.String())
	}
	return append(lines, s.Doubts...)
}

// WorkerStatus describes a process of workers.
type WorkerStatus struct {
	Name    string    `json:"name"`
	Threads int       `json:"threads"`        // 0 if it has left
	Tasks   int       `json:"tasks"`          // counted in this run or before
	Rate    float64   `json:"nps_per_thread"` // each position's leaves once
	Seen    time.Time `json:"seen"`

	credential  string
	redelivered int
	nodes       float64
	counted     time.Duration // of all threads
}

// silentTime is how long a silent worker counts in estimates.
const silentTime = 10 * time.Second

// Silent returns how long the worker has been silent, or 0 if that is usual.
func (w *WorkerStatus) Silent(now time.Time) time.Duration {
	if silent := now.Sub(w.Seen); silent > silentTime {
		return silent
	}
	return 0
}

func (w *WorkerStatus) present(now time.Time) (threads int) {
	if w.Silent(now) > 0 {
		return 0
	}
	return w.Threads
}

// maxNames limits the names that the processes of a credential claim.
const maxNames = 4096

// member returns the entry of a process. If its credential has too many, those that have left or
// are silent go, or it keeps none.
func (c *Coordinator) member(name, credential string, now time.Time) *WorkerStatus {
	m := c.members[name]
	if m == nil {
		m = &WorkerStatus{Name: name, credential: credential}
		names := 0
		for _, o := range c.members {
			if o.credential == credential {
				names++
			}
		}
		if names == maxNames {
			maps.DeleteFunc(c.members, func(_ string, o *WorkerStatus) bool {
				return o.credential == credential && o.present(now) == 0
			})
		} else {
			c.members[name] = m
		}
	}
	m.Seen = now
	return m
}

// credit counts a result, new or not.
func (c *Coordinator) credit(r *job.Result, credential string, now time.Time) {
	m := c.member(Process(r.Worker), credential, now)
	m.Tasks++
	m.counted += r.Elapsed
	m.nodes += r.Sum().Float()
	m.Rate = m.nodes / max(m.counted, time.Nanosecond).Seconds()
}

func (c *Coordinator) threads() (n int) {
	now := time.Now()
	for _, m := range c.members {
		n += m.present(now)
	}
	return n
}

// Status may be called by any goroutine.
func (c *Coordinator) Status() Status {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	s := *NewStatus(c.ledger)
	s.Running, s.Elapsed, s.before = c.running, time.Since(c.begun).Seconds(), c.before.Nodes.Float()
	s.TasksBefore, s.Threads = c.before.TasksDone, c.threads()
	s.Rate = s.Counted() / max(s.Elapsed, 1e-9)
	s.RefusedLogins, s.Address, s.Join, s.Blocked = c.broker.RefusedLogins(), c.broker.Address(), c.Join, c.blocked
	s.TasksOut, s.Redeliveries = len(c.queue.tasks), c.queue.again
	for _, m := range c.members {
		s.Workers = append(s.Workers, *m)
		s.Redeliveries += m.redelivered
	}
	slices.SortFunc(s.Workers, func(a, b WorkerStatus) int { return strings.Compare(a.Name, b.Name) })
	if s.Threads > 0 {
		s.Left = s.ThreadSecondsLeft / float64(s.Threads)
	}
	return s
}

// Blocked describes the tasks that no present worker may count.
type Blocked struct {
	Tasks   int      `json:"tasks"`
	Counted []string `json:"counted_by"`   // credentials or threads
	May     []string `json:"may,omitzero"` // the credentials that may count some
}

// String says whom the run waits for.
func (b *Blocked) String() string {
	need := "with another name or credential than " + names(b.Counted)
	if len(b.May) > 0 {
		need = "of " + names(b.May)
	}
	return format.Plural(b.Tasks, "task waits", "tasks wait") + " for a worker " + need
}

func names(all []string) string {
	const most = 8
	if more := len(all) - most; more > 0 {
		return strings.Join(all[:most], ", ") + fmt.Sprintf(" and %d more", more)
	}
	return strings.Join(all, ", ")
}

// noteBlocked finds tasks that are blocked for a while, and gives notice once for each set of needed
// workers.
func (c *Coordinator) noteBlocked(now time.Time) {
	b := c.findBlocked(now)
	if b.Tasks == 0 {
		c.stuck = now
	}
	if c.blocked = nil; now.Sub(c.stuck) < c.Lease/2 {
		return
	}
	c.blocked = b
	c.sayOnce(fmt.Sprint("blocked ", b.Counted, b.May), b.String())
}

func (c *Coordinator) findBlocked(now time.Time) *Blocked {
	b, present := new(Blocked), c.presentOwners(now)
	for avoid, g := range c.queue.groups {
		avoided := strings.Split(avoid, "\n")
		isAvoided := func(owner string) bool { return slices.Contains(avoided, owner) }
		if g.queued == 0 || avoid == "" || len(slices.DeleteFunc(slices.Clone(present), isAvoided)) > 0 {
			continue
		}
		b.Tasks += g.queued + len(g.waiting)
		b.Counted = append(b.Counted, avoided...)
		b.May = append(b.May, slices.DeleteFunc(c.broker.Credentials(), isAvoided)...)
	}
	slices.Sort(b.Counted)
	slices.Sort(b.May)
	b.Counted, b.May = slices.Compact(b.Counted), slices.Compact(b.May)
	return b
}

func (c *Coordinator) presentOwners(now time.Time) (owners []string) {
	for name, m := range c.members {
		for i := range m.present(now) {
			if owners = append(owners, job.Owner(ThreadName(name, i))); m.credential != "" {
				break
			}
		}
	}
	return owners
}
