// Package broker carries requests from workers to the coordinator of a job, and answers back,
// through NATS: an embedded server, or named servers elsewhere. Requests are bytes without meaning
// here.
//
// The broker stores no state. If a connection or server is lost, a request or answer may be lost
// with it, and the worker asks again. Only the coordinator has state, so any server can replace
// another.
//
// Source: https://docs.nats.io/nats-concepts/core-nats/reqreply
package broker

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"github.com/fianchetto-chess/fianchetto"
)

// Problems of a broker. Test for one with errors.Is.
const (
	ErrAuthorization fianchetto.Problem = "broker: the broker refused the token"
	ErrExposed       fianchetto.Problem = "broker: listening without a token"
	ErrOptions       fianchetto.Problem = "broker: options that do not go together"
	ErrBroker        fianchetto.Problem = "broker: the broker failed"
	ErrGone          fianchetto.Problem = "broker: the broker has no such job"
)

// Time limits, after which a call is tried again.
const (
	dialTimeout    = 2 * time.Second
	announceTime   = 500 * time.Millisecond // without a server, until a notice says so
	reconnectPause = 250 * time.Millisecond
	callTimeout    = 3 * time.Second

	// A connection is given up after two unanswered pings: soon if there is another server, but not
	// because a lone server or this machine is busy.
	pingInterval     = 2 * time.Second
	pingIntervalLone = 10 * time.Second
)

// Broker is a connection to a server.
type Broker struct {
	options    Options
	connection *nats.Conn
	user       string // the owner of this process's results
	life       context.Context
	end        context.CancelCauseFunc // ends life when the connection ends for good
	expected   atomic.Bool             // suppresses the notice of a lost connection

	server  *server.Server               // the embedded server, or nil
	secret  string                       // the coordinator's token there
	workers atomic.Pointer[[]Credential] // the admitted workers
	refused atomic.Int64                 // the number of refused logins
}

// Expect announces a regular end of the connection: the embedded server ends with the run.
func (b *Broker) Expect() { b.expected.Store(true) }

// Open starts an embedded server, or connects to one of the named servers, and waits for it as long
// as ctx and Options.Patience allow. It returns ErrOptions, ErrExposed, ErrCredential,
// ErrAuthorization, the errors of functions in the options, and ErrBroker for all other faults,
// such as an untrusted certificate.
func Open(ctx context.Context, o Options) (*Broker, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	if o.Notice == nil {
		o.Notice = func(string) {}
	}
	o.takeToken()
	b := &Broker{options: o, user: coordinatorUser, secret: rand.Text()}
	b.life, b.end = context.WithCancelCause(context.Background())
	options, err := b.connectOptions(&o)
	if err != nil {
		return nil, err
	}
	if o.Connect != "" {
		options, err = b.identify(&o, options)
	} else if err = b.startServer(); err == nil {
		options = append(options, nats.InProcessServer(b.server), nats.UserInfo(coordinatorUser, b.secret))
	}
	if err == nil {
		b.connection, err = o.dial(ctx, options)
	}
	if err != nil {
		b.Close()
		return nil, err
	}
	return b, nil
}

// takeToken moves a token from the URLs of servers, where it is a user without a password, into the
// credential.
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

// Close ends the connection and the embedded server.
func (b *Broker) Close() {
	if b.connection != nil {
		b.connection.Close()
	}
	if b.server != nil {
		b.server.Shutdown()
		b.server.WaitForShutdown()
	}
}

// Address returns the URL of the embedded server, or "" if others cannot reach it.
func (b *Broker) Address() string {
	if b.server == nil || b.server.Addr() == nil {
		return ""
	}
	return b.server.ClientURL()
}

// Credential returns the name of the credential that owns this process's results, or "".
func (b *Broker) Credential() string { return credentialOf(b.user) }

// credentialOf returns the credential of a user, or "" without one.
func credentialOf(user string) string {
	if user == coordinatorUser || user == sharedUser {
		return ""
	}
	return user
}

// Connected reports whether the connection is up.
func (b *Broker) Connected() bool { return b.connection.IsConnected() }

// Credentials returns the names of the credentials admitted by the embedded server. There are none
// if workers share a token.
func (b *Broker) Credentials() (names []string) {
	if workers := b.workers.Load(); workers != nil {
		for _, c := range *workers {
			if c.Name != "" {
				names = append(names, c.Name)
			}
		}
	}
	return names
}

// RefusedLogins returns the number of logins refused by the embedded server.
func (b *Broker) RefusedLogins() int { return int(b.refused.Load()) }

// Bind returns a context that is done when parent is or when the connection ends for good. The
// cause is then ErrAuthorization or ErrBroker.
func (b *Broker) Bind(parent context.Context) (context.Context, context.CancelCauseFunc) {
	ctx, cancel := context.WithCancelCause(parent)
	stop := context.AfterFunc(b.life, func() { cancel(context.Cause(b.life)) })
	return ctx, func(cause error) {
		stop()
		cancel(cause)
	}
}

// connectOptions returns the options of a connection that reconnects until its token is refused.
func (b *Broker) connectOptions(o *Options) ([]nats.Option, error) {
	config, err := o.TLS.config()
	if err != nil {
		return nil, err
	}
	ping := pingIntervalLone
	if strings.Contains(o.Connect, ",") {
		ping = pingInterval
	}
	options := []nats.Option{
		nats.Name(o.Name),
		nats.Timeout(dialTimeout),
		nats.MaxReconnects(-1),
		nats.ReconnectWait(reconnectPause),
		nats.ReconnectBufSize(-1), // the caller sends again, so buffering would send twice
		nats.PingInterval(ping),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			time.Sleep(announceTime) // what announced it may have come at last, and not be read yet
			if err != nil && !b.expected.Swap(false) {
				o.Notice("lost the connection to the broker: " + err.Error())
			}
		}),
		nats.ReconnectHandler(func(c *nats.Conn) {
			o.Notice("connected to the broker again, at " + c.ConnectedUrlRedacted())
		}),
		nats.ClosedHandler(func(c *nats.Conn) { b.end(cmp.Or(named(c.LastError()), error(ErrBroker))) }),
		nats.ErrorHandler(func(c *nats.Conn, _ *nats.Subscription, err error) {
			if errors.Is(err, nats.ErrPermissionViolation) { // otherwise calls would wait in vain
				b.end(named(err))
				c.Close()
			}
		}), // the calls return all other errors
	}
	if config != nil && o.Connect != "" {
		options = append(options, nats.Secure(config))
	}
	return options, nil
}

// identify adds the credential for a server elsewhere.
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
	show := func() (user, token string) {
		if now, err := o.Credential(); err == nil && now.Name == last.Name {
			last = now
		}
		return cmp.Or(last.Name, sharedUser), last.Token
	}
	if last.Name == "" { // a shared token may be a token or, at the embedded server, a user's
		options = append(options, nats.TokenHandler(func() string { _, token := show(); return token }))
	}
	return append(options, nats.UserInfoHandler(show)), nil
}

// dial connects and retries while no server answers. NATS' own retries would repeat a wrong token
// without end.
func (o *Options) dial(ctx context.Context, options []nats.Option) (*nats.Conn, error) {
	if o.Patience > 0 {
		limited, cancel := context.WithTimeoutCause(ctx, o.Patience, fmt.Errorf("gave up after %v", o.Patience))
		defer cancel()
		ctx = limited
	}
	announcement := time.After(announceTime)
	for {
		connection, err := nats.Connect(o.Connect, options...) // may take dialTimeout for each server
		if err == nil || isFinal(err) {
			return connection, named(err)
		}
		select {
		case <-announcement:
			o.Notice("waiting for " + Redact(o.Connect) + " (" + reasonOf(err) + ")")
		case <-time.After(reconnectPause):
		case <-ctx.Done():
			return nil, fmt.Errorf("%w: no connection to %s (%s): %w", ErrBroker, Redact(o.Connect), reasonOf(err),
				context.Cause(ctx))
		}
	}
}

// isFinal reports whether retrying is useless. Other faults may pass: a server may start, a name
// may resolve, and one of too many connections may close.
func isFinal(err error) bool {
	var (
		certificate *tls.CertificateVerificationError
		header      tls.RecordHeaderError
		operation   *net.OpError
	)
	return errors.Is(named(err), ErrAuthorization) || errors.As(err, &certificate) || errors.As(err, &header) ||
		errors.Is(err, nats.ErrSecureConnWanted) || errors.Is(err, nats.ErrSecureConnRequired) ||
		errors.As(err, &operation) && (operation.Op == "remote error" || operation.Op == "local error") // alerts of TLS
}

// reasonOf returns the reason why no server answers.
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

// parseServer parses the URL of a server and adds a missing scheme.
func parseServer(server string) (*url.URL, error) {
	server = strings.TrimSpace(server)
	if !strings.Contains(server, "://") {
		server = "nats://" + server
	}
	return url.Parse(server)
}

// Redact returns the URLs of servers without passwords and tokens.
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

// named wraps an error of the connection in one of this package's problems.
func named(err error) error {
	switch {
	case err == nil, errors.Is(err, context.Canceled):
		return err
	case errors.Is(err, nats.ErrPermissionViolation), errors.Is(err, nats.ErrAuthExpired),
		errors.Is(err, nats.ErrAuthRevoked),
		strings.Contains(strings.ToLower(err.Error()), "authorization violation"):
		return fmt.Errorf("%w: %w", ErrAuthorization, err)
	case errors.Is(err, nats.ErrNoResponders):
		return fmt.Errorf("%w: %w", ErrGone, err)
	case errors.Is(err, nats.ErrReconnectBufExceeded):
		return fmt.Errorf("%w: no connection", ErrBroker)
	}
	return fmt.Errorf("%w: %w", ErrBroker, err)
}
