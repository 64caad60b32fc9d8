package main

import (
	"bytes"
	"context"
	"encoding/xml"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli/clitest"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/suite"
)

// checkSuite runs the command on a suite that is given as text.
func checkSuite(ctx context.Context, suite string, args ...string) (code int, stdout, stderr string) {
	var out, diagnostics bytes.Buffer
	code = cli.Run(ctx, newRootCommand(), append([]string{"suite", "-"}, args...), strings.NewReader(suite), &out, &diagnostics)
	return code, out.String(), diagnostics.String()
}

const startEPD = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

func TestSuiteShipped(t *testing.T) {
	files, err := filepath.Glob("../../internal/suites/*.epd")
	if err != nil || len(files) < 6 {
		t.Fatalf("%d suites, %v", len(files), err)
	}
	code, stdout, stderr := clitest.Run(t.Context(), newRootCommand(), append([]string{"suite", "--max-nodes", "1000000"}, files...)...)
	if code != 0 || !strings.HasSuffix(stdout, ": all right\n") || strings.Count(stdout, "\n") != 1 {
		t.Errorf("exit code %d, stdout %q, stderr %q", code, stdout, stderr)
	}
}

// TestSuiteInterrupted has a count that never ends: what was found before is reported, and 130 comes before 1 and 2.
func TestSuiteInterrupted(t *testing.T) {
	suite := startEPD + " ;D1 21 ;id \"first\"\n" + "malformed\n" + startEPD + " ;D20 1000\n"
	code, stdout, stderr := clitest.Interrupt(t, "with 1 of 2", func(ctx context.Context) (int, string, string) { return checkSuite(ctx, suite, "--threads", "2") })
	if code != 130 || !strings.Contains(stderr, "suite interrupted after") || !strings.Contains(stderr, "with 1 of 2 positions checked") {
		t.Errorf("exit code %d, stderr %q; want 130 and a message", code, stderr)
	}
	if !strings.HasPrefix(stdout, "stdin:1: depth 1: want 21 leaves, got 20\n") ||
		!strings.HasSuffix(stdout, ": 1 position wrong, 1 line malformed, 1 position not checked\n") {
		t.Errorf("stdout %q", stdout)
	}
}

// TestSuiteOddNames has names that XML cannot hold as they are: the report is well-formed all the same.
func TestSuiteOddNames(t *testing.T) {
	report := filepath.Join(t.TempDir(), "report.xml")
	code, _, stderr := checkSuite(t.Context(), startEPD+" ;D1 21 ;id <&]]>\x01\xff\n", "--junit", report)
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
	if suites.Failures != 1 || c.Failure == nil || !strings.HasPrefix(c.Name, "line 1: <&]]>") || !strings.Contains(c.Failure.Text, "\n  e2e4: 1\n") {
		t.Errorf("got %+v", c)
	}
}

// TestSuiteFailedWrites expects the cause to be reported once, however much there is to write.
func TestSuiteFailedWrites(t *testing.T) {
	suite := strings.Repeat(startEPD+" ;D1 21\n", 50)
	for _, args := range [][]string{{"suite", "-"}, {"suite", "-", "--json"}, {"suite", "--help"}} {
		var stderr bytes.Buffer
		code := cli.Run(t.Context(), newRootCommand(), args, strings.NewReader(suite), clitest.Broken, &stderr)
		if code != 3 || strings.Count(stderr.String(), clitest.ErrBroken.Error()) != 1 {
			t.Errorf("%q: exit code %d, stderr %q; want 3, and the cause once", args, code, stderr.String())
		}
	}
}
