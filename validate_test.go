package fianchetto_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
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

// TestLastMovesAreTheOraclesOwn compares with a walk back by brute force.
func TestLastMovesAreTheOraclesOwn(t *testing.T) {
	random, without := rand.New(rand.NewPCG(26, 1)), 0
	for range 300 + difftest.Breadth(3000) {
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
		if has := hasLastMove(&p); has == (reason != nil) {
			t.Fatalf("%s: reason %v; the oracle finds a last move: %t", p.FEN(), reason, has)
		}
	}
	if without == 0 {
		t.Error("each position had a last move")
	}
}

// hasLastMove reports whether some legal move leads to p, clocks aside. It takes back every move of
// every piece: the piece on a square, or the pawn that it was, came from an empty square and
// captured anything, or it castled. The oracle decides which of these moves are legal.
func hasLastMove(p *fianchetto.Position) bool {
	for to := range p.ByColor(p.SideToMove().Opponent()).Squares() {
		for from := range fianchetto.Square(64) {
			if canHaveCastled(p, from, to) || p.PieceAt(from) == fianchetto.NoPiece && canHaveMoved(p, from, to) {
				return true
			}
		}
	}
	return false
}

// canHaveMoved takes back moves from one square to another, which the piece attacks, or which is at
// most two away, as for a pawn. Before them, the side to move had at most sixteen pieces, and the
// other side at most eight pawns.
func canHaveMoved(p *fianchetto.Position, from, to fianchetto.Square) bool {
	us, pawn := p.SideToMove(), bitboard.PieceOf(p.SideToMove().Opponent(), fianchetto.Pawn)
	piece, beside := p.PieceAt(to), bitboard.SquareAt(to.File(), from.Rank())
	if bitboard.Distance(from, to) > 2 && !difftest.Attacks(piece, from, to, p.Occupancy()) {
		return false
	}
	for captured := fianchetto.NoPieceType; captured < fianchetto.King; captured++ {
		if captured != fianchetto.NoPieceType && p.ByColor(us).Len() >= 16 {
			return false
		}
		before := turnedBack(p)
		before.Put(from, piece)
		before.Put(to, bitboard.PieceOf(us, captured))
		if leadsTo(before, oracle.Move{From: from, To: to}, p) {
			return true
		}
		isLast := (bitboard.Rank1.Mask() | bitboard.Rank8.Mask()).Has(to)
		if isLast && p.Pieces(us.Opponent(), fianchetto.Pawn).Len() < 8 {
			before.Put(from, pawn)
			if leadsTo(before, oracle.Move{From: from, To: to, Promotion: piece.Type()}, p) {
				return true
			}
		}
		if captured == fianchetto.Pawn && piece == pawn && p.PieceAt(beside) == fianchetto.NoPiece {
			before.Put(from, pawn)
			before.Put(to, fianchetto.NoPiece)
			before.Put(beside, bitboard.PieceOf(us, captured))
			before.EnPassant = to
			if leadsTo(before, oracle.Move{From: from, To: to}, p) {
				return true
			}
		}
	}
	return false
}

// canHaveCastled takes back a castling of the king that is now on a square, with each rook.
func canHaveCastled(p *fianchetto.Position, from, to fianchetto.Square) bool {
	if p.PieceAt(to).Type() != fianchetto.King || from.Rank() != to.Rank() {
		return false
	}
	for rook := range fianchetto.Square(64) {
		if rook.Rank() != to.Rank() || rook == from {
			continue
		}
		m := fianchetto.NewMove(from, rook, fianchetto.Castling)
		kingTo, rookTo := m.CastlingTargets()
		king, tower := p.PieceAt(to), p.PieceAt(rookTo)
		if kingTo != to || tower != bitboard.PieceOf(king.Color(), fianchetto.Rook) {
			continue
		}
		before := turnedBack(p)
		before.Put(kingTo, fianchetto.NoPiece)
		before.Put(rookTo, fianchetto.NoPiece)
		if before.PieceAt(from) != fianchetto.NoPiece || before.PieceAt(rook) != fianchetto.NoPiece {
			continue
		}
		before.Put(from, king)
		before.Put(rook, tower)
		before.CastlingRooks = before.CastlingRooks.With(rook)
		if leadsTo(before, oracle.Move{From: from, To: rook}, p) {
			return true
		}
	}
	return false
}

// turnedBack returns p with the other side to move.
func turnedBack(p *fianchetto.Position) fianchetto.Setup {
	s := p.Setup()
	s.SideToMove, s.EnPassant, s.Chess960 = s.SideToMove.Opponent(), fianchetto.NoSquare, true
	return s
}

// leadsTo reports whether before is playable, and m is legal in it and leads to after, clocks
// aside.
func leadsTo(before fianchetto.Setup, m oracle.Move, after *fianchetto.Position) bool {
	p, err := before.Position()
	if err != nil {
		return false
	}
	b, err := oracle.Parse(p.FEN())
	if err != nil || !slices.Contains(b.PseudoLegalMoves(), m) || !b.IsLegal(m) {
		return false
	}
	reached, err := fianchetto.ParseFEN(b.Apply(m).ShredderFEN())
	got, want := reached.Setup(), after.Setup()
	got.HalfmoveClock, got.FullmoveNumber, got.Chess960 = want.HalfmoveClock, want.FullmoveNumber, want.Chess960
	if want.EnPassant == fianchetto.NoSquare {
		got.EnPassant = want.EnPassant
	}
	return err == nil && got == want
}

// TestReachedPositionsAreNotUnreachable plays at random from starting arrays: whatever comes is
// reachable.
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
