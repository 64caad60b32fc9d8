package compare_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/compare"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/engine"
)

// TestDialects opens engines that are right, each with another command for perft, which must be found.
func TestDialects(t *testing.T) {
	for _, test := range []struct{ command, quirks, want string }{
		{"go perft", "", `asked by "go perft N"`},
		{"perft", "", `asked by "perft N"`},
		{"perft", "moves-at-once", `asked by "perft N"`},
		{"perft", "blocks", `asked by "perft N"`},
		{"perft", "totals-only", `asked by "perft N", which prints totals only`},
		{"perft", "lists-late", `asked by "perft N", which lists moves from depth 2 on`},
		{"perft", "no-total", `asked by "perft N"`},
		{"perft", "on-stderr", `asked by "perft N", on stderr`},
		{"perft", "start-position", `asked by "perft N FEN"`},
		{"go perft", "late", `asked by "go perft N"`},
		{"divide", "dashes", `asked by "divide N"`},
		{"splitperft", "plain", `asked by "splitperft N"`},
		{"test perft", "reversed", `asked by "test perft N"`},
		{"perft", "not-uci", "called as DEPTH FEN [MOVES]"},
	} {
		t.Run(test.command+" "+test.quirks, func(t *testing.T) {
			program := open(t, engine.Config{StartLimit: startLimit(test.quirks)}, "--command", test.command,
				"--quirks", test.quirks)
			if got := program.Description(); !strings.HasSuffix(got, test.want) {
				t.Errorf("%s, want %s", got, test.want)
			}
			for _, fen := range []string{kiwipete, "1n1n2k1/2P5/8/8/8/8/8/4K3 w - - 0 1",
				"k7/8/1QK5/8/8/8/8/8 b - - 0 1"} {
				noDifference(t, program, fen, engine.Path{Root: fianchetto.MustParseFEN(fen)}, 2)
			}
		})
	}
}

// startLimit is short for a program that does not answer uci, so that the test need not wait.
func startLimit(quirks string) time.Duration {
	if strings.Contains(quirks, "not-uci") {
		return time.Second
	}
	return 0
}

// TestEnginesWithoutPerft refuses them when they are opened, in less time than a user waits for.
func TestEnginesWithoutPerft(t *testing.T) {
	for _, test := range []struct {
		command, quirks, asked string
		want                   error
	}{
		{"none", "", "", engine.ErrNoCommand},
		{"none", "moves-at-once", "", engine.ErrNoCommand},
		{"none", "blocks", "", engine.ErrNoCommand},
		{"perft", "", "go perft {depth}", engine.ErrSearch},
		{"perft", "", "divide {depth}", engine.ErrGarbage},
		{"go perft", "crash,not-uci", "", engine.ErrNotUCI},
		{"go perft", "start-position", "", engine.ErrSamePerft},
	} {
		const allowed = 10 * time.Second
		quickest := time.Hour
		for tries := 0; tries < 3 && quickest > allowed; tries++ { // the machine may be busy
			begun := time.Now()
			program, err := openMutant(t, engine.Config{Command: test.asked, StartLimit: startLimit(test.quirks)},
				"--command", test.command, "--quirks", test.quirks)
			if program != nil {
				program.Close()
			}
			if !errors.Is(err, test.want) {
				t.Errorf("%s, %s, asked %q: error %v, want %v", test.command, test.quirks, test.asked, err, test.want)
			}
			quickest = min(quickest, time.Since(begun))
		}
		if quickest > allowed {
			t.Errorf("%s, %s, asked %q: refused after %v", test.command, test.quirks, test.asked, quickest)
		}
	}
}

// TestPositionNotTaken reports an engine that keeps the position before once per position.
func TestPositionNotTaken(t *testing.T) {
	for _, quirks := range []string{"keeps-position", "keeps-position,totals-only"} {
		program := open(t, engine.Config{}, "--quirks", quirks)
		comparer := compare.New(program, compare.Options{Depth: 2})
		for i, fen := range []string{kiwipete, "4k3/pppp4/8/8/8/8/PPPP4/4K3 b - - 110 80",
			"8/8/2k5/8/8/2K2R2/8/8 w - - 120 80"} {
			report, err := comparer.Compare(t.Context(), engine.Path{Root: fianchetto.MustParseFEN(fen)})
			if err != nil {
				t.Fatal(err)
			}
			if i == 0 && len(report.Differences) != 0 {
				t.Errorf("%s: %+v", quirks, report.Differences)
			}
			if i > 0 && (len(report.Differences) != 1 || report.Differences[0].Kind != compare.NotTaken ||
				len(report.Differences[0].Alike) != 0) {
				t.Errorf("%s: %s: %d differences, want that the position is not taken", quirks, fen,
					len(report.Differences))
				for _, d := range report.Differences {
					t.Log(d.Headline(), d.Rule())
				}
			}
		}
	}
}

// TestMovesNotMade blames the moves, not the position, if the engine does not make them.
func TestMovesNotMade(t *testing.T) {
	program := open(t, engine.Config{}, "--quirks", "ignores-moves")
	report, err := compare.New(program, compare.Options{Depth: 2}).Compare(t.Context(),
		engine.Path{Root: fianchetto.MustParseFEN(kiwipete)})
	if err != nil || len(report.Differences) != 1 || report.Differences[0].Kind != compare.NotTaken ||
		!strings.Contains(report.Differences[0].Rule(), "goes wrong in making") {
		t.Errorf("error %v, differences %+v", err, report.Differences)
	}
}

// TestReadingOfFEN blames the FEN if the engine is right when it reaches the position by a move.
func TestReadingOfFEN(t *testing.T) {
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
		{passant, "no-en-passant", "", "en passant: en passant is legal here"},
	} {
		program := open(t, engine.Config{}, "--bugs", test.bugs, "--quirks", test.quirks)
		comparer := compare.New(program, compare.Options{Depth: 1})
		if _, err := comparer.Compare(t.Context(), engine.Path{Root: fianchetto.StartPosition()}); err != nil {
			t.Fatal(err)
		}
		report, err := comparer.Compare(t.Context(), engine.Path{Root: fianchetto.MustParseFEN(test.fen)})
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

// TestEveryQuestionIsCounted counts them at the program, however it answers, and at every limit.
func TestEveryQuestionIsCounted(t *testing.T) {
	for _, args := range [][]string{
		{"--bugs", "no-en-passant"},
		{"--bugs", "no-en-passant", "--quirks", "totals-only"},
		{"--bugs", "no-promotion-to-knight", "--quirks", "totals-only"},
		{"--quirks", "fen-en-passant"},
	} {
		program := &counting{Program: open(t, engine.Config{}, args...)}
		for _, fen := range []string{kiwipete, "4k3/P7/8/8/2Pp4/8/8/4K3 b - c3 0 1"} {
			for _, limit := range []int{1, 2, 3, 5, 8, 13, 60} {
				program.questions = 0
				report, err := compare.New(program, compare.Options{Depth: 3, Questions: limit}).Compare(t.Context(),
					engine.Path{Root: fianchetto.MustParseFEN(fen)})
				if err != nil || report.Questions != program.questions || program.questions > limit {
					t.Errorf("%q, limit %d: %d questions asked, %d reported, error %v", args, limit, program.questions,
						report.Questions, err)
				}
			}
		}
	}
}
