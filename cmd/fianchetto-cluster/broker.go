package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/broker"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli"
)

// brokerFlags select the broker, and who may use it.
type brokerFlags struct {
	listen      string
	connect     string
	token       tokenFlags
	credentials string
	replicas    int
	patience    time.Duration
	tls         broker.TLSFiles
}

// registerClient registers the flags of every command that connects to a broker.
func (f *brokerFlags) registerClient(cmd *cobra.Command, patience time.Duration) {
	flags := cmd.Flags()
	flags.StringVar(&f.connect, "connect", "", "`URLS` of NATS servers with JetStream, with commas between: nats://a:4222,b:4222")
	cli.SecondsVar(flags, &f.patience, "patience", patience, "give up after `TIME` without an answer of the broker; 0 is never")
	f.token.register(cmd)
	flags.StringVar(&f.tls.Authority, "tls-ca", "", "`FILE` of certificates that the other side's must be signed by")
	flags.StringVar(&f.tls.Certificate, "tls-cert", "", "`FILE` of this side's certificate")
	flags.StringVar(&f.tls.Key, "tls-key", "", "`FILE` of its key")
}

// register registers the flags of a coordinator.
func (f *brokerFlags) register(cmd *cobra.Command) {
	f.registerClient(cmd, 5*time.Minute)
	flags := cmd.Flags()
	flags.StringVar(&f.listen, "listen", "", "let workers join at `HOST:PORT`; those of other machines need a token")
	flags.StringVar(&f.credentials, "credentials", "", "`FILE` of the workers that may join, with the name and the token of one in each line")
	cmd.MarkFlagsMutuallyExclusive("token", "token-file", "credentials")
	flags.IntVar(&f.replicas, "replicas", 1, "`N` servers of the cluster keep each message, 1..5")
}

// options returns the options that the flags ask for, for a process of a name.
func (f *brokerFlags) options(name string, notice func(string)) broker.Options {
	return broker.Options{Name: name, Connect: f.connect, Listen: f.listen, Replicas: f.replicas, TLS: f.tls, Patience: f.patience, Notice: notice}
}

// workerOptions returns the options of a process that takes tasks.
func (f *brokerFlags) workerOptions(ctx context.Context, name string, notice func(string)) broker.Options {
	o := f.options(name, notice)
	o.Worker, o.Credential = true, f.token.source(ctx, f.connect)
	return o
}

// coordinatorOptions returns the options of a process that gives out tasks. When its broker is closed, cleanUp must be called.
func (f *brokerFlags) coordinatorOptions(ctx context.Context, name string, notice func(string)) (o broker.Options, cleanUp func(), err error) {
	o, cleanUp = f.options(name, notice), func() {}
	switch {
	case f.credentials != "" && f.listen == "":
		err = errors.New("--credentials without --listen")
	case f.credentials != "":
		o.Workers, err = readCredentials(ctx, f.credentials)
	case f.listen == "":
		o.Credential = f.token.source(ctx, f.connect)
	default:
		cleanUp, err = f.share(ctx, &o)
	}
	return o, cleanUp, err
}

// share sets the token that all workers show: the one that is given, or a random one for workers of this machine.
func (f *brokerFlags) share(ctx context.Context, o *broker.Options) (cleanUp func(), err error) {
	given, err := f.token.read(ctx)
	switch {
	case err != nil:
		return nil, err
	case given.Name != "":
		return nil, fmt.Errorf("token of %s only: workers have names if --credentials names them", given.Name)
	case given.Token == "" && !isLoopback(f.listen):
		return nil, fmt.Errorf("--listen %s needs a token, with --token-file, or --credentials", f.listen)
	case given.Token != "":
		o.Token = given.Token
		return func() {}, nil
	}
	local := &localToken{token: rand.Text()}
	o.Token = local.token
	o.Admit = func(url string) error {
		err := local.write(url)
		if err == nil {
			o.Notice("the token of this run is in " + local.path)
		}
		return err
	}
	return local.remove, nil
}

// processName names this process, unlike any other of the cluster.
func processName() string {
	const longest = 40
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	host = strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || r == '.' || r == '-' || r == '_' {
			return r
		}
		return '-'
	}, host)
	return fmt.Sprintf("%s-%d", host[:min(len(host), longest)], os.Getpid())
}
