package compare

import (
	"cmp"
	"slices"
	"strings"

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
	if err == nil && t.differs() {
		err = t.doubt()
	}
	if err != nil {
		return nil, nil, err
	}
	return t.rows, differencesIn(path, t), nil
}

// table is the divide of a position by both programs.
type table struct {
	pos    fianchetto.Position
	answer engine.Answer // of the program
	rows   []DivideRow   // our moves
	extra  []Proposal    // the program's other moves, in its order

	// unnamed is the number of extra moves, or of missing ones if negative, of a program that prints totals only.
	unnamed    int
	notTaken   string // why the whole answer belongs to another position, "" if it does not
	otherSide  bool   // all of its moves leave squares of the side that is not to move
	sum, total uint64 // of the program's counts below the moves, and the total that it prints
}

// likelyFirst is the order in which promotions without a letter are assumed if the counts do not decide.
var likelyFirst = map[fianchetto.PieceType]int{fianchetto.Queen: 1, fianchetto.Rook: 2, fianchetto.Bishop: 3,
	fianchetto.Knight: 4}

// tabulate assigns the program's moves to ours. If a move can be read as several, the counts decide.
func tabulate(pos *fianchetto.Position, ours []perft.MoveCount, answer engine.Answer) (*table, error) {
	theirs := answer.Moves
	t := &table{pos: *pos, answer: answer, rows: make([]DivideRow, len(ours))}
	for i, count := range ours {
		t.rows[i] = DivideRow{Move: count.Move, Ours: count.Nodes}
	}
	slices.SortStableFunc(t.rows, func(a, b DivideRow) int {
		return cmp.Compare(likelyFirst[a.Move.Promotion()], likelyFirst[b.Move.Promotion()])
	})
	oneCase := func(change func(string) string) bool {
		return !slices.ContainsFunc(theirs, func(m engine.MoveNodes) bool { return change(m.Move) != m.Move })
	}
	isOneCase := oneCase(strings.ToLower) || oneCase(strings.ToUpper)
	lines := make([]line, len(theirs))
	for i, their := range theirs {
		meanings, err := readMove(pos, their.Move, isOneCase)
		if err != nil {
			return nil, err
		}
		lines[i] = line{meanings: meanings, nodes: their.Nodes}
	}
	var err error
	if t.sum, err = answer.Sum(); err != nil {
		return nil, err
	}
	t.total = t.sum
	if answer.HasTotal {
		t.total = answer.Total
	}
	t.assign(pos, lines)
	for _, l := range lines {
		if !l.taken {
			m, err := l.meanings[0].proposal(pos)
			if err != nil {
				return nil, err
			}
			t.extra = append(t.extra, m)
		}
	}
	return t, nil
}

// line is a move of the program with its count.
type line struct {
	meanings []written
	nodes    uint64
	taken    bool // it is assigned to a row
}

// readings are the ways to read a move, the most common first: as it is; castling by the king's target; a promotion
// without a letter.
var readings = [...]struct{ castlingTarget, letterless bool }{{}, {castlingTarget: true}, {letterless: true}}

// assign assigns each line to the first row that it fits: lines with the row's count first, and of these the lines that
// fit the fewest rows.
func (t *table) assign(pos *fianchetto.Position, lines []line) {
	for _, equal := range []bool{true, false} {
		for _, reading := range readings {
			fits := func(l *line) (rows []*DivideRow) {
				for i := range t.rows {
					r := &t.rows[i]
					if !r.Listed && (!equal || r.Ours == l.nodes) && slices.ContainsFunc(l.meanings, func(w written) bool {
						return w.standsFor(pos, r.Move, reading.castlingTarget, reading.letterless)
					}) {
						rows = append(rows, r)
					}
				}
				return rows
			}
			var open []*line
			for i := range lines {
				if !lines[i].taken {
					open = append(open, &lines[i])
				}
			}
			slices.SortStableFunc(open, func(a, b *line) int { return cmp.Compare(len(fits(a)), len(fits(b))) })
			for _, l := range open {
				if rows := fits(l); len(rows) > 0 {
					rows[0].Theirs, rows[0].Listed, l.taken = l.nodes, true, true
				}
			}
		}
	}
}

// differs reports whether the program differs from the rules.
func (t *table) differs() bool {
	return t.sum != t.total || t.unnamed != 0 || t.notTaken != "" || t.listsDiffer()
}

// listsDiffer reports whether the moves or the counts below them differ.
func (t *table) listsDiffer() bool { return len(t.missing())+len(t.extra)+len(t.differing()) > 0 }

// listed returns the moves that the program lists, sorted.
func (t *table) listed() (moves []string) {
	for _, m := range t.answer.Moves {
		moves = append(moves, m.Move)
	}
	slices.Sort(moves)
	return moves
}

// missing returns the rows of moves that the program does not list.
func (t *table) missing() []DivideRow {
	return slices.DeleteFunc(slices.Clone(t.rows), func(r DivideRow) bool { return r.Listed })
}

// differing returns the rows of common moves whose counts differ.
func (t *table) differing() []DivideRow {
	return slices.DeleteFunc(slices.Clone(t.rows), func(r DivideRow) bool { return !r.Listed || r.Ours == r.Theirs })
}
