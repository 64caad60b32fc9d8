package compare_test

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/buggy"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/compare"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/divide"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/engine"
	"github.com/fianchetto-chess/fianchetto/internal/suites"
)

// buggyRole as the first argument makes the test binary the program to be compared with.
const buggyRole = "play-buggy"

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == buggyRole {
		os.Exit(buggy.Run(os.Args[2:], os.Stdin, os.Stdout, os.Stderr))
	}
	if err := flag.Set("test.parallel", "8"); err != nil { // most tests wait for programs
		panic(err)
	}
	os.Exit(m.Run())
}

// generous is how long an answer may take that comes at once unless the machine is busy.
const generous = 2 * time.Minute

// open starts a buggy generator that can be asked.
func open(t *testing.T, config engine.Config, args ...string) engine.Program {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	config.Path, config.Args = self, append([]string{buggyRole}, args...)
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
	report, err := compare.New(program, compare.Options{}).Compare(t.Context(), at(fen), depth)
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

// TestDifferences compares programs with mistakes of all kinds in some positions, and has the
// sentences about the last.
func TestDifferences(t *testing.T) {
	const (
		start    = fianchetto.StartFEN
		castling = "r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1"
		passant  = "4k3/8/8/8/2Pp4/8/8/4K3 b - c3 0 1"
		late     = "4k3/pppp4/8/8/8/8/PPPP4/4K3 b - - 120 80"
		later    = "8/8/2k5/8/8/2K2R2/8/8 w - - 120 80"
		// After each move of the root four moves are missing and four too many.
		cancels = "r3k2r/p1pp1pb1/bn2Qnp1/2qPN3/1p2P3/2N5/PPPBBPPP/R3K2R b KQkq - 3 2"
	)
	type list = []string
	for _, test := range []struct {
		args  string
		depth int
		fens  list
		want  list // parts of the sentences
	}{
		{"--quirks wrong-divide", 2, list{promotes}, list{"wrong count: divide: at depth 2 the count below"}},
		{"--bugs reads-no-moves", 2, list{kiwipete}, nil},
		{"--bugs reads-no-moves,right-kept-after-rook-captured", 3, list{"r3k2r/8/8/8/8/8/5n2/R3K2R b KQkq - 0 1"},
			list{"at depth 2 the count below f2h1 is"}},
		{"--bugs no-en-passant --quirks totals-only", 3, list{"4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1"},
			list{"missing 1 move: total: the count is 6, not 7, and the program does not list moves"}},
		{"--bugs promotion-to-queen-only --quirks no-letters", 1, list{promotes},
			list{"missing a7a8r: promotion: promotion count is 1, not 4: a pawn may become a rook or a bishop or a knight, too"}},
		{"--bugs promotion-to-queen-only", 1, list{promotes}, list{"missing a7a8r: promotion: promotion count is 1, not 4"}},
		{"--bugs castles-twice --quirks king-takes", 1, list{castlesOpen},
			list{"extra e1h1: generated twice: e1h1 is legal, but listed once more"}},

		{"--bugs no-en-passant,castling-through-check", 3, list{"r3k2r/p1pppp1p/b7/2P5/8/8/PP3P1P/R3K2R b KQkq - 0 1"},
			list{"extra e1g1: castling through check", "missing c5d6: en passant"}},
		{"--bugs no-promotion-to-knight,king-beside-king", 2, list{"8/P7/2k5/8/2K5/8/8/8 w - - 0 1"},
			list{"missing a7a8n: promotion", "extra c4b5: king safety"}},
		{"--bugs pinned-piece-moves-freely,queen-moves-twice", 2, list{kiwipete},
			list{"extra f3d3: generated twice", "extra d7d6: pin"}},
		{"--bugs no-double-push,knight-captures-own", 3, list{cancels},
			list{"missing a2a4: double push", "extra c3a2: own piece"}},

		{"--quirks wrong-divide,totals-only", 2, list{kiwipete}, list{"wrong count: sum: at depth 2 the counts below the moves " +
			"add up to 2039, the total is 2040: perhaps it makes an illegal move, or one twice"}},

		{"--quirks keeps-position", 1, list{start, late},
			list{"position not taken: FEN: with the halfmove clock 0 it is right: it reads the halfmove clock wrong"}},
		{"--quirks keeps-position", 2, list{kiwipete, late, later}, list{"position not taken: FEN: with the halfmove clock 0"}},
		{"--quirks keeps-position,totals-only", 2, list{kiwipete, late}, list{"position not taken: FEN: with the halfmove clock 0"}},
		{"--quirks keeps-position,totals-only", 2, list{kiwipete, late, later},
			list{"position not taken: FEN: with the halfmove clock 0"}},
		{"--bugs reads-all-rights", 1, list{start, castling},
			list{"extra e1g1: castling right: "}},
		{"--bugs castling-without-right", 1, list{start, castling}, list{"extra e1g1: castling right: "}},
		{"--bugs reads-no-side", 1, list{start, late}, list{"position not taken: position: the program did not take the " +
			"position: 12 of its 12 moves leave squares on which black, to move, has no piece"}},
		{"--bugs reads-no-en-passant", 1, list{start, passant}, list{"en passant: the pawn on d4 captures en passant"}},
		{"--bugs no-en-passant", 1, list{start, passant}, list{"en passant: the pawn on d4 captures en passant"}},
	} {
		t.Run(test.args, func(t *testing.T) {
			t.Parallel()
			comparer := compare.New(open(t, engine.Config{}, strings.Fields(test.args)...),
				compare.Options{})
			var got list
			for _, fen := range test.fens {
				report, err := comparer.Compare(t.Context(), at(fen), test.depth)
				if err != nil {
					t.Fatal(err)
				}
				got = nil
				for _, d := range report.Differences {
					got = append(got, d.Subject()+": "+d.Rule())
				}
			}
			if !slices.EqualFunc(got, test.want, strings.Contains) {
				t.Errorf("got %q\nwant %q", got, test.want)
			}
		})
	}
}

// counting counts the questions that a program is asked.
type counting struct {
	engine.Program
	questions int
}

func (c *counting) Divide(ctx context.Context, path engine.Path, depth int) (divide.Divide, error) {
	c.questions++
	return c.Program.Divide(ctx, path, depth)
}

// TestEveryQuestionIsCounted counts them at the program, however it answers, and at every limit,
// which is kept.
func TestEveryQuestionIsCounted(t *testing.T) {
	for i, args := range [][]string{
		{"--bugs", "no-en-passant"},
		{"--bugs", "no-en-passant", "--quirks", "totals-only"},
		{"--bugs", "no-promotion-to-knight", "--quirks", "totals-only"},
		{"--bugs", "reads-no-en-passant"},
	} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			t.Parallel()
			program := &counting{Program: open(t, engine.Config{}, args...)}
			for _, fen := range []string{kiwipete, "4k3/P7/8/8/2Pp4/8/8/4K3 b - c3 0 1"} {
				for _, limit := range []int{1, 3, 5, 8, 60, 0} {
					program.questions = 0
					report, err := compare.New(program, compare.Options{Questions: limit}).
						Compare(t.Context(), at(fen), 3)
					most := cmp.Or(limit, compare.DefaultQuestions)
					tooFew := i == 0 && fen == kiwipete && limit > 0 && limit < 8
					isUnseen := i == 2 && fen != kiwipete && limit > 1 && len(report.Differences) == 0
					if err != nil || report.Questions != program.questions || program.questions > most ||
						tooFew && !report.Exhausted || isUnseen {
						t.Errorf("%s, limit %d: %d questions asked, %d reported, used up: %v, error %v", fen, limit,
							program.questions, report.Questions, report.Exhausted, err)
					}
				}
			}
		})
	}
}

// TestRealEngines compares with the engines that are installed, unchanged, and found out by
// themselves.
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
