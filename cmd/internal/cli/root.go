package cli

import (
	"io"
	"strings"

	"github.com/spf13/cobra"
)

// exits is the part of a program's help about its results and exit codes.
const exits = `

Results go to stdout; progress, timing and errors go to stderr. Exit codes:
  0    all is right
  1    counts differ
  2    the command line or its input is wrong
  3    an engine failed, or reading or writing did
  130  interrupted
If several apply, it is the first of 130, 3, 1, 2.`

// Programs is the title of the group of subcommands that serve programs and shells, the last group of a program.
const Programs = "For programs and shells:"

// NewRoot returns the command of a program, to which AddGroup adds subcommands and Finish what all programs have.
func NewRoot(name, short, long, example string) *cobra.Command {
	cobra.EnableCommandSorting = false // the commands are in order of importance
	var version bool
	root := &cobra.Command{
		Use: name, Short: short, Long: long + exits, Example: example,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !version {
				return cmd.Help()
			}
			_, err := io.WriteString(cmd.OutOrStdout(), versionText(name))
			return err
		},
	}
	root.InitDefaultHelpFlag()
	// Cobra's own flag prints by a template. A program that executes templates links every exported method, 3.6 MB here.
	root.Flags().BoolVarP(&version, "version", "v", false, "version for "+name)
	_ = root.Flags().SetAnnotation("version", cobra.FlagSetByCobraAnnotation, []string{"true"}) // it exists
	root.SetHelpFunc(writeHelp)
	return root
}

// Finish adds the subcommands for programs and shells: those given, and help, man, version and completion.
func Finish(root *cobra.Command, commands ...*cobra.Command) *cobra.Command {
	root.SetHelpCommand(newHelpCommand(root))
	AddGroup(root, Programs, append(commands, newManCommand(root.Name()), newVersionCommand(root.Name()))...)
	root.SetCompletionCommandGroupID(Programs)
	root.SetHelpCommandGroupID(Programs)
	return root
}

// Version names a program and its version: the first line of what its subcommand version prints.
func Version(program string) string {
	line, _, _ := strings.Cut(versionText(program), "\n")
	return line
}

// AddGroup adds commands that help lists under a title.
func AddGroup(root *cobra.Command, title string, commands ...*cobra.Command) {
	root.AddGroup(&cobra.Group{ID: title, Title: title})
	for _, cmd := range commands {
		cmd.GroupID = title
	}
	root.AddCommand(commands...)
}

// newHelpCommand is cobra's help command, but what it does not know is an error.
func newHelpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:     "help [command]",
		Short:   "Help about a command",
		Long:    "Help prints what a command does, its flags and examples.",
		Example: "  " + root.Name() + " help " + root.Commands()[0].Name(),
		RunE: func(_ *cobra.Command, args []string) error {
			cmd, rest, err := root.Find(args)
			switch {
			case err != nil:
				return UnknownCommand(root, args[0])
			case len(rest) > 0:
				return UnknownCommand(cmd, rest[0])
			}
			return cmd.Help()
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return CommandNames(root), cobra.ShellCompDirectiveNoFileComp
		},
	}
}
