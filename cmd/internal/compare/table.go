package compare

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/engine"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// DivideRow is a move of a divide with the counts of both sides.
type DivideRow struct {
	Move   fianchetto.Move
	Ours   uint64
	Theirs uint64
	Listed bool // the program has the move
}

// Divides compares a program's divide of the position at the end of a path with ours. It returns
// our moves with both counts, and the moves that are missing or extra. The error is about a move of
// the program that cannot be read.
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

	// unnamed is the number of extra moves, or of missing ones if negative, of a program that
	// prints totals only.
	unnamed    int
	notTaken   string // why the whole answer belongs to another position, "" if it does not
	otherSide  bool   // all of its moves leave squares of the side that is not to move
	sum, total uint64 // of the program's counts below the moves, and the total that it prints
}

// likelyFirst is the order in which promotions without a letter are assumed if the counts do not
// decide.
var likelyFirst = map[fianchetto.PieceType]int{fianchetto.Queen: 1, fianchetto.Rook: 2, fianchetto.Bishop: 3,
	fianchetto.Knight: 4}

// tabulate assigns the program's moves to ours. If a move can be read as several, the counts
// decide.
func tabulate(pos *fianchetto.Position, ours []perft.MoveCount, answer engine.Answer) (*table, error) {
	t := &table{pos: *pos, answer: answer, rows: make([]DivideRow, len(ours)), total: answer.Leaves()}
	t.sum, _ = answer.Sum() // it is within 64 bits, or the answer would not have been read
	for i, count := range ours {
		t.rows[i] = DivideRow{Move: count.Move, Ours: count.Nodes}
	}
	slices.SortStableFunc(t.rows, func(a, b DivideRow) int {
		return cmp.Compare(likelyFirst[a.Move.Promotion()], likelyFirst[b.Move.Promotion()])
	})
	all := strings.Join(t.listed(), "")
	isOneCase := all == strings.ToLower(all) || all == strings.ToUpper(all)
	lines := make([]*line, len(answer.Moves))
	for i, their := range answer.Moves {
		meanings, err := readMove(pos, their.Move, isOneCase)
		if err != nil {
			return nil, err
		}
		lines[i] = &line{meanings: meanings, nodes: their.Nodes}
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

// readings are the ways to read a move, the most common first: as it is; castling by the king's
// target; a promotion without a letter.
var readings = [...]struct{ castlingTarget, letterless bool }{{}, {castlingTarget: true}, {letterless: true}}

// assign assigns each line to the first row that it fits: lines with the row's count first, and of
// these the lines that fit the fewest rows.
func (t *table) assign(pos *fianchetto.Position, lines []*line) {
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
			open := slices.DeleteFunc(slices.Clone(lines), func(l *line) bool { return l.taken })
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

// written is what a program writes of a move. In coordinates it is the squares, in algebraic
// notation the piece and as much of its square as it takes.
type written struct {
	text      string
	piece     fianchetto.PieceType // NoPieceType: not written
	from      fianchetto.Bitboard  // where the piece may stand
	to        fianchetto.Square
	promotion fianchetto.PieceType // NoPieceType: not written
}

// moveForm matches a move in coordinates and in algebraic notation, long and short.
var moveForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^([KQRBNP]?)([a-h]?)([1-8]?)[-x:]?([a-h])([1-8])(?:[=/]?([a-zA-Z])|=?\(([a-zA-Z])\))?$`)
})

// decoration matches what moves are adorned with, which says nothing that the position does not
// say.
var decoration = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?:\s?e\.?p\.?)?[+#!?]*$`) })

// figurines are written as letters.
var figurines = strings.NewReplacer("♔", "K", "♕", "Q", "♖", "R", "♗", "B", "♘", "N", "♙", "", "♚", "K", "♛", "Q",
	"♜", "R", "♝", "B", "♞", "N", "♟", "")

// readMove reads a move as other programs write it: e2e4, e2-e4, E7E8=Q, Ng1-f3, Nf3+, bxc3, e8(Q),
// 0-0. Where all moves are written in one case, BXC3 may mean two moves. The error is about text
// that means none.
func readMove(pos *fianchetto.Position, text string, oneCase bool) ([]written, error) {
	plain := figurines.Replace(decoration().ReplaceAllString(text, ""))
	switch strings.ReplaceAll(strings.ToUpper(strings.ReplaceAll(plain, "-", "")), "0", "O") {
	case "OO":
		return castle(pos, text, bitboard.FileG), nil
	case "OOO":
		return castle(pos, text, bitboard.FileC), nil
	}
	lower := strings.ToLower(plain)
	variants := []string{plain}
	found := moveForm().FindStringSubmatch(lower)
	if isCoordinates := found != nil && found[2]+found[3] == lower[:2]; isCoordinates {
		variants = append(variants[:0], lower)
		if plain[1:] == lower[1:] && plain != lower { // B1c3
			variants = append(variants, plain)
		}
	} else if oneCase && lower != "" {
		variants = []string{lower, strings.ToUpper(lower[:1]) + lower[1:]}
	}
	var meanings []written
	for _, variant := range variants {
		if m, ok := readForm(pos, variant); ok {
			m.text = text
			meanings = append(meanings, m)
		}
	}
	if len(meanings) == 0 {
		return nil, fmt.Errorf("move %s: %w", quote.Text(text, 0), fianchetto.ErrMoveSyntax)
	}
	return meanings, nil
}

// castle returns the king's move that castles to one side.
func castle(pos *fianchetto.Position, text string, to bitboard.File) []written {
	king := pos.King(pos.SideToMove())
	return []written{{text: text, from: king.Bitboard(), to: bitboard.SquareAt(to, king.Rank())}}
}

// readForm reads a move whose letters are in the case of the standard.
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

// standsFor reports whether m may be written so. The target of a castling is the square that the
// king goes to if castlingTarget is set, else the square of the rook. If letterless is set, any
// promotion may be without its letter.
func (w *written) standsFor(pos *fianchetto.Position, m fianchetto.Move, castlingTarget, letterless bool) bool {
	to := m.To()
	if castlingTarget {
		if m.Kind() != fianchetto.Castling {
			return false
		}
		to, _ = m.CastlingTargets()
	}
	promotionFits := w.promotion == m.Promotion()
	if letterless {
		promotionFits = w.promotion == fianchetto.NoPieceType && m.Promotion() != fianchetto.NoPieceType
	}
	return w.from.Has(m.From()) && w.to == to && promotionFits &&
		(w.piece == fianchetto.NoPieceType || w.piece == pos.PieceAt(m.From()).Type())
}

// proposal returns the squares of a move that is extra: with the piece that could move to the
// target, were it not for a rule, otherwise any piece of its type. The error says that there is
// none.
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
		case why.Rule == fianchetto.RuleMovement:
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
