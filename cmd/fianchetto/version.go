package main

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto/internal/goamd64"
)

func newVersionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version and how it was built",
		Long: "Version prints the module's version, the commit, the Go version, and what it was built for. If the machine could run a " +
			"faster build, it prints the command that makes one.",
		Example: "  fianchetto version",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := io.WriteString(cmd.OutOrStdout(), versionText())
			return err
		},
	}
}

// versionText is what the build recorded in the program, and how to build a faster one.
func versionText() string {
	version, commit, level, install := "(unknown)", "", "", "make install"
	if info, ok := debug.ReadBuildInfo(); ok {
		version = info.Main.Version
		settings := make(map[string]string)
		for _, s := range info.Settings {
			settings[s.Key] = s.Value
		}
		commit = commitText(settings)
		level = levelText(settings)
		install = installCommand(version, commit)
	}
	text := fmt.Sprintf("fianchetto %s%s\n%s %s/%s%s\n", version, commit, runtime.Version(), runtime.GOOS, runtime.GOARCH, level)
	if advice := goamd64.Advice(install); advice != "" {
		text += advice + "\n"
	}
	return text
}

// installCommand installs the same version, built for this machine. What was built in a clone is built there again.
func installCommand(version, commit string) string {
	if commit != "" || !strings.HasPrefix(version, "v") {
		return "make install"
	}
	return fmt.Sprintf("GOAMD64=%s go install github.com/fianchetto-chess/fianchetto/cmd/fianchetto@%s", goamd64.Best(), version)
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

// levelText is the instruction set level, such as GOAMD64=v3, which matters for the speed.
func levelText(settings map[string]string) string {
	key := "GO" + strings.ToUpper(runtime.GOARCH)
	if level := settings[key]; level != "" {
		return fmt.Sprintf(" %s=%s", key, level)
	}
	return ""
}
