package broker

import (
	"errors"
	"fmt"
	"net"
	"strconv"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

// readyPatience is how long an embedded server may take to be ready; it takes a few milliseconds.
const readyPatience = 10 * time.Second

// embedded is a server in this process.
type embedded struct {
	*server.Server
	directory *directory
	access    *access
}

// Limits of an embedded server. There is a margin over what a run needs, so that no worker can take much more from it.
const (
	maxMessage       = 1 << 19   // bytes; see job.MaxBatch
	maxStream        = 256 << 20 // bytes; the tasks that are given out take a quarter of it
	maxClaims        = 1 << 20   // bytes
	maxMemory        = 4*maxStream + maxClaims
	maxDisk          = 1 // all streams are in memory; 0 would be as much as there is
	maxStreams       = 5
	maxConnections   = 4096
	maxSubscriptions = 4096 // of a connection; each thread has one while it waits
	maxTaken         = 64   // tasks in answer to one request
)

// accountLimits are those of the coordinator's account; the others have no streams.
var accountLimits = map[string]server.JetStreamAccountLimits{"": {
	MaxMemory: maxMemory, MaxStore: 0, MaxStreams: maxStreams, MaxConsumers: 1, MaxAckPending: -1,
	MemoryMaxStreamBytes: maxStream, StoreMaxStreamBytes: 0, MaxBytesRequired: true,
}}

// startServer starts an embedded server.
func startServer(o *Options) (*embedded, error) {
	config, err := o.serverOptions()
	if err != nil {
		return nil, err
	}
	access := newAccess(o)
	config.CustomClientAuthentication = access
	e := &embedded{access: access}
	if e.directory, err = makeDirectory(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBroker, err)
	}
	config.StoreDir = e.directory.path
	if e.Server, err = server.NewServer(config); err != nil {
		return nil, errors.Join(fmt.Errorf("%w: %w", ErrBroker, err), e.directory.remove())
	}
	complaints := newComplaints()
	e.SetLoggerV2(complaints, false, false, false)
	e.Start()
	if err = e.awaitReady(complaints); err == nil {
		err = e.admit(o)
	}
	if err != nil {
		e.stop()
		return nil, err
	}
	return e, nil
}

// admit lets in the clients that have access.
func (e *embedded) admit(o *Options) error {
	if o.Admit != nil && e.Addr() != nil {
		if err := o.Admit(e.ClientURL()); err != nil {
			return err
		}
	}
	if err := e.access.grant(e.Server); err != nil {
		return fmt.Errorf("%w: %w", ErrBroker, err)
	}
	return nil
}

func (o *Options) serverOptions() (*server.Options, error) {
	config := &server.Options{
		ServerName:         "fianchetto",
		DontListen:         o.Listen == "",
		NoSigs:             true, // the process has its own way with signals
		MaxPayload:         maxMessage,
		MaxConn:            maxConnections,
		MaxSubs:            maxSubscriptions,
		JetStream:          true,
		JetStreamMaxMemory: maxMemory + 1, // the account's limit is -1 at first, and must not grow by more
		JetStreamMaxStore:  maxDisk,
	}
	if o.Listen == "" {
		return config, nil
	}
	host, port, err := net.SplitHostPort(o.Listen)
	if err != nil {
		return nil, err
	}
	if config.Port, err = strconv.Atoi(port); err != nil || config.Port < 0 || config.Port > 1<<16-1 {
		return nil, fmt.Errorf("%w: %s is not a port, 0..65535", ErrOptions, quote.Text(port, 0))
	}
	if config.Port == 0 {
		config.Port = server.RANDOM_PORT
	}
	config.Host = host
	if config.TLSConfig, err = o.TLS.serverConfig(); err != nil {
		return nil, err
	}
	config.TLS = config.TLSConfig != nil
	config.TLSVerify = config.TLS && o.TLS.Authority != ""
	config.TLSTimeout = readyPatience.Seconds()
	return config, nil
}

// awaitReady waits until the server takes connections, or has reported why it does not.
func (e *embedded) awaitReady(complaints *complaints) error {
	ready := make(chan bool, 1)
	go func() { ready <- e.ReadyForConnections(readyPatience) }()
	select {
	case ok := <-ready:
		if ok && e.JetStreamEnabled() {
			return nil
		}
		return fmt.Errorf("%w: the embedded server is not ready after %v: %s", ErrBroker, readyPatience, complaints.last())
	case <-complaints.fatal:
		return fmt.Errorf("%w: %s", ErrBroker, complaints.last())
	}
}

// stop ends the server and takes its directory away.
func (e *embedded) stop() {
	e.Shutdown()
	e.WaitForShutdown()
	_ = e.directory.remove() // else the next process does
}

// complaints is a logger that keeps the last error of a server, to report it if the server does not start.
type complaints struct {
	fatal chan struct{} // closed when the server gives up

	mutex sync.Mutex
	text  string
	once  sync.Once
}

func newComplaints() *complaints { return &complaints{fatal: make(chan struct{})} }

func (c *complaints) Noticef(string, ...any) {}
func (c *complaints) Warnf(string, ...any)   {}
func (c *complaints) Debugf(string, ...any)  {}
func (c *complaints) Tracef(string, ...any)  {}

func (c *complaints) Errorf(format string, arguments ...any) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.text = fmt.Sprintf(format, arguments...)
}

func (c *complaints) Fatalf(format string, arguments ...any) {
	c.Errorf(format, arguments...)
	c.once.Do(func() { close(c.fatal) })
}

func (c *complaints) last() string {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.text
}
