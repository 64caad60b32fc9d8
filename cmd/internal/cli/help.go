package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/terminal"
)

// The widest help, as long lines are hard to read.
const widestHelp = 100

// writeHelp writes what a command does and how it is used, as wide as the terminal.
func writeHelp(cmd *cobra.Command, _ []string) {
	width := min(terminal.Width(cmd.OutOrStdout()), widestHelp)
	_, _ = io.WriteString(cmd.OutOrStdout(), HelpText(cmd, width)) // resultWriter keeps its error
}

// HelpText describes a command in lines of at most width columns; examples may be longer.
func HelpText(cmd *cobra.Command, width int) string {
	return wrap(cmd.Long, width) + "\n" + usage(cmd, width)
}

// usage describes how a command is used.
func usage(cmd *cobra.Command, width int) string {
	var text strings.Builder
	line := cmd.UseLine()
	if cmd.HasAvailableSubCommands() {
		line = cmd.CommandPath() + " COMMAND [flags]"
	}
	fmt.Fprintf(&text, "\nUsage:\n  %s\n", line)
	if cmd.HasExample() {
		fmt.Fprintf(&text, "\nExamples:\n%s\n", cmd.Example)
	}
	for _, group := range append(cmd.Groups(), &cobra.Group{Title: "Commands:"}) {
		writeCommands(&text, group, cmd.Commands(), width)
	}
	for _, group := range flagGroups(cmd) {
		fmt.Fprintf(&text, "\n%s:\n%s", group.title, group.flags.FlagUsagesWrapped(width))
	}
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(&text, "\n%s COMMAND --help describes a command.\n", cmd.CommandPath())
	}
	return text.String()
}

// writeCommands lists the commands of a group.
func writeCommands(text *strings.Builder, group *cobra.Group, commands []*cobra.Command, width int) {
	const indent = 14
	title := "\n" + group.Title + "\n"
	for _, c := range commands {
		if c.GroupID == group.ID && (c.IsAvailableCommand() || c.Name() == "help") {
			short := strings.ReplaceAll(wrap(c.Short, width-indent), "\n", "\n"+strings.Repeat(" ", indent))
			fmt.Fprintf(text, "%s  %-*s%s\n", title, indent-2, c.Name(), short)
			title = ""
		}
	}
}

// flagGroup is flags under a title.
type flagGroup struct {
	title string
	flags *pflag.FlagSet
}

// flagGroups returns the flags of a command by their groups: first those without a group, then the groups in the order in which
// the command defines their first flags.
func flagGroups(cmd *cobra.Command) []flagGroup {
	cmd.InitDefaultHelpFlag()
	cmd.InitDefaultVersionFlag()
	groups := []flagGroup{{"Flags", pflag.NewFlagSet("", pflag.ContinueOnError)}}
	cmd.Flags().SortFlags = false // their order is that of importance
	cmd.LocalFlags().VisitAll(func(flag *pflag.Flag) {
		shown := *flag
		shown.NoOptDefVal = "" // which pflag prints as code
		title := groups[0].title
		if titles := flag.Annotations[GroupAnnotation]; len(titles) > 0 {
			title = titles[0]
		}
		for i := range groups {
			if groups[i].title == title {
				groups[i].flags.AddFlag(&shown)
				return
			}
		}
		group := flagGroup{title, pflag.NewFlagSet("", pflag.ContinueOnError)}
		group.flags.AddFlag(&shown)
		groups = append(groups, group)
	})
	for _, group := range groups {
		group.flags.SortFlags = false
	}
	return groups
}

// wrap breaks the lines of paragraphs so that they are at most so wide. Lines that begin with a space stay as they are.
func wrap(text string, width int) string {
	var lines []string
	room := 0 // columns that are left in the last line; 0 begins another
	for line := range strings.Lines(strings.TrimSpace(text)) {
		line = strings.TrimRight(line, "\n")
		if line == "" || strings.HasPrefix(line, " ") {
			lines, room = append(lines, line), 0
			continue
		}
		for word := range strings.FieldsSeq(line) {
			if room > len(word) {
				lines[len(lines)-1] += " " + word
				room -= len(word) + 1
				continue
			}
			lines = append(lines, word)
			room = width - len(word)
		}
	}
	return strings.Join(lines, "\n")
}
