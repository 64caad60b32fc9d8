// Crosscheck compares Fianchetto's legal moves with those of the reference library, dragontoothmg, at every node of
// the trees below the positions of EPD suites. Where the two differ, a third and slow generator decides.
//
// The reference library is under the GNU General Public License, version 3; so is this program when it is
// built with it. Nothing else in Fianchetto but tests and benchmarks imports it.
//
// Differences go to stdout, one line each, then a summary. The exit code is 0 if Fianchetto is right
// everywhere, 1 if it is wrong somewhere, 2 for wrong usage or input, 3 if a file cannot be read.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/suite"
)

// The exit codes.
const (
	exitOK = iota
	exitDiffers
	exitUsage
	exitFailed
)

// errDiffers is that our generator's moves are wrong somewhere.
var errDiffers = errors.New("the generator differs from the rules")

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, stdout, stderr io.Writer) int {
	command := newCommand(stdout)
	command.SetArgs(args)
	command.SetOut(stdout)
	command.SetErr(stderr)
	err := command.Execute()
	if err != nil {
		fmt.Fprintln(stderr, "crosscheck:", err)
	}
	var inFile *os.PathError
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, errDiffers):
		return exitDiffers
	case errors.As(err, &inFile):
		return exitFailed
	}
	return exitUsage
}

func newCommand(stdout io.Writer) *cobra.Command {
	var limits limits
	command := &cobra.Command{
		Use:           "crosscheck SUITE.epd...",
		Short:         "Compare legal moves with the reference library, node by node",
		Example:       "  crosscheck internal/suites/published.epd internal/suites/random.epd",
		Args:          cobra.MinimumNArgs(1),
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(_ *cobra.Command, files []string) error {
			if limits.depth < 0 || limits.nodes < 1 {
				return fmt.Errorf("--depth %d, --nodes %d: a tree has a depth from 0 and a node at least", limits.depth, limits.nodes)
			}
			return crosscheckFiles(files, limits, stdout)
		},
	}
	command.Flags().IntVar(&limits.depth, "depth", 4, "plies to go down from each position")
	command.Flags().IntVar(&limits.nodes, "nodes", 20000, "nodes to compare below each position at most")
	return command
}

func crosscheckFiles(files []string, limits limits, stdout io.Writer) error {
	out := bufio.NewWriter(stdout)
	check := crosscheck{limits: limits, out: out}
	for _, name := range files {
		if err := check.file(name); err != nil {
			return err
		}
	}
	fmt.Fprintf(out, "%d positions, %d nodes compared (%d positions of Chess960 left out): reference wrong at %d, Fianchetto wrong at %d\n",
		check.positions, check.compared, check.leftOut, check.referenceWrong, check.wrong)
	if err := out.Flush(); err != nil {
		return &os.PathError{Op: "write", Path: "stdout", Err: err}
	}
	if check.wrong > 0 {
		return errDiffers
	}
	return nil
}

func (c *crosscheck) file(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	for line, err := range suite.Read(f, name) {
		if err != nil {
			return err
		}
		if err := c.position(line.FEN); err != nil {
			return fmt.Errorf("%s:%d: %w", name, line.Line, err)
		}
	}
	return nil
}
