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
	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/broker"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/exit"
)

type brokerFlags struct {
	access    broker.Options
	token     string
	tokenFile string
}

const tokenVariable = "FIANCHETTO_TOKEN"

func (f *brokerFlags) register(cmd *cobra.Command, patience time.Duration) {
	flags := cmd.Flags()
	flags.StringVar(&f.access.Connect, "connect", "",
		"`URLS` of NATS servers, with commas between: nats://a:4222,b:4222")
	cli.SecondsVar(flags, &f.access.Patience, "patience", patience,
		"give up after `TIME` without an answer of the broker; 0 is never")
	flags.StringVar(&f.token, "token", "",
		"the `TOKEN` that lets workers in; prefer --token-file or "+tokenVariable+
			": command lines are visible to every user")
	flags.StringVar(&f.tokenFile, "token-file", "",
		"`FILE` of the token, or of the name and the token of a worker's own credential")
	cmd.MarkFlagsMutuallyExclusive("token", "token-file")
	flags.StringVar(&f.access.TLS.Authority, "tls-ca", "", "`FILE` of certificates that the other side's must be signed by")
	flags.StringVar(&f.access.TLS.Certificate, "tls-cert", "", "`FILE` of this side's certificate")
	flags.StringVar(&f.access.TLS.Key, "tls-key", "", "`FILE` of its key")
}

func (f *brokerFlags) registerServer(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.access.Listen, "listen", "", "let workers join at `HOST:PORT`; those of other machines need a token")
	flags.StringVar(&f.tokenFile, "credentials", "",
		"`FILE` of the workers that may join, with the name and the token of one in each line; read again when it changes")
	cmd.MarkFlagsMutuallyExclusive("token", "token-file", "credentials")
}

// readCredentials reads those of --credentials, or the one of this process.
func (p *program) readCredentials() (err error) {
	p.access.Credentials, err = p.brokerFlags.credentials(p.Context())
	return err
}

func (f *brokerFlags) credentials(ctx context.Context) ([]broker.Credential, error) {
	from, text, err := f.tokens(ctx)
	if err != nil || from == "" {
		return nil, err
	}
	all, err := broker.ParseCredentials(text)
	for _, c := range all {
		if err == nil && len(c.Token) < leastToken && f.access.Listen != "" && !isLoopback(f.access.Listen) {
			err = fmt.Errorf("%w: a token of %d bytes is too short for %s, which others can reach; it needs %d",
				broker.ErrCredential, len(c.Token), f.access.Listen, leastToken)
		}
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", from, err)
	}
	return all, err
}

// tokens returns the text of the given tokens and its origin, "" if there are none.
func (f *brokerFlags) tokens(ctx context.Context) (from, text string, err error) {
	variable, address := os.Getenv(tokenVariable), cmp.Or(f.access.Listen, f.access.Connect)
	switch {
	case f.tokenFile != "":
		from = f.tokenFile
		text, err = readTokens(ctx, from)
	case f.token != "":
		from, text = "--token", f.token
	case variable != "":
		from, text = tokenVariable, variable
	case isLoopback(strings.TrimPrefix(address, "nats://")):
		from, text, err = localToken()
		if err != nil && f.access.Listen == "" { // other servers may need no token
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
			cli.QuoteForShell(path))
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
		all, err := p.brokerFlags.credentials(ctx)
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
