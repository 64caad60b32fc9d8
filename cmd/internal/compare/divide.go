package compare

import (
	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/engine"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// DivideRow is a move of a divide with the counts of both sides.
type DivideRow struct {
	Move   fianchetto.Move
	Ours   uint64
	Theirs uint64
	Listed bool // the program has the move
}

// Divides compares a program's divide of the position at the end of a path with ours. It returns our moves with both
// counts, and the moves that are missing or extra. The error is about a move of the program that cannot be read.
func Divides(path engine.Path, ours []perft.MoveCount, answer engine.Answer) ([]DivideRow, []Difference, error) {
	pos := path.Position()
	t, err := tabulate(&pos, ours, answer)
	if err != nil {
		return nil, nil, err
	}
	rows := make([]DivideRow, len(t.rows))
	for i, r := range t.rows {
		rows[i] = DivideRow{r.move, r.ours, r.theirs, r.listed}
	}
	return rows, differencesIn(path, t), nil
}
