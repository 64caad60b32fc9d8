package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"regexp"
	"time"

	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/broker"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/exit"
)

// brokerFlags select the broker and its clients.
type brokerFlags struct {
	access    broker.Options // from flags
	tokenFile string
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
	flags.StringVar(&f.tokenFile, "token-file", "",
		"`FILE` of the token, or of a name and its token; without it the token is in the environment as "+tokenVariable)
	flags.StringVar(&f.access.TLS.Authority, "tls-ca", "", "`FILE` of certificates that the other side's must be signed by")
	flags.StringVar(&f.access.TLS.Certificate, "tls-cert", "", "`FILE` of this side's certificate")
	flags.StringVar(&f.access.TLS.Key, "tls-key", "", "`FILE` of its key")
}

// register registers the flags of a coordinator.
func (f *brokerFlags) register(cmd *cobra.Command) {
	f.registerClient(cmd, 5*time.Minute)
	flags := cmd.Flags()
	flags.StringVar(&f.access.Listen, "listen", "", "let workers with the token join at `HOST:PORT`")
	flags.StringVar(&f.tokenFile, "credentials", "",
		"`FILE` of the workers that may join, with the name and the token of one in each line")
	cmd.MarkFlagsMutuallyExclusive("token-file", "credentials")
}

// options returns the options of a broker for a named process.
func (f *brokerFlags) options(ctx context.Context, name string, notice func(string)) (broker.Options, error) {
	o := f.access
	o.Name, o.Notice = name, notice
	from, text := tokenVariable, os.Getenv(tokenVariable)
	if f.tokenFile != "" {
		file, err := cli.Open(ctx, f.tokenFile, nil)
		if err != nil {
			return o, err
		}
		defer file.Close()
		all, err := io.ReadAll(io.LimitReader(file, maxCredentials))
		if err != nil {
			return o, exit.IO(err)
		}
		from, text = f.tokenFile, string(all)
	} else if text == "" {
		return o, nil
	}
	var err error
	if o.Credentials, err = broker.ParseCredentials(text); err != nil {
		err = fmt.Errorf("%s: %w", from, err)
	}
	return o, err
}

// maxCredentials is the greatest size of a file of credentials, in bytes.
const maxCredentials = 1 << 20

// processName returns a name for this process that is unique in the cluster.
func processName() string {
	const longest = 40
	host, _ := os.Hostname()
	host = regexp.MustCompile(`[^0-9A-Za-z._-]`).ReplaceAllString(cmp.Or(host, "unknown"), "-")
	return fmt.Sprintf("%s-%d", host[:min(len(host), longest)], os.Getpid())
}
