package broker

import (
	"crypto/rand"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"text/template"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

// readyPatience is how long an embedded server may take to be ready; it takes a few milliseconds.
const readyPatience = 10 * time.Second

// embedded is a server in this process.
type embedded struct {
	*server.Server
	options *Options
	secret  string       // that the coordinator shows
	workers []Credential // that are let in
}

// Limits of an embedded server.
const (
	maxMessage     = 1 << 19 // bytes; see job.MaxBatch
	maxConnections = 4096    // which the credentials share evenly
)

// configuration is the configuration of an embedded server. The coordinator may do everything. Each worker has its own
// account, which imports from the coordinator's account only the requests below, the last three under the worker's own
// name. The permissions of its user are the same requests, so that all others are refused with an
// error. An account is needed, too: within one, the answer to a permitted request can be sent to any subject.
var configuration = template.Must(template.New("server").Parse(`
server_name: fianchetto
max_payload: {{.MaxMessage}}
max_connections: {{.MaxConnections}}
accounts {
  RUNS {
    users: [ { user: coordinator, password: {{printf "%q" .Secret}} } ]
    exports: [
      { service: "fianchetto.jobs", response_type: stream }
      { service: "fianchetto.*.take.*" }
      { service: "fianchetto.*.result.*" }
      { service: "fianchetto.*.heartbeat.*" }
    ]
  }
{{- range .Workers}}
  "worker-{{.Name}}" {
    limits { max_connections: {{$.Connections}} }
    users: [ { user: "{{.Name}}", password: {{printf "%q" .Token}}, permissions: {
      subscribe: "_INBOX.>"
      publish: [ "fianchetto.jobs", "fianchetto.*.take.{{.Name}}", "fianchetto.*.result.{{.Name}}", ` +
	`"fianchetto.*.heartbeat.{{.Name}}" ]
    } } ]
    imports: [
      { service: { account: RUNS, subject: "fianchetto.jobs" } }
      { service: { account: RUNS, subject: "fianchetto.*.take.{{.Name}}" } }
      { service: { account: RUNS, subject: "fianchetto.*.result.{{.Name}}" } }
      { service: { account: RUNS, subject: "fianchetto.*.heartbeat.{{.Name}}" } }
    ]
  }
{{- end}}
}
`))

// startServer starts an embedded server.
func startServer(o *Options) (*embedded, error) {
	e := &embedded{options: o, secret: rand.Text()}
	workers := o.Workers
	if o.Token != "" {
		workers = []Credential{{sharedUser, o.Token}}
	}
	config, err := e.configure(workers)
	if err != nil {
		return nil, err
	}
	if e.Server, err = server.NewServer(config); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBroker, err)
	}
	complaints := &complaints{fatal: make(chan struct{})}
	e.SetLoggerV2(complaints, false, false, false)
	e.Start()
	if err = e.awaitReady(complaints); err == nil && o.Admit != nil && e.Addr() != nil {
		err = o.Admit(e.ClientURL())
	}
	if err != nil {
		e.stop()
		return nil, err
	}
	return e, nil
}

// Readmit lets in these workers from now on, and no others: connections of credentials that are not among them end. It
// reports whether that changes anything.
func (b *Broker) Readmit(workers []Credential) (changed bool, err error) {
	if slices.Equal(workers, b.server.workers) {
		return false, nil
	}
	for range 2 { // the server connects the imports of an account only if it knew the account before
		config, err := b.server.configure(workers)
		if err == nil {
			err = b.server.ReloadOptions(config)
		}
		if err != nil {
			return false, err
		}
	}
	return true, nil
}

// configure returns the options of a server that lets in these workers.
func (e *embedded) configure(workers []Credential) (*server.Options, error) {
	var text strings.Builder
	err := configuration.Execute(&text, struct {
		MaxMessage, MaxConnections, Connections int
		Secret                                  string
		Workers                                 []Credential
	}{maxMessage, maxConnections, max(1, maxConnections/max(1, len(workers))), e.secret, workers})
	config := new(server.Options)
	if err == nil {
		err = config.ProcessConfigString(text.String())
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBroker, err)
	}
	e.workers = workers
	config.NoSigs = true // the process has its own way with signals
	config.DontListen = e.options.Listen == ""
	if config.DontListen {
		return config, nil
	}
	return config, e.options.listen(config)
}

// listen adds to the options of a server where it listens, and its certificates.
func (o *Options) listen(config *server.Options) error {
	host, port, err := net.SplitHostPort(o.Listen)
	if err != nil {
		return err
	}
	if config.Port, err = strconv.Atoi(port); err != nil || config.Port < 0 || config.Port > 1<<16-1 {
		return fmt.Errorf("%w: %s is not a port, 0..65535", ErrOptions, quote.Text(port, 0))
	}
	if config.Port == 0 {
		config.Port = server.RANDOM_PORT
	}
	config.Host = host
	if config.TLSConfig, err = o.TLS.serverConfig(); err != nil {
		return err
	}
	config.TLS = config.TLSConfig != nil
	config.TLSVerify = config.TLS && o.TLS.Authority != ""
	config.TLSTimeout = readyPatience.Seconds()
	return nil
}

// awaitReady waits until the server takes connections, or has reported why it does not.
func (e *embedded) awaitReady(complaints *complaints) error {
	ready := make(chan bool, 1)
	go func() { ready <- e.ReadyForConnections(readyPatience) }()
	select {
	case ok := <-ready:
		if ok {
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
