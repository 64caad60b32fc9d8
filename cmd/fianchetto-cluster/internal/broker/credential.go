package broker

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

// ErrCredential is the problem of a token or name that cannot be used.
const ErrCredential fianchetto.Problem = "broker: unusable credential"

// Credential is what a worker shows to be let in: a token, which all workers share unless each has a name.
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

// ParseCredential reads "TOKEN" or "NAME TOKEN". Its error is ErrCredential; it does not repeat the token.
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

// ParseCredentials reads the credentials of workers, "NAME TOKEN" in each line; empty lines and lines that begin with # are
// comments. Its errors are ErrCredential, with the number of the line, and those of the reader.
func ParseCredentials(r io.Reader) ([]Credential, error) {
	var (
		all    []Credential
		names  = make(map[string]bool)
		owners = make(map[string]string) // of tokens
		lines  = bufio.NewScanner(r)
	)
	for number := 1; lines.Scan(); number++ {
		text := strings.TrimSpace(lines.Text())
		if text == "" || text[0] == '#' {
			continue
		}
		c, err := ParseCredential(text)
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
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		return nil, fmt.Errorf("%w: line of more than %d bytes", ErrCredential, bufio.MaxScanTokenSize)
	} else if err != nil {
		return nil, err
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
		return fmt.Errorf("%w: name %s is not of 1..%d letters, digits, - and _", ErrCredential, quote.Text(c.Name, 0), maxName)
	case c.Name == coordinatorUser || c.Name == sharedUser:
		return fmt.Errorf("%w: name %s is reserved", ErrCredential, c.Name)
	case c.Token == "":
		return fmt.Errorf("%w: empty token", ErrCredential)
	case len(c.Token) > maxToken:
		return fmt.Errorf("%w: token of %d bytes, longer than %d", ErrCredential, len(c.Token), maxToken)
	case strings.ContainsFunc(c.Token, func(r rune) bool { return r <= ' ' || r > '~' }):
		return fmt.Errorf("%w: token with a space or a character that is not printable ASCII", ErrCredential)
	case isHash(c.Token):
		return fmt.Errorf("%w: token that begins as a bcrypt hash does, which NATS takes for the hash of another", ErrCredential)
	}
	return nil
}

// isHash reports whether a NATS server that has the token in its configuration takes it for a bcrypt hash.
func isHash(token string) bool {
	return len(token) >= 4 && strings.HasPrefix(token, "$2") && token[3] == '$'
}
