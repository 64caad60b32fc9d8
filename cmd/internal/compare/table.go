package compare

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/engine"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
	"github.com/fianchetto-chess/fianchetto/perft"
	"github.com/fianchetto-chess/fianchetto/uci"
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
	return t.rows, differencesIn(path, t), nil
}

// table is the divide of a position by both programs.
type table struct {
	rows  []DivideRow // our moves
	extra []Proposal  // the program's other moves, in its order

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
	t := &table{rows: make([]DivideRow, len(ours))}
	for i, count := range ours {
		t.rows[i] = DivideRow{Move: count.Move, Ours: count.Nodes}
	}
	slices.SortStableFunc(t.rows, func(a, b DivideRow) int {
		return cmp.Compare(likelyFirst[a.Move.Promotion()], likelyFirst[b.Move.Promotion()])
	})
	proposed := make([]Proposal, len(theirs))
	for i, line := range theirs {
		m, err := parseMove(pos, line.Move)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", uci.ErrGarbage, err)
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
func (t *table) assign(proposed []Proposal, theirs []engine.MoveNodes) {
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
func (t *table) take(proposed Proposal, nodes uint64, means reading, equal bool) bool {
	for i := range t.rows {
		r := &t.rows[i]
		if !r.Listed && means(proposed, r.Move) && (!equal || nodes == r.Ours) {
			r.Theirs, r.Listed = nodes, true
			return true
		}
	}
	return false
}

// missing returns the moves that the program does not list.
func (t *table) missing() []fianchetto.Move {
	var moves []fianchetto.Move
	for _, r := range t.rows {
		if !r.Listed {
			moves = append(moves, r.Move)
		}
	}
	return moves
}

// differing returns the rows of common moves whose counts differ.
func (t *table) differing() []DivideRow {
	var rows []DivideRow
	for _, r := range t.rows {
		if r.Listed && r.Ours != r.Theirs {
			rows = append(rows, r)
		}
	}
	return rows
}

// parseMove reads a move in the notations of other programs: e2e4, e2-e4, e7e8q, e7e8=Q, O-O.
func parseMove(pos *fianchetto.Position, text string) (Proposal, error) {
	refuse := func(cause error) (Proposal, error) {
		return Proposal{}, fmt.Errorf("move %s: %w", quote.Text(text, 0), cause)
	}
	switch strings.ReplaceAll(text, "0", "O") {
	case "O-O":
		return castling(pos, bitboard.FileG), nil
	case "O-O-O":
		return castling(pos, bitboard.FileC), nil
	}
	squares := without(without(strings.ToLower(text), 2, "-x"), 4, "=")
	if len(squares) != 4 && len(squares) != 5 {
		return refuse(fianchetto.ErrMoveSyntax)
	}
	from, err := bitboard.ParseSquare(squares[:2])
	if err != nil {
		return refuse(err)
	}
	to, err := bitboard.ParseSquare(squares[2:4])
	if err != nil {
		return refuse(err)
	}
	m := Proposal{From: from, To: to}
	if promotion := squares[4:]; promotion != "" {
		piece, err := bitboard.ParsePiece(promotion)
		if err != nil {
			return refuse(err)
		}
		m.Promotion = piece.Type()
	}
	return m, nil
}

// without returns the text without its byte at an offset if that is one of the separators.
func without(text string, at int, separators string) string {
	if len(text) > at && strings.IndexByte(separators, text[at]) >= 0 {
		return text[:at] + text[at+1:]
	}
	return text
}

// castling returns the king's move that castles to one side.
func castling(pos *fianchetto.Position, to bitboard.File) Proposal {
	king := pos.King(pos.SideToMove())
	return Proposal{From: king, To: bitboard.SquareAt(to, king.Rank())}
}

// reading reports whether a proposal stands for a legal move.
type reading func(proposed Proposal, m fianchetto.Move) bool

// readings are tried in this order, the most common first.
var readings = [...]reading{
	func(proposed Proposal, m fianchetto.Move) bool { return proposed == propose(m) },
	func(proposed Proposal, m fianchetto.Move) bool { // castling as the king's move to its target
		if m.Kind() != fianchetto.Castling {
			return false
		}
		to, _ := m.CastlingTargets()
		return proposed == Proposal{From: m.From(), To: to}
	},
	func(proposed Proposal, m fianchetto.Move) bool { // promotion without a letter
		return m.Promotion() != fianchetto.NoPieceType && proposed == Proposal{From: m.From(), To: m.To()}
	},
}
