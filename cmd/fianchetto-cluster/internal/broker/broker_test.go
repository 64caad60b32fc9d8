package broker

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"github.com/fianchetto-chess/fianchetto/internal/must"
)

// generous is how long to wait for what comes at once unless the machine is busy.
const generous = time.Minute

// open opens a broker until the test ends.
func open(t testing.TB, o Options) *Broker {
	t.Helper()
	b := must.Get(Open(t.Context(), o))(t)
	t.Cleanup(b.Close)
	return b
}

func shared(token string) []Credential { return []Credential{{Token: token}} }

// openRun opens the streams of a run.
func openRun(t testing.TB, b *Broker) *Run {
	t.Helper()
	return must.Get(b.OpenRun(t.Context(), "run", "build", generous))(t)
}

// takeOne waits until there is a message of tasks, which may come only after its lease.
func takeOne(t *testing.T, b *Broker) (tasks *nats.Msg) {
	t.Helper()
	for tasks == nil {
		tasks = must.Get(b.Take("build"))(t)
	}
	return tasks
}

// allStored returns the results that are stored now.
func allStored(t testing.TB, run *Run) (all []Stored) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	for stored := range run.Results(ctx) {
		if stored.Data != nil {
			all = append(all, stored)
		}
		if stored.Last {
			break
		}
	}
	return all
}

// joining returns the options of a worker elsewhere who shows a credential, "TOKEN" or "NAME
// TOKEN".
func joining(t testing.TB, url, credential string) Options {
	t.Helper()
	return Options{Connect: url, Worker: true, Credentials: must.Get(ParseCredentials(credential))(t)}
}

// startPlain starts a server that is not embedded, as far as a test can see.
func startPlain(t *testing.T, o *server.Options) *server.Server {
	t.Helper()
	o.Host, o.Port, o.NoLog, o.NoSigs = "127.0.0.1", server.RANDOM_PORT, true, true
	s := must.Get(server.NewServer(o))(t)
	s.Start()
	t.Cleanup(func() {
		s.Shutdown()
		s.WaitForShutdown()
	})
	if !s.ReadyForConnections(generous) {
		t.Fatal("the server is not ready")
	}
	return s
}

// TestUnfit has a run on a broker where it may only be a worker, and on one that stores no results.
func TestUnfit(t *testing.T) {
	t.Parallel()
	embedded := open(t, Options{Listen: "127.0.0.1:0", Credentials: shared("token")})
	for _, test := range []struct {
		o      Options
		want   error
		reason string
	}{
		{joining(t, embedded.Address(), "token"), ErrAuthorization, "Permissions Violation for "},
		{Options{Connect: startPlain(t, new(server.Options)).ClientURL()}, ErrBroker, "no JetStream"},
	} {
		remote := open(t, test.o)
		ctx, cancel := remote.Bind(t.Context())
		defer cancel(nil)
		if _, err := remote.OpenRun(ctx, "run", "build", time.Second); !errors.Is(err, test.want) ||
			!strings.Contains(err.Error(), test.reason) {
			t.Errorf("%v, want %v: %s", err, test.want, test.reason)
		}
	}
}

// TestQueue gives a task twice, loses it, has its lease pass, and removes the queue.
func TestQueue(t *testing.T) {
	t.Parallel()
	b := open(t, Options{})
	if _, err := b.Take("build"); !errors.Is(err, ErrNone) {
		t.Errorf("without a queue: %v, want ErrNone", err)
	}
	run := must.Get(b.OpenRun(t.Context(), "run", "build", 100*time.Millisecond))(t)
	run.Give(1, 0, 0, []byte("one"))
	run.Give(1, 0, 0, []byte("one"))
	run.Give(1, 0, 1, []byte("copy"))
	one, other := takeOne(t, b), takeOne(t, b)
	if string(one.Data) != "one" || string(other.Data) != "copy" {
		t.Fatalf("%q and %q, want the task and its copy", one.Data, other.Data)
	}
	must.Do(t, other.Ack())
	if again := takeOne(t, b); string(again.Data) != "one" || must.Get(again.Metadata())(t).NumDelivered != 2 {
		t.Fatalf("after the lease %q", again.Data)
	}
	must.Do(t, b.js.DeleteStream(t.Context(), tasksStream("build")))
	if _, err := run.Look(t.Context()); err == nil {
		t.Error("a lost queue is no error")
	}
	must.Get(run.Look(t.Context()))(t)
	ended := make(chan error, 1)
	go func() {
		_, err := b.Take("build")
		ended <- err
	}()
	for must.Get(run.Look(t.Context()))(t).Asking == 0 {
		time.Sleep(time.Millisecond)
	}
	run.Close(t.Context())
	if err := <-ended; !errors.Is(err, ErrGone) {
		t.Errorf("at the end: %v, want ErrGone", err)
	}
}

// TestStored stores results in a directory, opens it again, and discards some.
func TestStored(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	b := must.Get(Open(t.Context(), Options{Store: dir}))(t)
	openRun(t, b)
	for i := range 3 * repeats { // of which one subject takes some
		must.Do(t, b.Report(t.Context(), "run", i%2, "ann", []byte("a")))
	}
	must.Do(t, b.Report(t.Context(), "run", 1, "bob", []byte("b")))
	b.Close()
	run := openRun(t, open(t, Options{Store: dir}))
	want := func(when, want string) {
		t.Helper()
		text := ""
		for _, stored := range allStored(t, run) {
			text += string(stored.Data)
		}
		if text != want {
			t.Errorf("%s: %q, want %q", when, text, want)
		}
	}
	want("again", strings.Repeat("a", 2*repeats)+"b")
	must.Do(t, run.Discard(t.Context(), "ann"))
	want("without ann", "b")
	must.Do(t, run.Discard(t.Context(), coordinatorUser))
	want("without all", "")
}

// dialFor tries for a while to open a broker elsewhere, and closes it.
func dialFor(t testing.TB, patience time.Duration, o Options) error {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	e, err := Open(ctx, o)
	if err == nil {
		e.Close()
	}
	return err
}

func TestOptionsThatDoNotGoTogether(t *testing.T) {
	t.Parallel()
	const here, file = "127.0.0.1:0", "broker_test.go"
	nats := func(tls TLSFiles) Options { return Options{Connect: "nats://127.0.0.1", TLS: tls} }
	for want, refused := range map[error][]Options{
		ErrExposed: {{Listen: here}, {Listen: "0.0.0.0:0"}, {Listen: ":0"}, {Listen: "[::]:0"}, {Listen: "example.org:0"}},
		ErrBroker: {
			{Listen: here, Credentials: shared("token"), TLS: TLSFiles{Certificate: file, Key: file}},
			{Listen: here, Credentials: shared("token"), TLS: TLSFiles{Certificate: "no.pem", Key: "no.pem"}},
		},
		ErrOptions: {
			{Listen: here, Connect: "nats://127.0.0.1"}, {Connect: "nats://127.0.0.1", Credentials: make([]Credential, 2)},
			{TLS: TLSFiles{Authority: "ca.pem"}}, {Listen: here, TLS: TLSFiles{Authority: "ca.pem"}},
			{TLS: TLSFiles{Certificate: file, Key: file}},
			nats(TLSFiles{Key: "key.pem"}), nats(TLSFiles{Certificate: file, Key: file}),
			nats(TLSFiles{Authority: "/no/such.pem"}), nats(TLSFiles{Authority: file}),
			{Connect: "nats://127.0.0.1:port"}, {Connect: "http://127.0.0.1:4222"}, {Connect: "127.0.0.1:99999"},
			{Connect: "127.0.0.1:0"}, {Connect: " "}, {Connect: "127.0.0.1:4222,"}, {Connect: ":4222"},
			{Connect: "nats://token@127.0.0.1"}, {Connect: "a,nats://name:token@127.0.0.1"},
		},
	} {
		for _, o := range refused {
			if err := dialFor(t, generous, o); !errors.Is(err, want) || strings.Contains(err.Error(), "failed: :") {
				t.Errorf("%+v: %v, want %v", o, err, want)
			}
		}
	}
}

func TestListening(t *testing.T) {
	t.Parallel()
	e := open(t, Options{Listen: "127.0.0.1:0", Credentials: shared("token")})
	if address := open(t, Options{}).Address(); address != "" {
		t.Errorf("a broker without an address is at %s", address)
	}
	for address, want := range map[string]string{
		strings.TrimPrefix(e.Address(), "nats://"): "address already in use", "localhost": "missing port",
		"127.0.0.1:65536": "invalid port", "127.0.0.1:-1": "invalid port",
	} {
		err := dialFor(t, generous, Options{Listen: address, Credentials: shared("token")})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("listening at %s: %v, want %s", address, err, want)
		}
	}
}

// certify writes a certificate and its key into one file, signed by parent, or by itself as an
// authority.
func certify(t *testing.T, name string, parent *tls.Certificate) (path string, own *tls.Certificate) {
	t.Helper()
	key := must.Get(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))(t)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: name},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, BasicConstraintsValid: true, IsCA: parent == nil,
	}
	if parent == nil {
		parent = &tls.Certificate{Leaf: template, PrivateKey: key}
	}
	der := must.Get(x509.CreateCertificate(rand.Reader, template, parent.Leaf, &key.PublicKey, parent.PrivateKey))(t)
	keyDER := must.Get(x509.MarshalPKCS8PrivateKey(key))(t)
	text := append(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}),
		pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: keyDER})...)
	path = filepath.Join(t.TempDir(), name+".pem")
	must.Do(t, os.WriteFile(path, text, 0o600))
	return path, &tls.Certificate{Leaf: template, PrivateKey: key}
}

func TestTLS(t *testing.T) {
	t.Parallel()
	authority, parent := certify(t, "authority", nil)
	files := func(name string, parent *tls.Certificate) TLSFiles {
		path, _ := certify(t, name, parent)
		return TLSFiles{path, path, authority}
	}
	server, client, stranger := files("server", parent), files("client", parent), files("stranger", nil)
	e := open(t, Options{Listen: "127.0.0.1:0", Credentials: shared("token"), TLS: server})
	for _, test := range []struct {
		name    string
		token   string
		tls     TLSFiles
		refused bool
	}{
		{"client of the authority", "token", client, false},
		{"wrong token", "other", client, true},
		{"no certificate", "token", TLSFiles{Authority: authority}, true},
		{"certificate of another authority", "token", stranger, true},
		{"server of another authority", "token", TLSFiles{Authority: stranger.Certificate}, true},
		{"system's authorities", "token", TLSFiles{}, true},
	} {
		o := joining(t, e.Address(), test.token)
		o.TLS = test.tls
		if err := dialFor(t, generous, o); (err != nil) != test.refused || errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: %v, want it refused at once: %v", test.name, err, test.refused)
		}
	}
}

func TestParseCredentials(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]Credential{
		"secret":                       {{"", "secret"}},
		" alpha\tsecret \n":            {{"alpha", "secret"}},
		"A-1_b $1$x$y\n$2a":            {{"A-1_b", "$1$x$y"}, {"", "$2a"}},
		"a $2ab$x\nb 2ab$x":            {{"a", "$2ab$x"}, {"b", "2ab$x"}},
		"$2$a":                         {{"", "$2$a"}},
		strings.Repeat("x", 256):       {{"", strings.Repeat("x", 256)}},
		strings.Repeat("n", 32) + " t": {{strings.Repeat("n", 32), "t"}},
		"# two workers\n\nalpha one\r\n  beta\ttwo": {{"alpha", "one"}, {"beta", "two"}},
	} {
		if got, err := ParseCredentials(text); !slices.Equal(got, want) || err != nil {
			t.Errorf("%.50q: %+v, %v, want %+v", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		"":                              "no line has a token",
		"# nobody\n":                    "no line has a token",
		"a b c":                         "neither a token nor",
		strings.Repeat("x", 100_000):    "token of 100000 bytes is not 1..256",
		"$2a$11$C6UzMDM.H6dfI/f/IKcEe.": "looks like a bcrypt hash",
		"$2b$x":                         "looks like a bcrypt hash",
		"$2y$":                          "looks like a bcrypt hash",
		"tök":                           "printable ASCII",
		"a\x00b":                        "printable ASCII",
		"alpha.1 secret":                `name "alpha.1" is not of`,
		"* secret":                      `name "*" is not of`,
		strings.Repeat("n", 33) + " t":  "is not of 1..32 letters",
		"coordinator secret":            "name coordinator is reserved",
		"workers secret":                "name workers is reserved",
		"secret\nanother":               "line 2: unusable credential: second token of workers",
		"alpha one\nalpha two":          "line 2: unusable credential: second token of alpha",
		"alpha one\n\nbeta one":         "line 3: unusable credential: token of another line",
		"alpha one\none":                "line 2: unusable credential: token of another line",
	} {
		_, err := ParseCredentials(text)
		if !errors.Is(err, ErrCredential) || !strings.Contains(err.Error(), want) || len(err.Error()) > 200 {
			t.Errorf("%.50q: %v, want ErrCredential with %q", text, err, want)
		}
		if token := text[strings.LastIndexByte(text, ' ')+1:]; err != nil && len(token) > 3 &&
			strings.Contains(err.Error(), token) {
			t.Errorf("%.50q: the error repeats the token: %v", text, err)
		}
	}
}
