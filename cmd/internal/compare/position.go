package compare

import (
	"errors"
	"fmt"
	"slices"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/engine"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/rules"
)

// answered is an answer to depth 1 and its position.
type answered struct {
	pos   fianchetto.Position
	moves []string // sorted; none if the program prints totals only
	total uint64
}

// checkTaken checks whether the answer is that of another position. If so, it replaces the table by that difference.
func (s *search) checkTaken(pos fianchetto.Position, depth int, answer engine.Answer, t *table) error {
	now := &answered{pos: pos, total: answer.Total}
	for _, m := range answer.Moves {
		now.moves = append(now.moves, m.Move)
	}
	slices.Sort(now.moves)
	switch before := s.before; {
	case len(now.moves) > 0:
		t.notTaken = t.foreign(&pos, before, now)
	case depth == 1 && t.unnamed != 0 && before != nil && before.total == now.total && before.pos != pos:
		if err := s.confirmTotal(pos, before, t); err != nil {
			return err
		}
	}
	if depth == 1 && t.notTaken == "" { // else the program is still in the position before
		s.before = now
	}
	return nil
}

// foreign explains why a list of moves is that of another position, "" if it may be that of this one. It is that of another
// position if less than half of it and less than half of the legal moves are in both lists and, in addition, it is the list of the
// position before or most of its moves start on squares without a piece of the side to move.
func (t *table) foreign(pos *fianchetto.Position, before, now *answered) string {
	const minMoves = 3 // of shorter lists, a mistake of the generator may change most moves
	agreed := len(t.rows) - len(t.missing())
	if 2*agreed >= len(now.moves) || len(t.rows) > 0 && 2*agreed >= len(t.rows) || len(now.moves) < minMoves {
		return ""
	}
	if before != nil && before.pos != *pos && slices.Equal(before.moves, now.moves) {
		return "its moves are those of the position before, " + before.pos.FEN()
	}
	astray := 0
	for _, m := range t.extra {
		if !pos.ByColor(pos.SideToMove()).Has(m.From) {
			astray++
		}
	}
	if 2*astray > len(now.moves) {
		return fmt.Sprintf("%d of its %d moves leave squares on which %v, to move, has no piece", astray, len(now.moves), pos.SideToMove())
	}
	return ""
}

// confirmTotal asks a program that prints totals only, and printed the total of the position before, for depth 2.
func (s *search) confirmTotal(pos fianchetto.Position, before *answered, t *table) error {
	answer, err := s.ask(engine.Path{Root: pos}, 2)
	if errors.Is(err, errNoQuestions) {
		return nil
	}
	if err != nil {
		return err
	}
	here, there := leaves2(pos), leaves2(before.pos)
	if answer.Total == there && here != there {
		t.notTaken = "its counts are those of the position before, " + before.pos.FEN()
	}
	return nil
}

// leaves2 returns the leaves two plies below a position.
func leaves2(pos fianchetto.Position) (n uint64) {
	for m := range pos.LegalMoves() {
		next := pos.After(m)
		n += uint64(next.CountLegal())
	}
	return n
}

// blameFEN checks whether the program is right if it reaches the position of a difference by a move instead of a FEN. If so, it
// reads the FEN wrong.
func (s *search) blameFEN(d *Difference) error {
	path, ok := reach(d.Path.Root)
	if !ok {
		return nil
	}
	t, err := s.divide(path, 1)
	if errors.Is(err, errNoQuestions) {
		return nil
	}
	if err != nil {
		return err
	}
	if t.notTaken != "" || len(t.missing()) > 0 || len(t.extra) > 0 || t.unnamed != 0 {
		return nil // the FEN is not the cause, or not the only one
	}
	effect, field := "generates "+d.Move, "the FEN"
	switch {
	case d.Kind == Extra && d.Move != "":
		effect = "does not generate " + d.Move
	case d.Move == "":
		effect = "is right"
	}
	if d.Verdict.Rule == rules.EnPassant {
		field = "the en-passant field"
	}
	reason := fmt.Sprintf("with `moves %s` from the position before it %s: it reads %s wrong", path.UCI(), effect, field)
	if d.Kind != NotTaken {
		reason += "; " + d.Verdict.String()
	}
	d.Verdict.Rule, d.Verdict.Reason = ReadingFEN, reason
	return nil
}

// reach returns a path of one move to a position: the double push of the en-passant square, or any move without a capture
// that can lead to the position.
func reach(pos fianchetto.Position) (engine.Path, bool) {
	us, them := pos.SideToMove(), pos.SideToMove().Opponent()
	if target := pos.EnPassant(); target != fianchetto.NoSquare {
		from, to := pushSquares(target, them)
		return takeBack(pos, from, to)
	}
	empty := ^pos.Occupancy()
	pieces := pos.ByColor(them) &^ pos.CastlingRooks(them)
	for _, kind := range []fianchetto.PieceType{fianchetto.Knight, fianchetto.Bishop, fianchetto.Rook, fianchetto.Queen, fianchetto.King, fianchetto.Pawn} {
		for to := range (pieces & pos.ByType(kind)).Squares() {
			for from := range (attacked(&pos, kind, us, to) & empty).Squares() {
				if path, ok := takeBack(pos, from, to); ok {
					return path, true
				}
			}
		}
	}
	return engine.Path{}, false
}

// pushSquares returns the squares of the double push of a colour across a square.
func pushSquares(across fianchetto.Square, c fianchetto.Color) (from, to fianchetto.Square) {
	if c == fianchetto.White {
		return across - 8, across + 8
	}
	return across + 8, across - 8
}

// attacked returns the squares from which a piece can have come to a square; for a pawn of the opponent of us, the square behind.
func attacked(pos *fianchetto.Position, kind fianchetto.PieceType, us fianchetto.Color, to fianchetto.Square) fianchetto.Bitboard {
	switch kind {
	case fianchetto.Knight:
		return attacks.Knight(to)
	case fianchetto.Bishop:
		return attacks.Bishop(to, pos.Occupancy())
	case fianchetto.Rook:
		return attacks.Rook(to, pos.Occupancy())
	case fianchetto.Queen:
		return attacks.Queen(to, pos.Occupancy())
	case fianchetto.King:
		return attacks.King(to)
	}
	if us == fianchetto.Black {
		return to.Bitboard() >> 8
	}
	return to.Bitboard() << 8
}

// takeBack returns the path of the move between two squares that leads to a position, unless the position before is unplayable
// or the move leads to another position.
func takeBack(pos fianchetto.Position, from, to fianchetto.Square) (engine.Path, bool) {
	setup := pos.Setup()
	setup.Put(from, setup.PieceAt(to))
	setup.Remove(to)
	setup.SideToMove, setup.EnPassant = pos.SideToMove().Opponent(), fianchetto.NoSquare
	setup.HalfmoveClock = max(0, setup.HalfmoveClock-1)
	if setup.SideToMove == fianchetto.Black {
		setup.FullmoveNumber = max(1, setup.FullmoveNumber-1)
	}
	before, err := setup.Position()
	if err != nil {
		return engine.Path{}, false
	}
	before = before.WithChess960(pos.IsChess960())
	for m := range before.LegalMoves() {
		if m.From() == from && m.To() == to && m.Promotion() == fianchetto.NoPieceType && sameBut(before.After(m), pos) {
			return engine.Path{Root: before, Moves: []fianchetto.Move{m}}, true
		}
	}
	return engine.Path{}, false
}

// sameBut reports whether two positions are equal except for their clocks.
func sameBut(a, b fianchetto.Position) bool {
	s, t := a.Setup(), b.Setup()
	s.HalfmoveClock, s.FullmoveNumber = t.HalfmoveClock, t.FullmoveNumber
	return s == t
}
