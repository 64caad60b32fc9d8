package coordinator

import (
	"iter"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/job"
)

// pending is what is to be given out: first what somebody else must count again, then all tasks in their order.
type pending struct {
	ledger *job.Ledger
	again  []job.Want
	rest   func() (job.Want, bool)
	stop   func()
}

func newPending(l *job.Ledger) *pending {
	p := &pending{ledger: l}
	p.rest, p.stop = iter.Pull(l.Wants())
	return p
}

func (p *pending) add(want job.Want) { p.again = append(p.again, want) }

// next returns what to give out next, as the ledger wants it now.
func (p *pending) next() (job.Want, bool) {
	for len(p.again) > 0 {
		want := p.again[0]
		p.again = p.again[1:]
		if now, ok := p.ledger.Wanted(want.Index); ok {
			return now, true
		}
	}
	return p.rest()
}
