package main

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/exit"
)

// TestDocsShowWhatIsPrinted runs the commands of a page of the documentation and compares what they print with what
// the page has.
func TestDocsShowWhatIsPrinted(t *testing.T) {
	page, err := os.ReadFile("../../docs/magic-bitboards.md")
	if err != nil {
		t.Fatal(err)
	}
	shown := regexp.MustCompile(`(?m)^\$ fianchetto (.*)\n((?:[^$\x60].*\n)*)`).FindAllStringSubmatch(string(page), -1)
	if len(shown) == 0 {
		t.Fatal("the page shows no command")
	}
	for _, command := range shown {
		var stdout, stderr strings.Builder
		code := cli.Run(t.Context(), newRootCommand(), commandLine(command[1]), strings.NewReader(""), &stdout, &stderr)
		if code != exit.OK || stdout.String() != command[2] {
			t.Errorf("fianchetto %s: exit code %d\n%s%swhere the page has\n%s", command[1], code, stdout.String(), stderr.String(), command[2])
		}
	}
}

// commandLine splits a line at its spaces but for those in double quotes.
func commandLine(line string) (arguments []string) {
	for _, argument := range regexp.MustCompile(`"[^"]*"|\S+`).FindAllString(line, -1) {
		arguments = append(arguments, strings.Trim(argument, `"`))
	}
	return arguments
}
