package broker

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/fianchetto-chess/fianchetto"
)

// ErrClaimed reports that another process coordinates the job, and names it.
const ErrClaimed fianchetto.Problem = "broker: the job has another coordinator"

func claimedError(entry jetstream.KeyValueEntry) error {
	return fmt.Errorf("%w on this broker: %.64q", ErrClaimed, ownerOf(entry).Name)
}

// Claim is the right of this process to coordinate a job: two coordinators would take the results from each other. It
// is a lease that Keep renews. When renewals end, another process takes the job over after the time of the lease, which
// it measures itself, so that no wall clock matters.
type Claim struct {
	broker   *Broker
	job      string
	owner    owner
	value    []byte
	store    jetstream.KeyValue
	revision uint64 // of the last renewal
}

// owner is what a broker keeps of a claim.
type owner struct {
	Name  string        `json:"name"`
	Lease time.Duration `json:"lease_ns"`
	Nonce string        `json:"nonce"` // distinguishes processes of one name
}

const (
	claimBucket = "fianchetto-coordinators" // the key is the job
	maxLease    = time.Minute               // of a claim: no process waits longer, whatever the broker has
)

// Claim claims a job for the process that o.Name names, for as long as Keep is called at least once in the time of the
// lease. While the job has another coordinator that does not renew its claim, it waits, after it has called notice; it
// returns ErrClaimed if that does.
func (b *Broker) Claim(ctx context.Context, job string, lease time.Duration, notice func(text string)) (*Claim, error) {
	c := &Claim{broker: b, job: job, owner: owner{b.connection.Opts.Name, min(lease, maxLease), rand.Text()}}
	var err error
	if c.value, err = json.Marshal(c.owner); err != nil {
		return nil, err
	}
	var other jetstream.KeyValueEntry // that was seen first
	var since time.Time
	for {
		entry, err := c.take(ctx, other, since)
		switch {
		case err != nil:
			return nil, err
		case entry == nil:
			return c, nil
		case other == nil:
			other, since = entry, time.Now()
			notice(fmt.Sprintf("waiting to see whether %.64q still coordinates this job, %v at most",
				ownerOf(entry).Name, ownerOf(entry).Lease))
		case entry.Revision() != other.Revision():
			return nil, claimedError(entry)
		}
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-time.After(c.owner.Lease / (2 * beats)):
		}
	}
}

// take takes the job if no process has it, or if the claim that was there at a time has lasted long enough since
// without a renewal. Else it returns the claim that there is.
func (c *Claim) take(ctx context.Context, other jetstream.KeyValueEntry, since time.Time,
) (jetstream.KeyValueEntry, error) {
	err := c.write(ctx, 0)
	if !errors.Is(err, jetstream.ErrKeyExists) {
		return nil, err
	}
	entry, err := c.store.Get(ctx, c.job)
	if err != nil {
		return nil, named(err)
	}
	if other == nil || entry.Revision() != other.Revision() || time.Since(since) <= ownerOf(entry).Lease {
		return entry, nil
	}
	err = c.write(ctx, entry.Revision())
	if errors.Is(err, jetstream.ErrKeyRevisionMismatch) {
		return c.store.Get(ctx, c.job)
	}
	return nil, err
}

// write puts the claim in the place of that of a revision, 0 for none.
func (c *Claim) write(ctx context.Context, revision uint64) (err error) {
	if c.store == nil {
		c.store, err = c.broker.stream.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{
			Bucket: claimBucket, TTL: resultAge, MaxBytes: maxClaims,
			Storage: jetstream.MemoryStorage, Replicas: c.broker.replicas,
		})
		if err != nil {
			return named(err)
		}
	}
	if revision == 0 {
		revision, err = c.store.Create(ctx, c.job, c.value)
	} else {
		revision, err = c.store.Update(ctx, c.job, c.value, revision)
	}
	if err == nil {
		c.revision = revision
		return nil
	}
	return named(err)
}

// Keep renews the claim until ctx is done. It returns ErrClaimed if another process has taken the job over, for this
// one did not renew the claim in time. A broker that does not answer is asked again, and one that has lost the claim
// gets it again.
func (c *Claim) Keep(ctx context.Context) error {
	tick := time.NewTicker(c.owner.Lease / beats)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		if err := c.renew(ctx); errors.Is(err, ErrClaimed) {
			return err
		}
	}
}

func (c *Claim) renew(ctx context.Context) error {
	err := c.write(ctx, c.revision)
	switch {
	case errors.Is(err, ErrGone):
		c.store, c.revision = nil, 0
		return c.write(ctx, 0)
	case !errors.Is(err, jetstream.ErrKeyRevisionMismatch) && !errors.Is(err, jetstream.ErrKeyExists):
		return err
	}
	entry, err := c.store.Get(ctx, c.job)
	switch {
	case errors.Is(err, jetstream.ErrKeyNotFound):
		return c.write(ctx, 0)
	case err != nil:
		return named(err)
	case bytes.Equal(entry.Value(), c.value): // written, but the broker's answer was lost
		c.revision = entry.Revision()
		return nil
	}
	return claimedError(entry)
}

// Release ends the claim, so that another process need not wait.
func (c *Claim) Release() {
	if c.store == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), callTimeout)
	defer cancel()
	_ = c.store.Purge(ctx, c.job, jetstream.LastRevision(c.revision)) // else the lease ends
}

// ownerOf returns the owner of a claim; one that cannot be read has the longest lease.
func ownerOf(entry jetstream.KeyValueEntry) (o owner) {
	if json.Unmarshal(entry.Value(), &o) != nil || o.Lease <= 0 || o.Lease > maxLease {
		o.Lease = maxLease
	}
	if o.Name == "" {
		o.Name = "a process without a name"
	}
	return o
}
