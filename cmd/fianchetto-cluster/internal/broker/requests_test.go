package broker

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/must"
)

// generous is how long to wait for what comes at once unless the machine is busy.
const generous = 2 * time.Minute

// open returns a broker that the test closes.
func open(t testing.TB, o Options) *Broker {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), generous)
	defer cancel()
	b := must.Get(Open(ctx, o))(t)
	t.Cleanup(b.Close)
	return b
}

// shared returns the one credential that all workers share.
func shared(token string) []Credential { return []Credential{{Token: token}} }

// offer offers a job until the test ends. What comes is answered with its own text, and put into
// the channel.
func offer(t testing.TB, b *Broker, name string) (requests chan *Request, o *Offer) {
	t.Helper()
	o = must.Get(tryOffer(t, b, name))(t)
	requests = make(chan *Request, 100)
	go func() {
		for {
			select {
			case r := <-o.Requests:
				o.Done(r)
				if r.Kind != Heartbeat {
					r.Answer(r.Data)
				}
				requests <- r
			case <-t.Context().Done():
				return
			}
		}
	}()
	return requests, o
}

func tryOffer(t testing.TB, b *Broker, name string) (*Offer, error) {
	return b.Offer(t.Context(), func() Job { return job(name) })
}

func job(name string) Job { return Job{name, "about " + name, "", 2 * time.Second, true} }

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
	want := []Job{job("first"), job("second")}
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
	if _, err := b.Ask(t.Context(), "first", Report, make([]byte, maxMessage+1)); !errors.Is(err, ErrBroker) {
		t.Errorf("%d bytes: %v, want ErrBroker", maxMessage+1, err)
	}
	o.Close()
	if _, err := b.Ask(t.Context(), "first", Take, nil); !errors.Is(err, ErrGone) {
		t.Errorf("when the coordinator has left: %v, want ErrGone", err)
	}
	for _, name := range []string{"", "a.b", "a b", "*", ">"} {
		if _, err := tryOffer(t, b, name); !errors.Is(err, ErrOptions) {
			t.Errorf("a job of name %q: %v, want ErrOptions", name, err)
		}
	}
}

// TestOneCoordinator has processes offer the same job: the second is refused while the first
// answers, and is not when that is silent or gone. A server that takes short messages only is
// refused, too.
func TestOneCoordinator(t *testing.T) {
	t.Parallel()
	url := startPlain(t, &server.Options{}).ClientURL()
	first, second := open(t, Options{Name: "first", Connect: url}), open(t, Options{Name: "second", Connect: url})
	_, o := offer(t, first, "job")
	if _, err := tryOffer(t, second, "job"); !errors.Is(err, ErrClaimed) || !strings.Contains(err.Error(), `"first"`) {
		t.Errorf("%v, want ErrClaimed that names the first", err)
	}
	offer(t, second, "another")
	o.Close()
	offer(t, second, "job")
	short := startPlain(t, &server.Options{MaxPayload: maxMessage - 1}).ClientURL()
	if _, err := tryOffer(t, open(t, Options{Connect: short}), "job"); !errors.Is(err, ErrOptions) ||
		!strings.Contains(err.Error(), "max_payload: 1048576") {
		t.Errorf("short messages: %v, want ErrOptions and what is needed", err)
	}
}

// TestSilentCoordinator offers a job whose coordinator was stopped.
func TestSilentCoordinator(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("waits for an answer that does not come")
	}
	b := open(t, Options{})
	must.Get(b.connection.SubscribeSync(jobsSubject))(t)
	if _, err := tryOffer(t, b, "job"); err != nil {
		t.Error(err)
	}
}

// TestRoom floods a coordinator that takes nothing: what one credential sends leaves room for
// others, and what all send is bounded.
func TestRoom(t *testing.T) {
	t.Parallel()
	o := &Offer{Requests: make(chan *Request, maxWaiting/requestCost), each: make(map[string]int)}
	put := func(user string, size int) {
		o.put(&nats.Msg{Subject: "fianchetto.job.take." + user, Data: make([]byte, size)})
	}
	for range 2 * maxWaiting / requestCost {
		put("alpha", 0)
	}
	put("beta", 0)
	if n := len(o.Requests); n != maxWaitingEach/requestCost+1 {
		t.Errorf("%d requests wait, want %d of alpha and one of beta", n, maxWaitingEach/requestCost)
	}
	for range 200 {
		put("workers", maxMessage)
	}
	if o.waiting > maxWaiting || o.waiting < maxWaiting-maxMessage-requestCost {
		t.Errorf("%d bytes wait, want %d at most", o.waiting, maxWaiting)
	}
	for age := time.Duration(0); len(o.Requests) > 0; age = callTimeout - age {
		r := <-o.Requests
		r.came = time.Now().Add(-age)
		if awaited := o.Done(r); awaited != (age == 0) {
			t.Errorf("a request that came %v ago is awaited: %v", age, awaited)
		}
	}
	if o.waiting != 0 || len(o.each) != 0 {
		t.Errorf("%d bytes wait of none, %v", o.waiting, o.each)
	}
}
