package fianchetto_test

import (
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// sees reports whether the man on from attacks to on an occupancy, by walking.
func sees(p *fianchetto.Position, from, to fianchetto.Square, occupancy fianchetto.Bitboard) bool {
	piece := p.PieceAt(from)
	file, rank := int(to.File())-int(from.File()), int(to.Rank())-int(from.Rank())
	switch piece.Type() {
	case fianchetto.Pawn:
		forward := 1 - 2*int(piece.Color())
		return rank == forward && (file == 1 || file == -1)
	case fianchetto.Knight:
		return file*file+rank*rank == 5
	case fianchetto.King:
		return file*file+rank*rank == 1 || file*file+rank*rank == 2
	}
	for _, d := range bitboard.BishopDirections() {
		if piece.Type() != fianchetto.Rook && bitboard.Walk(from, d, occupancy).Has(to) {
			return true
		}
	}
	for _, d := range bitboard.RookDirections() {
		if piece.Type() != fianchetto.Bishop && bitboard.Walk(from, d, occupancy).Has(to) {
			return true
		}
	}
	return false
}

func TestAttackersTo(t *testing.T) {
	for _, c := range suites(t) {
		p := fianchetto.MustParseFEN(c.FEN)
		for _, occupancy := range []fianchetto.Bitboard{p.Occupancy(), p.ByColor(fianchetto.White), bitboard.Empty} {
			for s := bitboard.A1; s <= bitboard.H8; s++ {
				var want fianchetto.Bitboard
				for from := range p.Occupancy().Squares() {
					if sees(&p, from, s, occupancy) {
						want = want.With(from)
					}
				}
				if got := p.AttackersTo(s, occupancy); got != want {
					t.Fatalf("%v: attackers to %v are\n%v, want\n%v", p, s, got, want)
				}
			}
		}
	}
}

// TestPinned takes each man off the board: it is pinned if that, and nothing less, lets a slider attack its king.
func TestPinned(t *testing.T) {
	for _, c := range suites(t) {
		p := fianchetto.MustParseFEN(c.FEN)
		for _, color := range []fianchetto.Color{fianchetto.White, fianchetto.Black} {
			king, enemies := p.King(color), p.ByColor(color.Opponent())
			before := p.AttackersTo(king, p.Occupancy()) & enemies
			var want fianchetto.Bitboard
			for s := range p.ByColor(color).Without(king).Squares() {
				if p.AttackersTo(king, p.Occupancy().Without(s))&enemies&^before != 0 {
					want = want.With(s)
				}
			}
			if got := p.Pinned(color); got != want {
				t.Fatalf("%v: pinned are\n%v, want\n%v", p, got, want)
			}
		}
		if got, want := p.Checkers(), p.AttackersTo(p.King(p.SideToMove()), p.Occupancy())&p.ByColor(p.SideToMove().Opponent()); got != want {
			t.Fatalf("%v: checkers are\n%v, want\n%v", p, got, want)
		}
	}
}

// TestCheckSquares puts the square of each direct check among the check squares, and no other move's.
func TestCheckSquares(t *testing.T) {
	checks, quiet := 0, 0
	for _, c := range suites(t) {
		n := newNode(t, c.FEN)
		for _, m := range n.moves {
			if m.Kind() == fianchetto.Castling {
				continue
			}
			placed := m.Piece()
			if m.Promotion() != fianchetto.NoPieceType {
				placed = m.Promotion()
			}
			next := n.pos.After(m)
			direct := next.Checkers().Has(m.To())
			got := n.pos.CheckSquares(placed).Has(m.To())
			if m.Promotion() == fianchetto.NoPieceType && placed >= fianchetto.Bishop && placed <= fianchetto.Queen {
				if inReach := n.pos.SliderChecks(m.From()).Has(m.To()); inReach != direct {
					t.Fatalf("%v: %v checks directly: %v, the slider's checks say %v", n.pos, m, direct, inReach)
				}
				// A slider that leaves the line to the king opens it behind itself: CheckSquares cannot know.
				got = direct
			}
			if placed != fianchetto.King && m.Promotion() == fianchetto.NoPieceType && got != direct {
				t.Fatalf("%v: %v checks directly: %v, the check squares say %v", n.pos, m, direct, got)
			}
			if direct {
				checks++
			} else {
				quiet++
			}
		}
	}
	if checks == 0 || quiet == 0 {
		t.Fatalf("%d direct checks, %d other moves", checks, quiet)
	}
	t.Logf("%d direct checks, %d other moves", checks, quiet)
}

// TestCheckSquaresByDefinition places each kind of man on each square of each board and looks whether it sees the king.
func TestCheckSquaresByDefinition(t *testing.T) {
	for _, c := range suites(t) {
		p := fianchetto.MustParseFEN(c.FEN)
		king := p.King(p.SideToMove().Opponent())
		for kind := fianchetto.NoPieceType; kind <= fianchetto.King; kind++ {
			got := p.CheckSquares(kind)
			for s := bitboard.A1; s <= bitboard.H8; s++ {
				if want := seesAs(kind, p.SideToMove(), s, king, p.Occupancy()); got.Has(s) != want {
					t.Fatalf("%v: a %v on %v checks: %v", p, kind, s, want)
				}
			}
		}
	}
}

// seesAs reports whether a man of a kind and colour on from would attack to.
func seesAs(kind fianchetto.PieceType, color fianchetto.Color, from, to fianchetto.Square, occupancy fianchetto.Bitboard) bool {
	file, rank := int(to.File())-int(from.File()), int(to.Rank())-int(from.Rank())
	switch kind {
	case fianchetto.Pawn:
		return rank == 1-2*int(color) && file*file == 1
	case fianchetto.Knight:
		return file*file+rank*rank == 5
	}
	along := func(directions [4]bitboard.Direction) bool {
		for _, d := range directions {
			if bitboard.Walk(from, d, occupancy).Has(to) {
				return true
			}
		}
		return false
	}
	diagonally := kind == fianchetto.Bishop || kind == fianchetto.Queen
	orthogonally := kind == fianchetto.Rook || kind == fianchetto.Queen
	return diagonally && along(bitboard.BishopDirections()) || orthogonally && along(bitboard.RookDirections())
}
