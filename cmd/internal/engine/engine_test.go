package engine_test

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/divide"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/engine"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// speaker as the first argument makes the test binary a program that counts right and speaks the
// dialect of the second argument.
const speaker = "speak"

func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == speaker {
		os.Exit(speak(os.Args[2], os.Args[3:]))
	}
	os.Exit(m.Run())
}

const traceback = "Traceback (most recent call last):\n  File \"engine.py\", line 7, in perft\nValueError: no king"

func speak(dialect string, args []string) int {
	dialect, layout, _ := strings.Cut(dialect, "/")
	if dialect == "dies" {
		fmt.Fprintln(os.Stderr, traceback)
		return 1
	}
	if call, ok := calls[dialect]; ok && len(args) > 0 {
		fen, depth, moves, ok := call(args)
		if pos, err := fianchetto.ParseFEN(fen); ok && err == nil {
			answer(os.Stdout, play(pos, moves), depth, layout)
			return 0
		}
		fmt.Fprintln(os.Stderr, "usage: engine", dialect)
		return 2
	}
	if calls[dialect] != nil {
		return 0
	}
	converse(dialect, layout)
	return 0
}

// calls read the arguments of scripts.
var calls = map[string]func(args []string) (fen string, depth int, moves string, ok bool){
	"depth-fen": func(args []string) (string, int, string, bool) {
		depth, err := strconv.Atoi(args[0])
		return args[1], depth, strings.Join(args[2:], " "), err == nil
	},
	"fen-depth": func(args []string) (string, int, string, bool) {
		depth, err := strconv.Atoi(args[1])
		return args[0], depth, strings.Join(args[2:], " "), err == nil
	},
	"fen-depth-only": func(args []string) (string, int, string, bool) {
		depth, err := strconv.Atoi(args[1])
		return args[0], depth, "", err == nil && len(args) == 2
	},
	"flags":       func(args []string) (string, int, string, bool) { return readFlags(args, "fen", "depth", "moves") },
	"flags-only":  func(args []string) (string, int, string, bool) { return readFlags(args, "fen", "depth", "") },
	"other-flags": func(args []string) (string, int, string, bool) { return readFlags(args, "p", "n", "") },
}

func readFlags(args []string, fenFlag, depthFlag, movesFlag string) (fen string, depth int, moves string, ok bool) {
	flags := flag.NewFlagSet("engine", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.StringVar(&fen, fenFlag, "", "")
	flags.IntVar(&depth, depthFlag, 0, "")
	if movesFlag != "" {
		flags.StringVar(&moves, movesFlag, "", "")
	}
	return fen, depth, moves, flags.Parse(args) == nil && flags.NArg() == 0
}

func play(pos fianchetto.Position, moves string) fianchetto.Position {
	for text := range strings.FieldsSeq(moves) {
		m, err := pos.ParseUCI(text)
		if err != nil {
			panic(err)
		}
		pos = pos.After(m)
	}
	return pos
}

// converse speaks UCI.
func converse(dialect, layout string) {
	prompts := map[string]string{"prompt": "> ", "word-prompt": "engine > ", "bare-prompt": ">>> ", "colon-prompt": "Command: "}
	pos, isNew := fianchetto.StartPosition(), false
	in := bufio.NewScanner(os.Stdin)
	for fmt.Print(prompts[dialect]); in.Scan(); fmt.Print(prompts[dialect]) {
		command, rest, _ := strings.Cut(in.Text(), " ")
		switch {
		case command == "uci" && dialect == "bare-prompt":
			fmt.Println("uciok")
		case command == "uci":
			fmt.Println("id name Speaker\nuciok")
		case command == "isready":
			fmt.Println("readyok")
		case command == "ucinewgame":
			isNew = true
		case command == "position" && (isNew || !strings.HasPrefix(dialect, "new-game")):
			fen, moves, _ := strings.Cut(strings.TrimPrefix(rest, "fen "), " moves ")
			pos, isNew = play(fianchetto.MustParseFEN(fen), moves), false
		case command == "position" && dialect == "new-game-or-end":
			fmt.Fprintln(os.Stderr, "no game")
			os.Exit(3)
		case command == "go" && dialect == "traceback":
			fmt.Fprintln(os.Stderr, traceback)
			os.Exit(1)
		case command == "go" && strings.HasPrefix(rest, "perft "):
			depth, _ := strconv.Atoi(rest[len("perft "):])
			answer(os.Stdout, pos, depth, layout)
		case command == "quit":
			return
		}
	}
}

// answer writes the counts in a layout: with {total} the last line of the usual one.
func answer(out io.Writer, pos fianchetto.Position, depth int, layout string) {
	counts, total := count(pos, depth)
	type entry struct {
		Move  string `json:"move"`
		Nodes uint64 `json:"nodes"`
	}
	var list []entry
	byMove := make(map[string]uint64)
	for _, c := range counts {
		byMove[pos.UCI(c.Move)] = c.Nodes
		list = append(list, entry{pos.UCI(c.Move), c.Nodes})
	}
	var document any
	switch layout {
	case "json-map":
		document = map[string]any{"depth": depth, "moves": byMove, "total": total, "time": 0.01, "fen": pos.FEN()}
	case "json-list", "json-lines":
		document = map[string]any{"nodes": total, "divide": list, "nps": 1234567}
	case "json-pairs":
		var pairs [][2]any
		for _, e := range list {
			pairs = append(pairs, [2]any{e.Move, e.Nodes})
		}
		document = pairs
	case "json-flat":
		flat := map[string]any{"total": total}
		for move, nodes := range byMove {
			flat[move] = nodes
		}
		document = flat
	case "json-deep":
		deep := make(map[string]any)
		for move, nodes := range byMove {
			deep[move] = map[string]any{"nodes": nodes, "time": 3}
		}
		document = map[string]any{"result": map[string]any{"moves": deep, "nodes": total}}
	}
	encoder := json.NewEncoder(out)
	if layout == "json-lines" {
		encoder.SetIndent("", "  ")
	}
	switch last, totalsOnly := strings.CutPrefix(layout, "only "); {
	case document != nil:
		_ = encoder.Encode(document)
	case layout == "python":
		var words []string
		for _, e := range list {
			words = append(words, fmt.Sprintf("'%s': %d", e.Move, e.Nodes))
		}
		fmt.Fprintf(out, "{%s}\n%d\n", strings.Join(words, ", "), total)
	default:
		for _, e := range list {
			if !totalsOnly {
				fmt.Fprintf(out, "%s: %d\n", e.Move, e.Nodes)
			}
		}
		fmt.Fprintln(out, strings.NewReplacer("{total}", fmt.Sprint(total), "{depth}", fmt.Sprint(depth)).Replace(last))
	}
}

func count(pos fianchetto.Position, depth int) (counts []perft.MoveCount, total uint64) {
	counts = must(perft.Divide(pos, depth))
	for _, c := range counts {
		total += c.Nodes
	}
	return counts, total
}

// open opens a speaker of a dialect.
func open(t *testing.T, config engine.Config, dialect string) (engine.Program, error) {
	t.Helper()
	config.Path, config.Args = os.Args[0], []string{speaker, dialect}
	program, err := engine.Open(t.Context(), config)
	if err == nil {
		t.Cleanup(program.Close)
	}
	return program, err
}

// TestDialects opens programs that count right, each at the first try, and asks them. What cannot
// be opened tells the next action.
func TestDialects(t *testing.T) {
	const usual = `asked by "go perft N"`
	const totals = usual + ", which prints totals only"
	const byFEN = "; it takes no moves after the FEN, and is asked by FEN alone"
	called := engine.Config{Protocol: engine.Perftree}
	for _, test := range []struct {
		dialect string
		config  engine.Config
		want    string // the end of the description, or a part of the error after "?"
	}{
		{"plain/Nodes searched: {total}", engine.Config{}, "Speaker, " + usual},
		{"plain/", engine.Config{}, usual},
		{"prompt/", engine.Config{}, "Speaker, " + usual},
		{"prompt/{total}", engine.Config{}, usual},
		{"word-prompt/Nodes searched: {total}", engine.Config{}, "Speaker, " + usual},
		{"bare-prompt/total {total}", engine.Config{}, usual},
		{"colon-prompt/", engine.Config{}, "Speaker, " + usual},
		{"plain/perft({depth}) = {total} in 0.01s", engine.Config{}, usual},
		{"plain/only perft({depth}) = {total} in 0.01s", engine.Config{}, totals},
		{"plain/only perft({depth})={total}, 0.01s", engine.Config{}, totals},
		{"plain/only Perft {depth}: {total} nodes in 10 ms (12345 nps)", engine.Config{}, totals},
		{"plain/only depth={depth} nodes={total} time=10ms nps=123456", engine.Config{}, totals},
		{"plain/only Perft to depth {depth}: {total}", engine.Config{}, totals},
		{"plain/only Searched {total} positions in 0.01s, 0.9 Mnps", engine.Config{}, totals},
		{"prompt/only result: {total}", engine.Config{}, totals},
		{"plain/json-map", engine.Config{}, usual},
		{"plain/json-list", engine.Config{}, usual},
		{"plain/json-lines", engine.Config{}, usual},
		{"plain/json-pairs", engine.Config{}, usual},
		{"plain/json-flat", engine.Config{}, usual},
		{"prompt/json-deep", engine.Config{}, usual},
		{"plain/python", engine.Config{}, usual},
		{"new-game/", engine.Config{}, usual + ", after ucinewgame: without it, the answers do not follow the position"},
		{"new-game/only {total}", engine.Config{}, totals + ", after ucinewgame: without it, the answers do not follow the position"},
		{"new-game-or-end/", engine.Config{}, usual + ", after ucinewgame: without it, the answers do not follow the position"},

		{"depth-fen/{total}", engine.Config{}, "called as DEPTH FEN [MOVES]"},
		{"depth-fen/", called, "called as DEPTH FEN [MOVES]"},
		{"depth-fen/json-list", called, "called as DEPTH FEN [MOVES]"},
		{"depth-fen/only {total}", called, "called as DEPTH FEN [MOVES]"},
		{"fen-depth/", engine.Config{}, "called as FEN DEPTH [MOVES]"},
		{"fen-depth/python", called, "called as FEN DEPTH [MOVES]"},
		{"fen-depth-only/{total}", engine.Config{}, "called as FEN DEPTH [MOVES]" + byFEN},
		{"flags/", engine.Config{}, "called as --fen FEN --depth DEPTH [--moves MOVES]"},
		{"flags-only/json-map", engine.Config{}, "called as --fen FEN --depth DEPTH [--moves MOVES]" + byFEN},
		{"other-flags/{total}", engine.Config{Protocol: engine.Perftree, Command: "-n {depth} -p {fen}"},
			"called as -n DEPTH -p FEN" + byFEN},

		{"other-flags/{total}", engine.Config{}, `?stderr: "usage: engine other-flags"; --protocol perftree --perft-command ` +
			`'-f {fen} -d {depth}' names other arguments`},
		{"dies/", engine.Config{}, `?stderr: "ValueError: no king"`},
		{"dies/", engine.Config{Protocol: engine.UCI}, `?asked "uci", it has ended without an answer`},
		{"dies/", called, `?stderr: "ValueError: no king"`},
		{"traceback/", engine.Config{}, `?asked "go perft 2", it has ended without an answer: exit status 1, its last line is ` +
			`"readyok"; stderr: "ValueError: no king"`},
		{"mute/", engine.Config{Command: "perft {depth}"}, "?it has written nothing"},
	} {
		t.Run(test.dialect, func(t *testing.T) {
			t.Parallel()
			program, err := open(t, test.config, test.dialect)
			if message, fails := strings.CutPrefix(test.want, "?"); fails {
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
			path := engine.Path{Root: fianchetto.StartPosition()}
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
	program := must(open(t, config, "prompt/total {total}"))
	lines = nil
	start := engine.Path{Root: fianchetto.MustParseFEN("7k/8/8/8/8/8/8/K7 w - - 0 1")}
	hasCounts(t, program, start, 1)
	const asked = "> position fen 7k/8/8/8/8/8/8/K7 w - - 0 1\n> go perft 1\n> isready\n< > > a1"
	if got := strings.Join(lines, "\n"); len(lines) != 8 || !strings.HasPrefix(got, asked) ||
		!strings.HasSuffix(got, "\n< total 3\n< > readyok") {
		t.Errorf("%s", got)
	}
	lines = nil
	if _, err := open(t, config, "dies/"); err == nil || !slices.Contains(lines, "! ValueError: no king") ||
		!slices.ContainsFunc(lines, func(line string) bool { return strings.HasSuffix(line, " 1 '"+firstProbe+"'") }) {
		t.Errorf("%v: %s", err, strings.Join(lines, "\n"))
	}
}

const firstProbe = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"
