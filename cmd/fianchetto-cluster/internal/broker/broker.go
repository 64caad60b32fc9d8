package broker

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

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
