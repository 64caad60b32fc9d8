package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"

	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto/testdata"
)

// shippedSuites are the names of the suites that are part of the command. A file of such a name is ./NAME.
var shippedSuites = []string{"published", "traps", "traps960", "random", "random960", "unreachable"}

// openSuite opens a suite of the command by its name, or any other file; "-" is stdin.
func openSuite(ctx context.Context, name string, stdin io.Reader) (io.ReadCloser, error) {
	if slices.Contains(shippedSuites, name) {
		return testdata.Suites.Open(name + ".epd")
	}
	file, err := openInput(ctx, name, stdin)
	if errors.Is(err, fs.ErrNotExist) {
		err = &ioError{fmt.Errorf("%w%s", err, didYouMean(name, shippedSuites))}
	}
	return file, err
}

// completeSuites offers the suites of the command beside files.
func completeSuites(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return shippedSuites, cobra.ShellCompDirectiveDefault
}
