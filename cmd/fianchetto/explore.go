package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"syscall"

	"github.com/cli/browser"
	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/exit"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/explorer/serve"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

type exploreOptions struct {
	address   string
	noBrowser bool
}

func newExploreCommand() *cobra.Command {
	var o exploreOptions
	cmd := &cobra.Command{
		Use:  "explore",
		Args: cli.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return explore(cmd.Context(), o, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&o.address, "http", "127.0.0.1:8160", "serve the page at `HOST:PORT`; port 0 takes a free one")
	flags.BoolVar(&o.noBrowser, "no-browser", false, "do not open the browser")
	return cmd
}

func explore(ctx context.Context, o exploreOptions, stdout, stderr io.Writer) error {
	host, _, err := net.SplitHostPort(o.address)
	if err != nil {
		return fmt.Errorf("--http: %s is not HOST:PORT", quote.Text(o.address, 0))
	}
	listener, err := net.Listen("tcp", o.address)
	if errors.Is(err, syscall.EADDRINUSE) {
		err = fmt.Errorf("%w (port 0 takes a free one)", err)
	}
	if err != nil {
		return exit.IO(fmt.Errorf("--http: %w", err))
	}
	if address, ok := listener.Addr().(*net.TCPAddr); ok && !address.IP.IsLoopback() {
		fmt.Fprintf(stderr,
			"fianchetto: warning: %v can be reached from other machines; whoever reaches it can make this one count\n",
			address)
	}
	page := "http://" + listener.Addr().String() + "/"
	fmt.Fprintln(stdout, page)
	if !o.noBrowser {
		browser.Stdout, browser.Stderr = io.Discard, io.Discard
		if err := browser.OpenURL(page); err != nil {
			fmt.Fprintf(stderr, "fianchetto: no browser could be opened (%v): open %s\n", err, page)
		}
	}
	server := serve.NewServer(serve.NewHandler(host))
	server.BaseContext = func(net.Listener) context.Context { return ctx }
	stop := context.AfterFunc(ctx, func() { server.Close() })
	defer stop()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return exit.IO(err)
	}
	return exit.ErrInterrupted
}
