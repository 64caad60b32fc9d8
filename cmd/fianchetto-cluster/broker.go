package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/broker"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/worker"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/exit"
)

// brokerFlags select the broker and its clients.
type brokerFlags struct {
	access      broker.Options // from flags
	token       string
	tokenFile   string
	credentials string
	ownToken    string // made by a run without a token
}

// tokenVariable is the environment variable for the token.
const tokenVariable = "FIANCHETTO_TOKEN"

// registerClient registers the flags of commands that connect to a broker.
func (f *brokerFlags) registerClient(cmd *cobra.Command, patience time.Duration) {
	flags := cmd.Flags()
	flags.StringVar(&f.access.Connect, "connect", "",
		"`URLS` of NATS servers, with commas between: nats://a:4222,b:4222")
	cli.SecondsVar(flags, &f.access.Patience, "patience", patience,
		"give up after `TIME` without an answer of the broker; 0 is never")
	flags.StringVar(&f.token, "token", "",
		"the `TOKEN` that lets workers in; better in a file, or in the environment as "+tokenVariable+
			", for all users see a command line")
	flags.StringVar(&f.tokenFile, "token-file", "",
		"`FILE` of the token, or of the name and the token of a worker's own credential")
	cmd.MarkFlagsMutuallyExclusive("token", "token-file")
	flags.StringVar(&f.access.TLS.Authority, "tls-ca", "", "`FILE` of certificates that the other side's must be signed by")
	flags.StringVar(&f.access.TLS.Certificate, "tls-cert", "", "`FILE` of this side's certificate")
	flags.StringVar(&f.access.TLS.Key, "tls-key", "", "`FILE` of its key")
}

// register registers the flags of a coordinator.
func (f *brokerFlags) register(cmd *cobra.Command) {
	f.registerClient(cmd, 5*time.Minute)
	flags := cmd.Flags()
	flags.StringVar(&f.access.Listen, "listen", "", "let workers join at `HOST:PORT`; those of other machines need a token")
	flags.StringVar(&f.credentials, "credentials", "",
		"`FILE` of the workers that may join, with the name and the token of one in each line; read again when it changes")
	cmd.MarkFlagsMutuallyExclusive("token", "token-file", "credentials")
}

// workerOptions returns the options of a worker.
func (f *brokerFlags) workerOptions(ctx context.Context, name string, notice func(string)) broker.Options {
	o := f.access
	o.Name, o.Notice = name, notice
	o.Worker, o.Credential = true, f.source(ctx)
	return o
}

// coordinatorOptions returns the options of a coordinator.
func (f *brokerFlags) coordinatorOptions(ctx context.Context, name string, notice func(string),
) (broker.Options, error) {
	o := f.access
	o.Name, o.Notice = name, notice
	switch {
	case f.credentials != "" && f.access.Listen == "":
		return o, errors.New("--credentials without --listen")
	case f.credentials != "":
		workers, err := readTokens(ctx, f.credentials, broker.ParseCredentials)
		o.Workers = workers
		return o, err
	case f.access.Listen == "":
		o.Credential = f.source(ctx)
		return o, nil
	}
	shared, err := f.readToken(ctx)
	switch {
	case err != nil:
	case shared.Name != "":
		err = fmt.Errorf("token of %s only: workers have names if --credentials names them", shared.Name)
	case shared.Token == "" && !isLoopback(f.access.Listen):
		err = fmt.Errorf("--listen %s needs a token, with --token-file, or --credentials", f.access.Listen)
	case shared.Token == "":
		f.ownToken = rand.Text()
		shared.Token = f.ownToken
	}
	o.Workers = []broker.Credential{shared}
	return o, err
}

// processName returns a name for this process that is unique in the cluster.
func processName() string {
	const longest = 40
	host, _ := os.Hostname()
	host = regexp.MustCompile(`[^0-9A-Za-z._-]`).ReplaceAllString(cmp.Or(host, "unknown"), "-")
	return fmt.Sprintf("%s-%d", host[:min(len(host), longest)], os.Getpid())
}

// readToken returns the given token, with its name if it has one, or the zero value.
func (f *brokerFlags) readToken(ctx context.Context) (broker.Credential, error) {
	switch variable := os.Getenv(tokenVariable); {
	case f.token != "":
		return parseTokens("--token", f.token, broker.ParseCredential)
	case f.tokenFile != "":
		return readTokens(ctx, f.tokenFile, broker.ParseCredential)
	case variable != "":
		return parseTokens(tokenVariable, variable, broker.ParseCredential)
	}
	return broker.Credential{}, nil
}

// maxCredentials is the greatest size of a file of credentials, in bytes.
const maxCredentials = 1 << 20

// readTokens reads a file of tokens.
func readTokens[T any](ctx context.Context, path string, parse func(string) (T, error)) (tokens T, err error) {
	file, err := cli.Open(ctx, path, nil)
	if err != nil {
		return tokens, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxCredentials))
	if err != nil {
		return tokens, exit.IO(err)
	}
	return parseTokens(path, string(text), parse)
}

func parseTokens[T any](from, text string, parse func(string) (T, error)) (T, error) {
	tokens, err := parse(text)
	if err != nil {
		err = fmt.Errorf("%s: %w", from, err)
	}
	return tokens, err
}

// readmit reads the file of credentials again every second, until ctx is done, and lets in those
// whom it names.
func (f *brokerFlags) readmit(ctx context.Context, b *broker.Broker, notice func(text string)) {
	if isPipe(f.credentials) {
		return
	}
	last := ""
	for worker.Pause(ctx, time.Second); ctx.Err() == nil; worker.Pause(ctx, time.Second) {
		text, changed := "those may join now who are in "+f.credentials, false
		workers, err := readTokens(ctx, f.credentials, broker.ParseCredentials)
		if err == nil {
			changed, err = b.Readmit(workers)
		}
		if err != nil {
			text = "the workers that may join stay as they were: " + err.Error()
		}
		if changed || err != nil && text != last {
			notice(text)
		}
		last = text
	}
}

// isPipe reports whether a file is a pipe or the like, which can be read only once.
func isPipe(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.Mode().IsRegular()
}

// source returns a function that reads the token for a new connection: the given token, otherwise
// the token of a run on this machine. It returns nil if the URLs of the servers contain the token.
func (f *brokerFlags) source(ctx context.Context) func() (broker.Credential, error) {
	if strings.Contains(f.access.Connect, "@") {
		return nil
	}
	if isPipe(f.tokenFile) {
		given, err := f.readToken(ctx)
		return func() (broker.Credential, error) { return given, err }
	}
	return func() (broker.Credential, error) {
		given, err := f.readToken(ctx)
		address := strings.TrimPrefix(f.access.Connect, "nats://")
		if err != nil || given.Token != "" || !isLoopback(address) {
			return given, err
		}
		local, err := readTokens(ctx, localTokenPath(address), broker.ParseCredential)
		if errors.Is(err, fs.ErrNotExist) {
			err = nil // there may be one later
		}
		return local, err
	}
}

// localTokenPath returns the path of the token that a run makes if it listens on this machine only.
// Only this user can read the file, and workers of this user look for it there.
func localTokenPath(address string) string {
	dir, err := os.UserCacheDir()
	if err != nil {
		dir = filepath.Join(os.TempDir(), fmt.Sprintf("user-%d", os.Getuid()))
	}
	port := address[strings.LastIndexByte(address, ':')+1:]
	return filepath.Join(dir, "fianchetto", "token-"+filepath.Base(port))
}

// writeLocalToken writes the token of a run, and removes the tokens of killed runs, whose ports
// refuse connections.
func writeLocalToken(path, token string) error {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return exit.IO(err)
	}
	others, _ := filepath.Glob(filepath.Join(dir, "token-*")) // the pattern is not malformed
	for _, other := range others {
		_, port, _ := strings.Cut(filepath.Base(other), "-")
		connection, err := net.Dial("tcp", net.JoinHostPort("localhost", port))
		if err == nil {
			connection.Close()
		} else if errors.Is(err, syscall.ECONNREFUSED) {
			os.Remove(other)
		}
	}
	err := os.WriteFile(path+".new", []byte(token+"\n"), 0o600)
	if err == nil {
		err = os.Rename(path+".new", path) // so that no worker reads half of it
	}
	return exit.IO(err)
}

// removeLocalToken removes the token of a run, unless another run has replaced it.
func removeLocalToken(path, token string) {
	if c, err := readTokens(context.Background(), path, broker.ParseCredential); err == nil && c.Token == token {
		os.Remove(path)
	}
}

// isLoopback reports whether an address is reachable from this machine only. It does not look up
// names other than localhost, because their addresses may change.
func isLoopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	return err == nil && (host == "localhost" || net.ParseIP(host).IsLoopback())
}
