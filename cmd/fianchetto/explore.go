package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"
	"time"

	"github.com/cli/browser"
	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/engine"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/exit"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/explorer"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/explorer/page"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/guard"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

type exploreOptions struct {
	cli.PositionFlags
	address   string
	noBrowser bool
	engine    string
	state     string // the page's address from the #
}

func newExploreCommand() *cobra.Command {
	var o exploreOptions
	cmd := &cobra.Command{
		Use: "explore",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 && strings.HasPrefix(args[0], "#") { // compare prints it
				o.state = args[0]
				return nil
			}
			return cli.TakeAll(nil)(cmd, args)
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			return explore(cmd, o)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&o.address, "http", "127.0.0.1:8160", "serve the page at `HOST:PORT`; port 0 takes a free one")
	flags.BoolVar(&o.noBrowser, "no-browser", false, "do not open the browser")
	flags.StringVar(&o.engine, "engine", "", "a program that the page can ask, a `COMMAND`: \"node divide.js\"")
	o.Register(cmd)
	return cmd
}

func explore(cmd *cobra.Command, o exploreOptions) error {
	ctx, stderr := cmd.Context(), cmd.ErrOrStderr()
	host, _, err := net.SplitHostPort(o.address)
	if err != nil {
		return fmt.Errorf("--http: %s is not HOST:PORT", quote.Text(o.address, 0))
	}
	fragment, err := o.fragment()
	if err != nil {
		return err
	}
	if o.engine != "" {
		program, err := o.open(cmd)
		if err != nil {
			return err
		}
		defer program.Close()
		ctx = explorer.WithEngine(ctx, program)
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
			"fianchetto: warning: other machines can reach %v, and make this one count\n",
			address)
	}
	address := "http://" + listener.Addr().String() + "/" + fragment
	fmt.Fprintln(cmd.OutOrStdout(), address)
	if !o.noBrowser {
		browser.Stdout, browser.Stderr = io.Discard, io.Discard
		if err := browser.OpenURL(address); err != nil {
			fmt.Fprintf(stderr, "fianchetto: no browser could be opened (%v): open %s\n", err, address)
		}
	}
	server := guard.Server(page.NewHandler(host, o.engine), page.MaxTime+time.Minute)
	server.BaseContext = func(net.Listener) context.Context { return ctx }
	stop := context.AfterFunc(ctx, func() { server.Close() })
	defer stop()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return exit.IO(err)
	}
	return exit.ErrInterrupted
}

func (o *exploreOptions) open(cmd *cobra.Command) (engine.Program, error) {
	path, args, err := engine.SplitCommand(o.engine)
	if err != nil {
		return nil, fmt.Errorf("--engine: %w", err)
	}
	program, err := engine.Open(cmd.Context(), engine.Config{Path: path, Args: args})
	if err != nil {
		return nil, exit.IO(fmt.Errorf("--engine: %w", err))
	}
	return program, nil
}

func (o *exploreOptions) fragment() (string, error) {
	root, moves, err := o.Line()
	if err != nil || o.state != "" || root == fianchetto.StartPosition() && len(moves) == 0 {
		return o.state, err
	}
	return "#" + pageState(engine.Path{Root: root, Moves: moves}).Encode(), nil
}

// pageState returns the pairs of the page's address for a position and the moves to it.
func pageState(path engine.Path) url.Values {
	state := url.Values{"fen": {path.Root.FEN()}}
	if path.Root.IsChess960() {
		state.Set("chess960", "1")
	}
	if len(path.Moves) > 0 {
		state.Set("moves", path.UCI())
	}
	return state
}
