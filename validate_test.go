package fianchetto_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/difftest"
	"github.com/fianchetto-chess/fianchetto/internal/oracle"
	"github.com/fianchetto-chess/fianchetto/internal/positions"
	"github.com/fianchetto-chess/fianchetto/internal/suites"
)

// The error of a refused move has the rule to switch on, the sentence, and the squares to mark.
func ExampleMoveError() {
	pos := fianchetto.MustParseFEN("4k3/8/8/8/7b/6N1/8/4K3 w - - 0 1")
	_, err := pos.ParseSAN("Nf5")
	var refusal *fianchetto.MoveError
	if errors.As(err, &refusal) && refusal.Reasons[0].Rule == "pin" {
		fmt.Println(refusal.Reasons[0].Reason)
		fmt.Println(pos.Diagram().With(refusal.Reasons[0].Squares, '*'))
	}
	// Output:
	// the knight on g3 is pinned to the king on e1 by the bishop on h4
	// . . . . k . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . *
	// . . . . . . * .
	// . . . . . . . .
	// . . . . * . . .
}

// TestUnreachable has the positions of testdata/unreachable.txt.
func TestUnreachable(t *testing.T) {
	for _, line := range fenLines(t, "unreachable.txt", 3) {
		pos := fianchetto.MustParseFEN(line[0])
		got, want := pos.Unreachable(), strings.Split(line[1], "; ")
		if line[1] == "-" {
			want = nil
		}
		if !slices.EqualFunc(got, want, func(err error, want string) bool { return strings.HasPrefix(err.Error(), want) }) {
			t.Errorf("%s: %s is unreachable for\n %v, want\n %v", line[2], line[0], got, want)
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
			p := fianchetto.MustParseFEN(fen)
			if p.Unreachable() != nil && !slices.Contains(suites.FENs("unreachable"), fen) {
				t.Errorf("%s: %q: %v", name, fen, p.Unreachable())
			}
		}
	}
}

// TestLastMovesAreLegal makes each move that is taken back in random positions: by the oracle it is
// legal and leads back.
func TestLastMovesAreLegal(t *testing.T) {
	random, without := rand.New(rand.NewPCG(26, 1)), 0
	for range 300 + difftest.Breadth(3000) {
		p, count := fianchetto.MustParseFEN(positions.Random(random)), 0
		for m, before := range p.LastMoves {
			count++
			slow, n := oracle.Move{From: m.From(), To: m.To(), Promotion: m.Promotion()}, difftest.MustRead(before.FEN())
			us, them := p.SideToMove(), p.SideToMove().Opponent()
			tooMany := before.ByColor(us).Len() > max(16, p.ByColor(us).Len()) ||
				before.Pieces(them, fianchetto.Pawn).Len() > max(8, p.Pieces(them, fianchetto.Pawn).Len())
			if n.Pos.WithChess960(true) != before.WithChess960(true) || tooMany || !slices.Contains(n.Legal, slow) ||
				!isSameBoard(n.Oracle.Apply(slow), &p) {
				t.Fatalf("%v in %v does not lead to %v", m, before, p)
			}
		}
		if count == 0 {
			without++
		}
	}
	if without == 0 {
		t.Error("each position had a last move")
	}
}

// isSameBoard compares a position of the oracle, clocks and an unnamed en-passant square aside.
func isSameBoard(reached oracle.Board, want *fianchetto.Position) bool {
	p := fianchetto.MustParseFEN(reached.ShredderFEN())
	if want.EnPassant() == fianchetto.NoSquare {
		p = p.WithoutEnPassant()
	}
	return slices.Equal(strings.Fields(p.FEN())[:4], strings.Fields(want.WithChess960(true).FEN())[:4])
}

// TestReachedPositionsAreNotUnreachable plays at random from starting arrays: whatever comes is
// reachable, by the move just played.
func TestReachedPositionsAreNotUnreachable(t *testing.T) {
	const plies = 200
	starts := []string{
		fianchetto.StartFEN,
		"bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1",
		"rkrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFca - 0 1",
	}
	positions, doubleChecks := 0, 0
	for game := range 20 + difftest.Breadth(130) {
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
			m, isLast := preferred(random, &p, moves), false
			p = p.After(m)
			for last := range p.LastMoves {
				isLast = isLast || last == m
			}
			if !isLast {
				t.Fatalf("%v was not the last move before %v", m, p)
			}
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

func ExamplePosition_Unreachable() {
	pos := fianchetto.MustParseFEN("4k3/8/8/8/8/QQ6/PPPPPPPP/RNB1KBNR w KQ - 0 1")
	for _, reason := range pos.Unreachable() {
		fmt.Println(reason)
	}
	fmt.Println(pos.CountLegal(), "legal moves all the same")
	// Output:
	// more than sixteen pieces on one side: white has 17
	// more promoted pieces than missing pawns: white has 1, and 8 pawns
	// 43 legal moves all the same
}
