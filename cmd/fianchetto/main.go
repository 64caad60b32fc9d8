// Command fianchetto counts, lists and draws what the library generates: perft, legal moves,
// attacks, checks, lines and magic numbers, on any position of standard chess or Chess960.
//
// Results go to stdout; progress, timing and errors go to stderr. The exit code is
//
//	0    all is right
//	1    counts differ
//	2    the command line or its input is wrong
//	3    an engine failed, or reading or writing did
//	130  it was interrupted
//
// If several apply, the first of 130, 3, 1, 2.
package main

import (
	"embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/exit"
)

//go:embed help
var words embed.FS

func main() { cli.Main(newRootCommand()) }

func newRootCommand() *cobra.Command {
	root := cli.NewRoot("fianchetto")
	cli.AddGroup(root, "Count:", newPerftCommand(), newSuiteCommand(), newCompareCommand())
	cli.AddGroup(root, "Look:", newMovesCommand(), newShowCommand(), newExploreCommand(), newMagicCommand(),
		newPGNCommand())
	cli.AddGroup(root, "Count on many machines:", newClusterCommands()...)
	root.AddCommand(newGoCommand())
	return cli.Finish(root, words, newUCICommand())
}

// clusterProgram counts on many machines. It is a program of its own because it links a message
// broker.
const (
	clusterProgram = "fianchetto-cluster"
	installCluster = "go install github.com/fianchetto-chess/fianchetto/cmd/" + clusterProgram + "@latest"
)

// clusterCommands are the subcommands of clusterProgram.
var clusterCommands = []struct{ name, short string }{
	{"run", "Count on many machines, and go on after any of them fails"},
	{"worker", "Count tasks of a run that is on another machine"},
	{"status", "Show a run's progress"},
	{"resume", "Resume an interrupted run"},
	{"export", "Print what a run has counted as JSON"},
	{"tasks", "Print the tasks of a run that are left, for leaf to count anywhere"},
	{"leaf", "Count the tasks on stdin, a line each, and print a line for each result"},
	{"total", "Take in the results of leaf, and print the total if none is missing"},
}

// newClusterCommands returns a command for each of clusterCommands. It starts clusterProgram with
// the same arguments, as git and cargo do.
func newClusterCommands() (commands []*cobra.Command) {
	for _, c := range clusterCommands {
		commands = append(commands, &cobra.Command{
			Use:   c.name,
			Short: c.short,
			Long: fmt.Sprintf("%s does this; fianchetto %s starts it with the same arguments. "+
				"It is installed by\n\n  %s",
				clusterProgram, c.name, installCluster),
			DisableFlagParsing: true,
			RunE: func(cmd *cobra.Command, args []string) error {
				path, err := findCluster()
				if err != nil {
					return fmt.Errorf("%s is a command of %s, which is not installed: %s", c.name, clusterProgram,
						installCluster)
				}
				return startInstead(cmd, path, append([]string{c.name}, args...))
			},
			ValidArgsFunction: func(_ *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
				return completeCluster(append([]string{"__complete", c.name}, append(args, word)...))
			},
		})
	}
	return commands
}

// findCluster returns the path of clusterProgram: beside this program, where one installation puts
// both, or on the PATH.
func findCluster() (string, error) {
	if this, err := os.Executable(); err == nil {
		if path, err := exec.LookPath(filepath.Join(filepath.Dir(this), clusterProgram)); err == nil {
			return path, nil
		}
	}
	return exec.LookPath(clusterProgram)
}

// startInstead runs a program in place of this one, so that signals, streams and the exit code are
// the program's own. Windows cannot replace a process: there the program is a child, whose exit
// code is passed on.
func startInstead(cmd *cobra.Command, path string, args []string) error {
	child := exec.Command(path, args...)
	if runtime.GOOS != "windows" {
		return exit.IO(fmt.Errorf("%s: %w", path, syscall.Exec(path, child.Args, os.Environ())))
	}
	child.Stdin, child.Stdout, child.Stderr = cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr()
	err := child.Run()
	if child.ProcessState != nil {
		os.Exit(child.ProcessState.ExitCode())
	}
	return exit.IO(err)
}

// completeCluster has clusterProgram complete a command line. Its answer ends with a line that has
// a colon and the directive.
func completeCluster(args []string) ([]string, cobra.ShellCompDirective) {
	path, _ := findCluster()
	answer, _ := exec.Command(path, args...).Output() // empty without the program
	words, directive, _ := strings.Cut(string(answer), "\n:")
	n, err := strconv.Atoi(strings.TrimSpace(directive))
	if err != nil {
		return nil, cobra.ShellCompDirectiveDefault
	}
	return strings.Split(words, "\n"), cobra.ShellCompDirective(n)
}
