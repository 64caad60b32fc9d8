package main

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli/clitest"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/exit"
	"github.com/fianchetto-chess/fianchetto/internal/must"
)

// TestPortInUse holds that a port in use is a failure of the machine.
func TestPortInUse(t *testing.T) {
	listener := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	defer listener.Close()
	code, _, stderr := clitest.Run(t.Context(), newRootCommand(), "explore", "--http", listener.Addr().String())
	if code != exit.Failed || !strings.Contains(stderr, "address already in use (port 0 takes a free one)") {
		t.Errorf("exit code %d, %s", code, stderr)
	}
}

// interrupt runs a command line and interrupts it after a while, again after a longer one until it
// has printed some texts.
func interrupt(t *testing.T, line, stdin string, texts ...string) (code int, stdout, stderr string) {
	for pause := 50 * time.Millisecond; ; pause *= 4 {
		ctx, cancel := context.WithTimeout(t.Context(), pause)
		code, stdout, stderr = clitest.RunWith(ctx, newRootCommand(), stdin, strings.Fields(line)...)
		cancel()
		missing := func(text string) bool { return !strings.Contains(stdout+stderr, text) }
		if !slices.ContainsFunc(texts, missing) || pause > time.Minute {
			return code, stdout, stderr
		}
	}
}

// TestInterrupt interrupts commands that would not end, when they have got so far that they print a
// text.
func TestInterrupt(t *testing.T) {
	// What was found before is reported, and 130 comes before 1 and 2.
	suite := startEPD + " ;D1 21 ;id \"first\"\n" + "malformed\n" + startEPD + " ;D20 1000\n"
	const none, unique = "", "  depth  positions\n      1         20\n"
	report, compared := filepath.Join(t.TempDir(), "report.xml"), filepath.Join(t.TempDir(), "compared.xml")
	const summary = `{"type":"summary","engine":"buggy, asked by \"go perft N\"","depth":3,"positions":1,"compared":0,` +
		`"differing":0,"differences":0,"failed":0,"malformed":0,"exhausted":0,"questions":1,"interrupted":true}`
	for _, test := range []struct{ line, stdout, stderr string }{
		{"perft --depth 20", none, "perft interrupted"},
		{"perft --depth 20 --json --divide", none, "perft interrupted"},
		{"perft --depth 20 --stats", none, "perft interrupted"},
		{"perft --depth 20 --stats --json", none, "perft interrupted"},
		{"perft --depth 20 --unique", unique, "perft interrupted"},
		{"perft --depth 20 --unique --json", none, "perft interrupted"},
		{"magic find --piece rook --square a1 --shift 53", none, "interrupted"},
		// too few slots, as a search of seconds shows
		{"suite - --threads 2 --junit " + report, "stdin:1: depth 1: want 21 leaves, got 20\n", "with 1 of 2 positions checked"},
		{"compare --engine buggy --fen startpos --junit " + compared + " -- --quirks silent",
			"no difference in 0 positions; depth 3, 1 question; not all positions were compared", "compare interrupted\n"},
		{"compare --engine buggy --fen startpos --json -- --quirks silent", summary, "compare interrupted\n"},
	} {
		code, stdout, stderr := interrupt(t, test.line, suite, test.stdout, test.stderr)
		if code != 130 || !strings.HasPrefix(stdout, test.stdout) || test.stdout == none && stdout != none ||
			strings.Count(stderr, "interrupted") != 1 || !strings.Contains(stderr, test.stderr) {
			t.Errorf("%s: exit code %d, stdout %q, stderr %q; want 130, %q and %q", test.line, code, stdout, stderr,
				test.stdout, test.stderr)
		}
	}
	text, err := os.ReadFile(compared)
	if err != nil || !strings.Contains(string(text), `tests="1" failures="0" errors="1"`) ||
		!strings.Contains(string(text), `<error message="compare interrupted">`) {
		t.Errorf("the report is %s, %v", text, err)
	}
	if text, err := os.ReadFile(report); err != nil || !strings.Contains(string(text), `errors="2"`) ||
		!strings.Contains(string(text), `<error message="not checked: interrupted">`) {
		t.Errorf("the report is %s, %v", text, err)
	}
}

// BenchmarkStart measures how long the command takes to start and end. It builds the command, as
// the test binary has more to start.
func BenchmarkStart(b *testing.B) {
	program := filepath.Join(b.TempDir(), "fianchetto.exe") // a name that every system can run
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	var used time.Duration
	for b.Loop() {
		process := exec.Command(program, "version")
		must.Do(b, process.Run())
		used += process.ProcessState.UserTime() + process.ProcessState.SystemTime()
	}
	b.ReportMetric(float64(used.Nanoseconds())/float64(b.N), "cpu-ns/op")
}

// TestExamples runs every example of every command's help, except of explore, which serves until it
// is interrupted.
func TestExamples(t *testing.T) { clitest.RunExamples(t, newRootCommand(), "explore") }

// TestErrorsQuoteLittle has arguments and lines of a mebibyte: no message quotes more than some of
// it.
func TestErrorsQuoteLittle(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	fen := startEPD + strings.Repeat("0", 1<<20) + "x"
	for _, test := range []struct {
		args  []string
		stdin string
	}{
		{args: []string{long}},
		{args: []string{"perft", long}},
		{args: []string{"perft", "--" + long}},
		{args: []string{"perft", "--depth", long}},
		{args: []string{"perft", "--hash", long}},
		{args: []string{"perft", "--fen", long}},
		{args: []string{"perft", "--fen", fen}},
		{args: []string{"perft", "--moves", long}},
		{args: []string{"perft", "--method", long}},
		{args: []string{"moves", "--fen", fen}},
		{args: []string{"show", "--attacks", "queen:" + long}},
		{args: []string{"show", "--line", long}},
		{args: []string{"magic", long}},
		{args: []string{"magic", "verify", "-"}, stdin: long},
		{args: []string{"compare", "--engine", "none", "--fen", fen}},
		{args: []string{"explore", "--http", long}},
		{args: []string{"suite", "-"}, stdin: startEPD + " ;D1 " + long},
		{args: []string{"suite", "-"}, stdin: fen[:1<<16-10] + " ;D1 1"},
		{args: []string{"uci"}, stdin: long},
		{args: []string{"uci"}, stdin: "position fen " + fen},
		{args: []string{"uci"}, stdin: "position startpos moves " + long},
		{args: []string{"uci"}, stdin: "setoption name Hash value " + long},
		{args: []string{"uci"}, stdin: "setoption name " + long},
		{args: []string{"uci"}, stdin: "go perft " + long},
	} {
		_, stdout, stderr := clitest.RunWith(t.Context(), newRootCommand(), test.stdin, test.args...)
		message := stdout + stderr
		if len(message) > 1500 || message == "" || strings.Count(message, "x")+strings.Count(message, "0") > 500 {
			t.Errorf("%.40q, stdin %.40q: %d bytes: %.300s", test.args, test.stdin, len(message), message)
		}
	}
}

func TestExploreServesUntilInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	read, write := io.Pipe()
	ended := make(chan int)
	go func() {
		ended <- cli.Run(ctx, newRootCommand(), []string{"explore", "--http", "127.0.0.1:0", "--no-browser"},
			strings.NewReader(""), write, io.Discard)
	}()
	address := must.Get(bufio.NewReader(read).ReadString('\n'))(t)
	response := must.Get(http.Get(strings.TrimSpace(address)))(t)
	defer response.Body.Close()
	if page, err := io.ReadAll(response.Body); err != nil ||
		!strings.Contains(string(page), "<title>Fianchetto</title>") {
		t.Errorf("%s has %.100q, error %v", address, page, err)
	}
	cancel()
	if code := <-ended; code != exit.Interrupted {
		t.Errorf("exit code %d", code)
	}
}
