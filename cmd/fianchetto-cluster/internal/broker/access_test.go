package broker

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"github.com/fianchetto-chess/fianchetto/internal/must"
)

// guarded is a broker with a run, workers of whom each has a token, and what the coordinator sees
// of all that happens.
type guarded struct {
	*testing.T
	url    string
	broker *Broker // of the coordinator
	run    *Run
	seen   *nats.Subscription
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
	text = strings.NewReplacer("/var/lib/nats", t.TempDir(), "server.pem", file, "server.key", file, "ca.pem",
		authority).Replace(text)
	alpha := regexp.MustCompile(`(?s)\n  ALPHA {.*?\n  }\n`).FindString(text)
	if alpha == "" || strings.Count(text, "\n") != strings.Count(string(page), "\n")-4 {
		t.Fatal("the configuration is not as it was")
	}
	beta := strings.NewReplacer(`"token-of-alpha"`, fmt.Sprintf("%q", betaToken), "ALPHA", "BETA", "alpha",
		"beta").Replace(alpha)
	path := filepath.Join(t.TempDir(), "nats.conf")
	must.Do(t, os.WriteFile(path, []byte(strings.Replace(text, alpha, alpha+beta, 1)), 0o600))
	routes := "nats://127.0.0.1:1"
	for i := range n {
		o := must.Get(server.ProcessConfigFile(path))(t)
		o.ServerName, o.StoreDir = fmt.Sprint("broker-", i), t.TempDir()
		o.Cluster.Host, o.Cluster.Port, o.Routes = "127.0.0.1", server.RANDOM_PORT, server.RoutesFromStr(routes)
		if n == 1 {
			o.Cluster, o.Routes = server.ClusterOpts{}, nil
		}
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
	if err != nil || len(commands) != 3 || o.TLSConfig == nil || o.Cluster.TLSConfig == nil || o.ServerName == "" {
		t.Errorf("%d commands, then %v", len(commands), err)
	}
}

func newGuarded(t *testing.T, url string, b *Broker) *guarded {
	t.Helper()
	g := &guarded{T: t, url: url, broker: b, run: openRun(t, b)}
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
	"perft.result.run.1.beta.x", "perft.result.run.1.workers.x", "perft.result.run.1.coordinator.x",
	"perft.result.run.1", "perft.result.run.1.alpha", "perft.result.run.1.alpha.x.x", "perft.here.beta", "perft.here",
	"perft.task.build.run.1.0.0", "anything", "$JS.API.INFO", "$JS.API.STREAM.CREATE.NEW", "$JS.API.STREAM.NAMES",
	"$JS.API.STREAM.DELETE.perft-results-run", "$JS.API.STREAM.PURGE.perft-results-run",
	"$JS.API.CONSUMER.MSG.NEXT.perft-results-run.other", "$JS.API.CONSUMER.DELETE.perft-results-run.workers",
	"$SYS.REQ.SERVER.PING", "$SYS.REQ.SERVER.PING.CONNZ", "$SYS.REQ.ACCOUNT.$G.INFO", "$SYS.REQ.USER.INFO",
	"$SYS.REQ.CLAIMS.UPDATE", "$SYS.ACCOUNT.$G.CONNECT", "_INBOX.other", "_R_.other",
}

// TestAccess has workers do all that they may do, and read and connect where they must not.
func TestAccess(t *testing.T) {
	forEachServer(t, func(t *guarded) {
		testWorkerReadsNothingElse(t)
		testWorkerWorks(t, "alpha "+alphaToken, "alpha")
		testWorkerWorks(t, "beta "+betaToken, "beta")
		testWhoMayConnect(t)
	})
	t.Run("shared token", func(t *testing.T) {
		t.Parallel()
		b := open(t, Options{Listen: "127.0.0.1:0", Credentials: shared("shared")})
		testWorkerWorks(newGuarded(t, b.Address(), b), "shared", "")
	})
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
	next := "$JS.API.CONSUMER.MSG.NEXT." + tasksStream("build") + ".workers"
	for _, request := range []string{next, "perft.result.run.1.alpha.x", "perft.here.alpha"} {
		for _, subject := range forbidden { // some are refused, for other reasons
			t.publish(c, &nats.Msg{Subject: request, Reply: subject, Data: []byte("mine")}, subject)
		}
	}
	for _, header := range []nats.Header{
		{"Nats-Trace-Dest": {"perft.result.run.1.beta.x"}}, {"Nats-Request-Info": {`{"acc":"RUNS"}`}},
		{"Nats-Schedule": {"@every 1s"}, "Nats-Schedule-Target": {"perft.result.run.1.beta.x"}},
		{"Nats-Rollup": {"all"}},
	} {
		t.publish(c, &nats.Msg{Subject: "perft.result.run.1.alpha.x", Header: header, Data: []byte("mine")},
			"perft.result.run.1.beta.x")
	}
	for _, stored := range allStored(t, t.run) {
		if stored.Credential != "alpha" {
			t.Errorf("alpha stored %q as %q", stored.Data, stored.Credential)
		}
	}
}

func testWorkerReadsNothingElse(t *guarded) {
	c, refusal := t.raw()
	for _, subject := range []string{">", "*.>", "perft.>", "perft.result.>", "perft.here.*",
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
	takeAndReport(t.T, t.run, other)
	if m, err := inbox.NextMsg(50 * time.Millisecond); err == nil {
		t.Errorf("alpha reads %s: %q", m.Subject, m.Data)
	}
}

func testWorkerWorks(t *guarded, credential, want string) {
	heard := make(chan string, 1)
	stop := must.Get(t.broker.Hear(func(credential string, text []byte) { heard <- credential + " says " + string(text) }))(t)
	defer stop()
	must.Do(t, t.broker.connection.Flush())
	worker := open(t, joining(t, t.url, credential))
	worker.Here([]byte("hello"))
	if text := <-heard; text != want+" says hello" {
		t.Errorf("heard %q, want %q", text, want)
	}
	takeAndReport(t.T, t.run, worker)
}

// takeAndReport has a worker do all that it may do with a task.
func takeAndReport(t *testing.T, run *Run, worker *Broker) {
	t.Helper()
	name := run.Give(7, 0, 0, []byte("seven"))
	for _, deliveries := range []uint64{1, 2, 3} {
		task := takeOne(t, worker)
		if string(task.Data) != "seven" || must.Get(task.Metadata())(t).NumDelivered != deliveries {
			t.Fatalf("delivery %d: %q", deliveries, task.Data)
		}
		if must.Do(t, task.InProgress()); deliveries < 3 {
			must.Do(t, task.Nak())
			continue
		}
		must.Do(t, worker.Report(t.Context(), "run", 7, "w", []byte("result of "+worker.user)))
		must.Do(t, task.Ack())
	}
	for must.Get(run.Look(t.Context()))(t).Names[name] > 0 { // until the acknowledgement has arrived
		time.Sleep(time.Millisecond)
	}
	if !slices.ContainsFunc(allStored(t, run), func(stored Stored) bool {
		return string(stored.Data) == "result of "+worker.user && stored.Credential == worker.Credential() && !stored.Own
	}) {
		t.Fatal("the result is not stored")
	}
}

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

// TestReadmit admits other workers while a job goes on: one who is no more among them is out at
// once, and the others stay. One credential cannot take all connections.
func TestReadmit(t *testing.T) {
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
	run := openRun(t, b)
	alpha := open(t, joining(t, b.Address(), "alpha "+alphaToken))
	beta := open(t, joining(t, b.Address(), "beta "+betaToken))
	bound, cancel := alpha.Bind(t.Context())
	defer cancel(nil)
	must.Do(t, b.Readmit([]Credential{{"beta", betaToken}, {"gamma", "new"}}))
	<-bound.Done()
	gamma := open(t, joining(t, b.Address(), "gamma new"))
	for _, worker := range []*Broker{beta, gamma} {
		takeAndReport(t, run, worker)
	}
}
