package compare

import (
	"errors"
	"fmt"
	"slices"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/engine"
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
	t.otherSide = true
	for _, m := range t.extra {
		if !pos.ByColor(pos.SideToMove()).Has(m.From) {
			astray++
		}
		t.otherSide = t.otherSide && pos.ByColor(pos.SideToMove().Opponent()).Has(m.From)
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
