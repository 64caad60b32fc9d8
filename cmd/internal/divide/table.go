package divide

import (
	"slices"
	"sort"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// Row is a legal move with the counts of both sides.
type Row struct {
	Move   fianchetto.Move
	Ours   uint64
	Theirs uint64
	Listed bool // the program lists the move
	Place  int  // in the program's list
}

// Table is a program's divide matched with the legal moves of a position.
type Table struct {
	Divide
	Position fianchetto.Position
	Rows     []Row    // the legal moves
	Extra    []Extra  // the program's other moves
	Beyond   []Beyond // its moves off the board
	Sum      uint64
	Total    uint64 // the printed total, otherwise the sum
}

// Extra is an illegal move, or a legal one that is listed once more.
type Extra struct {
	Proposal
	Nodes uint64
}

// Beyond is a move from or to a square that does not exist.
type Beyond struct {
	Move, Square string
	Nodes        uint64
}

// likelyFirst orders promotions without a letter if the counts do not decide.
var likelyFirst = map[fianchetto.PieceType]int{fianchetto.Queen: 1, fianchetto.Rook: 2, fianchetto.Bishop: 3,
	fianchetto.Knight: 4}

// Match matches a program's divide with our counts to the same depth. If a line fits several moves,
// the counts decide. A program that lists pseudo-legal moves counts 0 below the illegal ones: these
// are left out. The error reports an unreadable move.
func Match(pos *fianchetto.Position, depth int, ours []perft.MoveCount, theirs Divide) (*Table, error) {
	t := &Table{Divide: theirs, Position: *pos, Rows: make([]Row, len(ours)), Total: theirs.Leaves()}
	t.Sum, _ = theirs.Sum()
	for i, count := range ours {
		t.Rows[i] = Row{Move: count.Move, Ours: count.Nodes}
	}
	// Not slices.SortStableFunc, here and elsewhere, because it is compiled for each type.
	sort.SliceStable(t.Rows, func(i, j int) bool {
		return likelyFirst[t.Rows[i].Move.Promotion()] < likelyFirst[t.Rows[j].Move.Promotion()]
	})
	if depth == 1 && t.Sum == t.Total {
		t.Moves = slices.DeleteFunc(slices.Clone(t.Moves), func(m Count) bool { return m.Nodes == 0 })
	}
	literally := make(map[string]*Row, len(t.Rows)) // most lines are, and reading them takes longer
	for i := range t.Rows {
		literally[pos.UCI(t.Rows[i].Move)] = &t.Rows[i]
	}
	var lines []*line
	for i, their := range t.Moves {
		if r := literally[their.Move]; r != nil && !r.Listed && r.Ours == their.Nodes {
			r.Theirs, r.Listed, r.Place = their.Nodes, true, i
			continue
		}
		meaning, err := readMove(pos, their.Move)
		if err != nil {
			return nil, err
		}
		lines = append(lines, &line{meaning: meaning, nodes: their.Nodes, place: i})
	}
	t.assign(pos, lines)
	for _, l := range lines {
		if l.taken || l.nodes == 0 && t.Sum == t.Total {
			continue
		}
		if l.meaning.beyond != "" {
			t.Beyond = append(t.Beyond, Beyond{l.meaning.text, l.meaning.beyond, l.nodes})
			continue
		}
		m, err := l.meaning.proposal(pos)
		if err != nil {
			return nil, err
		}
		t.Extra = append(t.Extra, Extra{m, l.nodes})
	}
	return t, nil
}

// line is a move of the program with its count.
type line struct {
	meaning *written
	nodes   uint64
	place   int
	taken   bool // it is assigned to a row
}

// assign assigns each line to the first row that it fits: first the lines with the row's count, then
// those written in the most common way, and among them first the lines that fit the fewest rows.
func (t *Table) assign(pos *fianchetto.Position, lines []*line) {
	for _, equal := range []bool{true, false} {
		for way := literally; way <= letterless; way++ {
			fits := func(l *line) (rows []*Row) {
				for i := range t.Rows {
					r := &t.Rows[i]
					if !r.Listed && (!equal || r.Ours == l.nodes) && l.meaning.writes(pos, r.Move) == way {
						rows = append(rows, r)
					}
				}
				return rows
			}
			open := slices.DeleteFunc(slices.Clone(lines), func(l *line) bool { return l.taken })
			sort.SliceStable(open, func(i, j int) bool { return len(fits(open[i])) < len(fits(open[j])) })
			for _, l := range open {
				if rows := fits(l); len(rows) > 0 {
					rows[0].Theirs, rows[0].Listed, rows[0].Place, l.taken = l.nodes, true, l.place, true
				}
			}
		}
	}
}

// Differs reports whether the moves or the counts below them differ.
func (t *Table) Differs() bool {
	return len(t.Missing())+len(t.Extra)+len(t.Beyond)+len(t.Differing()) > 0
}

// Missing returns the rows of the moves that the program does not list.
func (t *Table) Missing() []Row {
	return slices.DeleteFunc(slices.Clone(t.Rows), func(r Row) bool { return r.Listed })
}

// Differing returns the rows of common moves with different counts.
func (t *Table) Differing() []Row {
	return slices.DeleteFunc(slices.Clone(t.Rows), func(r Row) bool { return !r.Listed || r.Ours == r.Theirs })
}
