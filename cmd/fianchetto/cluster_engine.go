package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/cluster/queue"
)

// tokenVariable is where the token may be, so that it need not be on the command line, where all users of a machine see it.
const tokenVariable = "FIANCHETTO_TOKEN"

// engineFlags say which engine to use.
type engineFlags struct {
	listen   string
	connect  string
	token    string
	replicas int
	tls      queue.TLSFiles
}

// registerClient registers what everybody has who connects to an engine.
func (f *engineFlags) registerClient(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.connect, "connect", "", "`URLS` of NATS servers with JetStream, with commas between: nats://a:4222,b:4222")
	flags.StringVar(&f.token, "token", "", "the `TOKEN` that lets workers in; or in the environment, as "+tokenVariable)
	flags.StringVar(&f.tls.Authority, "tls-ca", "", "`FILE` of certificates that the other side's must be signed by")
	flags.StringVar(&f.tls.Certificate, "tls-cert", "", "`FILE` of this side's certificate")
	flags.StringVar(&f.tls.Key, "tls-key", "", "`FILE` of its key")
}

// register registers what a coordinator has, too.
func (f *engineFlags) register(cmd *cobra.Command) {
	f.registerClient(cmd)
	cmd.Flags().StringVar(&f.listen, "listen", "", "let workers of other machines join at `HOST:PORT`; beyond this machine only with a token")
	cmd.Flags().IntVar(&f.replicas, "replicas", 1, "`N` servers of the cluster keep each message, 1..5")
}

// options returns what the flags say, for a process of a name.
func (f *engineFlags) options(name string, notice func(string)) queue.Options {
	token := f.token
	if token == "" {
		token = os.Getenv(tokenVariable)
	}
	return queue.Options{Name: name, Connect: f.connect, Listen: f.listen, Token: token, Replicas: f.replicas, TLS: f.tls, Notice: notice}
}

// processName names this process, unlike any other of the cluster.
func processName() string {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	return fmt.Sprintf("%s-%d", host, os.Getpid())
}
