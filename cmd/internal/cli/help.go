package cli

import (
	"embed"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/fianchetto-chess/fianchetto/internal/goamd64"
)

//go:embed exits.txt
var exits string

const programsGroup = "For programs and shells:"

func init() { cobra.EnableCommandSorting = false } // the commands are in order of importance

// NewRoot returns the command of a program, which AddGroup and Finish complete.
func NewRoot(name string) *cobra.Command {
	root := &cobra.Command{Use: name + " COMMAND", Version: readBuild(name).Version}
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) {
		_, _ = io.WriteString(cmd.OutOrStdout(), HelpText(cmd)) // resultWriter keeps its error
	})
	return root
}

// Finish adds the given subcommands, and help, version, licenses and completion. It reads the texts
// of all commands.
func Finish(root *cobra.Command, words fs.FS, commands ...*cobra.Command) *cobra.Command {
	help := newHelpCommand(root)
	root.SetHelpCommand(help)
	AddGroup(root, programsGroup, append(commands, newLicensesCommand(),
		newVersionCommand(root.Name()), help)...)
	root.SetCompletionCommandGroupID(programsGroup)
	help.ValidArgs = commandNames(root)
	describe(root, words)
	return root
}

//go:embed help
var common embed.FS

// describe reads the help of a command and its subcommands. The file help/magic-find.txt describes
// "magic find": its first line is the short description, and the line "Examples:" ends the long
// one. The command "go perft" is perft.
func describe(cmd *cobra.Command, words fs.FS) {
	root := cmd.Root()
	path := strings.TrimPrefix(strings.TrimPrefix(cmd.CommandPath(), root.Name()+" "), "go ")
	name := "help/" + strings.ReplaceAll(path, " ", "-") + ".txt"
	text, err := fs.ReadFile(words, name)
	if err != nil {
		text, err = fs.ReadFile(common, name)
	}
	if err == nil {
		names := strings.NewReplacer("$PROGRAM", root.Name(), "$COMMAND", root.Commands()[0].Name())
		short, rest, _ := strings.Cut(strings.TrimRight(names.Replace(string(text)), "\n"), "\n\n")
		cmd.Short = short
		cmd.Long, cmd.Example, _ = strings.Cut(rest, "\n\nExamples:\n")
	}
	for _, sub := range cmd.Commands() {
		describe(sub, words)
	}
}

// AddGroup adds commands under a title of the help.
func AddGroup(root *cobra.Command, title string, commands ...*cobra.Command) {
	root.AddGroup(&cobra.Group{ID: title, Title: title})
	for _, cmd := range commands {
		cmd.GroupID = title
	}
	root.AddCommand(commands...)
}

// NewGroup returns a command that only has subcommands.
func NewGroup(name string, commands ...*cobra.Command) *cobra.Command {
	group := &cobra.Command{Use: name + " COMMAND", Args: cobra.NoArgs, RunE: showHelp}
	group.AddCommand(commands...)
	return group
}

func showHelp(cmd *cobra.Command, _ []string) error { return cmd.Help() }

// Unlike cobra's, this help command fails for an unknown topic.
func newHelpCommand(root *cobra.Command) *cobra.Command {
	var man bool
	help := &cobra.Command{
		Use: "help [command]",
		RunE: func(cmd *cobra.Command, args []string) error {
			if man {
				return Print(cmd, false, nil, manPage(root))
			}
			cmd, rest, _ := root.Find(args) // what is left has the error
			if len(rest) > 0 {
				return unknownCommand(cmd, rest[0])
			}
			return cmd.Help()
		},
	}
	help.Flags().BoolVar(&man, "man", false, "print all help as a page for man")
	return help
}

// helpWidth is the number of columns of help, except for command lines.
const helpWidth = 80

// HelpText returns the help of a command.
func HelpText(cmd *cobra.Command) string {
	var text strings.Builder
	fmt.Fprintf(&text, "Usage:\n  %s\n", cmd.UseLine())
	if cmd.HasExample() {
		fmt.Fprintf(&text, "\nExamples:\n%s\n", cmd.Example)
	}
	fmt.Fprintf(&text, "\n%s\n", cmd.Long)
	for _, group := range append(cmd.Groups(), &cobra.Group{Title: "Commands:"}) {
		writeCommands(&text, group, cmd.Commands())
	}
	writeFlags(&text, cmd)
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(&text, "\n%s COMMAND --help describes a command.\n", cmd.CommandPath())
	}
	if cmd.HasParent() {
		fmt.Fprintln(&text, "\nExit codes: 0 success, 1 differences, 2 wrong input, 3 failure, 130 interrupted")
	} else {
		fmt.Fprintf(&text, "\n%s", exits)
	}
	return text.String()
}

func manPage(root *cobra.Command) string {
	var page strings.Builder
	roff := strings.NewReplacer(`\`, `\e`, "-", `\-`)
	section := func(title, text string) {
		fmt.Fprintf(&page, ".SH %s\n.nf\n", roff.Replace(strings.ToUpper(title)))
		for line := range strings.Lines(text) {
			page.WriteString(`\&` + roff.Replace(line)) // a leading period is no request
		}
		page.WriteString(".fi\n")
	}
	fmt.Fprintf(&page, ".TH %s 1\n.SH NAME\n%s \\- %s\n", strings.ToUpper(root.Name()), root.Name(), root.Short)
	section("Synopsis", HelpText(root))
	for _, cmd := range root.Commands() {
		if cmd.IsAvailableCommand() {
			section(cmd.CommandPath(), HelpText(cmd))
		}
	}
	return page.String()
}

func writeCommands(text *strings.Builder, group *cobra.Group, commands []*cobra.Command) {
	title := "\n" + group.Title + "\n"
	for _, c := range commands {
		if c.GroupID == group.ID && (c.IsAvailableCommand() || c.Name() == "help") {
			fmt.Fprintf(text, "%s  %-11s %s\n", title, c.Name(), c.Short)
			title = ""
		}
	}
}

// writeFlags lists first the flags without a group, then the groups in order of definition.
func writeFlags(text *strings.Builder, cmd *cobra.Command) {
	cmd.InitDefaultHelpFlag()
	cmd.InitDefaultVersionFlag()
	cmd.Flags().SortFlags = false // their order is that of importance
	const usual = "Flags"
	titles, groups := []string{usual}, map[string]*pflag.FlagSet{usual: {}}
	cmd.LocalFlags().VisitAll(func(flag *pflag.Flag) {
		title := append(flag.Annotations[GroupAnnotation], usual)[0]
		if groups[title] == nil {
			titles, groups[title] = append(titles, title), &pflag.FlagSet{}
		}
		shown := *flag
		shown.NoOptDefVal = "" // which pflag prints as code
		groups[title].AddFlag(&shown)
	})
	for _, title := range titles {
		fmt.Fprintf(text, "\n%s:\n%s", title, groups[title].FlagUsagesWrapped(helpWidth))
	}
}

// version is set by -ldflags "-X PACKAGE.version=v1.2.3" for builds outside a clone.
var version string

//go:generate sh -c "../../../tools/notices.sh >notices.txt"

//go:embed notices.txt
var notices string

func newLicensesCommand() *cobra.Command {
	return &cobra.Command{
		Use:  "licenses",
		Args: NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return Print(cmd, false, nil, notices) },
	}
}

func newVersionCommand(program string) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:  "version",
		Args: NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			b := readBuild(program)
			commit := ""
			if b.Commit != "" {
				commit = fmt.Sprintf(" (commit %.12s)", b.Commit)
			}
			text := fmt.Sprintf("%s %s%s\n%s %s/%s %s\n%s", program, b.Version, commit, b.Go, b.OS, b.Arch, b.Level, b.Advice)
			return Print(cmd, asJSON, b, strings.TrimSpace(text)+"\n")
		},
	}
	JSONVar(cmd.Flags(), &asJSON)
	return cmd
}

type build struct {
	Version  string `json:"version"`
	Commit   string `json:"commit,omitempty"`
	Modified bool   `json:"modified"` // since the commit
	Go       string `json:"go"`
	OS       string `json:"os"`
	Arch     string `json:"arch"`
	Level    string `json:"level,omitempty"`  // such as GOAMD64=v3
	Advice   string `json:"advice,omitempty"` // for a faster build
}

func readBuild(program string) build {
	b := build{Version: "(unknown)", Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH,
		Level: goamd64.Setting()}
	if info, ok := debug.ReadBuildInfo(); ok {
		settings := make(map[string]string)
		for _, s := range info.Settings {
			settings[s.Key] = s.Value
		}
		b.Version, b.Commit, b.Modified = info.Main.Version, settings["vcs.revision"],
			settings["vcs.modified"] == "true"
	}
	commit := b.Commit
	if version != "" {
		b.Version, commit = version, ""
	}
	b.Advice = goamd64.Advice(installCommand(program, b.Version, commit))
	return b
}

// Version returns the name and version of a program.
func Version(program string) string { return program + " " + readBuild(program).Version }

// BuildAdvice returns a line of advice if another build of program would count faster on this
// machine, or "". A file in the user's cache limits the advice to once a day.
func BuildAdvice(program string) string {
	advice := readBuild(program).Advice
	dir, err := os.UserCacheDir()
	if advice == "" || err != nil {
		return advice
	}
	stamp := filepath.Join(dir, program, "advised")
	if info, err := os.Stat(stamp); err == nil && time.Since(info.ModTime()) < 24*time.Hour {
		return ""
	}
	if err := os.MkdirAll(filepath.Dir(stamp), 0o700); err == nil {
		_ = os.WriteFile(stamp, nil, 0o600) // without it, the advice comes again
	}
	return advice
}

func installCommand(program, version, commit string) string {
	if !strings.HasPrefix(version, "v") || commit != "" && strings.ContainsAny(version, "-+") {
		return "make install"
	}
	return fmt.Sprintf("GOAMD64=%s go install github.com/fianchetto-chess/fianchetto/cmd/%s@%s", goamd64.Best(),
		program, version)
}
