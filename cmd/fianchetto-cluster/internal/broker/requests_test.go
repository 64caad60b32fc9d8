package broker

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
)

// generous is how long to wait for what comes at once unless the machine is busy.
const generous = 2 * time.Minute

// open returns a broker that the test closes.
func open(t testing.TB, o Options) *Broker {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), generous)
	defer cancel()
	b, err := Open(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	return b
}

// offer offers a job until the test ends. What comes is answered with its own text, and put into the channel.
func offer(t testing.TB, b *Broker, name string) (requests chan *Request, o *Offer) {
	t.Helper()
	requests = make(chan *Request, 100)
	o, err := tryOffer(t, b, name, requests, nil)
	if err != nil {
		t.Fatal(err)
	}
	return requests, o
}

func tryOffer(t testing.TB, b *Broker, name string, requests chan *Request,
	lost context.CancelCauseFunc) (*Offer, error) {
	return b.Offer(t.Context(), func() Job { return Job{name, "about " + name, 2 * time.Second, true} },
		func(r *Request) {
			if r.Kind != Heartbeat {
				r.Answer(r.Data)
			}
			requests <- r
		}, lost)
}

// TestRequests has a worker find a job, and send it requests of each kind.
func TestRequests(t *testing.T) {
	t.Parallel()
	b := open(t, Options{})
	if jobs, err := b.Jobs(t.Context()); err != nil || len(jobs) != 0 {
		t.Errorf("without a coordinator: %v, %v", jobs, err)
	}
	if _, err := b.Ask(t.Context(), "first", Take, nil); !errors.Is(err, ErrGone) {
		t.Errorf("without a coordinator: %v, want ErrGone", err)
	}
	requests, o := offer(t, b, "first")
	offer(t, b, "second")
	jobs, err := b.Jobs(t.Context())
	slices.SortFunc(jobs, func(a, b Job) int { return strings.Compare(a.Name, b.Name) })
	want := []Job{{"first", "about first", 2 * time.Second, true}, {"second", "about second", 2 * time.Second, true}}
	if err != nil || !slices.Equal(jobs, want) {
		t.Errorf("jobs %+v, %v, want %+v", jobs, err, want)
	}
	for _, kind := range []Kind{Take, Report, Heartbeat} {
		answer, err := b.Ask(t.Context(), "first", kind, []byte("here"))
		if err != nil || kind != Heartbeat && string(answer) != "here" {
			t.Errorf("%s: %q, %v", kind, answer, err)
		}
		if r := <-requests; r.Kind != kind || string(r.Data) != "here" || r.Credential != "" {
			t.Errorf("%s came as %s of %q: %q", kind, r.Kind, r.Credential, r.Data)
		}
	}
	if _, err := b.Ask(t.Context(), "first", Report, make([]byte, 2<<20)); !errors.Is(err, ErrTooLarge) {
		t.Errorf("2 MiB: %v, want ErrTooLarge", err)
	}
	o.Close()
	if _, err := b.Ask(t.Context(), "first", Take, nil); !errors.Is(err, ErrGone) {
		t.Errorf("when the coordinator has left: %v, want ErrGone", err)
	}
	for _, name := range []string{"", "a.b", "a b", "*", ">"} {
		if _, err := tryOffer(t, b, name, nil, nil); !errors.Is(err, ErrOptions) {
			t.Errorf("a job of name %q: %v, want ErrOptions", name, err)
		}
	}
}

// TestOneCoordinator has processes offer the same job: the second is refused while the first answers, and takes the job
// over from one that is silent, which gives it up when it hears of that.
func TestOneCoordinator(t *testing.T) {
	t.Parallel()
	url := plainServer(t)
	first, second := open(t, Options{Name: "first", Connect: url}), open(t, Options{Name: "second", Connect: url})
	lost := make(chan error, 10)
	o, err := tryOffer(t, first, "job", nil, func(err error) { lost <- err })
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tryOffer(t, second, "job", nil, nil); !errors.Is(err, ErrClaimed) ||
		!strings.Contains(err.Error(), `"first"`) {
		t.Errorf("%v, want ErrClaimed that names the first", err)
	}
	offer(t, second, "another")
	o.claim.Begun-- // the clock may not have ticked
	silent, err := first.connection.Subscribe(subjectRoot+"job"+claimWord, o.hear)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range append(o.subscriptions, silent) {
		s.Unsubscribe()
	}
	if _, err := tryOffer(t, second, "job", nil, nil); err != nil {
		t.Fatalf("from one that is silent: %v", err)
	}
	if _, err := first.connection.Subscribe(subjectRoot+"job"+claimWord, o.hear); err != nil {
		t.Fatal(err)
	}
	if err := <-lost; !errors.Is(err, ErrClaimed) || !strings.Contains(err.Error(), `"second"`) {
		t.Errorf("the first lost the job with %v", err)
	}
}

// TestHear gives the job up to a coordinator that began later, and to no other.
func TestHear(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		other claim
		lost  bool
	}{
		{claim{"x", 5, "m"}, false}, {claim{"x", 4, "z"}, false}, {claim{"x", 5, "a"}, false},
		{claim{"x", 5, "n"}, true}, {claim{"x", 6, "a"}, true},
	} {
		lost := false
		o := &Offer{claim: claim{"me", 5, "m"}, lost: func(error) { lost = true }}
		o.hear(message(test.other.text()))
		if o.hear(message([]byte("{"))); lost != test.lost {
			t.Errorf("%+v: lost %v", test.other, lost)
		}
	}
}
