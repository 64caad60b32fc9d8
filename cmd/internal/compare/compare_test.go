package compare_test

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/compare"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/engine"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/mutant"
	"github.com/fianchetto-chess/fianchetto/internal/suites"
)

// mutantRole as the first argument makes the test binary the program to be compared with.
const mutantRole = "play-mutant"

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == mutantRole {
		os.Exit(mutant.Run(os.Args[2:], os.Stdin, os.Stdout, os.Stderr))
	}
	if err := flag.Set("test.parallel", "8"); err != nil { // most tests wait for programs
		panic(err)
	}
	os.Exit(m.Run())
}

// generous is how long an answer may take that comes at once unless the machine is busy.
const generous = 2 * time.Minute

// open starts a mutant that can be asked.
func open(t *testing.T, config engine.Config, args ...string) engine.Program {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	config.Path, config.Args = self, append([]string{mutantRole}, args...)
	config.TimeLimit, config.StartLimit = cmp.Or(config.TimeLimit, generous), generous
	program, err := engine.Open(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(program.Close)
	return program
}

// at returns the path to the position of a FEN.
func at(fen string) engine.Path { return engine.Path{Root: fianchetto.MustParseFEN(fen)} }

// differences compares a program at a position.
func differences(t *testing.T, program engine.Program, fen string, depth int) []compare.Difference {
	t.Helper()
	report, err := compare.New(program, compare.Options{Depth: depth, Threads: 1}).Compare(t.Context(), at(fen))
	if err != nil || report.Exhausted {
		t.Fatalf("%s: error %v, questions used up: %v", fen, err, report.Exhausted)
	}
	return report.Differences
}

// noDifference fails the test if a program that is right is found wrong.
func noDifference(t *testing.T, program engine.Program, depth int, fens ...string) {
	t.Helper()
	for _, fen := range fens {
		for _, d := range differences(t, program, fen, depth) {
			t.Errorf("%s: %s", d.Headline(), d.Rule())
		}
	}
}

const (
	castlesBoth = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1"
	castlesOpen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
	kiwipete    = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
	promotes    = "4k3/P7/8/8/8/8/8/4K3 w - - 0 1"
	promotesTo3 = "1n1n2k1/2P5/8/8/8/8/8/4K3 w - - 0 1"
	stalemate   = "k7/8/1QK5/8/8/8/8/8 b - - 0 1"
	castles960  = "k7/8/8/8/8/8/5PPP/6KR w H - 0 1"
)

// every returns every step-th position of the suites.
func every(step int, names ...string) (fens []string) {
	for i, fen := range suites.FENs(names...) {
		if i%step == step-1 {
			fens = append(fens, fen)
		}
	}
	return fens
}

// TestCounts compares programs whose counts are wrong although all moves are right, and programs that print totals
// only.
func TestCounts(t *testing.T) {
	for _, test := range []struct {
		name, bugs, quirks, fen string
		depth                   int
		want                    string
	}{
		{"divide", "", "wrong-divide", promotes, 2, "wrong count: divide: at depth 2 the count below"},
		{"totals only, en passant", "no-en-passant", "totals-only", "4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1", 3,
			"missing e5d6: en passant: the pawn on e5 captures en passant the pawn on d5"},
		{"no letters", "promotion-to-queen-only", "no-letters", promotes, 1,
			"missing a7a8r: promotion: promotion count is 1, not 4: a pawn may become a rook or a bishop or a " +
				"knight, too"},
		{"letters", "promotion-to-queen-only", "", promotes, 1,
			"missing a7a8r: promotion: promotion count is 1, not 4"},
		{"castling by both squares", "castles-twice", "king-takes", castlesOpen, 1,
			"extra e1a1: generated twice: e1a1 is legal, but listed once more"},
		{"moves not made", "", "ignores-moves", kiwipete, 2, "goes wrong in making"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			program := open(t, engine.Config{}, "--bugs", test.bugs, "--quirks", test.quirks)
			found := differences(t, program, test.fen, test.depth)
			if len(found) == 0 {
				t.Fatal("no difference")
			}
			if got := found[0].Subject() + ": " + found[0].Rule(); !strings.Contains(got, test.want) {
				t.Errorf("got %s\nwant %s", got, test.want)
			}
		})
	}
	perftree := open(t, engine.Config{Protocol: engine.Perftree}, "--bugs", "right-kept-after-rook-captured")
	found := differences(t, perftree, "r3k2r/8/8/8/8/8/5n2/R3K2R b KQkq - 0 1", 3)
	if len(found) == 0 || found[0].Verdict.Rule != fianchetto.RuleCastlingRight {
		t.Errorf("a perftree script has the differences %+v; want a lost right", found)
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
		want  []fianchetto.Rule
	}{
		{"no-en-passant,castling-through-check", "r3k2r/p1pppp1p/b7/2P5/8/8/PP3P1P/R3K2R b KQkq - 0 1", 3,
			[]fianchetto.Rule{"en passant", "castling through check"}},
		{"no-promotion-to-knight,king-beside-king", "8/P7/2k5/8/2K5/8/8/8 w - - 0 1", 2,
			[]fianchetto.Rule{"promotion", "king safety"}},
		{"pinned-piece-moves-freely,queen-moves-twice", kiwipete, 2, []fianchetto.Rule{"pin", compare.Twice}},
		{"no-double-push,knight-captures-own", cancels, 2, []fianchetto.Rule{"double push", "own piece"}},
	} {
		t.Run(test.bugs, func(t *testing.T) {
			t.Parallel()
			report, err := compare.New(open(t, engine.Config{}, "--bugs", test.bugs),
				compare.Options{Depth: test.depth}).
				Compare(t.Context(), at(test.fen))
			found := make(map[fianchetto.Rule]bool)
			for _, d := range report.Differences {
				found[d.Verdict.Rule] = true
				t.Logf("%s after %q: %s, %d alike", d.Subject(), d.Path.UCI(), d.Rule(), len(d.Alike))
			}
			for _, rule := range test.want {
				if err != nil || !found[rule] {
					t.Errorf("nothing is named %s, error %v", rule, err)
				}
			}
		})
	}
}

// TestPositionNotTaken reports an engine that keeps the position before once per position.
func TestPositionNotTaken(t *testing.T) {
	t.Parallel()
	for _, quirks := range []string{"keeps-position", "keeps-position,totals-only"} {
		comparer := compare.New(open(t, engine.Config{}, "--quirks", quirks), compare.Options{Depth: 2})
		for i, fen := range []string{kiwipete, "4k3/pppp4/8/8/8/8/PPPP4/4K3 b - - 110 80",
			"8/8/2k5/8/8/2K2R2/8/8 w - - 120 80"} {
			report, err := comparer.Compare(t.Context(), at(fen))
			found := report.Differences
			ok := i == 0 && len(found) == 0 || i > 0 && len(found) == 1 && found[0].Kind == compare.NotTaken &&
				len(found[0].Alike) == 0
			if err != nil || !ok {
				t.Errorf("%s: %s: error %v, %d differences, want that the position is not taken", quirks, fen, err,
					len(found))
				for _, d := range found {
					t.Log(d.Headline(), d.Rule())
				}
			}
		}
	}
}

// TestReadingOfFEN blames the FEN if the engine is right when it reaches the position by a move.
func TestReadingOfFEN(t *testing.T) {
	t.Parallel()
	const passant, castling, clocks = "4k3/8/8/8/2Pp4/8/8/4K3 b - c3 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1",
		"4k3/pppp4/8/8/8/8/PPPP4/4K3 b - - 120 80"
	for _, test := range []struct{ fen, bugs, quirks, want string }{
		{castling, "", "fen-castling", "FEN: with `moves "},
		{castling, "", "fen-castling",
			" it does not generate e1c1: it reads the castling rights wrong; castling right"},
		{castling, "castling-without-right", "", "castling right: "},
		{clocks, "", "keeps-position", "FEN: with the clocks 0 1 it is right: it reads the clocks wrong"},
		{clocks, "", "fen-white", "FEN: with `moves "},
		{clocks, "", "fen-white", "it is right: it reads the side to move wrong"},
		{passant, "", "fen-en-passant",
			"FEN: with `moves c2c4` from the position before it generates d4c3: it reads the en-passant field wrong"},
		{passant, "no-en-passant", "", "en passant: the pawn on d4 captures en passant"},
	} {
		program := open(t, engine.Config{}, "--bugs", test.bugs, "--quirks", test.quirks)
		comparer := compare.New(program, compare.Options{Depth: 1})
		if _, err := comparer.Compare(t.Context(), at(fianchetto.StartFEN)); err != nil {
			t.Fatal(err)
		}
		report, err := comparer.Compare(t.Context(), at(test.fen))
		if err != nil || len(report.Differences) != 1 || !strings.Contains(report.Differences[0].Rule(), test.want) {
			t.Errorf("%s%s: error %v, want %s", test.bugs, test.quirks, err, test.want)
			for _, d := range report.Differences {
				t.Log(d.Headline(), d.Rule())
			}
		}
	}
}

// counting counts the questions that a program is asked.
type counting struct {
	engine.Program
	questions int
}

func (c *counting) Divide(ctx context.Context, path engine.Path, depth int) (engine.Answer, error) {
	c.questions++
	return c.Program.Divide(ctx, path, depth)
}

// TestEveryQuestionIsCounted counts them at the program, however it answers, and at every limit, which is kept.
func TestEveryQuestionIsCounted(t *testing.T) {
	for i, args := range [][]string{
		{"--bugs", "no-en-passant"},
		{"--bugs", "no-en-passant", "--quirks", "totals-only"},
		{"--bugs", "no-promotion-to-knight", "--quirks", "totals-only"},
		{"--quirks", "fen-en-passant"},
	} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			t.Parallel()
			program := &counting{Program: open(t, engine.Config{}, args...)}
			for _, fen := range []string{kiwipete, "4k3/P7/8/8/2Pp4/8/8/4K3 b - c3 0 1"} {
				for _, limit := range []int{1, 3, 5, 8, 60, 0} {
					program.questions = 0
					report, err := compare.New(program, compare.Options{Depth: 3, Questions: limit, Threads: 1}).
						Compare(t.Context(), at(fen))
					most := cmp.Or(limit, compare.DefaultQuestions)
					tooFew := i == 0 && fen == kiwipete && limit > 0 && limit < 8
					if err != nil || report.Questions != program.questions || program.questions > most ||
						tooFew && !report.Exhausted {
						t.Errorf("%s, limit %d: %d questions asked, %d reported, used up: %v, error %v", fen, limit,
							program.questions, report.Questions, report.Exhausted, err)
					}
				}
			}
		})
	}
}

// TestRealEngines compares with the engines that are installed, unchanged, and found out by themselves.
func TestRealEngines(t *testing.T) {
	for _, test := range []struct {
		path   string
		args   []string
		suites []string // that it can be asked about
		want   error
	}{
		{"stockfish", nil, []string{"traps", "traps960"}, nil},
		{"fairy-stockfish", nil, []string{"traps", "traps960"}, nil},
		{"ethereal-chess", nil, []string{"traps"}, nil},
		{"sjeng", nil, []string{"traps"}, nil},
		{"gnuchess", []string{"-u"}, nil, engine.ErrNoCommand},
		{"phalanx", nil, nil, engine.ErrNoCommand},
		{"glaurung", nil, nil, engine.ErrNoCommand},
		{"toga2", nil, nil, engine.ErrNoCommand},
	} {
		t.Run(strings.Join(append([]string{test.path}, test.args...), " "), func(t *testing.T) {
			t.Parallel()
			path, err := exec.LookPath(test.path)
			if err != nil {
				path = "/usr/games/" + test.path
				if _, err := os.Stat(path); err != nil {
					t.Skip(err)
				}
			}
			program, err := engine.Open(t.Context(), engine.Config{Path: path, Args: test.args, StartLimit: 20 * time.Second})
			if !errors.Is(err, test.want) {
				t.Fatalf("error %v, want %v", err, test.want)
			}
			if err != nil {
				return
			}
			defer program.Close()
			noDifference(t, program, 2, every(5, test.suites...)...)
		})
	}
}
