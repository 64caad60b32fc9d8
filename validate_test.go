package fianchetto_test

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/agreement"
	"github.com/fianchetto-chess/fianchetto/internal/suites"
)

// TestEnPassantSquares tries each square as the en-passant square of positions with pawns that may just have
// made a double push.
func TestEnPassantSquares(t *testing.T) {
	for placement, want := range map[string]string{
		"4k3/8/8/p2pP2p/P3P2P/8/8/4K3 w":   "a6 d6 h6",
		"4k3/8/8/p2pP2p/P3P2P/8/8/4K3 b":   "a3 e3 h3",
		"4k3/p7/8/p2pP2p/P3P2P/7N/8/4K3 w": "d6 h6", // no origin for a6
		"4k3/p7/8/p2pP2p/P3P2P/7N/8/4K3 b": "a3 e3", // h3 is taken
		"4k3/8/8/3n4/3b4/8/8/4K3 w":        "",      // no pawns
		"4k3/8/8/3P4/3p4/8/8/4K3 w":        "",      // pawns of the wrong side
		"4k3/8/8/8/8/3p4/3P4/4K3 b":        "",      // a pawn that has not moved
		"4k3/8/8/ppp5/8/8/8/4K3 w":         "a6 b6 c6",
	} {
		var got []string
		for s := bitboard.A1; s <= bitboard.H8; s++ {
			p, err := fianchetto.ParseFEN(placement + " - " + s.String() + " 0 9")
			switch {
			case err == nil && p.EnPassant() == s:
				got = append(got, s.String())
			case !errors.Is(err, fianchetto.ErrEnPassant):
				t.Errorf("%q with %v: en passant %v, %v", placement, s, p.EnPassant(), err)
			}
		}
		if squares := strings.Join(got, " "); squares != want {
			t.Errorf("%q has the en-passant squares %q, want %q", placement, squares, want)
		}
	}
}

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
		{"ten queens", "5k2/8/8/8/8/Q7/QQQQ4/QQQQKQ2 b - - 0 1", []fianchetto.Problem{fianchetto.ErrTooManyPromoted}},
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
		{"check by a knight and a rook", "8/8/8/4k3/8/3N4/8/K3R3 b - - 0 1", nil},
		{"check by three pieces", "4r2k/8/8/b7/8/5n2/8/4K3 w - - 0 1",
			[]fianchetto.Problem{fianchetto.ErrImpossibleCheck}},
		{"check from both ends of a file", "4R3/8/8/4k3/8/8/8/K3R3 b - - 0 1",
			[]fianchetto.Problem{fianchetto.ErrImpossibleCheck}},
		{"check by the pawn of a double push", "8/8/8/3k4/4P3/8/8/K7 b - e3 0 1", nil},
		{"check that a double push discovered", "8/8/k7/8/4P3/8/8/K4B2 b - e3 0 1", nil},
		{"check through the origin of a double push", "8/8/8/8/4P3/8/R5k1/K7 b - e3 0 1", nil},
		{"check beside the origin of a double push", "8/8/8/8/4P1k1/8/6R1/K7 b - e3 0 1",
			[]fianchetto.Problem{fianchetto.ErrImpossibleCheck}},

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
