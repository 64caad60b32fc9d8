package broker

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

// Options select a broker. The zero value selects an embedded server for this process only.
type Options struct {
	Name     string // in the broker's tools
	Connect  string // the URLs of servers, with commas between; "" embeds one
	Listen   string // HOST:PORT of the embedded server, or ""
	Store    string // the directory of its streams; "" is memory
	TLS      TLSFiles
	Worker   bool              // this process only takes tasks, and its credential owns its results
	Patience time.Duration     // for a server elsewhere; 0 is no limit
	Notice   func(text string) // unless nil, called about connections

	// Credentials are those of the workers, or for a server elsewhere the one of this process.
	Credentials []Credential
}

// TLSFiles are paths of PEM files. With an authority, a server admits only its clients, and a
// client trusts only its servers. A client without one trusts the system's.
type TLSFiles struct {
	Certificate, Key, Authority string
}

// check returns the URLs of the servers.
func (o *Options) check() (servers []string, err error) {
	switch alone := o.Connect == ""; {
	case !alone && o.Listen != "":
		return nil, fmt.Errorf("%w: listening at %s and connecting to other servers", ErrOptions, o.Listen)
	case (o.TLS.Certificate == "") != (o.TLS.Key == ""):
		return nil, fmt.Errorf("%w: a TLS certificate needs its key, and a key its certificate", ErrOptions)
	case alone && o.TLS != TLSFiles{} && (o.Listen == "" || o.TLS.Certificate == ""):
		return nil, fmt.Errorf("%w: TLS needs a certificate and its key, and an address to listen at", ErrOptions)
	case o.Listen != "" && len(o.Credentials) == 0:
		return nil, fmt.Errorf("%w: %s", ErrExposed, o.Listen)
	case !alone && len(o.Credentials) > 1:
		return nil, fmt.Errorf("%w: %d credentials, and a connection needs one", ErrOptions, len(o.Credentials))
	case alone:
		return nil, nil
	}
	for server := range strings.SplitSeq(o.Connect, ",") {
		if server, err = checkServer(strings.TrimSpace(server)); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrOptions, err)
		}
		servers = append(servers, server)
	}
	return servers, nil
}

// checkServer adds the scheme to a URL. It refuses users and passwords, because URLs are printed.
func checkServer(server string) (string, error) {
	if !strings.Contains(server, "://") {
		server = "nats://" + server
	}
	parsed, err := url.Parse(server)
	if err != nil {
		return "", errors.New("invalid URL of a server")
	}
	port, err := strconv.ParseUint(cmp.Or(parsed.Port(), "4222"), 10, 16)
	switch {
	case parsed.User != nil:
		return "", errors.New("the URL of a server has a user: write its name and token into the file of the token")
	case !slices.Contains([]string{"nats", "tls", "ws", "wss"}, parsed.Scheme), parsed.Hostname() == "":
		return "", fmt.Errorf("%s is not a URL of NATS (nats://HOST:PORT)", quote.Text(server, 0))
	case err != nil, port == 0:
		return "", fmt.Errorf("%s is not a port, 1..65535", quote.Text(parsed.Port(), 0))
	}
	return server, nil
}

// ErrCredential reports an unusable token or name.
const ErrCredential fianchetto.Problem = "broker: unusable credential"

// Credential admits a worker.
type Credential struct {
	Name  string // 1..32 letters, digits, - and _; "" for a token shared by all workers
	Token string // 1..256 printable ASCII characters, no spaces
}

// The reserved users of a broker.
const (
	coordinatorUser = "coordinator" // including its own workers
	sharedUser      = "workers"     // all workers with the shared token
)

const (
	maxName  = 32
	maxToken = 256

	nameLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
)

// ParseCredentials reads one "TOKEN" or "NAME TOKEN" a line, and skips comments (#). It returns
// ErrCredential with the line number, without the token.
func ParseCredentials(text string) (all []Credential, err error) {
	number := 0
	for line := range strings.Lines(text) {
		number++
		words := strings.Fields(line)
		if len(words) == 0 || words[0][0] == '#' {
			continue
		}
		c := Credential{Token: words[len(words)-1]}
		if len(words) > 1 {
			c.Name = words[0]
		}
		problem := c.problem()
		switch {
		case len(words) > 2:
			problem = "neither a token nor a name and a token"
		case slices.ContainsFunc(all, func(o Credential) bool { return o.Name == c.Name }):
			problem = "second token of " + cmp.Or(c.Name, sharedUser)
		case slices.ContainsFunc(all, func(o Credential) bool { return o.Token == c.Token }):
			problem = "token of another line"
		}
		if problem != "" {
			return nil, fmt.Errorf("line %d: %w: %s", number, ErrCredential, problem)
		}
		all = append(all, c)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%w: no line has a token", ErrCredential)
	}
	return all, nil
}

// problem returns "" if name and token are valid.
func (c *Credential) problem() string {
	switch {
	case len(c.Name) > maxName || strings.Trim(c.Name, nameLetters) != "":
		return fmt.Sprintf("name %s is not of 1..%d letters, digits, - and _", quote.Text(c.Name, 0), maxName)
	case c.Name == coordinatorUser || c.Name == sharedUser:
		return "name " + c.Name + " is reserved"
	case len(c.Token) > maxToken || strings.ContainsFunc(c.Token, func(r rune) bool { return r <= ' ' || r > '~' }):
		return fmt.Sprintf("token of %d bytes is not 1..%d printable ASCII characters", len(c.Token), maxToken)
	case len(c.Token) >= 4 && strings.HasPrefix(c.Token, "$2") && c.Token[3] == '$':
		return "token looks like a bcrypt hash ($2a$...), which NATS would treat as a hash"
	}
	return ""
}
