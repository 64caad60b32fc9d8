package fianchetto

import "fmt"

// The functions of this package trust their arguments: moves must be legal and squares on the board. Under the build tag
// fianchettodebug they check them by the functions below, which panic with the argument and the position.

// mustBeLegal panics unless m is legal here.
func (p *Position) mustBeLegal(m Move) {
	if !p.IsLegal(m) {
		panic(fmt.Sprintf("fianchetto: %v (%v, %#04x) is not a legal move in %v", m, m.Kind(), uint16(m), p))
	}
}

// mustNotBeInCheck panics if the side to move is in check, in which it has no null move.
func (p *Position) mustNotBeInCheck() {
	if p.InCheck() {
		panic(fmt.Sprintf("fianchetto: a null move in check in %v", p))
	}
}

// mustBeOnBoard panics unless s is on the board.
func (p *Position) mustBeOnBoard(s Square) {
	if !s.IsValid() {
		panic(fmt.Sprintf("fianchetto: square %d is not on the board, in %v", s, p))
	}
}

// mustLeadTo panics unless m leads from here to next.
func (p *Position) mustLeadTo(next Position, m Move) {
	if !p.IsLegal(m) || p.After(m) != next {
		panic(fmt.Sprintf("fianchetto: Unmake of %v, which was not the last move in %v", m, next))
	}
}

// mustAlternate panics if the last position that was pushed has the same side to move as p.
func (h *History) mustAlternate(p *Position) {
	if n := len(h.past); n > 0 && h.past[n-1].side == p.SideToMove() {
		panic(fmt.Sprintf("fianchetto: two positions in a row with %v to move in a History: %v", p.SideToMove(), p))
	}
}
