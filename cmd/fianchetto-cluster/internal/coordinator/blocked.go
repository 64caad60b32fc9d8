package coordinator

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/worker"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/format"
)

// Blocked describes a run that cannot go on: no present worker may count any of the tasks that are
// left.
type Blocked struct {
	Tasks   int      `json:"tasks"`
	Counted []string `json:"counted_by"`   // the credentials, or threads, that counted the tasks before
	May     []string `json:"may,omitzero"` // the credentials of the file that may count some of the tasks
}

// String says what the run waits for, and which workers it needs.
func (b *Blocked) String() string {
	need := "start a worker with another name or credential"
	if len(b.May) > 0 {
		need = "start a worker of " + names(b.May)
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

// noteBlocked finds out whether the run cannot go on. It gives notice once for each set of workers
// that the run needs, or returns ErrNobody if no other worker can join.
func (c *Coordinator) noteBlocked(now time.Time) error {
	switch closed := c.Workers != nil; {
	case !c.schedule.last || len(c.schedule.counting) > 0 || len(c.schedule.tasks) == 0:
		c.blocked = nil
	case closed || now.Sub(c.counted) > c.Lease/2:
		c.blocked = c.findBlocked(now)
	}
	if c.blocked == nil {
		return nil
	}
	if c.Workers != nil {
		return fmt.Errorf("%w: %v", ErrNobody, c.blocked)
	}
	if text := c.blocked.String(); text != c.explained {
		c.explained = text
		c.Notice(text)
	}
	return nil
}

// findBlocked returns the obstacle of a run whose tasks all wait for credentials that are absent.
// It returns nil if a present worker, or any worker, may count one of them.
func (c *Coordinator) findBlocked(now time.Time) *Blocked {
	counted, may := make(map[string]bool), make(map[string]bool)
	present := c.presentOwners(now)
	for _, t := range c.schedule.tasks {
		avoided := func(owner string) bool { return slices.Contains(t.want.Avoid, owner) }
		if len(t.want.Avoid) == 0 || slices.ContainsFunc(present, func(owner string) bool { return !avoided(owner) }) {
			return nil
		}
		for _, owner := range t.want.Avoid {
			counted[owner] = true
		}
		for _, name := range c.broker.Credentials() {
			if !avoided(name) {
				may[name] = true
			}
		}
	}
	return &Blocked{len(c.schedule.tasks), slices.Sorted(maps.Keys(counted)), slices.Sorted(maps.Keys(may))}
}

// presentOwners returns the credentials and threads that were heard within the lease, or the
// threads of a closed run.
func (c *Coordinator) presentOwners(now time.Time) (owners []string) {
	if c.Workers != nil {
		return c.Workers
	}
	for name, m := range c.members.known {
		switch {
		case m.Threads == 0 || now.Sub(m.Seen) > c.Lease:
		case m.credential != "":
			owners = append(owners, m.credential)
		default:
			for i := range m.Threads {
				owners = append(owners, worker.ThreadName(name, i))
			}
		}
	}
	return owners
}
