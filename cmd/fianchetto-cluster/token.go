package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/broker"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/exit"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/input"
)

// tokenVariable is where the token may be, too.
const tokenVariable = "FIANCHETTO_TOKEN"

// tokenFlags select the token that lets workers in.
type tokenFlags struct{ token, file string }

func (f *tokenFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.token, "token", "", "the `TOKEN` that lets workers in; better in a file, or in the environment as "+tokenVariable+", for all users see a command line")
	flags.StringVar(&f.file, "token-file", "", "`FILE` of the token, or of the name and the token of a worker's own credential")
	cmd.MarkFlagsMutuallyExclusive("token", "token-file")
}

// read returns the token that is given, with its name if it has one; none if none is given.
func (f *tokenFlags) read(ctx context.Context) (broker.Credential, error) {
	switch variable := os.Getenv(tokenVariable); {
	case f.token != "":
		return parseToken("--token", f.token)
	case f.file != "":
		return readToken(ctx, f.file)
	case variable != "":
		return parseToken(tokenVariable, variable)
	}
	return broker.Credential{}, nil
}

func parseToken(from, text string) (broker.Credential, error) {
	c, err := broker.ParseCredential(text)
	if err != nil {
		err = fmt.Errorf("%s: %w", from, err)
	}
	return c, err
}

// maxCredentials is the greatest size of a file of credentials, in bytes.
const maxCredentials = 1 << 20

func readToken(ctx context.Context, path string) (broker.Credential, error) {
	file, err := input.Open(ctx, path, nil)
	if err != nil {
		return broker.Credential{}, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxCredentials))
	if err != nil {
		return broker.Credential{}, exit.IO(err)
	}
	return parseToken(path, string(text))
}

func readCredentials(ctx context.Context, path string) ([]broker.Credential, error) {
	file, err := input.Open(ctx, path, nil)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	all, err := broker.ParseCredentials(io.LimitReader(file, maxCredentials))
	if err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return all, err
}

// source returns what reads the token to show to servers whenever a connection is made: the one that is given, or else that of
// a run on this machine. It returns nil if the URLs have it.
func (f *tokenFlags) source(ctx context.Context, servers string) func() (broker.Credential, error) {
	if strings.Contains(servers, "@") {
		return nil
	}
	var once broker.Credential // from a pipe, which can be read only once
	return func() (broker.Credential, error) {
		if once.Token != "" {
			return once, nil
		}
		given, err := f.read(ctx)
		if info, failure := os.Stat(f.file); failure == nil && !info.Mode().IsRegular() {
			once = given
		}
		address := strings.TrimPrefix(servers, "nats://")
		if err != nil || given.Token != "" || !isLoopback(address) {
			return given, err
		}
		local, err := readToken(ctx, localTokenPath(address))
		if errors.Is(err, fs.ErrNotExist) {
			err = nil // there may be one later
		}
		return local, err
	}
}

// localToken is the token that a run makes if it listens on this machine only. It is in a file that only this user can read, where
// workers on this machine look for it.
type localToken struct{ token, path string }

// localTokenPath returns the path of the token of a run that listens at an address or URL.
func localTokenPath(address string) string {
	dir, err := os.UserCacheDir()
	if err != nil {
		dir = filepath.Join(os.TempDir(), fmt.Sprintf("user-%d", os.Getuid()))
	}
	port := address[strings.LastIndexByte(address, ':')+1:]
	return filepath.Join(dir, "fianchetto", "token-"+filepath.Base(port))
}

// write writes the token of a run that listens at a URL, and removes those of runs that were killed.
func (t *localToken) write(url string) error {
	t.path = localTokenPath(url)
	dir := filepath.Dir(t.path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return exit.IO(err)
	}
	removeStaleTokens(dir)
	file, err := os.CreateTemp(dir, "new-")
	if err != nil {
		return exit.IO(err)
	}
	_, err = file.WriteString(t.token + "\n")
	if err = errors.Join(err, file.Close()); err == nil {
		err = os.Rename(file.Name(), t.path) // so that no worker reads half of it
	}
	if err != nil {
		os.Remove(file.Name())
		return exit.IO(err)
	}
	return nil
}

// remove removes the token, unless another run listens there by now.
func (t *localToken) remove() {
	if t.path == "" {
		return
	}
	if c, err := readToken(context.Background(), t.path); err == nil && c.Token == t.token {
		os.Remove(t.path)
	}
}

// removeStaleTokens removes the tokens of ports where no run listens.
func removeStaleTokens(dir string) {
	paths, _ := filepath.Glob(filepath.Join(dir, "token-*")) // the pattern is not malformed
	for _, path := range paths {
		connection, err := net.Dial("tcp", net.JoinHostPort("localhost", strings.TrimPrefix(filepath.Base(path), "token-")))
		if err == nil {
			connection.Close()
		} else if errors.Is(err, syscall.ECONNREFUSED) {
			os.Remove(path)
		}
	}
}

// isLoopback reports whether an address is of this machine only. Names other than localhost are not looked up: what they
// mean may change between the look and the listening.
func isLoopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	return err == nil && (host == "localhost" || net.ParseIP(host).IsLoopback())
}
