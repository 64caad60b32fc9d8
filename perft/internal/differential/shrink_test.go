package differential_test

import (
	"strings"

	"github.com/fianchetto-chess/fianchetto"
)

// shrink returns a position with less on the board, in which the same check fails: it takes away pieces, rights, the
// en-passant square and clocks as long as that is so.
func (c *checker) shrink(n *node, found *difference) (fen string, smaller *difference) {
	fails := func(candidate string) *difference {
		m, ok, d := newNode(candidate)
		if ok && d == nil {
			d = c.check(m)
		}
		if d != nil && d.check == found.check {
			return d
		}
		return nil
	}
	fen = n.pos.FEN()
	if smaller = fails(fen); smaller == nil {
		return fen, found // from its FEN it does not fail: a hash table or the way to the position matters
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
	return fen, smaller
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
