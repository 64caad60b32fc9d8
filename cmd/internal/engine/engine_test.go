package engine_test

import (
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/buggy"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/divide"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/engine"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// buggyRole as the first argument makes the test binary a program that counts right.
const buggyRole = "play-buggy"

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == buggyRole {
		os.Exit(buggy.Run(os.Args[2:], os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

func count(pos fianchetto.Position, depth int) (counts []perft.MoveCount, total uint64) {
	counts = must(perft.Divide(pos, depth))
	for _, c := range counts {
		total += c.Nodes
	}
	return counts, total
}

// open opens a program that is called with some arguments.
func open(t *testing.T, config engine.Config, args ...string) (engine.Program, error) {
	t.Helper()
	config.Path, config.Args = os.Args[0], append([]string{buggyRole}, args...)
	program, err := engine.Open(t.Context(), config)
	if err == nil {
		t.Cleanup(program.Close)
	}
	return program, err
}

// Documents of JSON, on one line or more, and a dictionary of Python.
const (
	flat   = `--head '{' --line '"{move}": {nodes},' --sum '"total": {total}}'`
	object = `--head '{"depth": {depth}, "moves": {' --line '"{move}": {nodes},' ` +
		`--sum '}, "total": {total}, "time": 0.01}' ` + inOneLine
	list = `--head '{"nodes": {total}, "divide": [' --line '  {"move": "{move}", "nodes": {nodes}},' ` +
		`--sum '], "nps": 7}' ` + "--replace ',\n]/\n]'"
	pairs = `--head '[' --line '["{move}", {nodes}],' --sum ']' ` + "--replace ',\n]/]'"
	deep  = `--head '{"result": {"moves": {' --line '"{move}": {"nodes": {nodes}, "time": 3},' ` +
		`--sum '}, "nodes": {total}}}' ` + "--replace ',\n}/}'"
	python = `--head '{' --line "'{move}': {nodes}," --sum "}` + "\n{total}\" " + inOneLine

	inOneLine = "--replace ',\n}/}/,\n/, /{\n/{'"
)

// TestDialects opens programs that count right, each at the first try, and asks them. What cannot
// be opened tells the next action.
func TestDialects(t *testing.T) {
	const usual = `asked by "go perft N"`
	const totals = usual + ", which prints totals only"
	const byFEN = "; it takes no moves after the FEN, and is asked by FEN alone"
	const newGame = ", after ucinewgame: without it, the answers do not follow the position"
	called := engine.Config{Protocol: engine.Perftree}
	for _, test := range []struct {
		args   string
		config engine.Config
		want   string // the end of the description, or a part of the error after "?"
	}{
		{"--sum 'Nodes searched: {total}'", engine.Config{}, "buggy, " + usual},
		{"--sum ''", engine.Config{}, usual},
		{"--prompt '> ' --sum ''", engine.Config{}, "buggy, " + usual},
		{"--prompt '> ' --sum {total}", engine.Config{}, usual},
		{"--prompt 'engine > '", engine.Config{}, "buggy, " + usual},
		{"--prompt '>>> ' --sum 'total {total}'", engine.Config{}, usual},
		{"--prompt 'Command: ' --sum ''", engine.Config{}, "buggy, " + usual},
		{"--sum 'perft({depth}) = {total} in 0.01s'", engine.Config{}, usual},
		{"--quirks totals-only --sum 'perft({depth}) = {total} in 0.01s'", engine.Config{}, totals},
		{"--quirks totals-only --sum 'perft({depth})={total}, 0.01s'", engine.Config{}, totals},
		{"--quirks totals-only --sum 'Perft {depth}: {total} nodes in 10 ms (12345 nps)'", engine.Config{}, totals},
		{"--quirks totals-only --sum 'depth={depth} nodes={total} time=10ms nps=123456'", engine.Config{}, totals},
		{"--quirks totals-only --sum 'Perft to depth {depth}: {total}'", engine.Config{}, totals},
		{"--quirks totals-only --sum 'Searched {total} positions in 0.01s, 0.9 Mnps'", engine.Config{}, totals},
		{"--prompt '> ' --quirks totals-only --sum 'result: {total}'", engine.Config{}, totals},
		{object, engine.Config{}, usual},
		{list, engine.Config{}, usual},
		{pairs, engine.Config{}, usual},
		{flat, engine.Config{}, usual},
		{"--prompt '> ' " + deep, engine.Config{}, usual},
		{python, engine.Config{}, usual},
		{"--quirks needs-new-game --sum ''", engine.Config{}, usual + newGame},
		{"--quirks needs-new-game,totals-only --sum {total}", engine.Config{}, totals + newGame},
		{"--quirks ends-unless-new --sum ''", engine.Config{}, usual + newGame},

		{"--quirks called --sum {total}", engine.Config{}, "called as DEPTH FEN [MOVES]"},
		{"--sum ''", called, "called as DEPTH FEN [MOVES]"},
		{list, called, "called as DEPTH FEN [MOVES]"},
		{"--quirks totals-only --sum {total}", called, "called as DEPTH FEN [MOVES]"},
		{"--quirks called --call '{fen} {depth} {moves}' --sum ''", engine.Config{}, "called as FEN DEPTH [MOVES]"},
		{"--call '{fen} {depth} {moves}' " + python, called, "called as FEN DEPTH [MOVES]"},
		{"--quirks called --call '{fen} {depth}' --sum {total}", engine.Config{}, "called as FEN DEPTH [MOVES]" + byFEN},
		{"--quirks called --call '--fen {fen} --depth {depth} --moves {moves}' --sum '' --", engine.Config{},
			"called as --fen FEN --depth DEPTH [--moves MOVES]"},
		{"--quirks called --call '--fen {fen} --depth {depth}' " + flat + " --", engine.Config{},
			"called as --fen FEN --depth DEPTH [--moves MOVES]" + byFEN},
		{"--call '-n {depth} -p {fen}' --sum {total} --", engine.Config{Protocol: engine.Perftree,
			Command: "-n {depth} -p {fen}"}, "called as -n DEPTH -p FEN" + byFEN},

		{"--quirks called --call '-n {depth} -p {fen}' --", engine.Config{}, "?--protocol perftree --perft-command " +
			"'-f {fen} -d {depth}' names other arguments"},
		{"--quirks dies", engine.Config{}, `?stderr: "ValueError: no king"`},
		{"--quirks dies", engine.Config{Protocol: engine.UCI}, `?asked "uci", it has ended without an answer`},
		{"--quirks dies", called, `?stderr: "ValueError: no king"`},
		{"--quirks dies-asked", engine.Config{}, `?asked "go perft 2", it has ended without an answer: exit status 1, ` +
			`its last line is "readyok"; stderr: "ValueError: no king"`},
	} {
		t.Run(test.args, func(t *testing.T) {
			t.Parallel()
			_, args, err := engine.SplitCommand("buggy " + test.args)
			if err != nil {
				t.Fatal(err)
			}
			program, err := open(t, test.config, args...)
			path := engine.Path{Root: fianchetto.StartPosition()}
			if message, fails := strings.CutPrefix(test.want, "?"); fails {
				if err == nil { // it may fail in some positions only
					_, err = program.Divide(t.Context(), path, 2)
				}
				if err == nil || !strings.Contains(err.Error(), message) {
					t.Fatalf("error %v, want %s", err, message)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if description := program.Description(); !strings.HasSuffix(description, test.want) {
				t.Errorf("%s; want %s", description, test.want)
			}
			for _, text := range []string{"", "e2e4", "d7d5", "e4d5", "d8d5"} {
				if pos := path.Position(); text != "" {
					path = path.Then(must(pos.ParseUCI(text)))
				}
				hasCounts(t, program, path, 2)
			}
			hasCounts(t, program, engine.Path{Root: fianchetto.MustParseFEN("k7/8/1QK5/8/8/8/8/8 b - - 0 1")}, 1)
		})
	}
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// hasCounts asks a program that counts right.
func hasCounts(t *testing.T, program engine.Program, path engine.Path, depth int) {
	t.Helper()
	pos := path.Position()
	answer, err := program.Divide(t.Context(), path, depth)
	if err != nil {
		t.Fatalf("%s: %v", path.Command(), err)
	}
	counts, total := count(pos, depth)
	table, err := divide.Match(&pos, depth, counts, answer)
	if err != nil || len(answer.Moves) > 0 && table.Differs() || answer.Leaves() != total || answer.CutOff {
		t.Errorf("%s: %+v, %v", path.Command(), answer, err)
	}
}

// TestTrace records what is asked and answered, word for word.
func TestTrace(t *testing.T) {
	var mutex sync.Mutex
	var lines []string
	config := engine.Config{TimeLimit: time.Minute, Trace: func(line string) {
		mutex.Lock()
		defer mutex.Unlock()
		lines = append(lines, line)
	}}
	program := must(open(t, config, "--prompt", "> ", "--sum", "total {total}"))
	lines = nil
	start := engine.Path{Root: fianchetto.MustParseFEN("7k/8/8/8/8/8/8/K7 w - - 0 1")}
	hasCounts(t, program, start, 1)
	const asked = "> position fen 7k/8/8/8/8/8/8/K7 w - - 0 1\n> go perft 1\n> isready\n< > > a1"
	if got := strings.Join(lines, "\n"); len(lines) != 8 || !strings.HasPrefix(got, asked) ||
		!strings.HasSuffix(got, "\n< total 3\n< > readyok") {
		t.Errorf("%s", got)
	}
	lines = nil
	if _, err := open(t, config, "--quirks", "dies"); err == nil || !slices.Contains(lines, "! ValueError: no king") ||
		!slices.ContainsFunc(lines, func(line string) bool { return strings.HasSuffix(line, " 1 '"+firstProbe+"'") }) {
		t.Errorf("%v: %s", err, strings.Join(lines, "\n"))
	}
}

const firstProbe = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"
