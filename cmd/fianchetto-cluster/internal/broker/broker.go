// Package broker hands tasks to workers and results back, through NATS JetStream: a server embedded in this process
// unless a cluster of them is named. It knows nothing of chess: tasks and results are bytes with a key.
//
// A task is leased to one worker at a time. The lease is kept by heartbeats; when they end, the task goes to another
// worker. A worker reports the result before it gives up the task, so that a task may be done twice but is never lost
// while the broker lives. The broker keeps everything in memory and may lose all of it: whoever gives out the tasks must
// know which results it has, make the queue again and publish the others again, which is harmless at any time: a task
// that is already waiting or leased is not taken twice.
//
// Source: https://docs.nats.io/nats-concepts/jetstream
package broker

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

// Problems that a broker has; find one in an error with errors.Is.
const (
	ErrAuthorization fianchetto.Problem = "broker: the broker refused the token"
	ErrExposed       fianchetto.Problem = "broker: listening without a token"
	ErrOptions       fianchetto.Problem = "broker: options that do not go together"
	ErrBroker        fianchetto.Problem = "broker: the broker failed"
	ErrGone          fianchetto.Problem = "broker: the broker has no such job"
	ErrTooLarge      fianchetto.Problem = "broker: the message is too large for the broker"
)

// Options select a broker. The zero value is one embedded in this process, which no other process can reach.
type Options struct {
	Name     string // of this process, for the broker's own tools
	Connect  string // URLs of servers, with commas between; "": an embedded server
	Listen   string // HOST:PORT where an embedded server lets others in; port 0: any; "": nowhere
	Replicas int    // how many servers of a cluster keep each message, 1..5; 0 is 1
	TLS      TLSFiles

	// An embedded server that listens lets in whoever shows Token, or, under its name, whoever shows one of Workers; one
	// of the two must be there. They may do what a worker needs, and nothing else.
	Token   string
	Workers []Credential

	// Admit, unless nil, is called with the URL of an embedded server that listens, before it lets anyone in.
	Admit func(url string) error

	// Credential, unless nil, returns what to show to a server elsewhere; it is called for each connection, so that
	// a new token can take the place of an old one.
	Credential func() (Credential, error)

	// Worker is whether this process only takes tasks. Its results then have the name of its credential.
	Worker bool

	// Patience is how long to wait for the first connection to a server elsewhere; 0 is without end.
	Patience time.Duration

	// Notice, unless nil, is called when a connection takes its time, is lost, and is back. It may be called from any
	// goroutine.
	Notice func(text string)
}

// TLSFiles are the paths of PEM files. An embedded server that listens needs certificate and key, and with an
// authority it lets in only those who have a certificate of it. Others trust servers of the authority, or
// those that the system trusts without one, and show their certificate if they have one.
type TLSFiles struct {
	Certificate, Key, Authority string
}

func (f TLSFiles) any() bool { return f != TLSFiles{} }

func (o *Options) notice(text string) {
	if o.Notice != nil {
		o.Notice(text)
	}
}

// check refuses options that contradict each other.
func (o *Options) check() error {
	switch {
	case o.Connect != "" && o.Listen != "":
		return fmt.Errorf("%w: connecting to %s and listening at %s", ErrOptions, o.Connect, o.Listen)
	case o.Replicas < 0 || o.Replicas > 5:
		return fmt.Errorf("%w: %d replicas of 1..5", ErrOptions, o.Replicas)
	case o.Replicas > 1 && o.Connect == "":
		return fmt.Errorf("%w: %d replicas and no cluster to connect to", ErrOptions, o.Replicas)
	case (o.TLS.Certificate == "") != (o.TLS.Key == ""):
		return fmt.Errorf("%w: a TLS certificate needs its key, and a key its certificate", ErrOptions)
	case o.TLS.any() && o.Connect == "" && o.Listen == "":
		return fmt.Errorf("%w: TLS for a broker that no other process can reach", ErrOptions)
	case o.TLS.any() && o.Listen != "" && o.TLS.Certificate == "":
		return fmt.Errorf("%w: listening with TLS needs a certificate and its key", ErrOptions)
	case o.Listen != "":
		return o.checkListen()
	case o.Connect != "":
		return o.checkConnect()
	}
	return nil
}

// checkConnect refuses URLs that cannot be those of servers. It repeats no password.
func (o *Options) checkConnect() error {
	for server := range strings.SplitSeq(o.Connect, ",") {
		server = strings.TrimSpace(server)
		if !strings.Contains(server, "://") {
			server = "nats://" + server
		}
		parsed, err := url.Parse(server)
		switch {
		case err != nil:
			return fmt.Errorf("%w: invalid URL of a server", ErrOptions)
		case !slices.Contains([]string{"nats", "tls", "ws", "wss"}, parsed.Scheme):
			return fmt.Errorf("%w: %s is not a URL of NATS (nats://HOST:PORT)", ErrOptions, quote.Text(redact(server), 0))
		case parsed.Hostname() == "":
			return fmt.Errorf("%w: the URL of a server has no host (want HOST:PORT)", ErrOptions)
		}
		if port, err := strconv.Atoi(parsed.Port()); parsed.Port() != "" && (err != nil || port < 1 || port > 1<<16-1) {
			return fmt.Errorf("%w: %s is not a port, 1..65535", ErrOptions, quote.Text(parsed.Port(), 0))
		}
	}
	return nil
}

// checkListen refuses an invalid address, and listening without a token.
func (o *Options) checkListen() error {
	if _, _, err := net.SplitHostPort(o.Listen); err != nil {
		return fmt.Errorf("%w: %s is not HOST:PORT: %w", ErrOptions, quote.Text(o.Listen, 0), err)
	}
	if o.Token == "" && len(o.Workers) == 0 {
		return fmt.Errorf("%w: %s", ErrExposed, o.Listen)
	}
	for _, c := range append([]Credential{{Token: o.Token}}, o.Workers...) {
		if c != (Credential{}) {
			if err := c.check(); err != nil {
				return err
			}
		}
	}
	return nil
}

// serverConfig returns the TLS configuration of an embedded server, nil for none.
func (f TLSFiles) serverConfig() (*tls.Config, error) {
	if !f.any() {
		return nil, nil
	}
	config, err := f.clientConfig()
	if err != nil {
		return nil, err
	}
	if config.RootCAs != nil {
		config.ClientAuth, config.ClientCAs = tls.RequireAndVerifyClientCert, config.RootCAs
	}
	return config, nil
}

// clientConfig returns the TLS configuration of a client, nil to leave it to the URLs.
func (f TLSFiles) clientConfig() (*tls.Config, error) {
	if !f.any() {
		return nil, nil
	}
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	if f.Certificate != "" {
		pair, err := tls.LoadX509KeyPair(f.Certificate, f.Key)
		if err != nil {
			return nil, fmt.Errorf("%w: TLS certificate %s with key %s: %w", ErrOptions, f.Certificate, f.Key, err)
		}
		config.Certificates = []tls.Certificate{pair}
	}
	if f.Authority != "" {
		text, err := os.ReadFile(f.Authority)
		if err != nil {
			return nil, fmt.Errorf("%w: TLS authority: %w", ErrOptions, err)
		}
		config.RootCAs = x509.NewCertPool()
		if !config.RootCAs.AppendCertsFromPEM(text) {
			return nil, fmt.Errorf("%w: TLS authority %s has no certificate", ErrOptions, f.Authority)
		}
	}
	return config, nil
}

// How long things may take before they are tried again.
const (
	dialTimeout    = 2 * time.Second
	announceTime   = 500 * time.Millisecond // without a server, after which a notice reports what is waited for
	reconnectPause = 250 * time.Millisecond
	pingInterval   = 5 * time.Second // two without an answer, and a connection is given up
	callTimeout    = 5 * time.Second
)

// maxUnconfirmed bounds the messages under way to the broker that it has not yet confirmed.
const maxUnconfirmed = 1024

// Broker is a JetStream to put queues on.
type Broker struct {
	server     *embedded // nil: elsewhere
	connection *nats.Conn
	stream     jetstream.JetStream
	replicas   int
	user       string        // whose name the results of this process have
	closed     chan struct{} // closed when the connection is given up for good
	denial     atomic.Pointer[error]
}

// Open starts an embedded server, or connects to the servers that are named, and waits for one of them as long as ctx and
// Options.Patience allow. Its errors are ErrOptions, ErrExposed, ErrCredential, ErrAuthorization, those of the functions in the options, and
// ErrBroker for all others, such as a certificate that is not trusted.
func Open(ctx context.Context, o Options) (*Broker, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	e := &Broker{replicas: max(1, o.Replicas), user: coordinatorUser, closed: make(chan struct{})}
	options, err := e.connectOptions(&o)
	if err != nil {
		return nil, err
	}
	if o.Connect == "" {
		if e.server, err = startServer(&o); err != nil {
			return nil, err
		}
		options = append(options, nats.InProcessServer(e.server), nats.UserInfo(coordinatorUser, e.server.access.secret))
	} else if options, err = e.identify(&o, options); err != nil {
		return nil, err
	}
	if e.connection, err = o.dial(ctx, options); err == nil {
		e.stream, err = jetstream.New(e.connection,
			jetstream.WithDefaultTimeout(callTimeout),
			jetstream.WithPublishAsyncMaxPending(maxUnconfirmed),
			jetstream.WithPublishAsyncTimeout(callTimeout))
	}
	if err != nil {
		e.Close()
		return nil, err
	}
	return e, nil
}

// Close ends the connection, and an embedded server with all that it has.
func (e *Broker) Close() {
	if e.connection != nil {
		e.connection.Close()
	}
	if e.server != nil {
		e.server.stop()
	}
}

// Address returns the URL at which others reach an embedded server, "" if they cannot.
func (e *Broker) Address() string {
	if e.server == nil || e.server.Addr() == nil {
		return ""
	}
	return e.server.ClientURL()
}

// Credential returns the name of the credential under which this process reports results, "" without one.
func (e *Broker) Credential() string { return credentialOf(e.user) }

// Bind returns a context that is done when parent is, or when the broker has closed the connection for good; its cause
// is then ErrAuthorization or ErrBroker.
func (e *Broker) Bind(parent context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(parent)
	go func() {
		select {
		case <-e.closed:
			err := e.connection.LastError()
			if denial := e.denial.Load(); denial != nil {
				err = *denial
			}
			cancel(classify(err))
		case <-ctx.Done():
		}
	}()
	return ctx, func() { cancel(nil) }
}

// connectOptions are for a connection that never gives up, once it has been made, but for a token that is refused.
func (e *Broker) connectOptions(o *Options) ([]nats.Option, error) {
	config, err := o.TLS.clientConfig()
	if err != nil {
		return nil, err
	}
	options := []nats.Option{
		nats.Name(o.Name),
		nats.Timeout(dialTimeout),
		nats.MaxReconnects(-1),
		nats.ReconnectWait(reconnectPause),
		nats.PingInterval(pingInterval),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil {
				o.notice("lost the connection to the broker: " + err.Error())
			}
		}),
		nats.ReconnectHandler(func(c *nats.Conn) { o.notice("connected to the broker again, at " + c.ConnectedUrlRedacted()) }),
		nats.ClosedHandler(func(*nats.Conn) { close(e.closed) }),
		nats.ErrorHandler(func(c *nats.Conn, _ *nats.Subscription, err error) {
			if errors.Is(err, nats.ErrPermissionViolation) { // else the call would wait for an answer, again and again
				e.denial.Store(&err)
				c.Close()
			}
		}), // all else that matters comes back from the calls
	}
	if config != nil && o.Connect != "" {
		options = append(options, nats.Secure(config))
	}
	return options, nil
}

// identify adds what is shown to a server elsewhere.
func (e *Broker) identify(o *Options, options []nats.Option) ([]nats.Option, error) {
	if o.Worker {
		e.user = sharedUser
	}
	if o.Credential == nil {
		return options, nil
	}
	last, err := o.Credential()
	if err != nil {
		return nil, err
	}
	if o.Worker && last.Name != "" {
		e.user = last.Name
	}
	token := func() string {
		if now, err := o.Credential(); err == nil && now.Name == last.Name {
			last = now
		}
		return last.Token
	}
	if last.Name == "" {
		return append(options, nats.TokenHandler(token)), nil
	}
	return append(options, nats.UserInfoHandler(func() (string, string) { return last.Name, token() })), nil
}

// dial connects, and tries again while no server answers. The library's own way to do that would try a wrong token
// without end.
func (o *Options) dial(ctx context.Context, options []nats.Option) (*nats.Conn, error) {
	if o.Patience > 0 {
		limited, cancel := context.WithTimeoutCause(ctx, o.Patience, fmt.Errorf("gave up after %v", o.Patience))
		defer cancel()
		ctx = limited
	}
	w := &wait{servers: redact(o.Connect), reason: "no answer yet"}
	announced := make(chan struct{})
	announcement := time.AfterFunc(announceTime, func() {
		defer close(announced)
		o.notice("waiting for " + w.String())
	})
	defer func() {
		if !announcement.Stop() {
			<-announced // no notice comes later than the result
		}
	}()
	for {
		connection, err := connect(ctx, o.Connect, options)
		if err == nil {
			return connection, nil
		}
		if err = classify(err); !isAbsence(err) {
			return nil, err
		}
		if ctx.Err() == nil {
			w.note(err)
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("%w: no connection to %s: %w", ErrBroker, w, context.Cause(ctx))
		case <-time.After(reconnectPause):
		}
	}
}

// wait is what a dial waits for, and why.
type wait struct {
	servers string
	mutex   sync.Mutex // guards reason
	reason  string
}

// note records why the last attempt came to nothing.
func (w *wait) note(err error) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	var network net.Error
	switch {
	case errors.Is(err, nats.ErrNoServers): // the library drops what the system reports, which is this
		w.reason = "connection refused"
	case errors.Is(err, nats.ErrTimeout), errors.As(err, &network) && network.Timeout():
		w.reason = "no answer"
	case errors.As(err, &network):
		w.reason = network.Error()
	default:
		w.reason = "the server ends the connection"
	}
}

// String returns the servers and the reason.
func (w *wait) String() string {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return w.servers + " (" + w.reason + ")"
}

// redact returns the URLs of servers without the passwords that are in them.
func redact(servers string) string {
	list := strings.Split(servers, ",")
	for i, server := range list {
		server = strings.TrimSpace(server)
		if !strings.Contains(server, "://") {
			server = "nats://" + server
		}
		if parsed, err := url.Parse(server); err != nil {
			server = "a server with an invalid URL"
		} else if parsed.User != nil {
			parsed.User = url.User("xxxxx") // a user without a password is a token
			server = parsed.String()
		}
		list[i] = server
	}
	return strings.Join(list, ", ")
}

// connect connects to the first of the servers that answers, unless ctx is done before: each may take dialTimeout not to answer.
func connect(ctx context.Context, servers string, options []nats.Option) (*nats.Conn, error) {
	type attempt struct {
		connection *nats.Conn
		err        error
	}
	done := make(chan attempt, 1)
	go func() {
		connection, err := nats.Connect(servers, options...)
		done <- attempt{connection, err}
	}()
	select {
	case a := <-done:
		return a.connection, a.err
	case <-ctx.Done():
		go func() {
			if a := <-done; a.err == nil {
				a.connection.Close()
			}
		}()
		return nil, nats.ErrTimeout
	}
}

// classify gives an error of the connection its name.
func classify(err error) error {
	switch {
	case err == nil:
		return ErrBroker
	case errors.Is(err, nats.ErrAuthorization), errors.Is(err, nats.ErrPermissionViolation), errors.Is(err, nats.ErrAuthExpired), errors.Is(err, nats.ErrAuthRevoked),
		strings.Contains(strings.ToLower(err.Error()), "authorization violation"):
		return fmt.Errorf("%w: %w", ErrAuthorization, err)
	}
	return fmt.Errorf("%w: %w", ErrBroker, err)
}

// isAbsence reports whether an error means that no server answers, for now.
func isAbsence(err error) bool {
	var (
		certificate *tls.CertificateVerificationError
		header      tls.RecordHeaderError
		operation   *net.OpError
		network     net.Error
	)
	switch {
	case errors.Is(err, ErrAuthorization), errors.As(err, &certificate), errors.As(err, &header):
		return false
	case errors.As(err, &operation) && (operation.Op == "remote error" || operation.Op == "local error"):
		return false // an alert of TLS: one side does not like what the other shows
	}
	return errors.Is(err, nats.ErrNoServers) || errors.Is(err, nats.ErrTimeout) || errors.Is(err, io.EOF) || errors.As(err, &network)
}
