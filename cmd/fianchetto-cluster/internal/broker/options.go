package broker

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

// Options select a broker. The zero value selects an embedded server that no other process can
// reach.
type Options struct {
	Name    string // the name of this process in the broker's tools
	Connect string // the URLs of servers, separated by commas; "" embeds a server
	Listen  string // the HOST:PORT of the embedded server; port 0 takes any free port; "" listens nowhere
	TLS     TLSFiles

	// Workers lists the credentials admitted by an embedded server that listens. They permit only
	// the actions of a worker.
	Workers []Credential

	// Credential, unless nil, returns the credential for a server elsewhere. It is called for each
	// connection, so that a new token can replace an old one.
	Credential func() (Credential, error)

	// Worker tells that this process only takes tasks. Its credential then owns its results.
	Worker bool

	// Patience limits the wait for the first connection to a server elsewhere; 0 is no limit.
	Patience time.Duration

	// Notice, unless nil, is called when a connection is late, lost or restored. Any goroutine may
	// call it.
	Notice func(text string)
}

// TLSFiles holds the paths of PEM files. An embedded server that listens needs a certificate and
// its key. With an authority it admits only clients with a certificate from that authority. A
// client trusts the authority's servers or, without one, the system's, and presents its certificate
// if any.
type TLSFiles struct {
	Certificate, Key, Authority string
}

// check returns an error for contradictory options.
func (o *Options) check() error {
	secure := o.TLS != TLSFiles{}
	switch {
	case o.Connect != "" && o.Listen != "":
		return fmt.Errorf("%w: connecting to %s and listening at %s", ErrOptions, o.Connect, o.Listen)
	case (o.TLS.Certificate == "") != (o.TLS.Key == ""):
		return fmt.Errorf("%w: a TLS certificate needs its key, and a key its certificate", ErrOptions)
	case secure && o.Connect == "" && o.Listen == "":
		return fmt.Errorf("%w: TLS for a broker that no other process can reach", ErrOptions)
	case secure && o.Listen != "" && o.TLS.Certificate == "":
		return fmt.Errorf("%w: listening with TLS needs a certificate and its key", ErrOptions)
	case o.Listen != "" && len(o.Workers) == 0:
		return fmt.Errorf("%w: %s", ErrExposed, o.Listen)
	case o.Listen != "":
		for _, c := range o.Workers {
			if err := c.check(); err != nil {
				return err
			}
		}
		return nil
	case o.Connect == "":
		return nil
	}
	for server := range strings.SplitSeq(o.Connect, ",") {
		if err := checkServer(server); err != nil {
			return fmt.Errorf("%w: %w", ErrOptions, err)
		}
	}
	return nil
}

// checkServer returns an error, without the password, for an invalid URL of a server.
func checkServer(server string) error {
	parsed, err := parseServer(server)
	switch {
	case err != nil:
		return errors.New("invalid URL of a server")
	case !slices.Contains([]string{"nats", "tls", "ws", "wss"}, parsed.Scheme):
		return fmt.Errorf("%s is not a URL of NATS (nats://HOST:PORT)", quote.Text(Redact(server), 0))
	case parsed.Hostname() == "":
		return errors.New("the URL of a server has no host (want HOST:PORT)")
	case parsed.Port() == "":
		return nil
	}
	_, err = parsePort(parsed.Port(), 1)
	return err
}

// parsePort reads a port number.
func parsePort(text string, least int) (int, error) {
	port, err := strconv.Atoi(text)
	if err != nil || port < least || port > 1<<16-1 {
		return 0, fmt.Errorf("%s is not a port, %d..65535", quote.Text(text, 0), least)
	}
	return port, nil
}

// config returns the TLS configuration of either side, or nil without files. A client ignores the
// fields about clients.
func (f TLSFiles) config() (*tls.Config, error) {
	if f == (TLSFiles{}) {
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
		config.ClientAuth, config.ClientCAs = tls.RequireAndVerifyClientCert, config.RootCAs
	}
	return config, nil
}

// ErrCredential reports an unusable token or name.
const ErrCredential fianchetto.Problem = "broker: unusable credential"

// Credential admits a worker. Without a name it is a token shared by all workers.
type Credential struct {
	Name  string // 1..32 letters, digits, - and _; "" for a shared token
	Token string // 1..256 printable ASCII characters, no spaces
}

// The reserved users of a broker.
const (
	coordinatorUser = "coordinator" // the coordinating process, including its own workers
	sharedUser      = "workers"     // all workers with the shared token
)

const (
	maxName  = 32
	maxToken = 256

	nameLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
)

// ParseCredential reads "TOKEN" or "NAME TOKEN". It returns ErrCredential, which does not repeat
// the token.
func ParseCredential(text string) (Credential, error) {
	var c Credential
	switch words := strings.Fields(text); len(words) {
	case 1:
		c.Token = words[0]
	case 2:
		c.Name, c.Token = words[0], words[1]
	default:
		return c, fmt.Errorf("%w: %d words, not a token, or a name and a token", ErrCredential, len(words))
	}
	return c, c.check()
}

// ParseCredentials reads the credentials of workers, one "NAME TOKEN" a line. It skips empty lines
// and lines that begin with #. It returns ErrCredential with the line number.
func ParseCredentials(text string) ([]Credential, error) {
	var (
		all    []Credential
		names  = make(map[string]bool)
		owners = make(map[string]string) // by token
		number = 0
	)
	for line := range strings.Lines(text) {
		number++
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		c, err := ParseCredential(line)
		switch owner := owners[c.Token]; {
		case err != nil:
		case c.Name == "":
			err = fmt.Errorf("%w: token without a name", ErrCredential)
		case names[c.Name]:
			err = fmt.Errorf("%w: second token of %s", ErrCredential, c.Name)
		case owner != "":
			err = fmt.Errorf("%w: %s has the token of %s", ErrCredential, c.Name, owner)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		names[c.Name], owners[c.Token] = true, c.Name
		all = append(all, c)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%w: no line has a name and a token", ErrCredential)
	}
	return all, nil
}

// check returns ErrCredential for an invalid name or token.
func (c *Credential) check() error {
	switch {
	case len(c.Name) > maxName || strings.Trim(c.Name, nameLetters) != "":
		return fmt.Errorf("%w: name %s is not of 1..%d letters, digits, - and _", ErrCredential, quote.Text(c.Name, 0),
			maxName)
	case c.Name == coordinatorUser || c.Name == sharedUser:
		return fmt.Errorf("%w: name %s is reserved", ErrCredential, c.Name)
	case c.Token == "":
		return fmt.Errorf("%w: empty token", ErrCredential)
	case len(c.Token) > maxToken:
		return fmt.Errorf("%w: token of %d bytes, longer than %d", ErrCredential, len(c.Token), maxToken)
	case strings.ContainsFunc(c.Token, func(r rune) bool { return r <= ' ' || r > '~' }):
		return fmt.Errorf("%w: token with a space or a character that is not printable ASCII", ErrCredential)
	case len(c.Token) >= 4 && strings.HasPrefix(c.Token, "$2") && c.Token[3] == '$':
		return fmt.Errorf("%w: token looks like a bcrypt hash ($2a$...), which NATS would treat as a hash",
			ErrCredential)
	}
	return nil
}
