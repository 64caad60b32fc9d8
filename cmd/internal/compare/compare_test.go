package compare_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/compare"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/engine"
	"github.com/fianchetto-chess/fianchetto/internal/rules"
	"github.com/fianchetto-chess/fianchetto/internal/suites"
)

// suitePositions calls test with every step-th position of a suite.
func suitePositions(suite string, step int, test func(name string, pos fianchetto.Position)) {
	fens := suites.FENs(suite)
	for i := step - 1; i < len(fens); i += step {
		test(fmt.Sprintf("%s %d", suite, i+1), fianchetto.MustParseFEN(fens[i]))
	}
}

// noDifference fails the test if a program that is right is found wrong.
func noDifference(t *testing.T, program engine.Program, name string, path engine.Path, depth int) {
	t.Helper()
	report, err := compare.New(program, compare.Options{Depth: depth}).Compare(t.Context(), path)
	if err != nil || report.Exhausted {
		t.Errorf("%s: error %v, questions used up: %v", name, err, report.Exhausted)
	}
	for _, d := range report.Differences {
		t.Errorf("%s: %s in %s: %s", name, d.Subject(), path.Root.FEN(), d.Rule())
	}
}

// TestNotationsAreNotDifferences compares programs that are right and write moves in different notations.
func TestNotationsAreNotDifferences(t *testing.T) {
	notations := [][]string{nil, {"plain"}, {"dashes"}, {"reversed"}, {"loud"}, {"no-letters"}, {"king-takes"},
		{"king-goes"}, {"totals-only"}, {"dashes", "reversed", "loud", "no-letters", "king-takes"}}
	for _, quirks := range notations {
		t.Run(strings.Join(quirks, " "), func(t *testing.T) {
			t.Parallel()
			program := open(t, engine.Config{}, "--quirks", strings.Join(quirks, ","))
			for _, suite := range []string{"traps", "traps960"} {
				suitePositions(suite, 6, func(name string, pos fianchetto.Position) {
					noDifference(t, program, name, engine.Path{Root: pos}, 2)
				})
			}
		})
	}
}

func TestPerftreePrograms(t *testing.T) {
	config := engine.Config{Protocol: engine.Perftree}
	right := open(t, config)
	for _, fen := range []string{kiwipete, "1n1n2k1/2P5/8/8/8/8/8/4K3 w - - 0 1",
		"1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1", "k7/8/1QK5/8/8/8/8/8 b - - 0 1"} {
		noDifference(t, right, fen, engine.Path{Root: fianchetto.MustParseFEN(fen)}, 2)
	}
	wrong := open(t, config, "--bugs", "right-kept-after-rook-captured")
	report, err := compare.New(wrong, compare.Options{Depth: 3}).Compare(t.Context(),
		engine.Path{Root: fianchetto.MustParseFEN("r3k2r/8/8/8/8/8/5n2/R3K2R b KQkq - 0 1")})
	if err != nil || len(report.Differences) == 0 || report.Differences[0].Verdict.Rule != rules.CastlingRight {
		t.Errorf("error %v, differences %+v; want a lost right", err, report.Differences)
	}
}

// TestCounts compares programs whose counts are wrong although all moves are right, and programs that print totals
// only.
func TestCounts(t *testing.T) {
	const promotes = "4k3/P7/8/8/8/8/8/4K3 w - - 0 1"
	for _, test := range []struct {
		name, bugs, quirks, fen string
		depth                   int
		want                    string
	}{
		{"total", "", "wrong-total", kiwipete, 2,
			"wrong count: sum: at depth 1 the counts below the moves add up to 48, the total is 49"},
		{"divide", "", "wrong-divide", promotes, 2, "wrong count: divide: at depth 2 the count below"},
		{"null", "", "null", promotes, 1, "missing "},
		{"totals only, missing", "no-promotion-to-knight", "totals-only", promotes, 2,
			"missing a7a8n: promotion: promotion count is 3, not 4"},
		{"totals only, en passant", "no-en-passant", "totals-only", "4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1", 3,
			"missing e5d6: en passant: en passant is legal here: the pawn on d5"},
		{"totals only, extra", "promotion-to-king", "totals-only", promotes, 2,
			"extra 1 move: total: the count is 10, not 9, and the program does not list moves"},
		{"no letters", "promotion-to-queen-only", "no-letters", promotes, 1,
			"missing a7a8r: promotion: promotion count is 1, not 4: a pawn may become a rook or a bishop or a " +
				"knight, too"},
		{"letters", "promotion-to-queen-only", "", promotes, 1,
			"missing a7a8r: promotion: promotion count is 1, not 4"},
		{"castling by both squares", "castles-twice", "king-takes", castlesOpen, 1,
			"extra e1a1: generated twice: e1a1 is legal, but listed once more"},
	} {
		t.Run(test.name, func(t *testing.T) {
			program := open(t, engine.Config{}, "--bugs", test.bugs, "--quirks", test.quirks)
			report, err := compare.New(program, compare.Options{Depth: test.depth}).Compare(t.Context(),
				engine.Path{Root: fianchetto.MustParseFEN(test.fen)})
			if err != nil || len(report.Differences) == 0 {
				t.Fatalf("error %v, no difference", err)
			}
			d := report.Differences[0]
			if got := d.Subject() + ": " + d.Rule(); !strings.Contains(got, test.want) {
				t.Errorf("got %s\nwant %s", got, test.want)
			}
		})
	}
}

// TestPairsOfMutants switches on two bugs at once, of which both are found; in the last position four moves are missing
// and four too many after each move of the root.
func TestPairsOfMutants(t *testing.T) {
	const cancels = "r3k2r/p1pp1pb1/bn2Qnp1/2qPN3/1p2P3/2N5/PPPBBPPP/R3K2R b KQkq - 3 2"
	for _, test := range []struct {
		bugs  string
		fen   string
		depth int
		want  []rules.Rule
	}{
		{"no-en-passant,castling-through-check", "r3k2r/p1pppp1p/b7/2P5/8/8/PP3P1P/R3K2R b KQkq - 0 1", 3,
			[]rules.Rule{rules.EnPassant, rules.ThroughCheck}},
		{"no-promotion-to-knight,king-beside-king", "8/P7/2k5/8/2K5/8/8/8 w - - 0 1", 2,
			[]rules.Rule{rules.Promotion, rules.KingSafety}},
		{"pinned-piece-moves-freely,queen-moves-twice", kiwipete, 2, []rules.Rule{rules.Pin, compare.Twice}},
		{"no-double-push,knight-captures-own", cancels, 2, []rules.Rule{rules.DoublePush, rules.OwnPiece}},
	} {
		t.Run(test.bugs, func(t *testing.T) {
			program := open(t, engine.Config{}, "--bugs", test.bugs)
			report, err := compare.New(program, compare.Options{Depth: test.depth}).Compare(t.Context(),
				engine.Path{Root: fianchetto.MustParseFEN(test.fen)})
			if err != nil {
				t.Fatal(err)
			}
			found := make(map[rules.Rule]bool)
			for _, d := range report.Differences {
				found[d.Verdict.Rule] = true
				t.Logf("%s after %q: %s, %d alike", d.Subject(), d.Path.UCI(), d.Rule(), len(d.Alike))
			}
			for _, rule := range test.want {
				if !found[rule] {
					t.Errorf("nothing is named %s", rule)
				}
			}
		})
	}
}

func TestQuestionsAreBounded(t *testing.T) {
	program := open(t, engine.Config{}, "--bugs", "no-en-passant")
	path := engine.Path{Root: fianchetto.MustParseFEN(kiwipete)}
	for _, limit := range []int{1, 2, 3, 7, 0} {
		report, err := compare.New(program, compare.Options{Depth: 3, Questions: limit}).Compare(t.Context(), path)
		most := limit
		if most == 0 {
			most = compare.DefaultQuestions
		}
		if err != nil || report.Questions > most || report.Exhausted != (limit != 0) {
			t.Errorf("limit %d: %d questions, used up: %v, error %v", limit, report.Questions, report.Exhausted, err)
		}
	}
}

func TestProgramsThatFail(t *testing.T) {
	for _, test := range []struct {
		quirk  string
		want   fianchetto.Problem
		detail string
	}{
		{"crash", engine.ErrEnded,
			`exit status 7, its last line is "readyok"; stderr: "assertion failed: king != NONE"`},
		{"crash-later", engine.ErrEnded, `asked "go perft 3"`},
		{"silent", engine.ErrSilent, "4s"},
		{"hang", engine.ErrSilent, `asked "go perft 2"`},
		{"garbage", engine.ErrGarbage, `"Nodes searched: NaN": no number follows`},
		{"endless", engine.ErrGarbage, "more than 10000 lines"},
		{"long-line", engine.ErrGarbage, "longer than 64 KiB"},
	} {
		t.Run(test.quirk, func(t *testing.T) {
			t.Parallel()
			var config engine.Config
			if test.want == engine.ErrSilent {
				config.TimeLimit = 4 * time.Second
			}
			program := open(t, config, "--quirks", test.quirk)
			path := engine.Path{Root: fianchetto.MustParseFEN("4k3/P7/8/8/8/8/8/4K3 w - - 0 1")}
			for range 2 { // once more: the program is started anew
				_, err := compare.New(program, compare.Options{Depth: 3}).Compare(t.Context(), path)
				if !errors.Is(err, test.want) || !strings.Contains(err.Error(), test.detail) {
					t.Errorf("error %v, want %v, %s", err, test.want, test.detail)
				}
			}
		})
	}
}

func TestProgramsThatDoNotStart(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		path, quirk string
		options     []engine.Option
		want        fianchetto.Problem
		detail      string
	}{
		{"/no/such/engine", "", nil, engine.ErrStart, "no such file"},
		{self, "crash-at-start", nil, engine.ErrEnded, "exit status 6, it has written nothing"},
		{self, "", []engine.Option{{Name: "Hsah", Value: "3"}}, engine.ErrOption, `it declares none named "Hsah"`},
		{self, "", []engine.Option{{Name: "hash", Value: "many"}}, engine.ErrOption, "want a number"},
		{self, "", []engine.Option{{Name: "Hash", Value: "65"}}, engine.ErrOption, "out of range"},
		{self, "", []engine.Option{{Name: "UCI_Chess960", Value: "yes"}}, engine.ErrOption, "want true or false"},
		{self, "", []engine.Option{{Name: "Clear Hash", Value: "1"}}, engine.ErrOption, "no value"},
		{self, "", []engine.Option{{Name: "Style", Value: "lazy"}}, engine.ErrOption, "want one of its values"},
		{self, "refuses", []engine.Option{{Name: "Hash", Value: "3"}}, engine.ErrOption,
			"No such option: name Hash value 3"},
		{self, "", []engine.Option{{Name: "Hash", Value: "3"}, {Name: "Clear Hash"}, {Name: "Style", Value: "wild"}},
			"", ""},
	} {
		program, err := engine.Open(t.Context(),
			engine.Config{Path: test.path, Args: []string{mutantRole, "--quirks", test.quirk}, Protocol: engine.UCI,
				Options: test.options, TimeLimit: generous, StartLimit: generous})
		if program != nil {
			program.Close()
		}
		if test.want == "" && err != nil || test.want != "" &&
			(!errors.Is(err, test.want) || !strings.Contains(err.Error(), test.detail)) {
			t.Errorf("%s %s %v: error %v, want %v, %s", test.path, test.quirk, test.options, err, test.want,
				test.detail)
		}
	}
}

func TestChess960NeedsTheOption(t *testing.T) {
	path := engine.Path{Root: fianchetto.MustParseFEN("k7/8/8/8/8/8/5PPP/6KR w H - 0 1")}
	silent := open(t, engine.Config{}, "--quirks", "no-options")
	if _, err := compare.New(silent, compare.Options{Depth: 1}).Compare(t.Context(), path); !errors.Is(err,
		engine.ErrChess960) {
		t.Errorf("error %v, want %v", err, engine.ErrChess960)
	}
	set := open(t, engine.Config{Options: []engine.Option{{Name: "UCI_Chess960", Value: "true"}}}, "--quirks",
		"no-options")
	noDifference(t, set, "set", path, 2)
}

func TestPatterns(t *testing.T) {
	config := engine.Config{
		MovePattern:  regexp.MustCompile(`^(?P<move>\S+) - (?P<nodes>\d+)$`),
		TotalPattern: regexp.MustCompile(`^perft \d+: (?P<nodes>\d+)$`),
	}
	noDifference(t, open(t, config, "--quirks", "dashes"), "dashes", engine.Path{Root: fianchetto.StartPosition()}, 2)
	for _, config := range []engine.Config{
		{MovePattern: regexp.MustCompile(`(\S+) (\d+)`)},
		{MovePattern: regexp.MustCompile(`(?P<move>\S+) (\d+)`)},
		{TotalPattern: regexp.MustCompile(`total (\d+)`)},
	} {
		if _, err := engine.Open(t.Context(), config); !errors.Is(err, engine.ErrPattern) {
			t.Errorf("%v, %v: error %v, want %v", config.MovePattern, config.TotalPattern, err, engine.ErrPattern)
		}
	}
}

func TestInterruption(t *testing.T) {
	program := open(t, engine.Config{}, "--quirks", "silent")
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	_, err := compare.New(program, compare.Options{Depth: 1}).Compare(ctx,
		engine.Path{Root: fianchetto.StartPosition()})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v, want that of the context", err)
	}
}

// TestRealEngines compares with the engines that are installed, unchanged, and found out by themselves.
func TestRealEngines(t *testing.T) {
	for _, test := range []struct {
		path string
		args []string
		want error
	}{
		{"stockfish", nil, nil},
		{"fairy-stockfish", nil, nil},
		{"ethereal", nil, nil},
		{"gnuchess", []string{"-u"}, engine.ErrNoCommand},
		{"gnuchess", nil, engine.ErrNotUCI},
	} {
		t.Run(strings.Join(append([]string{test.path}, test.args...), " "), func(t *testing.T) {
			path, err := exec.LookPath(test.path)
			if err != nil {
				path = "/usr/games/" + test.path
				if _, err := os.Stat(path); err != nil {
					t.Skip(err)
				}
			}
			program, err := engine.Open(t.Context(), engine.Config{Path: path, Args: test.args})
			if !errors.Is(err, test.want) {
				t.Fatalf("error %v, want %v", err, test.want)
			}
			if err != nil {
				return
			}
			defer program.Close()
			for _, suite := range []string{"traps", "traps960"} {
				suitePositions(suite, 1, func(name string, pos fianchetto.Position) {
					noDifference(t, program, name, engine.Path{Root: pos}, 2)
				})
			}
			for _, suite := range []string{"random", "random960"} {
				suitePositions(suite, 10, func(name string, pos fianchetto.Position) {
					noDifference(t, program, name, engine.Path{Root: pos}, 3)
				})
			}
		})
	}
}
