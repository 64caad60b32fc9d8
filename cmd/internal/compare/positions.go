package compare

import (
	"fmt"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/engine"
)

// detour is a way to a position that needs another FEN.
type detour struct {
	path  engine.Path
	from  string // describes where the path begins
	field string // of the FEN of the position, which the program reads wrong if it is right after the detour
}

// blameFEN checks whether the program is right if it reaches the position of a difference in another way than by its
// FEN. If so, it reads the FEN wrong.
func (s *search) blameFEN(d *Difference) {
	for _, way := range detours(d) {
		if shows, isKnown := s.shows(way.path, d); shows || !isKnown {
			continue // this field is not the cause, as far as is known
		}
		effect := "generates " + d.Move
		switch {
		case d.Kind == Extra && d.Move != "":
			effect = "does not generate " + d.Move
		case d.Move == "":
			effect = "is right"
		}
		reason := fmt.Sprintf("with %s it %s: it reads %s wrong", way.from, effect, way.field)
		if d.Kind != NotTaken {
			reason += "; " + d.Verdict.String()
		}
		d.Verdict.Rule, d.Verdict.Reason = ReadingFEN, reason
		return
	}
}

// detours returns the ways to the position of a difference that can show which field of its FEN is read wrong.
func detours(d *Difference) []detour {
	pos := d.Path.Root
	var ways []detour
	if d.Verdict.Rule == fianchetto.RuleCastlingRight && d.Kind == Extra {
		if path, ok := loseRight(pos, d.Verdict.Move.To()); ok {
			ways = append(ways, detour{path, fmt.Sprintf("`moves %s` from %s", path.UCI(), path.Root.FEN()),
				"the castling rights"})
		}
	}
	if path, ok := reach(pos); ok {
		field := "the FEN"
		switch {
		case d.Verdict.Rule == fianchetto.RuleEnPassant:
			field = "the en-passant field"
		case d.otherSide:
			field = "the side to move"
		}
		ways = append(ways, detour{path, fmt.Sprintf("`moves %s` from the position before", path.UCI()), field})
	}
	if restarted, ok := changed(pos, restart); ok && restarted != pos && d.Kind == NotTaken {
		ways = append(ways, detour{engine.Path{Root: restarted}, "the clocks 0 1", "the clocks"})
	}
	return ways
}

// changed returns a position with a change, not ok if it is unplayable.
func changed(pos fianchetto.Position, change func(*fianchetto.Setup)) (other fianchetto.Position, ok bool) {
	setup := pos.Setup()
	change(&setup)
	other, err := setup.Position()
	return other.WithChess960(pos.IsChess960()), err == nil
}

// restart sets the clocks as a game begins.
func restart(setup *fianchetto.Setup) { setup.HalfmoveClock, setup.FullmoveNumber = 0, 1 }

// loseRight returns a path of four moves to a position: a rook that has the right to castle in the first position
// leaves its square and comes back, and has lost the right.
func loseRight(pos fianchetto.Position, rook fianchetto.Square) (engine.Path, bool) {
	root, ok := changed(pos, func(setup *fianchetto.Setup) { setup.CastlingRooks |= rook.Bitboard() })
	if !ok {
		return engine.Path{}, false
	}
	for out := range root.LegalMoves() {
		if out.From() == rook && !root.IsCapture(out) {
			if whole, ok := comeBack(engine.Path{Root: root}.Then(out), pos); ok {
				return whole, true
			}
		}
	}
	return engine.Path{}, false
}

// comeBack returns a path of one move with a reply and with the reversals of both after it, if these are legal and lead
// to a position.
func comeBack(path engine.Path, to fianchetto.Position) (engine.Path, bool) {
	after := path.Position()
replies:
	for reply := range after.LegalMoves() {
		whole := path.Then(reply)
		for _, m := range whole.Moves {
			pos := whole.Position()
			back, err := pos.ParseUCI(m.To().String() + m.From().String())
			if err != nil {
				continue replies
			}
			whole = whole.Then(back)
		}
		if sameBut(whole.Position(), to) {
			return whole, true
		}
	}
	return engine.Path{}, false
}

// reach returns a path of one move to a position: the double push of the en-passant square, or any move without a
// capture that can lead to the position.
func reach(pos fianchetto.Position) (engine.Path, bool) {
	them := pos.SideToMove().Opponent()
	pieces := pos.ByColor(them) &^ pos.CastlingRooks(them)
	for _, kind := range []fianchetto.PieceType{fianchetto.Knight, fianchetto.Bishop, fianchetto.Rook, fianchetto.Queen,
		fianchetto.King, fianchetto.Pawn} {
		for to := range (pieces & pos.ByType(kind)).Squares() {
			for from := range (^pos.Occupancy()).Squares() {
				if path, ok := takeBack(pos, from, to); ok {
					return path, true
				}
			}
		}
	}
	return engine.Path{}, false
}

// takeBack returns the path of the move between two squares that leads to a position, unless the position before is
// unplayable or the move leads to another position.
func takeBack(pos fianchetto.Position, from, to fianchetto.Square) (engine.Path, bool) {
	before, ok := changed(pos, func(setup *fianchetto.Setup) {
		setup.Put(from, setup.PieceAt(to))
		setup.Remove(to)
		setup.SideToMove, setup.EnPassant = pos.SideToMove().Opponent(), fianchetto.NoSquare
		setup.HalfmoveClock = max(0, setup.HalfmoveClock-1)
		if setup.SideToMove == fianchetto.Black {
			setup.FullmoveNumber = max(1, setup.FullmoveNumber-1)
		}
	})
	if !ok {
		return engine.Path{}, false
	}
	m := before.MoveBetween(from, to, fianchetto.NoPieceType)
	return engine.Path{Root: before, Moves: []fianchetto.Move{m}}, before.IsLegal(m) && sameBut(before.After(m), pos)
}

// sameBut reports whether two positions are equal except for their clocks.
func sameBut(a, b fianchetto.Position) bool {
	s, t := a.Setup(), b.Setup()
	s.HalfmoveClock, s.FullmoveNumber = t.HalfmoveClock, t.FullmoveNumber
	return s == t
}

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
		restart,
		func(setup *fianchetto.Setup) { setup.CastlingRooks &= needed },
		func(setup *fianchetto.Setup) { setup.EnPassant = fianchetto.NoSquare },
	}
	for square := range root.Occupancy().Squares() {
		changes = append(changes, func(setup *fianchetto.Setup) { clearSquares(setup, square.Bitboard()) })
	}
	for again := true; again; {
		again = false
		for _, change := range changes {
			if smaller, ok := d.changed(change); ok {
				if shows, _ := s.shows(smaller.Short, &smaller); shows {
					d, again = smaller, true
				}
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
	root, ok := changed(before, change)
	if !ok || root == before || len(root.Unreachable()) > len(before.Unreachable()) {
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
