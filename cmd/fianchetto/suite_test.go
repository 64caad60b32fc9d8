package main

import (
	"encoding/xml"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli/clitest"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/suite"
	"github.com/fianchetto-chess/fianchetto/internal/must"
)

const startEPD = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

// TestSuiteOddNames has names that XML cannot hold as they are: the report is well-formed all the
// same.
func TestSuiteOddNames(t *testing.T) {
	report := filepath.Join(t.TempDir(), "report.xml")
	code, _, stderr := clitest.RunWith(t.Context(), newRootCommand(), startEPD+" ;D1 21 ;id <&]]>\x01\xff\n", "suite",
		"-", "--junit", report)
	if code != 1 {
		t.Errorf("exit code %d, stderr %q", code, stderr)
	}
	text := must.Get(os.ReadFile(report))(t)
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
