package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/dylhunn/dragontoothmg"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/oracle"
)

// limits bound the tree below each position.
type limits struct {
	depth, nodes int
}

// crosscheck is the state of a comparison.
type crosscheck struct {
	limits
	out io.Writer

	positions, leftOut    int // positions compared, and those of Chess960, which the reference does not know
	compared              int // nodes
	wrong, referenceWrong int // nodes where the moves are wrong
}

// position compares the tree below a position.
func (c *crosscheck) position(fen string) error {
	pos, err := fianchetto.ParseFEN(fen)
	if err != nil {
		return err
	}
	if pos.IsChess960() {
		c.leftOut++
		return nil
	}
	c.positions++
	reference := dragontoothmg.ParseFen(fen)
	budget := c.nodes
	return c.tree(&pos, &reference, c.depth, &budget)
}

func (c *crosscheck) tree(pos *fianchetto.Position, reference *dragontoothmg.Board, depth int, budget *int) error {
	if *budget <= 0 {
		return nil
	}
	*budget--
	c.compared++
	ours, theirs := uciMoves(pos), referenceMoves(reference)
	if !slices.Equal(ours, theirs) {
		// Below a difference there are no common moves to compare.
		return c.judge(pos, ours, theirs)
	}
	if depth == 0 {
		return nil
	}
	for _, m := range reference.GenerateLegalMoves() {
		move, err := pos.ParseUCI(m.String())
		if err != nil {
			return fmt.Errorf("%v: %w", pos, err)
		}
		next := pos.After(move)
		undo := reference.Apply(m)
		if err := c.tree(&next, reference, depth-1, budget); err != nil {
			return err
		}
		undo()
	}
	return nil
}

// judge compares both with the slow generator, counts the result and prints it.
func (c *crosscheck) judge(pos *fianchetto.Position, ours, theirs []string) error {
	board, err := oracle.Parse(pos.FEN())
	if err != nil {
		return err
	}
	rules := make([]string, 0, len(ours))
	for _, m := range board.LegalMoves() {
		rules = append(rules, standardNotation(board, m))
	}
	slices.Sort(rules)
	if !slices.Equal(ours, rules) {
		c.wrong++
		fmt.Fprintf(c.out, "Fianchetto wrong: %s in %v\n", difference(ours, rules), pos)
	}
	if !slices.Equal(theirs, rules) {
		c.referenceWrong++
		fmt.Fprintf(c.out, "reference wrong: %s in %v\n", difference(theirs, rules), pos)
	}
	return nil
}

// standardNotation writes castling as the king's move, as both libraries do in standard chess.
func standardNotation(board oracle.Board, m oracle.Move) string {
	king, rook := board.PieceAt(m.From), board.PieceAt(m.To)
	if king.Type() != fianchetto.King || rook != (king&^7|fianchetto.Piece(fianchetto.Rook)) {
		return m.String()
	}
	if m.To > m.From {
		m.To = m.From + 2
	} else {
		m.To = m.From - 2
	}
	return m.String()
}

// uciMoves returns the moves in UCI notation, sorted.
func uciMoves(pos *fianchetto.Position) []string {
	var moves []string
	for m := range pos.LegalMoves() {
		moves = append(moves, pos.UCI(m))
	}
	slices.Sort(moves)
	return moves
}

func referenceMoves(board *dragontoothmg.Board) []string {
	var moves []string
	for _, m := range board.GenerateLegalMoves() {
		moves = append(moves, m.String())
	}
	slices.Sort(moves)
	return moves
}

// difference lists the moves that got lacks and those that it has too many.
func difference(got, want []string) string {
	var parts []string
	for _, m := range want {
		if !slices.Contains(got, m) {
			parts = append(parts, "missing "+m)
		}
	}
	for i, m := range got {
		if !slices.Contains(want, m) || i > 0 && got[i-1] == m {
			parts = append(parts, "extra "+m)
		}
	}
	return strings.Join(parts, ", ")
}
