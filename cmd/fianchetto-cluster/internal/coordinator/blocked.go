package coordinator

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/job"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/worker"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/format"
)

// Blocked describes a run that cannot go on: no present worker may count any of the tasks that are
// left.
type Blocked struct {
	Tasks   int      `json:"tasks"`
	Counted []string `json:"counted_by"`           // the credentials, or threads, that counted the tasks before
	Closed  bool     `json:"credentials,omitzero"` // only the credentials of a file can join
	May     []string `json:"may,omitzero"`         // those of them that may count some of the tasks
}

// String says what the run waits for, and which workers it needs.
func (b *Blocked) String() string {
	need := "start a worker with another name"
	switch {
	case len(b.May) > 0:
		need = "start a worker of " + names(b.May)
	case b.Closed:
		need = "add a credential to the file"
	}
	return fmt.Sprintf("the run cannot go on: %s to be verified by another worker than %s; %s",
		format.Plural(b.Tasks, "task is", "tasks are"), names(b.Counted), need)
}

// names lists some names.
func names(all []string) string {
	const most = 8
	if more := len(all) - most; more > 0 {
		return strings.Join(all[:most], ", ") + fmt.Sprintf(" and %d more", more)
	}
	return strings.Join(all, ", ")
}

// noteBlocked finds out whether the run cannot go on, and gives notice once for each set of workers
// that it needs.
func (c *Coordinator) noteBlocked(now time.Time) {
	if !c.schedule.last || len(c.schedule.counting) > 0 || len(c.schedule.tasks) == 0 {
		c.blocked = nil
	} else if now.Sub(c.counted) > c.Lease/2 {
		c.blocked = c.findBlocked(now)
	}
	if c.blocked == nil {
		return
	}
	if text := c.blocked.String(); text != c.explained {
		c.explained = text
		c.Notice(text)
	}
}

// findBlocked returns what blocks the run if all its tasks wait, nil if a present worker may count
// one of them, or any worker may.
func (c *Coordinator) findBlocked(now time.Time) *Blocked {
	counted := make(map[string]bool)
	credentials := c.broker.Credentials()
	may := make(map[string]bool)
	for _, t := range c.schedule.tasks {
		if len(t.want.Avoid) == 0 || c.members.anyMay(&t.want, now.Add(-c.Lease)) {
			return nil
		}
		for _, owner := range t.want.Avoid {
			counted[owner] = true
		}
		for _, name := range credentials {
			if !slices.Contains(t.want.Avoid, name) {
				may[name] = true
			}
		}
	}
	return &Blocked{len(c.schedule.tasks), slices.Sorted(maps.Keys(counted)), len(credentials) > 0,
		slices.Sorted(maps.Keys(may))}
}

// anyMay reports whether a process that was heard after some time may count a task.
func (all *members) anyMay(want *job.Want, heard time.Time) bool {
	for name, m := range all.known {
		if m.Threads == 0 || m.Seen.Before(heard) {
			continue
		}
		if m.credential != "" {
			if !slices.Contains(want.Avoid, m.credential) {
				return true
			}
			continue
		}
		for i := range min(m.Threads, len(want.Avoid)+1) {
			if !slices.Contains(want.Avoid, worker.ThreadName(name, i)) {
				return true
			}
		}
	}
	return false
}
