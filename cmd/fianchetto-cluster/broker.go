package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/broker"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/exit"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

const tokenVariable = "FIANCHETTO_TOKEN"

func brokerFlags(p *program, patience time.Duration) {
	flags := p.Flags()
	flags.StringVar(&p.access.Connect, "connect", "",
		"`URLS` of NATS servers, with commas between: nats://a:4222,b:4222")
	cli.SecondsVar(flags, &p.access.Patience, "patience", patience,
		"give up after `TIME` without an answer of the broker; 0 is never")
	flags.StringVar(&p.token, "token", "",
		"the `TOKEN` that lets workers in; prefer --token-file or "+tokenVariable+
			": command lines are visible to every user")
	flags.StringVar(&p.tokenFile, "token-file", "",
		"`FILE` of the token, or of the name and the token of a worker's own credential")
	p.MarkFlagsMutuallyExclusive("token", "token-file")
	flags.StringVar(&p.access.TLS.Authority, "tls-ca", "", "`FILE` of certificates that the other side's must be signed by")
	flags.StringVar(&p.access.TLS.Certificate, "tls-cert", "", "`FILE` of this side's certificate")
	flags.StringVar(&p.access.TLS.Key, "tls-key", "", "`FILE` of its key")
}

// readCredentials reads those of --credentials, or the one of this process.
func (p *program) readCredentials() (err error) {
	p.access.Credentials, err = p.credentials(p.Context())
	return err
}

func (p *program) credentials(ctx context.Context) ([]broker.Credential, error) {
	from, text, err := p.tokens(ctx)
	if err != nil || from == "" {
		return nil, err
	}
	all, err := broker.ParseCredentials(text)
	for _, c := range all {
		if err == nil && len(c.Token) < leastToken && p.access.Listen != "" && !isLoopback(p.access.Listen) {
			err = fmt.Errorf("%w: a token of %d bytes is too short for %s, which others can reach; it needs %d",
				broker.ErrCredential, len(c.Token), p.access.Listen, leastToken)
		}
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", from, err)
	}
	return all, err
}

// tokens returns the text of the given tokens and its origin, "" if there are none.
func (p *program) tokens(ctx context.Context) (from, text string, err error) {
	variable, address := os.Getenv(tokenVariable), cmp.Or(p.access.Listen, p.access.Connect)
	switch {
	case p.tokenFile != "":
		from = p.tokenFile
		text, err = readTokens(ctx, from)
	case p.token != "":
		from, text = "--token", p.token
	case variable != "":
		from, text = tokenVariable, variable
	case isLoopback(strings.TrimPrefix(address, "nats://")):
		from, text, err = localToken()
		if err != nil && p.access.Listen == "" { // other servers may need no token
			return "", "", nil
		}
		if err != nil {
			err = fmt.Errorf("no token is given, and none can be made: %w", err)
		}
	}
	return from, text, err
}

// leastToken is in bytes, for an address that others can reach.
const leastToken = 16

// readTokens refuses a file that other users can read.
func readTokens(ctx context.Context, path string) (string, error) {
	const limit = 1 << 20
	file, err := cli.Open(ctx, path, nil)
	if err != nil {
		return "", err
	}
	defer file.Close()
	if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && info.Mode()&0o007 != 0 &&
		runtime.GOOS != "windows" {
		return "", fmt.Errorf("%s: other users can read it; make it yours alone: chmod 600 %s", path,
			quote.Shell(path))
	}
	text, err := io.ReadAll(io.LimitReader(file, limit))
	return string(text), exit.IO(err)
}

// localToken returns the token for runs on this machine only, and its file. The first call makes
// it.
func localToken() (path, token string, err error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", "", err
	}
	path = filepath.Join(dir, "fianchetto", "token")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return path, "", err
	}
	lock := flock.New(path + ".lock") // a run and its workers may start together
	if err := lock.Lock(); err != nil {
		return path, "", err
	}
	defer lock.Close()
	text, err := os.ReadFile(path)
	if len(text) == 0 {
		text = []byte(rand.Text())
		err = os.WriteFile(path, text, 0o600)
	}
	return path, string(text), err
}

// isLoopback looks up no names, because their addresses may change.
func isLoopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	return err == nil && (host == "localhost" || net.ParseIP(host).IsLoopback())
}

// readmit reads the credentials again every second.
func (p *program) readmit(ctx context.Context) {
	admitted, problem := p.access.Credentials, ""
	for broker.Pause(ctx, time.Second); ctx.Err() == nil; broker.Pause(ctx, time.Second) {
		all, err := p.credentials(ctx)
		if err == nil && !slices.Equal(all, admitted) {
			if err = p.broker.Readmit(all); err == nil {
				admitted = all
				p.view.Notice("reloaded " + p.tokenFile + ": only the workers it lists may join")
			}
		}
		if err == nil {
			problem = ""
		} else if problem != err.Error() {
			problem = err.Error()
			p.view.Notice("the workers that may join stay as they were: " + problem)
		}
	}
}

// processName returns a name that is unique in the cluster.
func processName() string {
	const longest = 40
	host, _ := os.Hostname()
	host = regexp.MustCompile(`[^0-9A-Za-z._-]`).ReplaceAllString(cmp.Or(host, "unknown"), "-")
	return fmt.Sprintf("%s-%d", host[:min(len(host), longest)], os.Getpid())
}
