package main

import (
	"encoding/xml"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli/clitest"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/suite"
)

const startEPD = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

func TestSuiteShipped(t *testing.T) {
	files, err := filepath.Glob("../../internal/suites/*.epd")
	if err != nil || len(files) < 6 {
		t.Fatalf("%d suites, %v", len(files), err)
	}
	code, stdout, stderr := clitest.Run(t.Context(), newRootCommand(),
		append([]string{"suite", "--max-nodes", "1000000"}, files...)...)
	if code != 0 || !strings.HasSuffix(stdout, ": all right\n") || strings.Count(stdout, "\n") != 1 {
		t.Errorf("exit code %d, stdout %q, stderr %q", code, stdout, stderr)
	}
}

// TestSuiteOddNames has names that XML cannot hold as they are: the report is well-formed all the same.
func TestSuiteOddNames(t *testing.T) {
	report := filepath.Join(t.TempDir(), "report.xml")
	code, _, stderr := clitest.RunWith(t.Context(), newRootCommand(), startEPD+" ;D1 21 ;id <&]]>\x01\xff\n", "suite",
		"-", "--junit", report)
	if code != 1 {
		t.Errorf("exit code %d, stderr %q", code, stderr)
	}
	text, err := os.ReadFile(report)
	if err != nil {
		t.Fatal(err)
	}
	var suites suite.JUnitSuites
	if err := xml.Unmarshal(text, &suites); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	c := suites.Suites[0].Cases[0]
	if suites.Failures != 1 || c.Failure == nil || !strings.HasPrefix(c.Name, "line 1: <&]]>") ||
		!strings.Contains(c.Failure.Text, "\n  e2e4: 1\n") {
		t.Errorf("got %+v", c)
	}
}
