// Package broker gives tasks to workers and stores their results through NATS JetStream, in an
// embedded server or in servers elsewhere. Tasks and results are bytes without meaning here.
//
// Sources: https://docs.nats.io/nats-concepts/jetstream/streams,
// https://docs.nats.io/nats-concepts/jetstream/consumers
package broker

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/tls"
	_ "embed"
	"errors"
	"fmt"
	"math"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"text/template"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

// Problems of a broker.
const (
	ErrAuthorization fianchetto.Problem = "the broker refused the token"
	ErrExposed       fianchetto.Problem = "listening needs a token"
	ErrOptions       fianchetto.Problem = "unusable options"
	ErrBroker        fianchetto.Problem = "the broker failed"
	ErrGone          fianchetto.Problem = "the run has ended"
	ErrNone          fianchetto.Problem = "the broker has no run of this build"
)

const (
	dialTimeout    = 2 * time.Second
	announceTime   = 500 * time.Millisecond // without a server, until a notice says so
	reconnectPause = 250 * time.Millisecond
	callTimeout    = 3 * time.Second

	// A connection is given up after two unanswered pings, but not because a lone server is busy.
	pingInterval     = 2 * time.Second
	pingIntervalLone = 10 * time.Second
)

// Broker is a connection to a server.
type Broker struct {
	options    Options
	connection *nats.Conn
	js         jetstream.JetStream
	user       string // the owner of this process's results
	life       context.Context
	end        context.CancelCauseFunc // ends life when the connection ends for good

	server   *server.Server               // the embedded server, or nil
	scratch  string                       // its directory without Options.Store
	secret   string                       // the coordinator's token there
	admitted atomic.Pointer[[]Credential] // the workers admitted there
	refused  atomic.Int64                 // logins
}

// Open starts a server or waits for one. It returns ErrOptions, ErrExposed, ErrAuthorization, the
// error of net.Listen, and ErrBroker for all other faults, such as an untrusted certificate.
func Open(ctx context.Context, o Options) (*Broker, error) {
	servers, err := o.check()
	if err != nil {
		return nil, err
	}
	if o.Notice == nil {
		o.Notice = func(string) {}
	}
	b := &Broker{options: o, user: coordinatorUser, secret: rand.Text()}
	b.life, b.end = context.WithCancelCause(context.Background())
	connection := b.connectOptions(servers)
	if o.Connect != "" {
		err = b.identify(&connection)
	} else {
		err = b.startServer()
		connection.InProcessServer, connection.User, connection.Password = b.server, coordinatorUser, b.secret
	}
	if err == nil {
		b.connection, err = o.dial(ctx, &connection)
	}
	if err == nil {
		b.js, err = jetstream.New(b.connection, jetstream.WithDefaultTimeout(callTimeout))
	}
	if limit := maxMessage; err == nil && b.connection.MaxPayload() < int64(limit) {
		err = fmt.Errorf("%w: the server takes messages of %d bytes only, and needs max_payload: %d", ErrOptions,
			b.connection.MaxPayload(), limit)
	}
	if err != nil {
		b.Close()
		return nil, err
	}
	return b, nil
}

// Close ends the connection and the embedded server.
func (b *Broker) Close() {
	if b.connection != nil {
		b.connection.Close()
	}
	if b.server != nil {
		b.server.Shutdown()
		b.server.WaitForShutdown()
	}
	if b.scratch != "" {
		_ = os.RemoveAll(b.scratch)
	}
}

// Address returns the URL of the embedded server, or "".
func (b *Broker) Address() string {
	if b.server == nil || b.server.Addr() == nil {
		return ""
	}
	return b.server.ClientURL()
}

// Credential returns the credential of this process, or "".
func (b *Broker) Credential() string { return credentialOf(b.user) }

func credentialOf(user string) string {
	if user == coordinatorUser || user == sharedUser {
		return ""
	}
	return user
}

// Credentials returns the names admitted by the embedded server.
func (b *Broker) Credentials() (names []string) {
	if admitted := b.admitted.Load(); admitted != nil {
		for _, c := range *admitted {
			if c.Name != "" {
				names = append(names, c.Name)
			}
		}
	}
	return names
}

// RefusedLogins counts the logins refused by the embedded server.
func (b *Broker) RefusedLogins() int { return int(b.refused.Load()) }

// Bind returns a context that also ends with the connection, or after Options.Patience without one.
// The cause is then ErrAuthorization or ErrBroker.
func (b *Broker) Bind(parent context.Context) (context.Context, context.CancelCauseFunc) {
	ctx, cancel := context.WithCancelCause(parent)
	context.AfterFunc(b.life, func() { cancel(context.Cause(b.life)) })
	return ctx, cancel
}

func (b *Broker) connectOptions(servers []string) nats.Options {
	o := nats.GetDefaultOptions()
	o.Servers = servers
	o.Name = b.options.Name
	o.Timeout = dialTimeout
	o.MaxReconnect = -1
	o.ReconnectWait = reconnectPause
	o.ReconnectBufSize = -1     // the caller sends again, so buffering would send twice
	o.UseOldRequestStyle = true // a message of tasks answers a request under another subject
	o.PingInterval = pingIntervalLone
	if len(servers) > 1 {
		o.PingInterval = pingInterval
	}
	impatience := time.AfterFunc(math.MaxInt64, func() {
		b.end(fmt.Errorf("%w: no answer for %v", ErrBroker, b.options.Patience))
	})
	o.DisconnectedErrCB = func(_ *nats.Conn, err error) {
		if impatience.Reset(cmp.Or(b.options.Patience, math.MaxInt64)); err != nil {
			b.options.Notice("lost the connection to the broker: " + err.Error())
		}
	}
	o.ReconnectedCB = func(c *nats.Conn) {
		impatience.Stop()
		b.options.Notice("connected to the broker again, at " + c.ConnectedUrl())
	}
	o.ClosedCB = func(c *nats.Conn) { b.end(cmp.Or(named(c.LastError()), error(ErrBroker))) }
	o.AsyncErrorCB = func(c *nats.Conn, _ *nats.Subscription, err error) { // the calls return all other errors
		if errors.Is(err, nats.ErrPermissionViolation) { // otherwise calls would wait in vain
			b.end(named(err))
			c.Close()
		}
	}
	return o
}

func (b *Broker) identify(connection *nats.Options) (err error) {
	o := &b.options
	for _, c := range o.Credentials {
		connection.User, connection.Password = cmp.Or(c.Name, sharedUser), c.Token
		if c.Name == "" { // a shared token may be a token or, at the embedded server, a user's
			connection.Token = c.Token
		}
	}
	if o.Worker {
		b.user = cmp.Or(connection.User, sharedUser)
	}
	if o.TLS.Authority != "" {
		err = nats.RootCAs(o.TLS.Authority)(connection)
	}
	if o.TLS.Certificate != "" {
		err = cmp.Or(err, nats.ClientCert(o.TLS.Certificate, o.TLS.Key)(connection))
	}
	if err != nil {
		return fmt.Errorf("%w: TLS: %w", ErrOptions, err)
	}
	return nil
}

// dial connects as soon as a server answers. NATS' own retries would repeat a wrong token without
// end.
func (o *Options) dial(ctx context.Context, options *nats.Options) (*nats.Conn, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, cmp.Or(o.Patience, math.MaxInt64), fmt.Errorf("gave up after %v", o.Patience))
	defer cancel()
	for begun, announced := time.Now(), false; ; {
		connection, err := options.Connect() // may take dialTimeout for each server
		if err == nil || isFinal(err) {
			return connection, named(err)
		}
		if !announced && time.Since(begun) > announceTime {
			announced = true
			o.Notice("waiting for " + o.Connect + " (" + reasonOf(err) + ")")
		}
		if Pause(ctx, reconnectPause); ctx.Err() != nil {
			return nil, fmt.Errorf("%w: no connection to %s (%s): %w", ErrBroker, o.Connect, reasonOf(err),
				context.Cause(ctx))
		}
	}
}

// isFinal reports whether retrying is useless. Other faults may pass: a server may start, a name
// may resolve, and one of too many connections may close.
func isFinal(err error) bool {
	var operation *net.OpError
	return errors.Is(named(err), ErrAuthorization) || errors.As(err, new(*tls.CertificateVerificationError)) ||
		errors.As(err, new(tls.RecordHeaderError)) || errors.Is(err, nats.ErrSecureConnWanted) ||
		errors.Is(err, nats.ErrSecureConnRequired) || // or an alert of TLS
		errors.As(err, &operation) && (operation.Op == "remote error" || operation.Op == "local error")
}

func reasonOf(err error) string {
	var network net.Error
	switch {
	case errors.Is(err, nats.ErrNoServers): // NATS hides the system's error, which is this
		return "connection refused"
	case errors.Is(err, nats.ErrTimeout), errors.As(err, &network) && network.Timeout():
		return "no answer"
	}
	return err.Error()
}

// named wraps an error of NATS in one of this package's problems.
func named(err error) error {
	switch {
	case err == nil, errors.Is(err, context.Canceled), errors.Is(err, ErrNone):
		return err
	case errors.Is(err, nats.ErrPermissionViolation), errors.Is(err, nats.ErrAuthExpired),
		errors.Is(err, nats.ErrAuthRevoked),
		strings.Contains(strings.ToLower(err.Error()), "authorization violation"):
		return fmt.Errorf("%w: %w", ErrAuthorization, err)
	case errors.Is(err, nats.ErrReconnectBufExceeded):
		return fmt.Errorf("%w: no connection", ErrBroker)
	}
	return fmt.Errorf("%w: %w", ErrBroker, err)
}

// Options select a broker. The zero value selects an embedded server for this process only.
type Options struct {
	Name     string // in the broker's tools
	Connect  string // the URLs of servers, with commas between; "" embeds one
	Listen   string // HOST:PORT of the embedded server, or ""
	Store    string // the directory of its streams; "" is memory
	TLS      TLSFiles
	Worker   bool              // this process only takes tasks, and its credential owns its results
	Patience time.Duration     // for a server elsewhere; 0 is no limit
	Notice   func(text string) // unless nil, called about connections

	// Credentials are those of the workers, or for a server elsewhere the one of this process.
	Credentials []Credential
}

// TLSFiles are paths of PEM files. With an authority, a server admits only its clients, and a
// client trusts only its servers. A client without one trusts the system's.
type TLSFiles struct {
	Certificate, Key, Authority string
}

// check returns the URLs of the servers.
func (o *Options) check() (servers []string, err error) {
	if _, _, err = net.SplitHostPort(o.Listen); o.Listen != "" && err != nil {
		return nil, fmt.Errorf("%w: listening at %w", ErrOptions, err)
	}
	switch alone := o.Connect == ""; {
	case !alone && o.Listen != "":
		return nil, fmt.Errorf("%w: listening at %s and connecting to other servers", ErrOptions, o.Listen)
	case (o.TLS.Certificate == "") != (o.TLS.Key == ""):
		return nil, fmt.Errorf("%w: a TLS certificate needs its key, and a key its certificate", ErrOptions)
	case alone && o.TLS != TLSFiles{} && (o.Listen == "" || o.TLS.Certificate == ""):
		return nil, fmt.Errorf("%w: TLS needs a certificate and its key, and an address to listen at", ErrOptions)
	case o.Listen != "" && len(o.Credentials) == 0:
		return nil, fmt.Errorf("%w: %s", ErrExposed, o.Listen)
	case !alone && len(o.Credentials) > 1:
		return nil, fmt.Errorf("%w: %d credentials, and a connection needs one", ErrOptions, len(o.Credentials))
	case alone:
		return nil, nil
	}
	for server := range strings.SplitSeq(o.Connect, ",") {
		if server, err = checkServer(strings.TrimSpace(server)); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrOptions, err)
		}
		servers = append(servers, server)
	}
	return servers, nil
}

// checkServer adds the scheme to a URL. It refuses users and passwords, because URLs are printed.
func checkServer(server string) (string, error) {
	if !strings.Contains(server, "://") {
		server = "nats://" + server
	}
	parsed, err := url.Parse(server)
	if err != nil {
		return "", errors.New("invalid URL of a server")
	}
	port, err := strconv.ParseUint(cmp.Or(parsed.Port(), "4222"), 10, 16)
	switch {
	case parsed.User != nil:
		return "", errors.New("the URL of a server has a user: write its name and token into the file of the token")
	case !slices.Contains([]string{"nats", "tls", "ws", "wss"}, parsed.Scheme), parsed.Hostname() == "":
		return "", fmt.Errorf("%s is not a URL of NATS (nats://HOST:PORT)", quote.Text(server, 0))
	case err != nil, port == 0:
		return "", fmt.Errorf("%s is not a port, 1..65535", quote.Text(parsed.Port(), 0))
	}
	return server, nil
}

// ErrCredential reports an unusable token or name.
const ErrCredential fianchetto.Problem = "unusable credential"

// Credential admits a worker.
type Credential struct {
	Name  string // 1..32 letters, digits, - and _; "" for a token shared by all workers
	Token string // 1..256 printable ASCII characters, no spaces
}

// The reserved users of a broker.
const (
	coordinatorUser = "coordinator" // including its own workers
	sharedUser      = "workers"     // all workers with the shared token
)

const (
	maxName  = 32
	maxToken = 256

	nameLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
)

// ParseCredentials reads one "TOKEN" or "NAME TOKEN" a line, and skips comments (#). It returns
// ErrCredential with the line number, without the token.
func ParseCredentials(text string) (all []Credential, err error) {
	number := 0
	for line := range strings.Lines(text) {
		number++
		words := strings.Fields(line)
		if len(words) == 0 || words[0][0] == '#' {
			continue
		}
		c := Credential{Token: words[len(words)-1]}
		if len(words) > 1 {
			c.Name = words[0]
		}
		problem := c.problem()
		switch {
		case len(words) > 2:
			problem = "neither a token nor a name and a token"
		case slices.ContainsFunc(all, func(o Credential) bool { return o.Name == c.Name }):
			problem = "second token of " + cmp.Or(c.Name, sharedUser)
		case slices.ContainsFunc(all, func(o Credential) bool { return o.Token == c.Token }):
			problem = "token of another line"
		}
		if problem != "" {
			return nil, fmt.Errorf("line %d: %w: %s", number, ErrCredential, problem)
		}
		all = append(all, c)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%w: no line has a token", ErrCredential)
	}
	return all, nil
}

// problem returns "" if name and token are valid.
func (c *Credential) problem() string {
	switch {
	case len(c.Name) > maxName || strings.Trim(c.Name, nameLetters) != "":
		return fmt.Sprintf("name %s is not of 1..%d letters, digits, - and _", quote.Text(c.Name, 0), maxName)
	case c.Name == coordinatorUser || c.Name == sharedUser:
		return "name " + c.Name + " is reserved"
	case len(c.Token) > maxToken || strings.ContainsFunc(c.Token, func(r rune) bool { return r <= ' ' || r > '~' }):
		return fmt.Sprintf("token of %d bytes is not 1..%d printable ASCII characters", len(c.Token), maxToken)
	case len(c.Token) >= 4 && strings.HasPrefix(c.Token, "$2") && c.Token[3] == '$':
		return "token looks like a bcrypt hash ($2a$...), which NATS would treat as a hash"
	}
	return ""
}

// readyPatience limits the start, which takes a few milliseconds.
const readyPatience = 10 * time.Second

const (
	maxMessage     = 1 << 20 // bytes; see job.MaxBatch
	maxConnections = 4096    // shared evenly by the credentials
	subscriptions  = 512     // for each connection; a worker needs one a thread

	maxSubscriptions = 1 << 16 // of all workers
)

//go:embed server.conf
var configurationText string

var configuration = template.Must(template.New("server").Parse(configurationText))

func (b *Broker) startServer() (err error) {
	if b.options.Store == "" {
		if b.scratch, err = os.MkdirTemp("", "fianchetto-cluster-"); err != nil {
			return err
		}
	}
	config, err := b.configure(b.options.Credentials)
	if err != nil {
		return err
	}
	// An index hides damaged results from the server, and readers would wait at them.
	indexes, _ := filepath.Glob(filepath.Join(cmp.Or(b.options.Store, b.scratch), "jetstream/RUNS/streams/*/msgs/index.db"))
	for _, index := range indexes {
		if err := os.Remove(index); err != nil {
			return err
		}
	}
	if !config.DontListen {
		listener, err := net.Listen("tcp", b.options.Listen) // for its error: the server's own lacks the cause
		if err != nil {
			return err
		}
		listener.Close()
	}
	embedded, err := server.NewServer(config)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrBroker, err)
	}
	embedded.SetLoggerV2(log{b}, false, false, false)
	embedded.Start()
	b.server = embedded
	if !embedded.ReadyForConnections(readyPatience) {
		return fmt.Errorf("%w: the embedded server is not ready after %v", ErrBroker, readyPatience)
	}
	return nil
}

// Readmit admits these workers from now on and closes the connections of all others.
func (b *Broker) Readmit(workers []Credential) (err error) {
	for i := 0; i < 2 && err == nil; i++ { // the server links the imports only of accounts that it knows already
		var config *server.Options
		if config, err = b.configure(workers); err == nil {
			err = b.server.ReloadOptions(config)
		}
	}
	return err
}

func (b *Broker) configure(workers []Credential) (*server.Options, error) {
	var text strings.Builder
	connections := max(1, maxConnections/max(1, len(workers)))
	err := configuration.Execute(&text, map[string]any{"TLS": b.options.TLS, "Workers": workers, "Secret": b.secret,
		"Store": cmp.Or(b.options.Store, b.scratch), "Durable": b.options.Store != "", "Connections": connections,
		"Subscriptions": subscriptions * connections, "MaxMessage": maxMessage, "MaxConnections": maxConnections})
	config := new(server.Options)
	if err == nil {
		err = config.ProcessConfigString(text.String())
	}
	if err != nil { // without the template's line
		return nil, fmt.Errorf("%w: %s", ErrBroker, strings.TrimSpace(strings.TrimLeft(err.Error(), ":0123456789")))
	}
	b.admitted.Store(&workers)
	config.NoSigs = true // the process handles signals itself
	config.DontListen = b.options.Listen == ""
	host, port, _ := net.SplitHostPort(b.options.Listen) // startServer checks it
	config.Host = host
	if config.Port, _ = net.LookupPort("tcp", port); config.Port == 0 {
		config.Port = server.RANDOM_PORT
	}
	return config, nil
}

// log is the log of an embedded server. Only refused logins and failed writes matter.
type log struct{ *Broker }

// refusalPause lets a connection try only one token a second.
const refusalPause = time.Second

// Errorf delays refused logins and reports the 1st, 10th, 100th. The server calls it on
// the client's goroutine, before the answer.
func (l log) Errorf(format string, arguments ...any) {
	text := fmt.Sprintf(format, arguments...)
	if strings.Contains(text, "Stream create failed") || strings.Contains(text, "Critical write error") {
		l.end(fmt.Errorf("%w: its store: %s", ErrBroker, text))
	}
	if !strings.Contains(text, server.ErrAuthentication.Error()) {
		return
	}
	time.Sleep(refusalPause)
	if n := l.refused.Add(1); math.Mod(math.Log10(float64(n)), 1) == 0 {
		address, _, _ := strings.Cut(text, " - ")
		l.options.Notice(fmt.Sprintf("logins refused: %d; the last is from %s", n, address))
	}
}

// Warnf hears of streams that cannot be made.
func (l log) Warnf(format string, arguments ...any) { l.Errorf(format, arguments...) }

// Fatalf is unused: startServer reports before that the server cannot listen.
func (log) Fatalf(string, ...any)  {}
func (log) Noticef(string, ...any) {}
func (log) Debugf(string, ...any)  {}
func (log) Tracef(string, ...any)  {}
