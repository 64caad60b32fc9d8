package broker

import (
	"cmp"
	_ "embed"
	"fmt"
	"math"
	"net"
	"os"
	"strings"
	"text/template"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// readyPatience limits the start, which takes a few milliseconds.
const readyPatience = 10 * time.Second

const (
	maxMessage     = 1 << 20 // bytes; see job.MaxBatch
	maxConnections = 4096    // shared evenly by the credentials
	subscriptions  = 512     // for each connection; a worker needs some more than its threads

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
func (b *Broker) Readmit(workers []Credential) error {
	for range 2 { // the server links the imports only of accounts that it knows already
		config, err := b.configure(workers)
		if err == nil {
			err = b.server.ReloadOptions(config)
		}
		if err != nil {
			return err
		}
	}
	return nil
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
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBroker, err)
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

// log is the log of an embedded server. Only refused logins and a full disk matter.
type log struct{ *Broker }

// refusalPause delays a refused login, so that a connection can try only one token a second.
const refusalPause = time.Second

// Errorf delays refused logins and reports the 1st, 10th, 100th and so on. The server calls it on
// the client's goroutine, before the answer.
func (l log) Errorf(format string, arguments ...any) {
	text := fmt.Sprintf(format, arguments...)
	if strings.Contains(text, "no space left") || strings.Contains(text, "Critical write error") {
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

// Fatalf is unused: startServer reports before that the server cannot listen.
func (log) Fatalf(string, ...any)  {}
func (log) Noticef(string, ...any) {}
func (log) Warnf(string, ...any)   {}
func (log) Debugf(string, ...any)  {}
func (log) Tracef(string, ...any)  {}
