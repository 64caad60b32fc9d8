package divide

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/pattern"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// Proposal is a move as a program proposes it, legal or not. A castling is the king's move to its
// target square or to the square of the rook.
type Proposal struct {
	From, To  fianchetto.Square
	Promotion fianchetto.PieceType // any piece type; NoPieceType for none
}

// Propose returns a legal move as a proposal, a castling as king takes rook.
func Propose(m fianchetto.Move) Proposal { return Proposal{m.From(), m.To(), m.Promotion()} }

// String formats m as UCI does.
func (m Proposal) String() string {
	text := m.From.String() + m.To.String()
	if m.Promotion != fianchetto.NoPieceType {
		text += string(m.Promotion.Letter())
	}
	return text
}

// written is a move as a program writes it: in coordinates its squares, in algebraic notation the
// piece and as much of its square as necessary.
type written struct {
	text      string
	piece     fianchetto.PieceType // NoPieceType: not written
	from      fianchetto.Bitboard  // where the piece may be
	to        fianchetto.Square
	promotion fianchetto.PieceType // NoPieceType: not written
	beyond    string               // a square that does not exist, or ""
}

// moveForm matches a move in coordinates and in algebraic notation, long and short.
var moveForm = pattern.Lazy(
	`^([KQRBNP]?)([a-h]?)([1-8]?)[-x:]?([a-h])([1-8])(?:[=/]?([a-zA-Z])|=?\(([a-zA-Z])\))?$`)

// castlingForm matches castling, on the queen's side with a third letter.
var castlingForm = pattern.Lazy(`^[Oo0]-?[Oo0](-?[Oo0])?$`)

// offBoard matches a move in coordinates of which a square may not exist.
var offBoard = pattern.Lazy(`^([a-z]\d)[-x:]?([a-z]\d)(?:=?[a-z])?$`)

// decoration matches the signs after a move, which follow from the position.
var decoration = pattern.Lazy(`(?:\s?e\.?p\.?)?[+#!?]*$`)

// readMove reads a move in any usual notation: e2e4, e2-e4, E7E8=Q, Ng1-f3, Nf3+, bxc3, e8(Q), 0-0.
func readMove(pos *fianchetto.Position, text string) (*written, error) {
	plain := decoration().ReplaceAllString(text, "")
	if castles := castlingForm().FindStringSubmatch(plain); castles != nil {
		king, file := pos.King(pos.SideToMove()), bitboard.FileG
		if castles[1] != "" {
			file = bitboard.FileC
		}
		return &written{text: text, from: king.Bitboard(), to: bitboard.SquareAt(file, king.Rank())}, nil
	}
	lower := strings.ToLower(plain)
	found := moveForm().FindStringSubmatch(lower)
	isCoordinates := found != nil && found[2]+found[3] == lower[:2]
	onlyFirstIsUpper := plain != lower && plain[1:] == lower[1:] // a bishop, as in B1c3
	if isCoordinates && !onlyFirstIsUpper {
		plain = lower
	}
	m, ok := readForm(pos, plain)
	if ok {
		m.text = text
		return &m, nil
	}
	if found := offBoard().FindStringSubmatch(lower); found != nil {
		for _, square := range found[1:] {
			if _, err := bitboard.ParseSquare(square); err != nil {
				return &written{text: text, beyond: square}, nil
			}
		}
	}
	return nil, fmt.Errorf("move %s: %w", quote.Text(text, 0), fianchetto.ErrMoveSyntax)
}

// readForm reads a move with letters in the standard case.
func readForm(pos *fianchetto.Position, text string) (m written, ok bool) {
	found := moveForm().FindStringSubmatch(text)
	if found == nil {
		return m, false
	}
	letter, file, rank, promotion := found[1], found[2], found[3], found[6]+found[7]
	m.to = bitboard.MustParseSquare(found[4] + found[5])
	m.from = ^fianchetto.Bitboard(0)
	if letter == "" && (file == "" || rank == "") { // a pawn, which leaves its file only by a capture
		letter = "P"
		if file == "" {
			file = found[4]
		}
	}
	m.piece, _ = bitboard.ParsePieceType(letter) // not written if there is no letter
	if file != "" {
		m.from &= bitboard.File(file[0] - 'a').Mask()
	}
	if rank != "" {
		m.from &= bitboard.Rank(rank[0] - '1').Mask()
	}
	m.promotion, _ = bitboard.ParsePieceType(promotion)
	if promotion != "" && m.promotion == fianchetto.NoPieceType {
		return m, false
	}
	if stands := pos.PieceAt(m.from.First()); m.from.Len() == 1 && m.piece != fianchetto.NoPieceType {
		return m, stands.Type() == m.piece
	}
	return m, true
}

// way is how a program writes a legal move, the most common first.
type way int

const (
	otherMove      way = iota
	literally          // castling by the rook's square
	castlingTarget     // castling by the king's target
	letterless         // a promotion without a letter
)

// writes returns the way in which w is written if it is the move m.
func (w *written) writes(pos *fianchetto.Position, m fianchetto.Move) way {
	switch {
	case !w.from.Has(m.From()), w.piece != fianchetto.NoPieceType && w.piece != pos.PieceAt(m.From()).Type():
		return otherMove
	case w.to == m.To() && w.promotion == m.Promotion():
		return literally
	case w.to == m.To() && w.promotion == fianchetto.NoPieceType:
		return letterless
	case w.to == m.Destination() && w.promotion == m.Promotion():
		return castlingTarget
	}
	return otherMove
}

// proposal returns the squares of an extra move. If several pieces of the type fit, it prefers one
// that could reach the target but for another rule.
func (w *written) proposal(pos *fianchetto.Position) (Proposal, error) {
	m := Proposal{To: w.to, Promotion: w.promotion}
	if w.from.Len() == 1 {
		m.From = w.from.First()
		return m, nil
	}
	candidates := w.from & pos.Pieces(pos.SideToMove(), w.piece)
	best := -1
	for s := range candidates.Squares() {
		likely := 2
		switch why := pos.Explain(pos.MoveBetween(s, w.to, w.promotion)); {
		case why.Legal:
			likely = 1
		case why.Rule == "movement":
			likely = 0
		}
		if likely > best {
			best, m.From = likely, s
		}
	}
	if best < 0 {
		return m, fmt.Errorf("move %s: %v has no %v that it could be", quote.Text(w.text, 0), pos.SideToMove(), w.piece)
	}
	return m, nil
}

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
