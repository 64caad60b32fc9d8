package compare

import (
	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/engine"
)

// shrinkQuestions is the greatest number of questions that shrinking a position asks.
const shrinkQuestions = 120

// shrink takes pieces and rights away from the position of a difference as long as the program shows it, and returns
// what is left. The position stays one that a game can reach, if it was one.
func (s *search) shrink(d Difference) Difference {
	s.mayAsk(shrinkQuestions)
	needed := d.Verdict.Squares | d.Verdict.Attackers | bitboard.BitboardOf(d.Proposed.From, d.Proposed.To)
	for _, m := range d.Short.Moves {
		needed |= bitboard.BitboardOf(m.From(), m.To())
	}
	root := d.Short.Root
	changes := []func(*fianchetto.Setup){
		func(setup *fianchetto.Setup) { clearSquares(setup, root.Occupancy()&^needed) },
		func(setup *fianchetto.Setup) { setup.HalfmoveClock, setup.FullmoveNumber = 0, 1 },
		func(setup *fianchetto.Setup) { setup.CastlingRooks &= needed },
		func(setup *fianchetto.Setup) { setup.EnPassant = fianchetto.NoSquare },
	}
	for square := range root.Occupancy().Squares() {
		changes = append(changes, func(setup *fianchetto.Setup) { clearSquares(setup, square.Bitboard()) })
	}
	for again := true; again; {
		again = false
		for _, change := range changes {
			smaller, ok := d.changed(change)
			if !ok {
				continue
			}
			shows, err := s.shows(smaller.Short, &smaller)
			if err != nil {
				return d
			}
			if shows {
				d, again = smaller, true
			}
		}
	}
	return d
}

// clearSquares removes pieces, kings aside, and the rights to castle with them.
func clearSquares(setup *fianchetto.Setup, squares fianchetto.Bitboard) {
	for s := range squares.Squares() {
		if setup.PieceAt(s).Type() != fianchetto.King {
			setup.Remove(s)
			setup.CastlingRooks = setup.CastlingRooks.Without(s)
		}
	}
}

// changed returns the difference in a changed position, if the moves to it are still legal and the same rule decides
// about the move.
func (d *Difference) changed(change func(*fianchetto.Setup)) (Difference, bool) {
	before := d.Short.Root
	setup := before.Setup()
	change(&setup)
	root, err := setup.Position()
	root = root.WithChess960(before.IsChess960())
	if err != nil || root == before || len(root.Unreachable()) > len(before.Unreachable()) {
		return Difference{}, false
	}
	path := engine.Path{Root: root}
	for _, m := range d.Short.Moves {
		if pos := path.Position(); !pos.IsLegal(m) {
			return Difference{}, false
		}
		path = path.Then(m)
	}
	smaller := *d
	smaller.Path, smaller.Short, smaller.Alike = path, path, nil
	if d.Verdict.Rule != Twice {
		smaller.Verdict = Explain(path, d.Proposed)
	}
	return smaller, smaller.Verdict.Rule == d.Verdict.Rule && smaller.Verdict.Legal == d.Verdict.Legal
}
