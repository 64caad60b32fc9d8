package fianchetto_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/agreement"
	"github.com/fianchetto-chess/fianchetto/internal/oracle"
	"github.com/fianchetto-chess/fianchetto/internal/positions"
	"github.com/fianchetto-chess/fianchetto/internal/suites"
)

func TestUnreachable(t *testing.T) {
	for _, test := range []struct {
		why, fen string
		want     []fianchetto.Problem
	}{
		{"the start", fianchetto.StartFEN, nil},
		{"bare kings", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", nil},
		{"seventeen pieces", "4k3/8/8/8/8/P7/PPPPPPPP/RNBQKBNR w - - 0 1",
			[]fianchetto.Problem{fianchetto.ErrTooManyPieces, fianchetto.ErrTooManyPawns}},
		{"nine pawns", "4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1", []fianchetto.Problem{fianchetto.ErrTooManyPawns}},
		{"nine queens, no pawn", "4k3/8/8/8/8/8/QQQQ4/QQQQK3 w - - 0 1", nil},
		{"ten queens", "5k2/8/8/8/8/Q7/QQQQ4/QQQQK1Q1 b - - 0 1", []fianchetto.Problem{fianchetto.ErrTooManyPromoted}},
		{"two queens and eight pawns", "4k3/8/8/8/8/8/PPPPPPPP/QQ2K3 w - - 0 1",
			[]fianchetto.Problem{fianchetto.ErrTooManyPromoted}},
		{"two queens and seven pawns", "4k3/8/8/8/8/8/PPPPPPP1/QQ2K3 w - - 0 1", nil},
		{"two light bishops and eight pawns", "4k3/8/8/8/8/8/PPPPPPPP/1B1BK3 w - - 0 1",
			[]fianchetto.Problem{fianchetto.ErrTooManyPromoted}},
		{"two bishops and eight pawns", "4k3/8/8/8/8/8/PPPPPPPP/2B1KB2 w - - 0 1", nil},

		{"doubled pawns, nothing captured", "rnbqkbnr/pppppppp/8/8/8/P7/P1PPPPPP/RNBQKBNR w KQkq - 0 1",
			[]fianchetto.Problem{fianchetto.ErrPawnStructure}},
		{"doubled pawns, a knight captured", "r1bqkbnr/pppppppp/8/8/8/P7/P1PPPPPP/RNBQKBNR w KQkq - 0 1", nil},
		{"all pawns on two files", "4k3/8/8/8/PP6/PP6/PP6/4K3 w - - 0 1",
			[]fianchetto.Problem{fianchetto.ErrPawnStructure}},
		{"six pawns on one file, fifteen pieces gone", "4k3/P7/P7/P7/P7/P7/8/4K3 w - - 0 1", nil},
		{"a black pawn too many on the second file", "4k3/pp6/1p6/8/8/8/PPPPPPPP/RNBQKBNR b - - 0 1",
			[]fianchetto.Problem{fianchetto.ErrPawnStructure}},

		{"check by a pawn that has not moved", "8/8/8/8/8/3k4/4P3/K7 b - - 0 1",
			[]fianchetto.Problem{fianchetto.ErrImpossibleCheck}},
		{"check by a pawn that has moved", "8/8/8/8/3k4/4P3/8/K7 b - - 0 1", nil},
		{"check by two knights", "8/8/8/4k3/8/3N1N2/8/K7 b - - 0 1",
			[]fianchetto.Problem{fianchetto.ErrImpossibleCheck}},
		{"check by a knight and a rook", "8/8/8/4k3/2N5/8/8/K3R3 b - - 0 1", nil},
		{"check by a knight that cannot have discovered the rook", "8/8/8/4k3/8/3N4/8/K3R3 b - - 0 1",
			[]fianchetto.Problem{fianchetto.ErrImpossibleCheck}},
		{"check by three pieces", "4r2k/8/8/b7/8/5n2/8/4K3 w - - 0 1",
			[]fianchetto.Problem{fianchetto.ErrImpossibleCheck}},
		{"check from both ends of a file", "4R3/8/8/4k3/8/8/8/K3R3 b - - 0 1",
			[]fianchetto.Problem{fianchetto.ErrImpossibleCheck}},
		{"check by the pawn of a double push", "8/8/8/3k4/4P3/8/8/K7 b - e3 0 1", nil},
		{"check that a double push discovered", "8/8/k7/8/4P3/8/8/K4B2 b - e3 0 1", nil},
		{"check through the origin of a double push", "8/8/8/8/4P3/8/R5k1/K7 b - e3 0 1", nil},
		{"check beside the origin of a double push", "8/8/8/8/4P1k1/8/6R1/K7 b - e3 0 1",
			[]fianchetto.Problem{fianchetto.ErrImpossibleCheck}},

		{"check that stood before a double push", "7k/8/8/b2pP3/8/8/8/4K3 w - d6 0 2",
			[]fianchetto.Problem{fianchetto.ErrImpossibleCheck}},
		{"double push that closed a line to the king", "b6k/8/8/3pP3/8/5K2/8/8 w - d6 0 2",
			[]fianchetto.Problem{fianchetto.ErrNoLastMove}},
		{"check by a rook that has castled", "8/8/8/8/8/5k2/8/5RK1 b - - 0 1", nil},
		{"check by a rook that has the right to castle", "8/8/8/8/8/7k/8/4K2R b K - 0 1",
			[]fianchetto.Problem{fianchetto.ErrImpossibleCheck}},
		{"check by a promoted knight", "6N1/8/5k2/8/8/8/8/K7 b - - 0 1", nil},
		{"a king and a pawn that cannot have moved", "8/8/8/8/8/1p6/kp6/2K5 w - - 0 1", nil},

		{"more plies without a capture than plies", "4k3/8/8/8/8/8/8/R3K3 b - - 4 2",
			[]fianchetto.Problem{fianchetto.ErrClockMismatch}},
		{"as many plies without a capture as plies", "4k3/8/8/8/8/8/8/R3K3 b - - 3 2", nil},
		{"the clock runs after a double push", "4k3/8/8/8/4P3/8/8/4K3 b - e3 1 9",
			[]fianchetto.Problem{fianchetto.ErrClockMismatch}},
		{"clocks at their end", "4k3/8/8/8/8/8/8/R3K3 b - - 65535 65535", nil},
	} {
		p, err := fianchetto.ParseFEN(test.fen)
		if err != nil {
			t.Error(err)
			continue
		}
		got := p.Unreachable()
		match := len(got) == len(test.want)
		for i := range min(len(got), len(test.want)) {
			match = match && errors.Is(got[i], test.want[i])
		}
		if !match {
			t.Errorf("%s: %q is unreachable for\n %v, want\n %v", test.why, test.fen, got, test.want)
		}
	}
}

// TestUnreachableByPublishedExamples has the suite of positions that no game reaches.
func TestUnreachableByPublishedExamples(t *testing.T) {
	for _, fen := range suites.FENs("unreachable") {
		if p := fianchetto.MustParseFEN(fen); len(p.Unreachable()) == 0 {
			t.Errorf("%q may be reached", fen)
		}
	}
	for _, name := range []string{"traps", "traps960", "random", "random960"} {
		for _, fen := range suites.FENs(name) {
			if p := fianchetto.MustParseFEN(fen); p.Unreachable() != nil {
				t.Errorf("%s: %q: %v", name, fen, p.Unreachable())
			}
		}
	}
}

// TestLastMovesAreTheOraclesOwn walks back by brute force: the piece on each square, or the pawn that it was, may come
// from each other square and have captured anything.
func TestLastMovesAreTheOraclesOwn(t *testing.T) {
	random, without := rand.New(rand.NewPCG(26, 1)), 0
	for range 300 + agreement.Breadth(3000) {
		p := fianchetto.MustParseFEN(positions.Random(random))
		var reason error
		for _, r := range p.Unreachable() {
			if errors.Is(r, fianchetto.ErrImpossibleCheck) || errors.Is(r, fianchetto.ErrNoLastMove) {
				reason = r
			}
		}
		if reason != nil {
			without++
		}
		b := must(oracle.Parse(p.FEN()))(t)
		if has := b.HasLastMove(); has == (reason != nil) {
			t.Fatalf("%s: reason %v; the oracle finds a last move: %t", p.FEN(), reason, has)
		}
	}
	if without == 0 {
		t.Error("each position had a last move")
	}
}

// TestReachedPositionsAreNotUnreachable plays at random from starting arrays: whatever comes is reachable.
func TestReachedPositionsAreNotUnreachable(t *testing.T) {
	const plies = 200
	starts := []string{
		fianchetto.StartFEN,
		"bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1",
		"rkrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFca - 0 1",
	}
	positions, doubleChecks := 0, 0
	for game := range 20 + agreement.Breadth(130) {
		random := rand.New(rand.NewPCG(4, uint64(game)))
		p := fianchetto.MustParseFEN(starts[game%len(starts)])
		for range plies {
			if reasons := p.Unreachable(); reasons != nil {
				t.Fatalf("%v has been reached, and is unreachable for %v", p, reasons)
			}
			positions++
			if p.Checkers().Len() == 2 {
				doubleChecks++
			}
			moves := p.AppendLegal(nil)
			if len(moves) == 0 {
				break
			}
			p = p.After(preferred(random, &p, moves))
		}
	}
	if doubleChecks == 0 && !testing.Short() {
		t.Error("no double check was reached")
	}
	t.Logf("%d positions, %d double checks", positions, doubleChecks)
}

// preferred picks a move at random, and one that gives check, moves a pawn, or takes more often.
func preferred(random *rand.Rand, p *fianchetto.Position, moves []fianchetto.Move) fianchetto.Move {
	m := moves[random.IntN(len(moves))]
	for range 2 {
		if p.GivesCheck(m) || m.Piece() == fianchetto.Pawn || p.PieceAt(m.To()) != fianchetto.NoPiece {
			break
		}
		m = moves[random.IntN(len(moves))]
	}
	return m
}
