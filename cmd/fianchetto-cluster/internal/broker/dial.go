package broker

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
)

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
