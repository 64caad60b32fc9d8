package broker

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"net"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

// readyPatience is how long an embedded server may take to be ready; it takes a few milliseconds.
const readyPatience = 10 * time.Second

// embedded is a server in this process.
type embedded struct {
	*server.Server
	access *access
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

// startServer starts an embedded server, and lets in the clients that have access.
func startServer(o *Options) (*embedded, error) {
	config, err := o.serverOptions()
	if err != nil {
		return nil, err
	}
	e := &embedded{access: newAccess(o)}
	config.CustomClientAuthentication = e.access
	// The server insists on a directory although it keeps everything in memory. It is removed once the server is ready,
	// so that a process that is killed leaves none behind.
	if config.StoreDir, err = os.MkdirTemp("", "fianchetto-broker-"); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBroker, err)
	}
	defer os.RemoveAll(config.StoreDir)
	if e.Server, err = server.NewServer(config); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBroker, err)
	}
	complaints := &complaints{fatal: make(chan struct{})}
	e.SetLoggerV2(complaints, false, false, false)
	e.Start()
	if err = e.awaitReady(complaints); err == nil && o.Admit != nil && e.Addr() != nil {
		err = o.Admit(e.ClientURL())
	}
	if err == nil {
		err = e.access.grant(e.Server)
	}
	if err != nil {
		e.stop()
		return nil, err
	}
	return e, nil
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
		return fmt.Errorf("%w: the embedded server is not ready after %v: %v", ErrBroker, readyPatience,
			complaints.text.Load())
	case <-complaints.fatal:
		return fmt.Errorf("%w: %v", ErrBroker, complaints.text.Load())
	}
}

// stop ends the server.
func (e *embedded) stop() {
	e.Shutdown()
	e.WaitForShutdown()
}

// complaints is a logger that keeps the last error of a server, to report it if the server does not start.
type complaints struct {
	fatal chan struct{} // closed when the server gives up
	once  sync.Once
	text  atomic.Value
}

func (c *complaints) Noticef(string, ...any) {}
func (c *complaints) Warnf(string, ...any)   {}
func (c *complaints) Debugf(string, ...any)  {}
func (c *complaints) Tracef(string, ...any)  {}

func (c *complaints) Errorf(format string, arguments ...any) {
	c.text.Store(fmt.Sprintf(format, arguments...))
}

func (c *complaints) Fatalf(format string, arguments ...any) {
	c.Errorf(format, arguments...)
	c.once.Do(func() { close(c.fatal) })
}

// access decides which clients may use an embedded server, and for what. The coordinator may do everything. Each worker
// has an account of its own, which sees nothing of the coordinator's but what it imports: the requests below. The
// permissions of its user are the same requests, so that all others are refused with an error. An account is needed,
// too: within one, the answer to a permitted request can be sent to any subject.
type access struct {
	secret string // that the coordinator shows
	users  map[string]*user
	open   chan struct{} // closed when the users have their accounts, and may come in
}

// user is a user of the server, and the hash of the token.
type user struct {
	*server.User
	token [sha256.Size]byte
}

// newAccess returns the access for whom the options name.
func newAccess(o *Options) *access {
	a := &access{secret: rand.Text(), users: make(map[string]*user), open: make(chan struct{})}
	a.add(coordinatorUser, a.secret, nil)
	if o.Token != "" {
		a.add(sharedUser, o.Token, workerPermissions(sharedUser))
	}
	for _, c := range o.Workers {
		a.add(c.Name, c.Token, workerPermissions(c.Name))
	}
	return a
}

func (a *access) add(name, token string, permissions *server.Permissions) {
	a.users[name] = &user{&server.User{Username: name, Permissions: permissions}, sha256.Sum256([]byte(token))}
}

// Check reports whether a client is let in that connects; it is called by the server.
func (a *access) Check(c server.ClientAuthentication) bool {
	select {
	case <-a.open:
	case <-time.After(readyPatience):
		return false
	}
	shown := c.GetOpts()
	name, token := shown.Username, shown.Password
	if name == "" {
		name, token = sharedUser, shown.Token
	}
	known, hash := a.users[name], sha256.Sum256([]byte(token))
	if known == nil || subtle.ConstantTimeCompare(known.token[:], hash[:]) == 0 {
		return false
	}
	c.RegisterUser(known.User)
	return true
}

// workerRequests returns the subjects that a worker may publish to: it finds jobs, takes tasks and keeps, finishes or
// returns them, reports results and sends heartbeats, the last two under its own name only.
func workerRequests(name string) []string {
	return []string{
		"$JS.API.STREAM.LIST",
		"$JS.API.CONSUMER.INFO.*." + workers,
		nextRequest,
		"$JS.ACK.*." + workers + ".>",
		subjectRoot + "*.result." + name + ".>",
		subjectRoot + "*.heartbeat." + name,
	}
}

// nextRequest asks for tasks. It is answered by as many messages.
const nextRequest = "$JS.API.CONSUMER.MSG.NEXT.*." + workers

func workerPermissions(name string) *server.Permissions {
	return &server.Permissions{
		Publish:   &server.SubjectPermission{Allow: workerRequests(name)},
		Subscribe: &server.SubjectPermission{Allow: []string{"_INBOX.>"}},
	}
}

// grant makes the accounts of all users on a server that has started, and lets them in.
func (a *access) grant(s *server.Server) error {
	defer close(a.open)
	if err := a.makeAccounts(s); err != nil {
		a.users = nil // no client is let in
		return fmt.Errorf("%w: %w", ErrBroker, err)
	}
	return nil
}

func (a *access) makeAccounts(s *server.Server) error {
	if err := s.GlobalAccount().UpdateJetStreamLimits(accountLimits); err != nil {
		return err
	}
	for _, subject := range workerRequests("*") {
		response := server.Singleton
		if subject == nextRequest {
			response = server.Streamed
		}
		if err := s.GlobalAccount().AddServiceExportWithResponse(subject, response, nil); err != nil {
			return fmt.Errorf("export of %s: %w", subject, err)
		}
	}
	for name, u := range a.users {
		if name == coordinatorUser {
			u.Account = s.GlobalAccount()
			continue
		}
		var err error
		if u.Account, err = s.RegisterAccount("worker-" + name); err != nil {
			return fmt.Errorf("account of %s: %w", name, err)
		}
		for _, subject := range workerRequests(name) {
			if err := u.Account.AddServiceImport(s.GlobalAccount(), subject, subject); err != nil {
				return fmt.Errorf("import of %s by %s: %w", subject, name, err)
			}
		}
	}
	return nil
}
