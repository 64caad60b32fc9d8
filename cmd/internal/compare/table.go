package compare

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/engine"
	"github.com/fianchetto-chess/fianchetto/internal/rules"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// table is the divide of a position by both programs.
type table struct {
	rows  []row            // our moves
	extra []rules.Proposal // the program's other moves, in its order

	// unnamed is the number of extra moves, or of missing ones if negative, of a program that prints totals only.
	unnamed    int
	notTaken   string // why the whole answer is that of another position, "" if it is not
	otherSide  bool   // all of its moves are those of pieces of the side that is not to move
	sum, total uint64 // of the program's counts below the moves, and the total that it prints
}

// sumIsWrong reports whether the program's total differs from the sum of its counts.
func (t *table) sumIsWrong() bool { return t.sum != t.total }

// row is a legal move with the counts below it.
type row struct {
	move   fianchetto.Move
	ours   uint64
	theirs uint64
	listed bool // the program has the move
}

// likelyFirst is the order in which promotions without a letter are assumed if the counts do not decide.
var likelyFirst = map[fianchetto.PieceType]int{fianchetto.Queen: 1, fianchetto.Rook: 2, fianchetto.Bishop: 3, fianchetto.Knight: 4}

// tabulate assigns the program's moves to ours. If a move can be read as several, the counts decide.
func tabulate(pos *fianchetto.Position, ours []perft.MoveCount, answer engine.Answer) (*table, error) {
	theirs := answer.Moves
	t := &table{rows: make([]row, len(ours))}
	for i, count := range ours {
		t.rows[i] = row{move: count.Move, ours: count.Nodes}
	}
	slices.SortStableFunc(t.rows, func(a, b row) int {
		return cmp.Compare(likelyFirst[a.move.Promotion()], likelyFirst[b.move.Promotion()])
	})
	proposed := make([]rules.Proposal, len(theirs))
	for i, line := range theirs {
		m, err := parseMove(pos, line.Move)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", engine.ErrGarbage, err)
		}
		proposed[i] = m
		t.sum += line.Nodes
	}
	t.total = t.sum
	if answer.HasTotal {
		t.total = answer.Total
	}
	t.assign(proposed, theirs)
	return t, nil
}

// assign assigns each line of the program to the first row that it fits; the others are extra.
func (t *table) assign(proposed []rules.Proposal, theirs []engine.MoveNodes) {
	taken := make([]bool, len(theirs))
	for _, equal := range []bool{true, false} {
		for _, means := range readings {
			for i, line := range theirs {
				if !taken[i] {
					taken[i] = t.take(proposed[i], line.Nodes, means, equal)
				}
			}
		}
	}
	for i := range theirs {
		if !taken[i] {
			t.extra = append(t.extra, proposed[i])
		}
	}
}

// take assigns a line to a row without one; if equal is set, only to a row with the same count.
func (t *table) take(proposed rules.Proposal, nodes uint64, means reading, equal bool) bool {
	for i := range t.rows {
		r := &t.rows[i]
		if !r.listed && means(proposed, r.move) && (!equal || nodes == r.ours) {
			r.theirs, r.listed = nodes, true
			return true
		}
	}
	return false
}

// missing returns the moves that the program does not list.
func (t *table) missing() []fianchetto.Move {
	var moves []fianchetto.Move
	for _, r := range t.rows {
		if !r.listed {
			moves = append(moves, r.move)
		}
	}
	return moves
}

// differing returns the rows of common moves whose counts differ.
func (t *table) differing() []row {
	var rows []row
	for _, r := range t.rows {
		if r.listed && r.ours != r.theirs {
			rows = append(rows, r)
		}
	}
	return rows
}
