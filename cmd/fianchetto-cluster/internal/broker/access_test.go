package broker

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// guarded is a broker with a job, workers of whom each has a token, and what the coordinator sees of all that happens.
type guarded struct {
	*testing.T
	url    string
	broker *Broker // of the coordinator
	queue  *Queue
	seen   *nats.Subscription
}

const alphaToken, betaToken = "token-of-alpha", "token-of-beta"

// forEachServer tests an embedded server, and one that is configured as the documentation shows.
func forEachServer(t *testing.T, test func(*guarded)) {
	t.Parallel()
	t.Run("embedded", func(t *testing.T) {
		t.Parallel()
		e := open(t, Options{Listen: "127.0.0.1:0", Workers: []Credential{{"alpha", alphaToken}, {"beta", betaToken}}})
		test(newGuarded(t, e.Address(), e))
	})
	t.Run("configured", func(t *testing.T) {
		t.Parallel()
		url := configuredServer(t)
		o := joining(t, url, "runs token-of-the-coordinator")
		o.Worker = false
		test(newGuarded(t, url, open(t, o)))
	})
}

// configuredServer starts a server with the configuration in the documentation, and an account for beta like that for
// alpha.
func configuredServer(t *testing.T) (url string) {
	t.Helper()
	page, err := os.ReadFile("../../../../docs/security.md")
	if err != nil {
		t.Fatal(err)
	}
	text := regexp.MustCompile(`(?s)\nmax_payload.*?\n}\n`).FindString(string(page))
	alpha := regexp.MustCompile(`(?s)\n  ALPHA {.*?\n  }\n`).FindString(text)
	if alpha == "" {
		t.Fatal("the page has no configuration")
	}
	text = strings.Replace(text, alpha, alpha+strings.NewReplacer("ALPHA", "BETA", "alpha", "beta").Replace(alpha), 1)
	path := filepath.Join(t.TempDir(), "nats.conf")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	o, err := server.ProcessConfigFile(path)
	if err != nil {
		t.Fatal(err)
	}
	o.StoreDir = t.TempDir()
	return startPlain(t, o)
}

func newGuarded(t *testing.T, url string, e *Broker) *guarded {
	t.Helper()
	g := &guarded{T: t, url: url, broker: e, queue: makeQueue(t, e, time.Minute)}
	enqueue(t, g.queue, "0.1", "0.2", "0.3")
	if err := g.queue.Report(t.Context(), Message{Key: "0.9", Data: []byte("result")}); err != nil {
		t.Fatal(err)
	}
	var err error
	if g.seen, err = e.connection.SubscribeSync(">"); err != nil {
		t.Fatal(err)
	}
	if err := e.connection.Flush(); err != nil {
		t.Fatal(err)
	}
	return g
}

// raw connects a client that is not ours. The function waits for an error that the server sends; "" if there is none.
func (g *guarded) raw(name, token string) (c *nats.Conn, refusal func(patience time.Duration) string) {
	g.Helper()
	failures := make(chan error, 1000)
	c, err := nats.Connect(g.url, nats.UserInfo(name, token), nats.NoReconnect(),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { failures <- err }))
	if err != nil {
		g.Fatal(err)
	}
	g.Cleanup(c.Close)
	return c, func(patience time.Duration) string {
		g.Helper()
		if err := c.Flush(); err != nil {
			g.Fatal(err)
		}
		select {
		case err := <-failures:
			return err.Error()
		case <-time.After(patience):
			return ""
		}
	}
}

// unchanged fails the test if the coordinator's account had a message on a subject, or the streams are not what they
// were.
func (g *guarded) unchanged(what, subject string) {
	g.Helper()
	for _, m := range g.drain() {
		if m.Subject == subject {
			g.Errorf("%s came to %s of the coordinator's account: %.100q", what, m.Subject, m.Data)
		}
	}
	awaitState(g, g.queue, State{Waiting: 3, Results: 1})
	if g.Failed() {
		g.Fatalf("after %s", what)
	}
	g.drain() // what was asked for the state
}

// drain returns what came to the coordinator's account since it was called last.
func (g *guarded) drain() (all []*nats.Msg) {
	g.Helper()
	if err := g.broker.connection.Flush(); err != nil {
		g.Fatal(err)
	}
	for {
		m, err := g.seen.NextMsg(5 * time.Millisecond)
		if errors.Is(err, nats.ErrTimeout) {
			return all
		}
		if err != nil {
			g.Fatal(err)
		}
		all = append(all, m)
	}
}

// forbidden are subjects that the worker alpha must not publish to.
var forbidden = []string{
	"fianchetto.job.result.beta.0.1", "fianchetto.job.result.workers.0.1", "fianchetto.job.result.coordinator.0.1",
	"fianchetto.job.result.0.1", "fianchetto.job.result", "fianchetto.job.heartbeat.beta", "fianchetto.job.heartbeat",
	"fianchetto.job.task.0.4", "fianchetto.other.task.0.1", "anything",
	"$JS.API.INFO", "$JS.API.STREAM.NAMES", "$JS.API.STREAM.CREATE.NEW", "$JS.API.STREAM.UPDATE.FIANCHETTO-TASKS-job",
	"$JS.API.STREAM.INFO.FIANCHETTO-TASKS-job", "$JS.API.STREAM.DELETE.FIANCHETTO-TASKS-job",
	"$JS.API.STREAM.PURGE.FIANCHETTO-TASKS-job", "$JS.API.STREAM.PURGE.FIANCHETTO-RESULTS-job",
	"$JS.API.STREAM.MSG.GET.FIANCHETTO-RESULTS-job", "$JS.API.STREAM.MSG.DELETE.FIANCHETTO-TASKS-job",
	"$JS.API.STREAM.SNAPSHOT.FIANCHETTO-RESULTS-job", "$JS.API.STREAM.RESTORE.NEW",
	"$JS.API.DIRECT.GET.FIANCHETTO-RESULTS-job", "$JS.API.DIRECT.GET.FIANCHETTO-RESULTS-job.fianchetto.job.result.beta.0.1",
	"$JS.API.CONSUMER.CREATE.FIANCHETTO-RESULTS-job", "$JS.API.CONSUMER.CREATE.FIANCHETTO-RESULTS-job.spy",
	"$JS.API.CONSUMER.DURABLE.CREATE.FIANCHETTO-RESULTS-job.spy", "$JS.API.CONSUMER.DELETE.FIANCHETTO-TASKS-job.workers",
	"$JS.API.CONSUMER.NAMES.FIANCHETTO-TASKS-job", "$JS.API.CONSUMER.LIST.FIANCHETTO-TASKS-job",
	"$JS.API.CONSUMER.PAUSE.FIANCHETTO-TASKS-job.workers", "$JS.API.CONSUMER.UNPIN.FIANCHETTO-TASKS-job.workers",
	"$JS.API.CONSUMER.INFO.FIANCHETTO-RESULTS-job.coordinator", "$JS.API.CONSUMER.MSG.NEXT.FIANCHETTO-RESULTS-job.coordinator",
	"$JS.API.ACCOUNT.PURGE.$G", "$JS.API.SERVER.REMOVE", "$JS.API.META.LEADER.STEPDOWN",
	"$JS.ACK.FIANCHETTO-RESULTS-job.coordinator.1.1.1.1.0", "$JS.FC.FIANCHETTO-TASKS-job.workers.x",
	"$SYS.REQ.SERVER.PING", "$SYS.REQ.SERVER.PING.CONNZ", "$SYS.REQ.ACCOUNT.$G.INFO", "$SYS.REQ.USER.INFO", "$SYS.REQ.CLAIMS.UPDATE",
	"$SYS.ACCOUNT.$G.CONNECT", "_INBOX.other", "_R_.other",
}

func TestWorkerPublishesNothingElse(t *testing.T) { forEachServer(t, testWorkerPublishesNothingElse) }

func testWorkerPublishesNothingElse(t *guarded) {
	c, refusal := t.raw("alpha", alphaToken)
	for _, subject := range forbidden {
		if err := c.PublishRequest(subject, nats.NewInbox(), []byte("{}")); err != nil {
			t.Fatal(err)
		}
		want := fmt.Sprintf("Permissions Violation for Publish to %q", subject)
		if text := refusal(generous); !strings.Contains(text, want) {
			t.Errorf("publishing to %s: %q, want %s", subject, text, want)
		}
		t.unchanged("publishing to "+subject, subject)
	}
}

func TestWorkerReadsNothingElse(t *testing.T) { forEachServer(t, testWorkerReadsNothingElse) }

func testWorkerReadsNothingElse(t *guarded) {
	c, refusal := t.raw("alpha", alphaToken)
	for _, subject := range []string{">", "*.>", "fianchetto.>", "fianchetto.*.result.*.>", "fianchetto.*.heartbeat.*",
		"$JS.>", "$JS.EVENT.>", "$SYS.>", "_R_.>", "_INBOX", "*"} {
		if _, err := c.SubscribeSync(subject); err != nil {
			t.Fatal(err)
		}
		want := fmt.Sprintf("Permissions Violation for Subscription to %q", subject)
		if text := refusal(generous); !strings.Contains(text, want) {
			t.Errorf("subscribing to %s: %q, want %s", subject, text, want)
		}
	}
	inbox, err := c.SubscribeSync("_INBOX.>")
	if err != nil {
		t.Fatal(err)
	}
	if text := refusal(50 * time.Millisecond); text != "" {
		t.Fatalf("subscribing to the inboxes of its own account: %s", text)
	}
	// Neither the coordinator's answers nor those of another worker come there.
	other := open(t, joining(t, t.url, "beta "+betaToken))
	q, err := other.Find(t.Context(), "job")
	if err != nil {
		t.Fatal(err)
	}
	takeAll(t, q, 2)
	results(t, t.queue, 1)
	if m, err := inbox.NextMsg(50 * time.Millisecond); err == nil {
		t.Errorf("alpha reads %s: %q", m.Subject, m.Data)
	}
}

// TestWorkerSendsNoAnswers has requests that a worker may make answered on subjects that it must not publish to.
func TestWorkerSendsNoAnswers(t *testing.T) { forEachServer(t, testWorkerSendsNoAnswers) }

func testWorkerSendsNoAnswers(t *guarded) {
	c, refusal := t.raw("alpha", alphaToken)
	for _, request := range []string{"$JS.API.STREAM.LIST", "$JS.API.CONSUMER.INFO.FIANCHETTO-TASKS-job.workers"} {
		for _, subject := range forbidden {
			if err := c.PublishRequest(request, subject, nil); err != nil {
				t.Fatal(err)
			}
			refusal(0) // some are refused, for other reasons
			t.unchanged("answer to "+request, subject)
		}
	}
	// No task may become a result, and no confirmation a task.
	next := "$JS.API.CONSUMER.MSG.NEXT.FIANCHETTO-TASKS-job.workers"
	for request, body := range map[string]string{next: `{"batch":1,"no_wait":true}`,
		"fianchetto.job.result.alpha.0.1": "mine"} {
		for _, subject := range []string{"fianchetto.job.result.beta.0.1", "fianchetto.job.task.0.8",
			"$JS.API.STREAM.PURGE.FIANCHETTO-TASKS-job"} {
			if err := c.PublishRequest(request, subject, []byte(body)); err != nil {
				t.Fatal(err)
			}
			refusal(0)
			for _, m := range t.drain() {
				if m.Subject == subject {
					t.Errorf("answer to %s came to %s of the coordinator's account: %.100q", request, m.Subject, m.Data)
				}
			}
		}
	}
	awaitState(t, t.queue, State{Waiting: 3, Results: 4})
	for _, r := range results(t, t.queue, 4) {
		if want := map[string]string{"result": "", "mine": "alpha"}[string(r.Data)]; r.Credential != want {
			t.Errorf("result %q of %q, want %q", r.Data, r.Credential, want)
		}
	}
}

// TestHeadersOfResults has a worker send results with headers that mean something to the server.
func TestHeadersOfResults(t *testing.T) { forEachServer(t, testHeadersOfResults) }

func testHeadersOfResults(t *guarded) {
	c, refusal := t.raw("alpha", alphaToken)
	for _, header := range []nats.Header{
		{"Nats-Rollup": {"all"}}, {"Nats-Rollup": {"sub"}}, {"Nats-TTL": {"1s"}}, {"Nats-Schedule": {"@every 1s"},
			"Nats-Schedule-Target": {"fianchetto.job.result.beta.0.1"}},
		{"Nats-Trace-Dest": {"fianchetto.job.result.beta.0.1"}}, {"Nats-Expected-Stream": {"FIANCHETTO-TASKS-job"}}, {"Nats-Batch-Id": {"x"}, "Nats-Batch-Sequence": {"1"}},
		{"Nats-Request-Info": {`{"acc":"$G"}`}}, {"Nats-Incr": {"+1"}}, {"Nats-Marker-Reason": {"Purge"}}, {deliveriesHeader: {"9223372036854775807"}}, {deliveriesHeader: {"-5"}},
	} {
		if err := c.PublishMsg(&nats.Msg{Subject: "fianchetto.job.result.alpha.0.1", Header: header,
			Data: []byte("mine")}); err != nil {
			t.Fatal(err)
		}
		refusal(0)
	}
	var (
		first bool
		err   error
	)
	for deadline := time.Now().Add(generous); err == nil && !first && time.Now().Before(deadline); {
		err = t.queue.Results(t.Context(), 100, time.Second, func(r Result) {
			first = first || string(r.Data) == "result"
			if string(r.Data) == "mine" && (r.Credential != "alpha" || r.Deliveries != 1) {
				t.Errorf("result of %q, deliveries %d", r.Credential, r.Deliveries)
			}
		})
	}
	if err != nil || !first {
		t.Errorf("the result that was there: %v, %v", first, err)
	}
}

// TestWorkerWorks does all that a worker may do, with each kind of token.
func TestWorkerWorks(t *testing.T) {
	forEachServer(t, func(t *guarded) { testWorkerWorks(t, "alpha "+alphaToken, "alpha") })
	t.Run("shared token", func(t *testing.T) {
		t.Parallel()
		e := open(t, Options{Listen: "127.0.0.1:0", Token: "shared"})
		testWorkerWorks(newGuarded(t, e.Address(), e), "shared", "")
	})
}

func testWorkerWorks(t *guarded, credential, want string) {
	makeQueue(t, t.broker, shortLease)
	heartbeats := make(chan Heartbeat, 10)
	stop, err := t.queue.Watch(func(h Heartbeat) { heartbeats <- h })
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	worker := open(t, joining(t, t.url, credential))
	jobs, err := worker.Jobs(t.Context())
	if err != nil || !slices.Equal(jobs, []Job{{"job", "what it is"}}) {
		t.Fatalf("jobs %v, %v", jobs, err)
	}
	q, err := worker.Find(t.Context(), "job")
	if err != nil {
		t.Fatal(err)
	}
	if state, err := q.State(t.Context()); err != nil || state.Waiting != 3 {
		t.Fatalf("state %+v, %v", state, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go q.Beat(ctx)
	leases := takeAll(t, q, 3)
	if n := len(take(t, t.queue, 1, shortLease+time.Second)); n != 0 {
		t.Error("a task was given out again although heartbeats came")
	}
	if err := errors.Join(leases[2].Return(0), q.Report(t.Context(), Message{Key: "0.1", Data: []byte("done")}),
		leases[0].Finish(), leases[1].Finish(), q.SendHeartbeat([]byte("here"))); err != nil {
		t.Fatal(err)
	}
	if again := takeAll(t, q, 1)[0].Key; again != leases[2].Key {
		t.Errorf("task %s taken again, want %s, which was returned", again, leases[2].Key)
	}
	if r := results(t, t.queue, 2)[1]; r.Key != "0.1" || r.Credential != want {
		t.Errorf("result %s of %q, want 0.1 of %q", r.Key, r.Credential, want)
	}
	if h := <-heartbeats; string(h.Data) != "here" || h.Credential != want {
		t.Errorf("heartbeat %q of %q, want of %q", h.Data, h.Credential, want)
	}
}

func TestWhoMayConnect(t *testing.T) { forEachServer(t, testWhoMayConnect) }

func testWhoMayConnect(t *guarded) {
	for _, c := range []Credential{
		{"alpha", betaToken}, {"alpha", ""}, {"gamma", alphaToken}, {"coordinator", alphaToken}, {"coordinator", ""},
		{"workers", alphaToken}, {"workers", ""}, {"", alphaToken}, {"", ""},
	} {
		show := func() (Credential, error) { return c, nil }
		err := dialFor(t, generous, Options{Connect: t.url, Worker: true, Credential: show})
		if !errors.Is(err, ErrAuthorization) {
			t.Errorf("%+v: %v, want ErrAuthorization", c, err)
		}
	}
}

// TestLimits shows that nothing of an embedded server is without a limit, and fills the results.
func TestLimits(t *testing.T) {
	if testing.Short() {
		t.Skip("it fills a stream")
	}
	t.Parallel()
	e := open(t, Options{Listen: "127.0.0.1:0", Workers: []Credential{{"alpha", alphaToken}}})
	g := newGuarded(t, e.Address(), e)
	info, err := g.broker.stream.AccountInfo(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if l := info.Limits; l.MaxMemory != maxMemory || l.MaxStore != 0 || l.MaxStreams != maxStreams ||
		l.MaxConsumers != 1 {
		t.Errorf("limits of the account %+v", l)
	}
	_, err = g.broker.stream.CreateStream(t.Context(), jetstream.StreamConfig{Name: "disk",
		Storage: jetstream.FileStorage, MaxBytes: 1})
	if err == nil {
		t.Error("a stream on the disk was made")
	}
	for _, name := range []string{taskStreams + "job", resultStreams + "job"} {
		s, err := g.broker.stream.Stream(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		if c := s.CachedInfo().Config; c.MaxBytes != maxStream || c.MaxMsgSize != maxMessage ||
			c.Discard != jetstream.DiscardNew {
			t.Errorf("%s: at most %d bytes, %d in a message, when full %v", name, c.MaxBytes, c.MaxMsgSize, c.Discard)
		}
	}
	v, err := g.broker.server.Varz(nil)
	if err != nil {
		t.Fatal(err)
	}
	if v.MaxConn != maxConnections || v.MaxPayload != maxMessage || v.MaxSubs != maxSubscriptions {
		t.Errorf("at most %d connections, %d bytes in a message, %d subscriptions", v.MaxConn, v.MaxPayload, v.MaxSubs)
	}

	c, _ := g.raw("alpha", alphaToken)
	if err := c.Publish("fianchetto.job.result.alpha.0.1", make([]byte, maxMessage+1)); !errors.Is(err, nats.ErrMaxPayload) {
		t.Errorf("a message of more than %d bytes: %v", maxMessage, err)
	}
	message, answer := make([]byte, maxMessage-1000), ""
	for range 2 * maxStream / maxMessage {
		m, err := c.Request("fianchetto.job.result.alpha.0.1", message, generous)
		if err != nil {
			t.Fatal(err)
		}
		if answer = string(m.Data); strings.Contains(answer, "error") {
			break
		}
	}
	if !strings.Contains(answer, "maximum bytes exceeded") {
		t.Errorf("the stream of results takes more than it should: %q", answer)
	}
	results(t, g.queue, 1)
}
