package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"

	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto/internal/suites"
)

// openSuite opens a suite of the command by its name, or any other file; "-" is stdin. A file with the name of a suite is ./NAME.
func openSuite(ctx context.Context, name string, stdin io.Reader) (io.ReadCloser, error) {
	if slices.Contains(suites.Names(), name) {
		return suites.Open(name)
	}
	file, err := openInput(ctx, name, stdin)
	if errors.Is(err, fs.ErrNotExist) {
		err = &ioError{fmt.Errorf("%w%s", err, didYouMean(name, suites.Names()))}
	}
	return file, err
}

// completeSuites offers the suites of the command beside files.
func completeSuites(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return suites.Names(), cobra.ShellCompDirectiveDefault
}
