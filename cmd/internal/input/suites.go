package input

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"

	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/exit"
	"github.com/fianchetto-chess/fianchetto/internal/suites"
)

// OpenSuite opens a suite of the command by its name, or any other file; "-" is stdin. A file with the name of a suite is ./NAME.
func OpenSuite(ctx context.Context, name string, stdin io.Reader) (io.ReadCloser, error) {
	if slices.Contains(suites.Names(), name) {
		return suites.Open(name)
	}
	file, err := Open(ctx, name, stdin)
	if errors.Is(err, fs.ErrNotExist) {
		err = exit.IO(fmt.Errorf("%w%s", err, cli.DidYouMean(name, suites.Names())))
	}
	return file, err
}

// CompleteSuites offers the suites of the command beside files.
func CompleteSuites(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return suites.Names(), cobra.ShellCompDirectiveDefault
}
