// Package broker carries requests of workers to the coordinator of a job, and its answers back, through NATS: a server
// embedded in this process unless a cluster of them is named. It knows nothing of chess: requests are bytes.
//
// The broker keeps nothing. A request or an answer may be lost, with a connection or a server; whoever asked then asks
// again. Only the coordinator has state, so any server can replace one that is lost.
//
// Source: https://docs.nats.io/nats-concepts/core-nats/reqreply
package broker

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/fianchetto-chess/fianchetto"
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

// How long things may take before they are tried again.
const (
	dialTimeout    = 2 * time.Second
	announceTime   = 500 * time.Millisecond // without a server, after which a notice reports what is waited for
	reconnectPause = 250 * time.Millisecond
	pingInterval   = 5 * time.Second // two without an answer, and a connection is given up
	callTimeout    = 3 * time.Second
)

// Broker is a connection to a server.
type Broker struct {
	server     *embedded // nil: elsewhere
	connection *nats.Conn
	user       string        // whose name the results of this process have
	closed     chan struct{} // closed when the connection is given up for good
	denial     atomic.Pointer[error]
	expected   atomic.Bool // the connection may end without a notice
}

// Expect announces that the connection may end without a fault: the coordinator ends the embedded server with the run.
func (b *Broker) Expect() { b.expected.Store(true) }

// Open starts an embedded server, or connects to the servers that are named, and waits for one of them as long as ctx
// and Options.Patience allow. Its errors are ErrOptions, ErrExposed, ErrCredential, ErrAuthorization, those of the
// functions in the options, and ErrBroker for all others, such as a certificate that is not trusted.
func Open(ctx context.Context, o Options) (*Broker, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	o.takeToken()
	b := &Broker{user: coordinatorUser, closed: make(chan struct{})}
	options, err := b.connectOptions(&o)
	if err != nil {
		return nil, err
	}
	if o.Connect == "" {
		if b.server, err = startServer(&o); err != nil {
			return nil, err
		}
		options = append(options, nats.InProcessServer(b.server),
			nats.UserInfo(coordinatorUser, b.server.secret))
	} else if options, err = b.identify(&o, options); err != nil {
		return nil, err
	}
	if b.connection, err = o.dial(ctx, options); err != nil {
		b.Close()
		return nil, err
	}
	return b, nil
}

// takeToken makes a token in the URLs of servers, which is a user without a password there, the credential.
func (o *Options) takeToken() {
	first, _, _ := strings.Cut(o.Connect, ",")
	u, err := parseServer(first)
	if err != nil || u.User == nil {
		return
	}
	if _, named := u.User.Password(); !named {
		o.Connect = strings.ReplaceAll(o.Connect, u.User.String()+"@", "")
		o.Credential = func() (Credential, error) { return Credential{Token: u.User.Username()}, nil }
	}
}

// Close ends the connection, and an embedded server with all that it has.
func (b *Broker) Close() {
	if b.connection != nil {
		b.connection.Close()
	}
	if b.server != nil {
		b.server.stop()
	}
}

// Address returns the URL at which others reach an embedded server, "" if they cannot.
func (b *Broker) Address() string {
	if b.server == nil || b.server.Addr() == nil {
		return ""
	}
	return b.server.ClientURL()
}

// Credential returns the name of the credential under which this process reports results, "" without one.
func (b *Broker) Credential() string { return credentialOf(b.user) }

// Bind returns a context that is done when parent is, or when the broker has closed the connection for good; its cause
// is then ErrAuthorization or ErrBroker.
func (b *Broker) Bind(parent context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(parent)
	go func() {
		select {
		case <-b.closed:
			err := b.connection.LastError()
			if denial := b.denial.Load(); denial != nil {
				err = *denial
			}
			cancel(classify(err))
		case <-ctx.Done():
		}
	}()
	return ctx, func() { cancel(nil) }
}

// connectOptions returns the options of a connection that, once made, reconnects for ever unless its token is refused.
func (b *Broker) connectOptions(o *Options) ([]nats.Option, error) {
	config, err := o.TLS.clientConfig()
	if err != nil {
		return nil, err
	}
	options := []nats.Option{
		nats.Name(o.Name),
		nats.Timeout(dialTimeout),
		nats.MaxReconnects(-1),
		nats.ReconnectWait(reconnectPause),
		nats.ReconnectBufSize(-1), // what cannot be sent is sent again later, and not twice
		nats.PingInterval(pingInterval),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if expected := b.expected.Swap(false); err != nil && !expected {
				o.notice("lost the connection to the broker: " + err.Error())
			}
		}),
		nats.ReconnectHandler(func(c *nats.Conn) {
			o.notice("connected to the broker again, at " +
				c.ConnectedUrlRedacted())
		}),
		nats.ClosedHandler(func(*nats.Conn) { close(b.closed) }),
		nats.ErrorHandler(func(c *nats.Conn, _ *nats.Subscription, err error) {
			if errors.Is(err, nats.ErrPermissionViolation) { // else the call would wait for an answer, again and again
				b.denial.Store(&err)
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
func (b *Broker) identify(o *Options, options []nats.Option) ([]nats.Option, error) {
	if o.Worker {
		b.user = sharedUser
	}
	if o.Credential == nil {
		return options, nil
	}
	last, err := o.Credential()
	if err != nil {
		return nil, err
	}
	if o.Worker && last.Name != "" {
		b.user = last.Name
	}
	token := func() string {
		if now, err := o.Credential(); err == nil && now.Name == last.Name {
			last = now
		}
		return last.Token
	}
	if last.Name == "" { // servers know a shared token as such, or, the embedded one, as a user's
		options = append(options, nats.TokenHandler(token))
	}
	user := cmp.Or(last.Name, sharedUser)
	return append(options, nats.UserInfoHandler(func() (string, string) { return user, token() })), nil
}

// dial connects, and tries again while no server answers. The library's own way to do that would try a wrong token
// without end.
func (o *Options) dial(ctx context.Context, options []nats.Option) (*nats.Conn, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if o.Patience > 0 {
		ctx, cancel = context.WithTimeoutCause(ctx, o.Patience, fmt.Errorf("gave up after %v", o.Patience))
		defer cancel()
	}
	type attempt struct {
		connection *nats.Conn
		err        error
	}
	attempts := make(chan attempt)
	connect := func() { // may take dialTimeout for each server
		connection, err := nats.Connect(o.Connect, options...)
		select {
		case attempts <- attempt{connection, err}:
		case <-ctx.Done():
			connection.Close()
		}
	}
	var again <-chan time.Time
	announcement, reason := time.After(announceTime), "no answer yet"
	go connect()
	for {
		select {
		case a := <-attempts:
			if a.err == nil {
				return a.connection, nil
			}
			if err := classify(a.err); !isAbsence(err) {
				return nil, err
			}
			again, reason = time.After(reconnectPause), reasonOf(a.err)
		case <-again:
			go connect()
		case <-announcement:
			o.notice("waiting for " + Redact(o.Connect) + " (" + reason + ")")
		case <-ctx.Done():
			return nil, fmt.Errorf("%w: no connection to %s (%s): %w", ErrBroker, Redact(o.Connect), reason,
				context.Cause(ctx))
		}
	}
}

// reasonOf describes why no server answers.
func reasonOf(err error) string {
	var network net.Error
	switch {
	case errors.Is(err, nats.ErrNoServers): // the library drops what the system reports, which is this
		return "connection refused"
	case errors.Is(err, nats.ErrTimeout), errors.As(err, &network) && network.Timeout():
		return "no answer"
	case errors.As(err, &network):
		return network.Error()
	}
	return "the server ends the connection"
}

// parseServer parses the URL of a server, to which a scheme is added if it has none.
func parseServer(server string) (*url.URL, error) {
	server = strings.TrimSpace(server)
	if !strings.Contains(server, "://") {
		server = "nats://" + server
	}
	return url.Parse(server)
}

// Redact returns the URLs of servers without the passwords that are in them.
func Redact(servers string) string {
	if servers == "" {
		return ""
	}
	list := strings.Split(servers, ",")
	for i, server := range list {
		parsed, err := parseServer(server)
		if err != nil {
			list[i] = "a server with an invalid URL"
			continue
		}
		if parsed.User != nil {
			parsed.User = url.User("xxxxx") // a user without a password is a token
		}
		list[i] = parsed.String()
	}
	return strings.Join(list, ", ")
}

// classify gives an error of the connection its name.
func classify(err error) error {
	switch {
	case err == nil:
		return ErrBroker
	case errors.Is(err, nats.ErrAuthorization), errors.Is(err, nats.ErrPermissionViolation),
		errors.Is(err, nats.ErrAuthExpired), errors.Is(err, nats.ErrAuthRevoked),
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
	return errors.Is(err, nats.ErrNoServers) || errors.Is(err, nats.ErrTimeout) || errors.Is(err, io.EOF) ||
		errors.As(err, &network)
}
