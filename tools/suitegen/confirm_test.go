package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/oracle"
	"github.com/fianchetto-chess/fianchetto/uci"
)

// engineRole in the environment makes the test binary play the second program.
const engineRole = "SUITEGEN_TEST_ENGINE"

func TestMain(m *testing.M) {
	if role := os.Getenv(engineRole); role != "" {
		playEngine(role)
		return
	}
	os.Exit(m.Run())
}

// playEngine counts as Stockfish does, by the oracle. An engine that is wrong counts one leaf too many at depth 2, one
// that dies ends there.
func playEngine(role string) {
	session := uci.Session{Perft: func(_ context.Context, s *uci.Search, arguments string) error {
		b, err := oracle.Parse(s.Game.Position().FEN())
		nodes := b.Perft(int(arguments[0] - '0'))
		switch {
		case arguments == "2" && role == "dies":
			os.Exit(0)
		case arguments == "2" && role == "wrong":
			nodes++
		}
		s.Printf("a1a2: 1\n\nNodes searched: %d\n\n", nodes)
		return err
	}}
	_ = session.Run(context.Background(), os.Stdin, os.Stdout)
}

func TestConfirm(t *testing.T) {
	const suite = `# two positions
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400 ;D3 8902
4k3/8/8/8/8/8/8/4K3 w - - 0 1 ;D1 5
`
	for _, test := range []struct{ role, suite, report, err string }{
		{"right", suite, "2 positions, 3 counts, 425 nodes, 1 counts skipped, 0 differences", ""},
		{"wrong", suite, "line 2, " + fianchetto.StartFEN + ": depth 2 is 400 in the suite, 401 by the engine",
			"not confirmed"},
		{"wrong", suite, "2 positions, 3 counts, 426 nodes, 1 counts skipped, 1 differences", "not confirmed"},
		{"dies", suite, "", "asked \"go perft 2\", it has ended without an answer"},
		{"right", suite + "4k3/8/8/8/8/8/8/4K3 w - - 0 1 ;D1 six\n", "",
			`suite.epd:4: strconv.ParseUint: parsing "six"`},
	} {
		t.Run(test.role, func(t *testing.T) {
			t.Setenv(engineRole, test.role)
			file := filepath.Join(t.TempDir(), "suite.epd")
			if err := os.WriteFile(file, []byte(test.suite), 0o644); err != nil {
				t.Fatal(err)
			}
			self, err := os.Executable()
			if err != nil {
				t.Fatal(err)
			}
			var report strings.Builder
			err = confirm(self, 5000, []string{file}, &report)
			if !strings.Contains(report.String(), test.report) {
				t.Errorf("reported %q, want %q", report.String(), test.report)
			}
			if (err == nil) != (test.err == "") || err != nil && !strings.Contains(err.Error(), test.err) {
				t.Errorf("error %v, want %q", err, test.err)
			}
		})
	}
}

func TestConfirmWithoutEngineOrSuite(t *testing.T) {
	if err := confirm("no-such-engine", 1, []string{directory + "published.epd"}, os.Stdout); err == nil {
		t.Error("confirmed by an engine that does not exist")
	}
	if err := confirm("no-such-engine", 1, []string{"no-such-suite.epd"}, os.Stdout); err == nil {
		t.Error("confirmed a suite that does not exist")
	}
}

func TestArguments(t *testing.T) {
	for _, arguments := range [][]string{
		{},
		{"-out", ".", "-confirm", "engine", "suite"},
		{"-confirm", "engine"},
		{"-out", ".", "suite"},
		{"-limit", "many"},
	} {
		if err := run(arguments); err == nil {
			t.Errorf("%q is taken", arguments)
		}
	}
}
