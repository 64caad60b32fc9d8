package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto/internal/cli"
)

// TestHelpFits holds the help of every command to the width of the terminal, but for the command lines in it.
func TestHelpFits(t *testing.T) {
	var check func(*cobra.Command)
	check = func(cmd *cobra.Command) {
		for _, width := range []int{80, 100} {
			help := wrap(cmd.Long, width) + "\n" + usage(cmd, width)
			for line := range strings.Lines(strings.Replace(help, cmd.Example, "", 1)) {
				isCommandLine := strings.HasPrefix(line, "  ") && strings.Contains(line, " fianchetto ")
				if len(line) > width+1 && !isCommandLine {
					t.Errorf("%s --help, %d columns: %q", cmd.CommandPath(), width, line)
				}
			}
		}
		for _, sub := range cmd.Commands() {
			check(sub)
		}
	}
	check(newRootCommand())
}

// TestFlagsNameTheirValues holds the flags of every command to names for their values, such as N or FILE: without one pflag prints a
// type of Go, "int" or "string", or "letters" for a flag whose text quotes one of its values.
func TestFlagsNameTheirValues(t *testing.T) {
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
	check(newRootCommand())
}

// TestHelpHasAllFlags finds every flag in the help, under one title.
func TestHelpHasAllFlags(t *testing.T) {
	for _, args := range [][]string{{"perft"}, {"compare"}, {"show"}, {"run"}, {"magic", "find"}} {
		root := newRootCommand()
		cmd, _, err := root.Find(args)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		cli.Run(t.Context(), newRootCommand(), append(args, "--help"), nil, &out, &out)
		cmd.Flags().VisitAll(func(flag *pflag.Flag) {
			name := "--" + flag.Name
			if n := strings.Count(out.String(), "\n      "+name+" ") + strings.Count(out.String(), "  -h, "+name+" "); n != 1 {
				t.Errorf("%v: %s is listed %d times", args, name, n)
			}
		})
	}
}

func TestWrap(t *testing.T) {
	const text = `one two three
four

  kept  as it is, however long
five six`
	const want = `one two
three four

  kept  as it is, however long
five six`
	if got := wrap(text, 10); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
