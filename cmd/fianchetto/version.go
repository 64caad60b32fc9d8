package main

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

func newVersionCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version and how it was built",
		Long:    "Version prints the module's version, the commit, the Go version, and what it was built for.",
		Example: "  fianchetto version",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := io.WriteString(cmd.OutOrStdout(), versionText())
			return err
		},
	}
}

// versionText tells what the build recorded in the program.
func versionText() string {
	version, commit, level := "(unknown)", "", ""
	if info, ok := debug.ReadBuildInfo(); ok {
		version = info.Main.Version
		settings := make(map[string]string)
		for _, s := range info.Settings {
			settings[s.Key] = s.Value
		}
		commit = commitText(settings)
		level = levelText(settings)
	}
	return fmt.Sprintf("fianchetto %s%s\n%s %s/%s%s\n", version, commit, runtime.Version(), runtime.GOOS, runtime.GOARCH, level)
}

func commitText(settings map[string]string) string {
	commit := settings["vcs.revision"]
	switch {
	case commit == "":
		return ""
	case settings["vcs.modified"] == "true":
		return fmt.Sprintf(" (commit %s, modified)", commit)
	}
	return fmt.Sprintf(" (commit %s)", commit)
}

// levelText tells the instruction set level, such as GOAMD64=v3, which matters for the speed.
func levelText(settings map[string]string) string {
	key := "GO" + strings.ToUpper(runtime.GOARCH)
	if level := settings[key]; level != "" {
		return fmt.Sprintf(" %s=%s", key, level)
	}
	return ""
}
