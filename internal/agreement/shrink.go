package agreement

import (
	"strings"

	"github.com/fianchetto-chess/fianchetto"
)

// Shrink returns the same difference in a position with less on the board: it takes away pieces, rights, the en-passant
// square and clocks as long as the same rule is broken.
func (c *Checker) Shrink(n *Node, found *Difference) *Difference {
	fails := func(fen string) *Difference {
		m, d := Read(fen)
		if m != nil && d == nil {
			d = c.Check(m)
		}
		if d != nil && d.Aspect == found.Aspect && d.Rule() == found.Rule() {
			return d
		}
		return nil
	}
	if n == nil {
		return found
	}
	fen := n.FEN()
	smaller := fails(fen)
	if smaller == nil {
		return found // it depends on more than the position: a hash table, or the way there
	}
	for again := true; again; {
		again = false
		for _, candidate := range smallerFENs(fen) {
			if d := fails(candidate); d != nil {
				fen, smaller, again = candidate, d, true
				break
			}
		}
	}
	return smaller
}

// smallerFENs returns a FEN with one thing less, in each way there is.
func smallerFENs(fen string) (smaller []string) {
	p, err := fianchetto.ParseFEN(fen)
	if err != nil {
		return nil
	}
	add := func(change func(*fianchetto.Setup)) {
		s := p.Setup()
		change(&s)
		if q, err := s.Position(); err == nil && q != p {
			smaller = append(smaller, q.FEN())
		}
	}
	for square := range p.Occupancy().Squares() {
		add(func(s *fianchetto.Setup) {
			s.Remove(square)
			s.CastlingRooks = s.CastlingRooks.Without(square)
		})
	}
	for rook := range p.Setup().CastlingRooks.Squares() {
		add(func(s *fianchetto.Setup) { s.CastlingRooks = s.CastlingRooks.Without(rook) })
	}
	add(func(s *fianchetto.Setup) { s.EnPassant = fianchetto.NoSquare })
	if !strings.HasSuffix(fen, " 0 1") {
		add(func(s *fianchetto.Setup) { s.HalfmoveClock, s.FullmoveNumber = 0, 1 })
	}
	return smaller
}
