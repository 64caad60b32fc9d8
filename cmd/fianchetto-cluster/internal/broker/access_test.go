package broker

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/must"
)

// guarded is a broker with a job, workers of whom each has a token, and what the coordinator sees
// of all that happens.
type guarded struct {
	*testing.T
	url      string
	broker   *Broker // of the coordinator
	requests chan *Request
	seen     *nats.Subscription
}

const alphaToken, betaToken = "token-of-alpha", "token-of-\"beta\\$x"

// forEachServer tests an embedded server, and one of the cluster whose configuration is in the
// tree.
func forEachServer(t *testing.T, test func(*guarded)) {
	t.Parallel()
	t.Run("embedded", func(t *testing.T) {
		t.Parallel()
		b := open(t, Options{Listen: "127.0.0.1:0", Credentials: []Credential{{"alpha", alphaToken}, {"beta", betaToken}}})
		test(newGuarded(t, b.Address(), b))
	})
	t.Run("configured", func(t *testing.T) {
		t.Parallel()
		urls, _ := configuredCluster(t, 1)
		o := joining(t, urls[0], "runs token-of-the-coordinator")
		o.Worker = false
		test(newGuarded(t, urls[0], open(t, o)))
	})
}

// configuredCluster starts servers with the configuration in the tree, of which one more is down,
// with certificates for one another, but none for clients, and with an account for beta like that
// for alpha.
func configuredCluster(t *testing.T, n int) (urls []string, servers []*server.Server) {
	t.Helper()
	page := must.Get(os.ReadFile("../../deploy/nats.conf"))(t)
	text := regexp.MustCompile(`(?m)^(tls| *routes:| *listen:).*\n`).ReplaceAllString(string(page), "")
	authority, parent := certify(t, "authority", nil)
	file, _ := certify(t, "server", parent)
	text = strings.NewReplacer("server.pem", file, "server.key", file, "ca.pem", authority).Replace(text)
	alpha := regexp.MustCompile(`(?s)\n  ALPHA {.*?\n  }\n`).FindString(text)
	if alpha == "" || strings.Count(text, "\n") != strings.Count(string(page), "\n")-4 {
		t.Fatal("the configuration is not as it was")
	}
	beta := strings.NewReplacer(`"token-of-alpha"`, fmt.Sprintf("%q", betaToken), "ALPHA", "BETA", "alpha",
		"beta").Replace(alpha)
	path := filepath.Join(t.TempDir(), "nats.conf")
	must.Do(t, os.WriteFile(path, []byte(strings.Replace(text, alpha, alpha+beta, 1)), 0o600))
	routes := "nats://127.0.0.1:1"
	for range n {
		o := must.Get(server.ProcessConfigFile(path))(t)
		o.Cluster.Host, o.Cluster.Port, o.Routes = "127.0.0.1", server.RANDOM_PORT, server.RoutesFromStr(routes)
		s := startPlain(t, o)
		routes += ",nats://" + s.ClusterAddr().String()
		urls, servers = append(urls, s.ClientURL()), append(servers, s)
	}
	return urls, servers
}

// TestConfigurationAsItStands makes the certificates by the commands in nats.conf, and has a server
// read it.
func TestConfigurationAsItStands(t *testing.T) {
	page := must.Get(os.ReadFile("../../deploy/nats.conf"))(t)
	dir := t.TempDir()
	must.Do(t, os.WriteFile(filepath.Join(dir, "nats.conf"), page, 0o600))
	commands := regexp.MustCompile(`(?m)^#   (openssl .*)$`).FindAllStringSubmatch(string(page), -1)
	if _, err := exec.LookPath("openssl"); err != nil {
		t.Skip("no openssl here")
	}
	for _, command := range commands {
		shell := exec.Command("sh", "-c", command[1])
		shell.Dir = dir
		if out, err := shell.CombinedOutput(); err != nil {
			if strings.Contains(string(out), "copy_extensions") {
				t.Skip("openssl is older than 3.0")
			}
			t.Fatalf("%s: %v\n%s", command[1], err, out)
		}
	}
	t.Chdir(dir)
	o, err := server.ProcessConfigFile("nats.conf")
	if err != nil || len(commands) != 3 || o.TLSConfig == nil || o.Cluster.TLSConfig == nil {
		t.Errorf("%d commands, then %v", len(commands), err)
	}
}

// TestCluster kills one server of three after the other: a worker and a coordinator go on.
func TestCluster(t *testing.T) {
	t.Parallel()
	urls, servers := configuredCluster(t, 3)
	urls = append([]string{"127.0.0.1:1"}, urls...) // is down
	o := joining(t, strings.Join(urls, ","), "runs token-of-the-coordinator")
	o.Worker = false
	offer(t, open(t, o), "job")
	worker := open(t, joining(t, strings.Join(urls, ","), "alpha "+alphaToken))
	for _, s := range servers[:2] {
		s.Shutdown()
		for deadline := time.Now().Add(generous); ; time.Sleep(5 * time.Millisecond) {
			answer, err := worker.Ask(t.Context(), "job", Take, []byte("still"))
			if err == nil && string(answer) == "still" {
				break
			}
			if time.Now().After(deadline) {
				t.Fatal(err)
			}
		}
	}
}

func newGuarded(t *testing.T, url string, b *Broker) *guarded {
	t.Helper()
	g := &guarded{T: t, url: url, broker: b}
	g.requests, _ = offer(t, b, "job")
	g.seen = must.Get(b.connection.SubscribeSync(">"))(t)
	must.Do(t, b.connection.Flush())
	return g
}

// raw connects a client of the worker alpha that is not ours. The function waits for an error that
// the server sends; "" if there is none.
func (g *guarded) raw() (c *nats.Conn, refusal func(patience time.Duration) string) {
	g.Helper()
	failures := make(chan error, 1000)
	c = must.Get(nats.Connect(g.url, nats.UserInfo("alpha", alphaToken), nats.NoReconnect(),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { failures <- err })))(g)
	g.Cleanup(c.Close)
	return c, func(patience time.Duration) string {
		g.Helper()
		must.Do(g, c.Flush())
		select {
		case err := <-failures:
			return err.Error()
		case <-time.After(patience):
			return ""
		}
	}
}

// publish publishes a message as the worker alpha, and fails the test if one came to a subject of
// the coordinator's account.
func (g *guarded) publish(c *nats.Conn, m *nats.Msg, subject string) {
	g.Helper()
	must.Do(g, c.PublishMsg(m), c.Flush(), g.broker.connection.Flush())
	for {
		seen, err := g.seen.NextMsg(5 * time.Millisecond)
		if errors.Is(err, nats.ErrTimeout) {
			return
		}
		if must.Do(g, err); seen.Subject == subject {
			g.Fatalf("%s, with the reply %q and the header %v, came to %s of the coordinator's account: %.100q", m.Subject,
				m.Reply, m.Header, subject, seen.Data)
		}
	}
}

// forbidden are subjects that the worker alpha must not publish to.
var forbidden = []string{
	"fianchetto.job.result.beta", "fianchetto.job.result.workers", "fianchetto.job.result.coordinator",
	"fianchetto.job.result", "fianchetto.job.result.alpha.1", "fianchetto.job.take.beta", "fianchetto.job.take",
	"fianchetto.job.heartbeat.beta", "fianchetto.job.heartbeat", "fianchetto.job.coordinator", "fianchetto.job",
	"fianchetto.job.other.alpha", "anything", "$JS.API.INFO", "$JS.API.STREAM.CREATE.NEW", "$SYS.REQ.SERVER.PING",
	"$SYS.REQ.SERVER.PING.CONNZ", "$SYS.REQ.ACCOUNT.$G.INFO", "$SYS.REQ.USER.INFO", "$SYS.REQ.CLAIMS.UPDATE",
	"$SYS.ACCOUNT.$G.CONNECT", "_INBOX.other", "_R_.other",
}

// TestWorkerPublishesNothingElse has a worker publish to subjects that it must not publish to, have
// the requests that it may make answered there, and send headers that mean something to the server.
func TestWorkerPublishesNothingElse(t *testing.T) { forEachServer(t, testWorkerPublishesNothingElse) }

func testWorkerPublishesNothingElse(t *guarded) {
	c, refusal := t.raw()
	for _, subject := range forbidden {
		t.publish(c, &nats.Msg{Subject: subject, Reply: nats.NewInbox(), Data: []byte("{}")}, subject)
		want := fmt.Sprintf("Permissions Violation for Publish to %q", subject)
		if text := refusal(generous); !strings.Contains(text, want) {
			t.Fatalf("publishing to %s: %q, want %s", subject, text, want)
		}
	}
	for _, request := range []string{"fianchetto.jobs", "fianchetto.job.take.alpha", "fianchetto.job.result.alpha"} {
		for _, subject := range forbidden { // some are refused, for other reasons
			t.publish(c, &nats.Msg{Subject: request, Reply: subject, Data: []byte("mine")}, subject)
		}
	}
	const of = "fianchetto.job.result."
	for _, header := range []nats.Header{
		{"Nats-Trace-Dest": {of + "beta"}}, {"Nats-Request-Info": {`{"acc":"RUNS"}`}},
		{"Nats-Schedule": {"@every 1s"}, "Nats-Schedule-Target": {of + "beta"}},
	} {
		t.publish(c, &nats.Msg{Subject: of + "alpha", Header: header, Data: []byte("mine")}, of+"beta")
	}
}

func TestWorkerReadsNothingElse(t *testing.T) { forEachServer(t, testWorkerReadsNothingElse) }

func testWorkerReadsNothingElse(t *guarded) {
	c, refusal := t.raw()
	for _, subject := range []string{">", "*.>", "fianchetto.>", "fianchetto.*.result.*.>", "fianchetto.*.heartbeat.*",
		"$JS.>", "$JS.EVENT.>", "$SYS.>", "_R_.>", "_INBOX", "*"} {
		must.Get(c.SubscribeSync(subject))(t)
		want := fmt.Sprintf("Permissions Violation for Subscription to %q", subject)
		if text := refusal(generous); !strings.Contains(text, want) {
			t.Fatalf("subscribing to %s: %q, want %s", subject, text, want)
		}
	}
	inbox := must.Get(c.SubscribeSync("_INBOX.>"))(t)
	if text := refusal(50 * time.Millisecond); text != "" {
		t.Fatalf("subscribing to the inboxes of its own account: %s", text)
	}
	// Neither the coordinator's answers nor those of another worker come there.
	other := open(t, joining(t, t.url, "beta "+betaToken))
	must.Get(other.Ask(t.Context(), "job", Take, []byte("mine")))(t)
	if m, err := inbox.NextMsg(50 * time.Millisecond); err == nil {
		t.Errorf("alpha reads %s: %q", m.Subject, m.Data)
	}
}

// TestWorkerWorks does all that a worker may do, with each kind of token.
func TestWorkerWorks(t *testing.T) {
	forEachServer(t, func(t *guarded) {
		testWorkerWorks(t, "alpha "+alphaToken, "alpha")
		testWorkerWorks(t, "beta "+betaToken, "beta")
	})
	t.Run("shared token", func(t *testing.T) {
		t.Parallel()
		b := open(t, Options{Listen: "127.0.0.1:0", Credentials: shared("shared")})
		testWorkerWorks(newGuarded(t, b.Address(), b), "shared", "")
	})
}

func testWorkerWorks(t *guarded, credential, want string) {
	worker := open(t, joining(t, t.url, credential))
	if jobs, err := worker.Jobs(t.Context()); err != nil || len(jobs) != 1 || jobs[0].About != "about job" {
		t.Fatalf("jobs %v, %v", jobs, err)
	}
	for _, kind := range []Kind{Take, Report, Heartbeat} {
		if answer, err := worker.Ask(t.Context(), "job", kind, []byte("x")); err != nil ||
			kind != Heartbeat && string(answer) != "x" {
			t.Errorf("%s: %q, %v", kind, answer, err)
		}
		if r := <-t.requests; r.Kind != kind || r.Credential != want {
			t.Errorf("%s of %q, want %s of %q", r.Kind, r.Credential, kind, want)
		}
	}
}

func TestWhoMayConnect(t *testing.T) { forEachServer(t, testWhoMayConnect) }

func testWhoMayConnect(t *guarded) {
	var all sync.WaitGroup // a refusal takes a second
	defer all.Wait()
	for _, c := range []Credential{
		{"alpha", betaToken}, {"alpha", ""}, {"gamma", alphaToken}, {"coordinator", alphaToken}, {"coordinator", ""},
		{"workers", alphaToken}, {"workers", ""}, {"", alphaToken}, {"", ""},
	} {
		all.Go(func() {
			err := dialFor(t, generous, Options{Connect: t.url, Worker: true, Credentials: []Credential{c}})
			if !errors.Is(err, ErrAuthorization) {
				t.Errorf("%+v: %v, want ErrAuthorization", c, err)
			}
		})
	}
}

// TestRefusedLogins tries wrong tokens, one after the other: each takes a second, and some are
// reported.
func TestRefusedLogins(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes seconds")
	}
	notices := make(chan string, 10)
	b := open(t, Options{Listen: "127.0.0.1:0", Credentials: shared("right"),
		Notice: func(text string) { notices <- text }})
	begun := time.Now()
	for n := 1; n <= 3; n++ {
		if err := dialFor(t, generous, joining(t, b.Address(), "wrong")); !errors.Is(err, ErrAuthorization) {
			t.Fatal(err)
		}
		if took := time.Since(begun); b.RefusedLogins() != n || took < time.Duration(n)*refusalPause {
			t.Errorf("%d logins refused after %v, want %d", b.RefusedLogins(), took, n)
		}
	}
	if text := <-notices; !strings.HasPrefix(text, "logins refused: 1; the last is from 127.0.0.1:") || len(notices) > 0 {
		t.Errorf("notice %q and %d others", text, len(notices))
	}
}

// TestLimits holds that a credential cannot take all connections, and that messages are not too
// large.
func TestLimits(t *testing.T) {
	t.Parallel()
	b := open(t, Options{Listen: "127.0.0.1:0", Credentials: []Credential{{"alpha", alphaToken}, {"beta", betaToken}}})
	v, err := b.server.Varz(nil)
	if err != nil || v.MaxConn != maxConnections || v.MaxPayload != maxMessage {
		t.Errorf("at most %d connections, %d bytes in a message, %v", v.MaxConn, v.MaxPayload, err)
	}
	for name, want := range map[string]int{"worker-alpha": maxConnections / 2, "RUNS": -1} {
		if a, err := b.server.LookupAccount(name); err != nil || a.MaxActiveConnections() != want {
			t.Errorf("%s: %v, want %d connections", name, err, want)
		}
	}
}

// TestReadmit lets in other workers while a job goes on: who is no more among them is out at once,
// the others stay.
func TestReadmit(t *testing.T) {
	t.Parallel()
	b := open(t, Options{Listen: "127.0.0.1:0", Credentials: []Credential{{"alpha", alphaToken}, {"beta", betaToken}}})
	offer(t, b, "job")
	alpha := open(t, joining(t, b.Address(), "alpha "+alphaToken))
	beta := open(t, joining(t, b.Address(), "beta "+betaToken))
	bound, cancel := alpha.Bind(t.Context())
	defer cancel(nil)
	must.Do(t, b.Readmit([]Credential{{"beta", betaToken}, {"gamma", "new"}}))
	<-bound.Done()
	gamma := open(t, joining(t, b.Address(), "gamma new"))
	for _, worker := range []*Broker{beta, gamma} {
		if _, err := worker.Ask(t.Context(), "job", Take, nil); err != nil || !worker.Connected() {
			t.Errorf("%s: %v", worker.user, err)
		}
	}
}
