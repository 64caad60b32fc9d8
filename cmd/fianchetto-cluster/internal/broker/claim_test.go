package broker

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

const claimLease = 2 * time.Second // a busy machine must not be late with a renewal by two thirds of it

// claim claims a job, and returns whether it had to wait.
func claim(t testing.TB, e *Broker, job string) (c *Claim, waited bool, err error) {
	t.Helper()
	c, err = e.Claim(t.Context(), job, claimLease, func(string) { waited = true })
	return c, waited, err
}

// TestClaim has two processes claim a job: the second is refused while the first renews its claim, whether or not the
// broker loses it, and takes the job over when the first has ended, with or without releasing it.
func TestClaim(t *testing.T) {
	t.Parallel()
	url := plainServer(t)
	first, second := open(t, Options{Name: "first", Connect: url}), open(t, Options{Name: "second", Connect: url})
	a, waited, err := claim(t, first, "job")
	if err != nil || waited {
		t.Fatalf("a job without a coordinator: %v, waited %v", err, waited)
	}
	ctx, kill := context.WithCancel(t.Context())
	var kept sync.WaitGroup
	kept.Go(func() {
		if err := a.Keep(ctx); err != nil {
			t.Error(err)
		}
	})
	refused := func(when string) {
		t.Helper()
		_, _, err := claim(t, second, "job")
		if !errors.Is(err, ErrClaimed) || !strings.Contains(err.Error(), `"first"`) {
			t.Errorf("%s: %v, want ErrClaimed that names the first", when, err)
		}
	}
	refused("a job with a coordinator")
	if other, _, err := claim(t, second, "another"); err != nil {
		t.Errorf("another job: %v", err)
	} else {
		other.Release()
	}
	if err := first.stream.DeleteKeyValue(t.Context(), claimBucket); err != nil {
		t.Fatal(err)
	}
	time.Sleep(time.Second + claimLease) // a message for what is not there is sent three times
	refused("after the broker had lost the claim")
	kill()
	kept.Wait()

	b, waited, err := claim(t, second, "job")
	if err != nil || !waited {
		t.Fatalf("after the first was killed: %v, waited %v", err, waited)
	}
	if err := a.renew(t.Context()); !errors.Is(err, ErrClaimed) || !strings.Contains(err.Error(), `"second"`) {
		t.Errorf("the first renews its claim: %v", err)
	}
	a.Release() // which is not its own any more
	if err := b.renew(t.Context()); err != nil {
		t.Errorf("the second renews its claim: %v", err)
	}
	b.Release()
	if _, waited, err := claim(t, first, "job"); err != nil || waited {
		t.Errorf("after the second released it: %v, waited %v", err, waited)
	}
}

// TestClaimOfMany has many processes wait for the claim of a dead one to end: one takes the job over.
func TestClaimOfMany(t *testing.T) {
	t.Parallel()
	e := open(t, Options{})
	if _, _, err := claim(t, e, "job"); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var all sync.WaitGroup
	defer all.Wait()
	defer cancel()
	var taken, refused atomic.Int64
	for range 8 {
		all.Go(func() {
			c, _, err := claim(t, e, "job")
			switch {
			case err == nil:
				taken.Add(1)
				if err := c.Keep(ctx); err != nil {
					t.Error(err)
				}
			case errors.Is(err, ErrClaimed):
				refused.Add(1)
			default:
				t.Error(err)
			}
		})
	}
	for deadline := time.Now().Add(generous); taken.Load()+refused.Load() < 8; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%d have the job, %d were refused after a long time", taken.Load(), refused.Load())
		}
	}
	if taken.Load() != 1 {
		t.Errorf("%d have the job", taken.Load())
	}
}

// TestLostAnswer renews a claim although the answer to the last renewal did not arrive.
func TestLostAnswer(t *testing.T) {
	t.Parallel()
	e := open(t, Options{})
	c, _, err := claim(t, e, "job")
	if err != nil {
		t.Fatal(err)
	}
	before := c.revision
	if err := c.renew(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.revision = before
	if err := c.renew(t.Context()); err != nil || c.revision == before {
		t.Errorf("%v, revision %d", err, c.revision)
	}
}
