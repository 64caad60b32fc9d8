package fianchetto

import (
	"testing"

	"github.com/fianchetto-chess/fianchetto/internal/suites"
)

// readPositions reads every position of the suites.
func readPositions(t *testing.T) (positions []Position) {
	t.Helper()
	for _, fen := range suites.FENs() {
		p, err := ParseFEN(fen)
		if err != nil {
			t.Fatal(err)
		}
		positions = append(positions, p)
	}
	return positions
}

// withClocks returns the position with other clocks.
func (p Position) withClocks(halfmove, fullmove int) Position {
	p.state = p.state&^(halfmoveMask|fullmoveMask) | state(halfmove)<<halfmoveShift | state(fullmove)<<fullmoveShift
	return p
}

// TestClocksStop makes every move of the suites, and the null move, with clocks at and below their greatest value, and compares
// with the same move made with other clocks: the clocks stay where they are, and nothing else of the position differs.
func TestClocksStop(t *testing.T) {
	kinds := map[MoveKind]int{}
	for _, p := range readPositions(t) {
		for _, clock := range []int{maxClock - 1, maxClock} {
			late, early := p.withClocks(clock, clock), p.withClocks(7, 7)
			for m := range p.LegalMoves() {
				checkClocks(t, m.String(), &late, late.After(m), early.After(m))
				kinds[m.Kind()]++
			}
			if !p.InCheck() {
				checkClocks(t, "a null move", &late, late.Null(), early.Null())
			}
		}
	}
	for kind, piece := range pieceOfKind {
		if piece != NoPieceType && kinds[MoveKind(kind)] == 0 {
			t.Errorf("no %v was made", MoveKind(kind))
		}
	}
}

func checkClocks(t *testing.T, move string, p *Position, late, early Position) {
	t.Helper()
	halfmove, fullmove := 0, p.FullmoveNumber()
	if early.HalfmoveClock() != 0 {
		halfmove = maxClock
	}
	if p.SideToMove() == Black {
		fullmove = maxClock
	}
	if late != early.withClocks(halfmove, fullmove) {
		t.Fatalf("%v: after %s it is %v", p, move, late)
	}
}

// TestChanges replays what each move of the suites changes, and compares with the position after the move.
func TestChanges(t *testing.T) {
	kinds := map[MoveKind]int{}
	for _, p := range readPositions(t) {
		for m := range p.LegalMoves() {
			next, board := p.After(m), p.Setup()
			changes, n := p.Changes(m)
			for _, c := range changes[:n] {
				if c.From != NoSquare && p.PieceAt(c.From) != c.Piece || c.From == NoSquare && c.To == NoSquare {
					t.Fatalf("%v: %v changes %v, but %v has %v", p, m, c, c.From, p.PieceAt(c.From))
				}
				if c.From != NoSquare {
					board.Remove(c.From)
				}
			}
			for _, c := range changes[:n] {
				if c.To != NoSquare {
					board.Put(c.To, c.Piece)
				}
			}
			captured, removed := NoPieceType, 0
			for s := range Square(64) {
				if board.PieceAt(s) != next.PieceAt(s) {
					t.Fatalf("%v: %v changes %v: %v on %v, want %v", p, m, changes[:n], board.PieceAt(s), s, next.PieceAt(s))
				}
				if was := p.PieceAt(s); was.Color() != p.SideToMove() && was != NoPiece && next.PieceAt(s) != was {
					captured, removed = was.Type(), removed+1
				}
			}
			if removed > 1 || p.Captured(m) != captured || p.IsCapture(m) != (removed == 1) {
				t.Fatalf("%v: %v captures %v: %v, want %v", p, m, p.Captured(m), p.IsCapture(m), captured)
			}
			if p.IsQuiet(m) != (removed == 0 && m.Promotion() == NoPieceType) || m.IsPromotion() != (m.Promotion() != NoPieceType) {
				t.Fatalf("%v: %v is quiet: %v", p, m, p.IsQuiet(m))
			}
			kinds[m.Kind()]++
		}
	}
	for kind, piece := range pieceOfKind {
		if piece != NoPieceType && kinds[MoveKind(kind)] == 0 {
			t.Errorf("no %v was made", MoveKind(kind))
		}
	}
}
