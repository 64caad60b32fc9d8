package clitest

import (
	"bytes"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli"
)

// CheckHelp checks the help of every command of a program, and that the help of some lists all their flags.
func CheckHelp(t *testing.T, newProgram func() *cobra.Command, commands ...[]string) {
	checkWidth(t, newProgram)
	checkFlagValues(t, newProgram)
	checkFlagsListed(t, newProgram, commands)
}

// checkWidth holds the help of every command to the width of the terminal, but for the command lines in it.
func checkWidth(t *testing.T, newProgram func() *cobra.Command) {
	var check func(*cobra.Command)
	check = func(cmd *cobra.Command) {
		for _, width := range []int{80, 100} {
			help := cli.HelpText(cmd, width)
			for line := range strings.Lines(strings.Replace(help, cmd.Example, "", 1)) {
				isCommandLine := strings.HasPrefix(line, "  ") && strings.Contains(line, "fianchetto")
				if len(line) > width+1 && !isCommandLine {
					t.Errorf("%s --help, %d columns: %q", cmd.CommandPath(), width, line)
				}
			}
		}
		for _, sub := range cmd.Commands() {
			check(sub)
		}
	}
	check(newProgram())
}

// checkFlagValues holds the flags of every command to names for their values, such as N or FILE: without one pflag prints a
// type of Go, "int" or "string", or "letters" for a flag whose text quotes one of its values.
func checkFlagValues(t *testing.T, newProgram func() *cobra.Command) {
	var check func(*cobra.Command)
	check = func(cmd *cobra.Command) {
		cmd.Flags().VisitAll(func(flag *pflag.Flag) {
			if name, _ := pflag.UnquoteUsage(flag); name != strings.ToUpper(name) {
				t.Errorf("%s --%s %s", cmd.CommandPath(), flag.Name, name)
			}
		})
		for _, sub := range cmd.Commands() {
			check(sub)
		}
	}
	check(newProgram())
}

// checkFlagsListed finds every flag in the help, under one title.
func checkFlagsListed(t *testing.T, newProgram func() *cobra.Command, commands [][]string) {
	for _, args := range commands {
		root := newProgram()
		cmd, _, err := root.Find(args)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		cli.Run(t.Context(), newProgram(), append(args, "--help"), nil, &out, &out)
		cmd.Flags().VisitAll(func(flag *pflag.Flag) {
			name := "--" + flag.Name
			if n := strings.Count(out.String(), "\n      "+name+" ") + strings.Count(out.String(), "  -h, "+name+" "); n != 1 {
				t.Errorf("%v: %s is listed %d times", args, name, n)
			}
		})
	}
}
