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

// Options select a broker. The zero value is one embedded in this process, which no other process
// can reach.
type Options struct {
	Name    string // of this process, for the broker's own tools
	Connect string // URLs of servers, with commas between; "": an embedded server
	Listen  string // HOST:PORT where an embedded server lets others in; port 0: any; "": nowhere
	TLS     TLSFiles

	// An embedded server that listens lets in whoever shows one of Workers, under its name if it
	// has one. They may do what a worker needs, and nothing else.
	Workers []Credential

	// Credential, unless nil, returns what to show to a server elsewhere; it is called for each
	// connection, so that a new token can take the place of an old one.
	Credential func() (Credential, error)

	// Worker is whether this process only takes tasks. Its results then have the name of its
	// credential.
	Worker bool

	// Patience is how long to wait for the first connection to a server elsewhere; 0 is without
	// end.
	Patience time.Duration

	// Notice, unless nil, is called when a connection takes its time, is lost, and is back. It may
	// be called from any goroutine.
	Notice func(text string)
}

// TLSFiles are the paths of PEM files. An embedded server that listens needs certificate and key,
// and with an authority it lets in only those who have a certificate of it. Others trust servers of
// the authority, or those that the system trusts without one, and show their certificate if they
// have one.
type TLSFiles struct {
	Certificate, Key, Authority string
}

// check refuses options that contradict each other.
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

// checkServer refuses a URL that cannot be a server's. It repeats no password.
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

// parsePort reads the number of a port.
func parsePort(text string, least int) (int, error) {
	port, err := strconv.Atoi(text)
	if err != nil || port < least || port > 1<<16-1 {
		return 0, fmt.Errorf("%s is not a port, %d..65535", quote.Text(text, 0), least)
	}
	return port, nil
}

// config returns the TLS configuration of either side, nil for none. A client ignores what concerns
// clients.
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

// ErrCredential is the problem of a token or name that cannot be used.
const ErrCredential fianchetto.Problem = "broker: unusable credential"

// Credential is what a worker shows to be let in: a token, which all workers share unless each has
// a name.
type Credential struct {
	Name  string // 1..32 letters, digits, - and _; "": the token is shared
	Token string // 1..256 printable characters of ASCII, without spaces
}

// Names of users of a broker that are not those of credentials.
const (
	coordinatorUser = "coordinator" // the process that gives out the tasks, with its own workers
	sharedUser      = "workers"     // whoever shows the shared token
)

const (
	maxName  = 32
	maxToken = 256

	nameLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
)

// ParseCredential reads "TOKEN" or "NAME TOKEN". Its error is ErrCredential; it does not repeat the
// token.
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

// ParseCredentials reads the credentials of workers, "NAME TOKEN" in each line; empty lines and
// lines that begin with # are comments. Its error is ErrCredential, with the number of the line.
func ParseCredentials(text string) ([]Credential, error) {
	var (
		all    []Credential
		names  = make(map[string]bool)
		owners = make(map[string]string) // of tokens
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

// check returns ErrCredential for what ParseCredential refuses.
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
		return fmt.Errorf("%w: token that begins as a bcrypt hash does, which NATS takes for the hash of another",
			ErrCredential)
	}
	return nil
}
