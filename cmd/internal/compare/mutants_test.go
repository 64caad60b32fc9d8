package compare_test

import (
	"os"
	"slices"
	"testing"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/compare"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/engine"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/mutant"
	"github.com/fianchetto-chess/fianchetto/internal/rules"
)

// mutantRole as the first argument makes the test binary the program to be compared with.
const mutantRole = "play-mutant"

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == mutantRole {
		os.Exit(mutant.Run(os.Args[2:], os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// open starts a mutant that can be asked.
func open(t *testing.T, config engine.Config, args ...string) engine.Program {
	t.Helper()
	program, err := openMutant(t, config, args...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(program.Close)
	return program
}

// generous is how long an answer may take that comes at once unless the machine is busy.
const generous = 2 * time.Minute

// openMutant starts a mutant.
func openMutant(t *testing.T, config engine.Config, args ...string) (engine.Program, error) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	config.Path, config.Args = self, append([]string{mutantRole}, args...)
	if config.TimeLimit == 0 {
		config.TimeLimit = generous
	}
	if config.StartLimit == 0 {
		config.StartLimit = generous
	}
	return engine.Open(t.Context(), config)
}

const (
	castlesBoth = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1"
	castlesOpen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
	kiwipete    = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
)

// plantedBug is a bug, a position in which it shows, at most depth plies away, and how it must be named.
type plantedBug struct {
	bug   mutant.Bug
	fen   string
	depth int
	kind  compare.Kind
	rule  rules.Rule
}

// mutants has each bug.
var mutants = []plantedBug{
	{mutant.NoEnPassant, "4k3/3p4/8/2P1P3/8/8/8/4K3 b - - 0 1", 3, compare.Missing, rules.EnPassant},
	{mutant.EnPassantRankPin, "8/3p4/8/K3P2r/8/8/8/7k b - - 0 1", 3, compare.Extra, rules.EnPassant},
	{mutant.EnPassantVictimShield, "b6k/8/8/3pP3/8/5K2/8/8 w - d6 0 2", 2, compare.Extra, rules.EnPassant},
	{mutant.EnPassantPinned, "7k/3p2b1/8/4P3/8/2K5/8/8 b - - 0 2", 3, compare.Extra, rules.Pin},
	{mutant.EnPassantKept, "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", 3, compare.Extra, rules.EnPassant},
	{mutant.EnPassantAnyPawn, "4k3/8/3p4/4P3/8/8/8/4K3 b - - 0 2", 2, compare.Extra, rules.EnPassant},
	{mutant.EnPassantOneCapturer, "4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 2", 2, compare.Missing, rules.EnPassant},
	{mutant.EnPassantNoEvasion, "7k/8/8/3pP3/4K3/8/8/8 w - d6 0 2", 2, compare.Missing, rules.EnPassant},
	{mutant.EnPassantOverCautious, "8/8/8/K1PpP2r/8/8/8/7k w - d6 0 2", 2, compare.Missing, rules.EnPassant},
	{mutant.EnPassantLeavesVictim, "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", 3, compare.Extra, rules.NoPiece},
	{mutant.DoublePushJumps, "4k3/8/8/8/8/n7/P7/4K3 b - - 0 1", 3, compare.Extra, rules.DoublePush},
	{mutant.DoublePushCaptures, "4k3/8/8/8/n7/8/P7/4K3 w - - 0 1", 2, compare.Extra, rules.DoublePush},
	{mutant.DoublePushAnywhere, "4k3/8/8/8/8/8/P7/4K3 w - - 0 1", 3, compare.Extra, rules.DoublePush},
	{mutant.NoDoublePush, "4k3/8/8/8/8/8/P7/4K3 w - - 0 1", 1, compare.Missing, rules.DoublePush},
	{mutant.PushCaptures, "4k3/8/p7/8/P7/8/8/4K3 w - - 0 1", 3, compare.Extra, rules.PawnPush},
	{mutant.PawnCapturesOwn, "4k3/8/8/8/8/1P6/P7/4K3 w - - 0 1", 2, compare.Extra, rules.OwnPiece},
	{mutant.PawnCapturesNothing, "4k3/8/8/8/8/8/P7/4K3 w - - 0 1", 2, compare.Extra, rules.PawnCapture},
	{mutant.PawnWraps, "4k3/8/8/7p/P7/8/8/4K3 w - - 0 1", 3, compare.Extra, rules.Movement},
	{mutant.PawnBackwards, "4k3/8/8/8/8/P7/8/4K3 w - - 0 1", 2, compare.Extra, rules.Movement},
	{mutant.PromotionQueenOnly, "4k3/8/P7/8/8/8/8/4K3 w - - 0 1", 3, compare.Missing, rules.Promotion},
	{mutant.NoKnightPromotion, "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", 2, compare.Missing, rules.Promotion},
	{mutant.NoCapturePromotion, "1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", 2, compare.Missing, rules.Promotion},
	{mutant.PromotionOptional, "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", 2, compare.Extra, rules.Promotion},
	{mutant.PromotionToKing, "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", 2, compare.Extra, rules.Promotion},
	{mutant.PromotionEarly, "4k3/8/P7/8/8/8/8/4K3 w - - 0 1", 2, compare.Extra, rules.Promotion},
	{mutant.PromotionKeepsRookHome, "r3k3/1P6/8/8/8/8/8/4K3 w q - 0 1", 3, compare.Extra, rules.CastlingRight},

	{mutant.NoQueenside, castlesBoth, 2, compare.Missing, rules.Castling},
	{mutant.CastlingThroughCheck, "4k3/8/b7/8/8/8/8/4K2R w K - 0 1", 2, compare.Extra, rules.ThroughCheck},
	{mutant.CastlingOutOfCheck, "r3k3/1q6/8/8/8/8/3P1P2/R3K2R b KQ - 0 1", 2, compare.Extra, rules.OutOfCheck},
	{mutant.CastlingIntoCheck, "6r1/1k6/8/8/8/8/3PPP2/R3K2R w KQ - 0 1", 2, compare.Extra, rules.IntoCheck},
	{mutant.CastlingPawnBlind, "8/1k6/8/8/8/8/3PP1p1/R3K2R w KQ - 0 1", 2, compare.Extra, rules.ThroughCheck},
	{mutant.CastlingRookPathSafe, "1r5k/8/8/8/8/8/3PPP2/R3K3 w Q - 0 1", 2, compare.Missing, rules.Castling},
	{mutant.CastlingRookAttacked, "r6k/8/8/8/8/8/3PPP2/R3K3 w Q - 0 1", 2, compare.Missing, rules.Castling},
	{mutant.CastlingOverPiece, "7k/8/8/8/8/8/3PPP2/RN2K3 w Q - 0 1", 2, compare.Extra, rules.CastlingPath},
	{mutant.CastlingWithoutRight, "4k3/8/8/8/8/8/8/R3K2R w Q - 0 1", 2, compare.Extra, rules.CastlingRight},
	{mutant.CastlingRookStays, "7k/8/8/8/8/8/3PPP2/R3K3 w Q - 0 1", 3, compare.Missing, rules.Movement},
	{mutant.RightsAfterRookMoved, "4k3/7p/8/8/8/8/8/R3K3 w Q - 0 1", 3, compare.Extra, rules.CastlingRight},
	{mutant.RightsAfterKingMoved, "7k/7p/8/8/8/8/3PPP2/R3K3 w Q - 0 1", 5, compare.Extra, rules.CastlingRight},
	{mutant.RightsAfterRookCaptured, "r3k2r/8/8/8/8/8/5n2/R3K2R b KQkq - 0 1", 3, compare.Extra, rules.CastlingRight},
	{mutant.RightsLostByAnyRook, castlesBoth, 3, compare.Missing, rules.Castling},

	{mutant.PinnedMoves, "4r2k/8/8/8/8/4R3/8/4K3 w - - 0 1", 2, compare.Extra, rules.Pin},
	{mutant.PinnedKnightMoves, "4r2k/8/8/8/8/8/8/4K1N1 w - - 0 1", 3, compare.Extra, rules.Pin},
	{mutant.PinnedNeverMoves, "4r2k/8/8/8/8/4R3/8/4K3 w - - 0 1", 2, compare.Missing, rules.Pin},
	{mutant.DiagonalPinsIgnored, "7k/8/7b/8/8/4B3/8/2K5 w - - 0 1", 2, compare.Extra, rules.Pin},
	{mutant.DoubleCheckCapture, "4r2k/8/8/8/8/5n2/6P1/4K3 w - - 0 1", 2, compare.Extra, rules.DoubleCheck},
	{mutant.DoubleCheckBlocked, "4r2k/8/8/4n3/8/8/6R1/4K3 b - - 0 1", 2, compare.Extra, rules.DoubleCheck},
	{mutant.CheckIgnored, "4r2k/8/8/8/8/8/8/N3K3 w - - 0 1", 2, compare.Extra, rules.Check},
	{mutant.NoInterposition, "4r2k/8/8/8/8/8/R7/4K3 w - - 0 1", 2, compare.Missing, rules.Check},
	{mutant.NoCheckerCapture, "4r2k/8/8/8/B7/8/8/4K3 w - - 0 1", 2, compare.Missing, rules.Check},
	{mutant.KingBesideKing, "8/8/3k4/8/8/3K4/8/8 w - - 0 1", 3, compare.Extra, rules.KingSafety},
	{mutant.KingAlongRay, "4r2k/8/8/8/4K3/8/8/8 w - - 0 1", 2, compare.Extra, rules.KingSafety},
	{mutant.KingTakesGuarded, "4k3/8/8/8/8/2b5/3q4/4K3 w - - 0 1", 2, compare.Extra, rules.KingSafety},
	{mutant.KingNeverCaptures, "4k3/8/8/8/8/8/3q4/4K3 w - - 0 1", 2, compare.Missing, rules.Check},
	{mutant.KingIgnoresPawns, "4k3/8/8/8/3p4/8/8/4K3 w - - 0 1", 3, compare.Extra, rules.KingSafety},
	{mutant.KingIgnoresKnights, "4k3/8/8/8/3n4/8/8/4K3 w - - 0 1", 2, compare.Extra, rules.KingSafety},
	{mutant.KnightWraps, "4k3/8/8/8/7N/8/8/4K3 w - - 0 1", 2, compare.Extra, rules.Movement},
	{mutant.KingWraps, "4k3/8/8/8/7K/8/8/8 w - - 0 1", 2, compare.Extra, rules.Movement},
	{mutant.BishopJumps, "4k3/8/8/8/8/8/1P6/B3K3 w - - 0 1", 2, compare.Extra, rules.BlockedPath},
	{mutant.RookStopsShort, "4k3/p7/8/8/8/8/8/R3K3 w - - 0 1", 2, compare.Missing, rules.Movement},
	{mutant.QueenNoDiagonals, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 3, compare.Missing, rules.Movement},
	{mutant.CapturesOwn, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 2, compare.Extra, rules.OwnPiece},
	{mutant.MovesTwice, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 3, compare.Extra, compare.Twice},
	{mutant.CastlesTwice, castlesOpen, 2, compare.Extra, compare.Twice},
	{mutant.MovesEnemy, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 2, compare.Extra, rules.SideToMove},

	{mutant.KingTargetTaken, "7k/8/8/8/8/8/2PPP3/2NRK3 w D - 0 1", 2, compare.Extra, rules.CastlingPath},
	{mutant.RookPathIgnored, "7k/8/8/8/8/8/PPPPPPPP/RNK5 w A - 0 1", 2, compare.Extra, rules.CastlingPath},
	{mutant.OwnRookBlocks, "7k/8/8/8/8/8/PPPPPPPP/1R2K3 w B - 0 1", 2, compare.Missing, rules.Castling},
	{mutant.KingStaysRefused, "k7/8/8/8/8/8/5PPP/6KR w H - 0 1", 2, compare.Missing, rules.Castling},
	{mutant.RookStaysRefused, "7k/8/8/8/8/8/4PPPP/4KR2 w F - 0 1", 2, compare.Missing, rules.Castling},
	{mutant.ShieldingRook, "7k/8/8/8/8/8/PPPP4/qRK5 w B - 0 1", 2, compare.Extra, rules.IntoCheck},
	{mutant.OuterRook, "4k3/8/8/8/8/8/8/4KR1R w F - 0 1", 2, compare.Missing, rules.Castling},
	{mutant.StandardPathSafety, "3r3k/8/8/8/8/8/PPP1PPPP/1K5R w H - 0 1", 2, compare.Extra, rules.ThroughCheck},
	{mutant.StandardPathEmpty, "k7/8/8/8/8/8/PPPPPPPP/1K1N3R w H - 0 1", 2, compare.Extra, rules.CastlingPath},
	{mutant.CornerRights, "k7/7p/8/8/8/8/8/2R1K3 w C - 0 1", 3, compare.Extra, rules.CastlingRight},
	{mutant.CornerCaptureRights, "4k3/8/8/8/8/8/7n/3K1R2 b F - 0 1", 3, compare.Extra, rules.CastlingRight},
	{mutant.KingTwoSteps, "k7/8/8/8/8/8/PPPPPPPP/2K4R w H - 0 1", 3, compare.Missing, rules.Movement},
	{mutant.NoSwap, "7k/8/8/8/8/8/4PPPP/5KR1 w G - 0 1", 2, compare.Missing, rules.Castling},
	{mutant.StayInCheck, "6rk/8/8/8/8/8/5P1P/6KR w H - 0 1", 2, compare.Extra, rules.OutOfCheck},
}

func TestEveryMutantIsFound(t *testing.T) {
	for _, bug := range mutant.Bugs() {
		if !slices.ContainsFunc(mutants, func(m plantedBug) bool { return m.bug == bug }) {
			t.Errorf("%s is not tried", bug)
		}
	}
	for _, test := range mutants {
		t.Run(string(test.bug), func(t *testing.T) {
			program := open(t, engine.Config{}, "--bugs", string(test.bug))
			path := engine.Path{Root: fianchetto.MustParseFEN(test.fen)}
			report, err := compare.New(program, compare.Options{Depth: test.depth}).Compare(t.Context(), path)
			if err != nil || report.Exhausted {
				t.Fatalf("error %v, questions used up: %v", err, report.Exhausted)
			}
			if len(report.Differences) == 0 {
				t.Fatal("no difference")
			}
			first := report.Differences[0]
			t.Logf("%s in %s after %q: %s (%d questions, %d rules, short %q)", first.Subject(), path.Root.FEN(), first.Path.UCI(), first.Rule(), report.Questions, len(report.Differences), first.Short.UCI())
			if first.Kind != test.kind || first.Verdict.Rule != test.rule {
				t.Errorf("want %s, %s", test.kind, test.rule)
			}
			nearest := nearestDifferences(path.Root, test.depth, test.bug)
			if !slices.Contains(nearest, first.Subject()+" after "+first.Path.UCI()) {
				t.Errorf("the nearest differences are %q", nearest)
			}
		})
	}
}

// nearestDifferences lists what the mutant has wrong in the positions nearest to the root, by comparing its lists of
// moves in all positions, ply by ply.
func nearestDifferences(root fianchetto.Position, depth int, bugs ...mutant.Bug) []string {
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
			theirs := n.board.Moves()
			for m := range pos.LegalMoves() {
				i := slices.IndexFunc(theirs, func(other mutant.Move) bool { return is(other, rules.Propose(m)) })
				if i < 0 {
					found = append(found, "missing "+pos.UCI(m)+" after "+n.path.UCI())
					continue
				}
				next = append(next, node{n.path.Then(m), n.board.After(theirs[i])})
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

func is(theirs mutant.Move, ours rules.Proposal) bool {
	return theirs.From == ours.From && theirs.To == ours.To && theirs.Promotion == ours.Promotion
}
