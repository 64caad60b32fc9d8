package compare_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/compare"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/engine"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/mutant"
)

// plantedBug is a bug, a position in which it shows, at most depth plies away, and how it must be named.
type plantedBug struct {
	bug   string
	fen   string
	depth int
	kind  compare.Kind
	rule  fianchetto.Rule
}

// mutants has each bug.
var mutants = []plantedBug{
	{"no-en-passant", "4k3/3p4/8/2P1P3/8/8/8/4K3 b - - 0 1", 3, compare.Missing, "en passant"},
	{"en-passant-ignores-rank-pin", "8/3p4/8/K3P2r/8/8/8/7k b - - 0 1", 3, compare.Extra, "en passant"},
	{"en-passant-ignores-shielding-victim", "b6k/8/8/3pP3/8/5K2/8/8 w - d6 0 2", 2, compare.Extra, "en passant"},
	{"en-passant-by-pinned-pawn", "7k/3p2b1/8/4P3/8/2K5/8/8 b - - 0 2", 3, compare.Extra, "pin"},
	{"en-passant-kept-too-long", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", 3, compare.Extra, "en passant"},
	{"en-passant-of-any-pawn", "4k3/8/3p4/4P3/8/8/8/4K3 b - - 0 2", 2, compare.Extra, "en passant"},
	{"en-passant-by-one-pawn-only", "4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 2", 2, compare.Missing, "en passant"},
	{"en-passant-never-meets-check", "7k/8/8/3pP3/4K3/8/8/8 w - d6 0 2", 2, compare.Missing, "en passant"},
	{"en-passant-refused-on-king-rank", "8/8/8/K1PpP2r/8/8/8/7k w - d6 0 2", 2, compare.Missing, "en passant"},
	{"en-passant-leaves-the-victim", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", 3, compare.Extra, "no piece"},
	{"double-push-jumps", "4k3/8/8/8/8/n7/P7/4K3 b - - 0 1", 3, compare.Extra, "double push"},
	{"double-push-captures", "4k3/8/8/8/n7/8/P7/4K3 w - - 0 1", 2, compare.Extra, "double push"},
	{"double-push-from-third-rank", "4k3/8/8/8/8/8/P7/4K3 w - - 0 1", 3, compare.Extra, "double push"},
	{"no-double-push", "4k3/8/8/8/8/8/P7/4K3 w - - 0 1", 1, compare.Missing, "double push"},
	{"pawn-captures-ahead", "4k3/8/p7/8/P7/8/8/4K3 w - - 0 1", 3, compare.Extra, "pawn push"},
	{"pawn-captures-own", "4k3/8/8/8/8/1P6/P7/4K3 w - - 0 1", 2, compare.Extra, "own piece"},
	{"pawn-captures-nothing", "4k3/8/8/8/8/8/P7/4K3 w - - 0 1", 2, compare.Extra, "pawn capture"},
	{"pawn-wraps", "4k3/8/8/7p/P7/8/8/4K3 w - - 0 1", 3, compare.Extra, "movement"},
	{"pawn-moves-back", "4k3/8/8/8/8/P7/8/4K3 w - - 0 1", 2, compare.Extra, "movement"},
	{"promotion-to-queen-only", "4k3/8/P7/8/8/8/8/4K3 w - - 0 1", 3, compare.Missing, "promotion"},
	{"no-promotion-to-knight", "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", 2, compare.Missing, "promotion"},
	{"no-promotion-by-capture", "1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", 2, compare.Missing, "promotion"},
	{"promotion-optional", "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", 2, compare.Extra, "promotion"},
	{"promotion-to-king", "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", 2, compare.Extra, "promotion"},
	{"promotion-on-seventh-rank", "4k3/8/P7/8/8/8/8/4K3 w - - 0 1", 2, compare.Extra, "promotion"},
	{"promotion-capture-keeps-right", "r3k3/1P6/8/8/8/8/8/4K3 w q - 0 1", 3, compare.Extra, "castling right"},
	{"promotion-by-capture-to-queen-only", "1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", 2, compare.Missing, "promotion"},
	{"en-passant-kept-over-check", "4k3/8/8/3pP3/8/8/8/R3K3 w - d6 0 2", 3, compare.Extra, "en passant"},
	{"en-passant-square-wrong-for-black", "4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1", 2, compare.Missing, "en passant"},
	{"en-passant-not-from-the-a-file", "4k3/1p6/8/P7/8/8/8/4K3 b - - 0 1", 2, compare.Missing, "en passant"},
	{"en-passant-never-by-black", "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", 2, compare.Missing, "en passant"},
	{"no-double-push-on-the-h-file", "4k3/8/8/8/8/8/P6P/4K3 w - - 0 1", 1, compare.Missing, "double push"},
	{"pinned-pawn-pushes", "7k/8/8/8/7b/8/5P2/4K3 w - - 0 1", 1, compare.Extra, "pin"},
	{"pinned-pawn-never-captures", "7k/8/8/8/8/6b1/5P2/4K3 w - - 0 1", 1, compare.Missing, "pin"},
	{"pinned-queen-never-moves", "4r2k/8/8/8/8/4Q3/8/4K3 w - - 0 1", 1, compare.Missing, "pin"},
	{"checking-knight-not-captured", "7k/8/8/8/8/5n2/6P1/4K3 w - - 0 1", 1, compare.Missing, "check"},
	{"castling-through-check-by-black", "4k2r/8/8/8/8/B7/8/4K3 b k - 0 1", 1, compare.Extra, "castling through check"},

	{"no-queenside-castling", castlesBoth, 2, compare.Missing, "castling"},
	{"castling-through-check", "4k3/8/b7/8/8/8/8/4K2R w K - 0 1", 2, compare.Extra, "castling through check"},
	{"castling-out-of-check", "r3k3/1q6/8/8/8/8/3P1P2/R3K2R b KQ - 0 1", 2, compare.Extra, "castling out of check"},
	{"castling-into-check", "6r1/1k6/8/8/8/8/3PPP2/R3K2R w KQ - 0 1", 2, compare.Extra, "castling into check"},
	{"castling-ignores-pawns-attacks", "8/1k6/8/8/8/8/3PP1p1/R3K2R w KQ - 0 1", 2, compare.Extra,
		"castling through check"},
	{"castling-refused-if-rook-passes-attack", "1r5k/8/8/8/8/8/3PPP2/R3K3 w Q - 0 1", 2, compare.Missing, "castling"},
	{"castling-refused-if-rook-attacked", "r6k/8/8/8/8/8/3PPP2/R3K3 w Q - 0 1", 2, compare.Missing, "castling"},
	{"castling-over-piece-beside-rook", "7k/8/8/8/8/8/3PPP2/RN2K3 w Q - 0 1", 2, compare.Extra, "castling path"},
	{"castling-without-right", "4k3/8/8/8/8/8/8/R3K2R w Q - 0 1", 2, compare.Extra, "castling right"},
	{"castling-leaves-the-rook", "7k/8/8/8/8/8/3PPP2/R3K3 w Q - 0 1", 3, compare.Missing, "movement"},
	{"right-kept-after-rook-moved", "4k3/7p/8/8/8/8/8/R3K3 w Q - 0 1", 3, compare.Extra, "castling right"},
	{"rights-kept-after-king-moved", "7k/7p/8/8/8/8/3PPP2/R3K3 w Q - 0 1", 5, compare.Extra, "castling right"},
	{"right-kept-after-rook-captured", "r3k2r/8/8/8/8/8/5n2/R3K2R b KQkq - 0 1", 3, compare.Extra, "castling right"},
	{"rights-lost-by-any-rook", castlesBoth, 3, compare.Missing, "castling"},

	{"pinned-piece-moves-freely", "4r2k/8/8/8/8/4R3/8/4K3 w - - 0 1", 2, compare.Extra, "pin"},
	{"pinned-knight-moves", "4r2k/8/8/8/8/8/8/4K1N1 w - - 0 1", 3, compare.Extra, "pin"},
	{"pinned-piece-never-moves", "4r2k/8/8/8/8/4R3/8/4K3 w - - 0 1", 2, compare.Missing, "pin"},
	{"diagonal-pins-ignored", "7k/8/7b/8/8/4B3/8/2K5 w - - 0 1", 2, compare.Extra, "pin"},
	{"double-check-met-by-capture", "4r2k/8/8/8/8/5n2/6P1/4K3 w - - 0 1", 2, compare.Extra, "double check"},
	{"double-check-met-by-interposing", "4r2k/8/8/4n3/8/8/6R1/4K3 b - - 0 1", 2, compare.Extra, "double check"},
	{"check-ignored-by-knights", "4r2k/8/8/8/8/8/8/N3K3 w - - 0 1", 2, compare.Extra, "check"},
	{"no-interposition", "4r2k/8/8/8/8/8/R7/4K3 w - - 0 1", 2, compare.Missing, "check"},
	{"no-capture-of-checker", "4r2k/8/8/8/B7/8/8/4K3 w - - 0 1", 2, compare.Missing, "check"},
	{"king-beside-king", "8/8/3k4/8/8/3K4/8/8 w - - 0 1", 3, compare.Extra, "king safety"},
	{"king-slides-along-ray", "4r2k/8/8/8/4K3/8/8/8 w - - 0 1", 2, compare.Extra, "king safety"},
	{"king-takes-guarded", "4k3/8/8/8/8/2b5/3q4/4K3 w - - 0 1", 2, compare.Extra, "king safety"},
	{"king-never-captures", "4k3/8/8/8/8/8/3q4/4K3 w - - 0 1", 2, compare.Missing, "check"},
	{"king-ignores-pawns", "4k3/8/8/8/3p4/8/8/4K3 w - - 0 1", 3, compare.Extra, "king safety"},
	{"king-ignores-knights", "4k3/8/8/8/3n4/8/8/4K3 w - - 0 1", 2, compare.Extra, "king safety"},
	{"knight-wraps", "4k3/8/8/8/7N/8/8/4K3 w - - 0 1", 2, compare.Extra, "movement"},
	{"king-wraps", "4k3/8/8/8/7K/8/8/8 w - - 0 1", 2, compare.Extra, "movement"},
	{"bishop-jumps", "4k3/8/8/8/8/8/1P6/B3K3 w - - 0 1", 2, compare.Extra, "blocked path"},
	{"rook-never-captures", "4k3/p7/8/8/8/8/8/R3K3 w - - 0 1", 2, compare.Missing, "movement"},
	{"queen-without-diagonals", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 3, compare.Missing,
		"movement"},
	{"knight-captures-own", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 2, compare.Extra, "own piece"},
	{"queen-moves-twice", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 3, compare.Extra, compare.Twice},
	{"castles-twice", castlesOpen, 2, compare.Extra, compare.Twice},
	{"moves-enemy-knights", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 2, compare.Extra,
		"side to move"},

	{"960-king-target-may-be-taken", "7k/8/8/8/8/8/2PPP3/2NRK3 w D - 0 1", 2, compare.Extra, "castling path"},
	{"960-rook-path-ignored", "7k/8/8/8/8/8/PPPPPPPP/RNK5 w A - 0 1", 2, compare.Extra, "castling path"},
	{"960-castling-rook-blocks", "7k/8/8/8/8/8/PPPPPPPP/1R2K3 w B - 0 1", 2, compare.Missing, "castling"},
	{"960-no-castling-if-king-stays", "k7/8/8/8/8/8/5PPP/6KR w H - 0 1", 2, compare.Missing, "castling"},
	{"960-no-castling-if-rook-stays", "7k/8/8/8/8/8/4PPPP/4KR2 w F - 0 1", 2, compare.Missing, "castling"},
	{"960-castling-rook-shields", "7k/8/8/8/8/8/PPPP4/qRK5 w B - 0 1", 2, compare.Extra, "castling into check"},
	{"960-outer-rook-castles", "4k3/8/8/8/8/8/8/4KR1R w F - 0 1", 2, compare.Missing, "castling"},
	{"960-attacks-on-standard-path-only", "3r3k/8/8/8/8/8/PPP1PPPP/1K5R w H - 0 1", 2, compare.Extra,
		"castling through check"},
	{"960-pieces-on-standard-path-only", "k7/8/8/8/8/8/PPPPPPPP/1K1N3R w H - 0 1", 2, compare.Extra, "castling path"},
	{"960-right-lost-from-corners-only", "k7/7p/8/8/8/8/8/2R1K3 w C - 0 1", 3, compare.Extra, "castling right"},
	{"960-right-captured-in-corners-only", "4k3/8/8/8/8/8/7n/3K1R2 b F - 0 1", 3, compare.Extra, "castling right"},
	{"960-king-castles-two-squares", "k7/8/8/8/8/8/PPPPPPPP/2K4R w H - 0 1", 3, compare.Missing, "movement"},
	{"960-no-castling-if-king-and-rook-swap", "7k/8/8/8/8/8/4PPPP/5KR1 w G - 0 1", 2, compare.Missing, "castling"},
	{"960-loses-the-other-right", "k7/7p/8/8/8/8/8/1R3K1R w HB - 0 1", 3, compare.Missing, "castling"},
	{"960-castles-in-check-if-king-stays", "6rk/8/8/8/8/8/5P1P/6KR w H - 0 1", 2, compare.Extra,
		"castling out of check"},
}

// planted is a program in this process: a generator with a mistake.
type planted struct {
	bug        string
	totalsOnly bool
}

func (p planted) Divide(_ context.Context, path engine.Path, depth int) (answer engine.Answer, err error) {
	board := mutant.NewBoard(path.Root, p.bug)
	for _, m := range path.Moves {
		legal := board.LegalMoves()
		if i := slices.IndexFunc(legal, func(other mutant.Move) bool { return is(other, m) }); i >= 0 {
			board = board.Apply(legal[i])
		}
	}
	for _, m := range board.LegalMoves() {
		nodes := board.Apply(m).Perft(depth - 1)
		answer.Total += nodes
		if !p.totalsOnly {
			answer.Moves = append(answer.Moves,
				engine.MoveNodes{Move: board.UCI(m, path.Root.IsChess960()), Nodes: nodes})
		}
	}
	answer.HasTotal = true
	return answer, nil
}

func (p planted) Description() string { return p.bug }

func (p planted) StartsAnew() bool { return false }

func (p planted) Close() {}

// diagnose compares a program at the position of a planted bug, and finds out what the differences have in common.
func (m *plantedBug) diagnose(t *testing.T, program engine.Program) ([]compare.Difference, []compare.Finding) {
	t.Helper()
	comparer := compare.New(program, compare.Options{Depth: m.depth, Threads: 1})
	report, err := comparer.Compare(t.Context(), at(m.fen))
	if err != nil || len(report.Differences) == 0 {
		t.Fatalf("%s: error %v, %d differences", m.bug, err, len(report.Differences))
	}
	findings, err := comparer.Diagnose(t.Context(), report.Differences)
	if err != nil {
		t.Fatal(err)
	}
	return report.Differences, findings
}

func TestEveryMutantIsFound(t *testing.T) {
	t.Parallel()
	for _, bug := range mutant.Bugs() {
		if !slices.ContainsFunc(mutants, func(m plantedBug) bool { return m.bug == bug }) {
			t.Errorf("%s is not tried", bug)
		}
	}
	for _, test := range mutants {
		first := differences(t, planted{bug: test.bug}, test.fen, test.depth)[0]
		if first.Kind != test.kind || first.Verdict.Rule != test.rule {
			t.Errorf("%s: %s: %s; want %s, %s", test.bug, first.Headline(), first.Rule(), test.kind, test.rule)
		}
		nearest := nearestDifferences(fianchetto.MustParseFEN(test.fen), test.depth, test.bug)
		if !slices.Contains(nearest, first.Subject()+" after "+first.Path.UCI()) {
			t.Errorf("%s: %s: %s; the nearest differences are %q", test.bug, first.Headline(), first.Rule(), nearest)
		}
	}
}

var update = flag.Bool("update", false, "write testdata/findings.txt anew")

// TestFindings diagnoses each bug, and compares the sentences and the smallest positions with the ones in testdata,
// each of which a person has judged. Those of programs that print totals only follow.
func TestFindings(t *testing.T) {
	t.Parallel()
	const file = "testdata/findings.txt"
	var text strings.Builder
	for _, totalsOnly := range []bool{false, true} {
		for i, test := range mutants {
			if totalsOnly && i%5 != 0 {
				continue
			}
			_, findings := test.diagnose(t, planted{test.bug, totalsOnly})
			fmt.Fprintf(&text, "%s%s\n", test.bug, map[bool]string{true: ", totals only"}[totalsOnly])
			for _, f := range findings {
				fmt.Fprintf(&text, "\t%s\n", f.Sentence)
				for _, suspect := range f.Suspects {
					fmt.Fprintf(&text, "\t\t%s\n", suspect)
				}
				if !totalsOnly {
					small := f.Smallest
					fmt.Fprintf(&text, "\t%s\n", strings.TrimSpace(small.Headline()+" "+small.Short.UCI()))
				}
			}
		}
	}
	if *update {
		if err := os.WriteFile(file, []byte(text.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	golden, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Split(string(golden), "\n")
	for i, line := range strings.Split(text.String(), "\n") {
		if i >= len(want) || line != want[i] {
			t.Fatalf("line %d: %s\nwant %s", i+1, line, want[min(i, len(want)-1)])
		}
	}
}

// script is a program that starts anew for each question.
type script struct{ planted }

func (script) StartsAnew() bool { return true }

// TestScriptsAreAskedLittle asks once where a script is right, and otherwise a few times.
func TestScriptsAreAskedLittle(t *testing.T) {
	comparer := compare.New(script{planted{bug: "promotion-to-queen-only"}}, compare.Options{Depth: 2, Threads: 1})
	for fen, want := range map[string]int{castlesBoth: 1, "4k3/7P/8/8/8/8/p7/4K2R w - - 0 1": compare.ScriptQuestions} {
		report, err := comparer.Compare(t.Context(), at(fen))
		if isRight := want == 1; err != nil || report.Questions != want || isRight != (len(report.Differences) == 0) ||
			isRight == report.Exhausted {
			t.Errorf("%s: %d questions, want %d; %d differences, used up: %v, error %v", fen, report.Questions, want,
				len(report.Differences), report.Exhausted, err)
		}
	}
}

// TestDiagnosisEnds has no time for answers, and a program that is interrupted.
func TestDiagnosisEnds(t *testing.T) {
	program := planted{bug: "no-en-passant"}
	found := differences(t, program, mutants[0].fen, 2)
	comparer := compare.New(program, compare.Options{Depth: 1, Patience: 1})
	if findings, err := comparer.Diagnose(t.Context(), found); err != nil || len(findings) > 0 {
		t.Errorf("without time: %d findings, error %v", len(findings), err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := comparer.Diagnose(ctx, found); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: error %v", err)
	}
}

// nearestDifferences lists what the mutant has wrong in the positions nearest to the root, by comparing its lists of
// moves in all positions, ply by ply.
func nearestDifferences(root fianchetto.Position, depth int, bugs ...string) []string {
	type node struct {
		path  engine.Path
		board mutant.Board
	}
	level := []node{{engine.Path{Root: root}, mutant.NewBoard(root, bugs...)}}
	for range depth {
		var next []node
		var found []string
		for _, n := range level {
			pos := n.path.Position()
			theirs := n.board.LegalMoves()
			for m := range pos.LegalMoves() {
				i := slices.IndexFunc(theirs, func(other mutant.Move) bool { return is(other, m) })
				if i < 0 {
					found = append(found, "missing "+pos.UCI(m)+" after "+n.path.UCI())
					continue
				}
				next = append(next, node{n.path.Then(m), n.board.Apply(theirs[i])})
				theirs = slices.Delete(theirs, i, i+1)
			}
			for _, m := range theirs {
				found = append(found, "extra "+n.board.UCI(m, pos.IsChess960())+" after "+n.path.UCI())
			}
		}
		if len(found) > 0 {
			return found
		}
		level = next
	}
	return nil
}

func is(theirs mutant.Move, ours fianchetto.Move) bool {
	return theirs.From == ours.From() && theirs.To == ours.To() && theirs.Promotion == ours.Promotion()
}
