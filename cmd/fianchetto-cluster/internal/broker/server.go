package broker

import (
	_ "embed"
	"fmt"
	"math"
	"net"
	"slices"
	"strings"
	"text/template"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

// readyPatience limits the start of an embedded server, which takes a few milliseconds.
const readyPatience = 10 * time.Second

// Limits of an embedded server.
const (
	maxMessage     = 1 << 20 // bytes; see job.MaxBatch
	maxConnections = 4096    // shared evenly by the credentials
	subscriptions  = 4       // for each connection; a worker needs one
)

//go:embed server.conf
var configurationText string

// configuration is the configuration of an embedded server.
var configuration = template.Must(template.New("server").Parse(configurationText))

// startServer starts an embedded server.
func (b *Broker) startServer() error {
	o := &b.options
	config, err := b.configure(o.Workers)
	if err != nil {
		return err
	}
	embedded, err := server.NewServer(config)
	if err == nil && !config.DontListen {
		err = tryAddress(o.Listen) // the server's own error lacks the cause
	}
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

// tryAddress returns the error of listening at an address.
func tryAddress(address string) error {
	l, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	return l.Close()
}

// Readmit admits these workers from now on and closes the connections of all others. It reports
// whether the workers changed.
func (b *Broker) Readmit(workers []Credential) (changed bool, err error) {
	if slices.Equal(workers, *b.workers.Load()) {
		return false, nil
	}
	for range 2 { // the server links the imports only of accounts that it knows already
		config, err := b.configure(workers)
		if err == nil {
			err = b.server.ReloadOptions(config)
		}
		if err != nil {
			return false, err
		}
	}
	return true, nil
}

// configure returns the options of a server that admits these workers.
func (b *Broker) configure(workers []Credential) (*server.Options, error) {
	var text strings.Builder
	connections := max(1, maxConnections/max(1, len(workers)))
	err := configuration.Execute(&text, struct {
		MaxMessage, MaxConnections, Connections, Subscriptions int
		Secret                                                 string
		Workers                                                []Credential
	}{maxMessage, maxConnections, connections, subscriptions * connections, b.secret, workers})
	config := new(server.Options)
	if err == nil {
		err = config.ProcessConfigString(text.String())
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBroker, err)
	}
	b.workers.Store(&workers)
	config.NoSigs = true // the process handles signals itself
	config.DontListen = b.options.Listen == ""
	if config.DontListen {
		return config, nil
	}
	return config, b.options.listen(config)
}

// listen adds the address and certificates to the options of a server.
func (o *Options) listen(config *server.Options) error {
	host, port, err := net.SplitHostPort(o.Listen)
	if err == nil {
		config.Port, err = parsePort(port, 0)
	}
	if err != nil {
		return fmt.Errorf("%w: %s is not HOST:PORT: %w", ErrOptions, quote.Text(o.Listen, 0), err)
	}
	if config.Port == 0 {
		config.Port = server.RANDOM_PORT
	}
	config.Host = host
	config.TLSConfig, err = o.TLS.config()
	config.TLSVerify = o.TLS.Authority != ""
	config.TLSTimeout = readyPatience.Seconds()
	return err
}

// log handles the log of an embedded server. Only refused logins matter.
type log struct{ *Broker }

// refusalPause delays a refused login, so that a connection can try only one token a second.
const refusalPause = time.Second

// Errorf delays and counts refused logins and reports the 1st, 10th, 100th and so on. The server
// calls it on the client's goroutine, before the answer.
func (l log) Errorf(format string, arguments ...any) {
	text := fmt.Sprintf(format, arguments...)
	if !strings.Contains(text, server.ErrAuthentication.Error()) {
		return
	}
	time.Sleep(refusalPause)
	if n := l.refused.Add(1); math.Mod(math.Log10(float64(n)), 1) == 0 {
		address, _, _ := strings.Cut(text, " - ")
		l.options.Notice(fmt.Sprintf("logins refused: %d; the last is from %s", n, address))
	}
}

// Fatalf is unused: the server calls it if it cannot listen, which tryAddress has reported before.
func (log) Fatalf(string, ...any)  {}
func (log) Noticef(string, ...any) {}
func (log) Warnf(string, ...any)   {}
func (log) Debugf(string, ...any)  {}
func (log) Tracef(string, ...any)  {}
