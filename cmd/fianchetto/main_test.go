package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/mattn/go-shellwords"
	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/buggy"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli/clitest"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/exit"
	"github.com/fianchetto-chess/fianchetto/internal/must"
)

func TestMain(m *testing.M) {
	clitest.Main(m, map[string]func(){
		"fianchetto": main,
		"buggy":      playEngine, // with the bugs that its arguments name
		"stockfish":  playEngine, // with none: what the examples of compare have on the machine they are tried on
		"signing":    signing,
		"unhurried":  unhurried,
	})
}

// signing is the command, which closes file 3 when a subcommand begins.
func signing() {
	root := newRootCommand()
	root.PersistentPreRun = func(*cobra.Command, []string) { os.NewFile(3, "sign").Close() }
	cli.Main(root, cli.Grace)
}

// unhurried is the command with a minute to stop in, however busy the machine is.
func unhurried() { cli.Main(newRootCommand(), time.Minute) }

// playEngine is another program that counts.
func playEngine() { os.Exit(buggy.Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// TestNoBroker holds the broker out of the command.
func TestNoBroker(t *testing.T) {
	packages, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil || !strings.Contains(string(packages), "fianchetto/perft") {
		t.Fatalf("%v: %s", err, packages)
	}
	for name := range strings.Lines(string(packages)) {
		if strings.Contains(name, "nats") {
			t.Errorf("the command links %s", name)
		}
	}
}

// TestScripts runs the command as its users do.
func TestScripts(t *testing.T) { clitest.RunScripts(t) }

func TestHelp(t *testing.T) {
	clitest.CheckHelp(t, newRootCommand())
}

// TestHelpFitsTwoScreens keeps the longest help within two screens of 24 lines and 80 columns.
func TestHelpFitsTwoScreens(t *testing.T) {
	for _, name := range []string{"perft", "compare"} {
		cmd, _, err := newRootCommand().Find([]string{name})
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(cli.HelpText(cmd), "\n"); n > 48 {
			t.Errorf("the help of %s has %d lines, want at most 48", name, n)
		}
	}
}

// TestPagesShowWhatComparePrints compares an engine with the bug of the example of README.md and
// find-the-bug.md. How many answers there are depends on the time.
func TestPagesShowWhatComparePrints(t *testing.T) {
	code, stdout, stderr := clitest.Run(t.Context(), newRootCommand(),
		"compare", "buggy", "kiwipete", "4", "--", "--bugs", "right-kept-after-rook-captured")
	stdout = strings.NewReplacer("--engine buggy", "--engine ./engine",
		" -- --bugs right-kept-after-rook-captured", "").Replace(stdout)
	for _, name := range []string{"README.md", "docs/find-the-bug.md"} {
		page := string(must.Get(os.ReadFile("../../" + name))(t))
		_, shown, _ := strings.Cut(page, "$ fianchetto compare ./engine kiwipete 4\n")
		shown, _, found := strings.Cut(shown, "\n...\n")
		oneLine := func(text string) string {
			text = regexp.MustCompile(`all \d+ answers`).ReplaceAllString(text, "all answers")
			return strings.Join(strings.Fields(text), " ")
		}
		if code != exit.Differ || !found || !strings.HasPrefix(oneLine(stdout), oneLine(shown)) {
			t.Errorf("exit code %d, %s, the command prints\n%s\n%s shows\n%s", code, stderr, stdout, name, shown)
		}
	}
}

// TestDocsShowWhatIsPrinted runs the commands on a page of the documentation and compares the output
// with the page.
func TestDocsShowWhatIsPrinted(t *testing.T) {
	page := must.Get(os.ReadFile("../../docs/magic-bitboards.md"))(t)
	shown := regexp.MustCompile(`(?m)^\$ fianchetto (.*)\n((?:[^$\x60].*\n)*)`).FindAllStringSubmatch(string(page), -1)
	if len(shown) == 0 {
		t.Fatal("the page shows no command")
	}
	for _, command := range shown {
		args := must.Get(shellwords.Parse(command[1]))(t)
		code, stdout, stderr := clitest.Run(t.Context(), newRootCommand(), args...)
		if code != exit.OK || stdout != command[2] {
			t.Errorf("fianchetto %s: exit code %d\n%s%swhere the page has\n%s", command[1], code, stdout, stderr, command[2])
		}
	}
}

// shellSteps returns the commands of the page's workflows, by file.
func shellSteps(t *testing.T) (files [][]string) {
	t.Helper()
	page := must.Get(os.ReadFile("../../docs/ci.md"))(t)
	step := regexp.MustCompile(`(?m)^ +(?:- )?((?:go install|make|fianchetto)\b.*)`)
	for _, block := range regexp.MustCompile("(?s)```yaml\n(.*?)```").FindAllString(string(page), -1) {
		var steps []string
		for _, match := range step.FindAllStringSubmatch(block, -1) {
			steps = append(steps, match[1])
		}
		files = append(files, steps)
	}
	return files
}

// TestWorkflowsRun runs the shell steps of the workflow files. There is no network: go install is
// answered by a script, as the command is on the PATH, and make by one that makes an engine of the
// buggy.
func TestWorkflowsRun(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip(err)
	}
	files := shellSteps(t)
	if len(files) != 2 || len(files[0]) != 3 || strings.Join(files[0], "\n") != strings.Join(files[1], "\n") {
		t.Fatalf("the steps are %q, want the same three twice", files)
	}
	for bugs, want := range map[string]int{"": exit.OK, "castling-through-check": exit.Differ} {
		directory := t.TempDir()
		for name, text := range map[string]string{
			"go": "case \"$*\" in 'install " +
				"github.com/fianchetto-chess/fianchetto/cmd/fianchetto@latest') exit 0;; esac\nexit 9\n",
			"make": "printf '#!/bin/sh\\nexec buggy --bugs \"" + bugs + "\"\\n' > engine && chmod +x engine\n",
		} {
			must.Do(t, os.WriteFile(filepath.Join(directory, name), []byte("#!/bin/sh\n"+text), 0o755))
		}
		shell := exec.Command("sh", "-e", "-c", strings.Join(files[0], "\n"))
		shell.Dir = directory
		shell.Env = append(os.Environ(), "PATH="+directory+string(os.PathListSeparator)+os.Getenv("PATH"))
		out, _ := shell.CombinedOutput() // the exit code shows whether it failed
		report, err := os.ReadFile(filepath.Join(directory, "moves.xml"))
		failed := strings.Contains(string(report), "<failure ")
		boards, _ := filepath.Glob(filepath.Join(directory, "boards", "*.svg"))
		if code := shell.ProcessState.ExitCode(); code != want || err != nil || failed != (want != exit.OK) ||
			(len(boards) > 0) != (want != exit.OK) {
			t.Errorf("bugs %q: exit code %d, want %d; the report has failures: %v, %v; %d boards\n%s", bugs, code, want,
				failed, err, len(boards), out)
		}
	}
}
