package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto/internal/goamd64"
)

func newVersionCommand(program string) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version and how it was built",
		Long: "Version prints the module's version, the commit, the Go version, and what it was built for. If the machine could run a " +
			"faster build, it prints the command that makes one.",
		Example: "  " + program + " version",
		Args:    NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if asJSON {
				return json.NewEncoder(cmd.OutOrStdout()).Encode(readBuild(program))
			}
			_, err := io.WriteString(cmd.OutOrStdout(), versionText(program))
			return err
		},
	}
	JSONVar(cmd.Flags(), &asJSON)
	return cmd
}

// build is what the build recorded in the program, in the form of its JSON.
type build struct {
	Version  string `json:"version"`
	Commit   string `json:"commit,omitempty"`
	Modified bool   `json:"modified"` // since the commit
	Go       string `json:"go"`
	OS       string `json:"os"`
	Arch     string `json:"arch"`
	Level    string `json:"level,omitempty"`  // the instruction set, such as GOAMD64=v3, which matters for the speed
	Advice   string `json:"advice,omitempty"` // how to build a faster one
}

func readBuild(program string) build {
	b := build{Version: "(unknown)", Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH}
	install := "make install"
	if info, ok := debug.ReadBuildInfo(); ok {
		settings := make(map[string]string)
		for _, s := range info.Settings {
			settings[s.Key] = s.Value
		}
		b.Version, b.Commit, b.Modified = info.Main.Version, settings["vcs.revision"], settings["vcs.modified"] == "true"
		if key := "GO" + strings.ToUpper(runtime.GOARCH); settings[key] != "" {
			b.Level = key + "=" + settings[key]
		}
		install = installCommand(program, b.Version, b.Commit)
	}
	b.Advice = goamd64.Advice(install)
	return b
}

// versionText describes the build.
func versionText(program string) string {
	b := readBuild(program)
	text := program + " " + b.Version
	switch {
	case b.Modified:
		text += fmt.Sprintf(" (commit %s, modified)", b.Commit)
	case b.Commit != "":
		text += fmt.Sprintf(" (commit %s)", b.Commit)
	}
	text += strings.TrimRight(fmt.Sprintf("\n%s %s/%s %s", b.Go, b.OS, b.Arch, b.Level), " ") + "\n"
	if b.Advice != "" {
		text += b.Advice + "\n"
	}
	return text
}

// installCommand installs the same version, built for this machine. What was built in a clone is built there again.
func installCommand(program, version, commit string) string {
	if commit != "" || !strings.HasPrefix(version, "v") {
		return "make install"
	}
	return fmt.Sprintf("GOAMD64=%s go install github.com/fianchetto-chess/fianchetto/cmd/%s@%s", goamd64.Best(), program, version)
}
