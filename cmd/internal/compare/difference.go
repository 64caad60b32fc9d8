package compare

import (
	"fmt"
	"strings"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/divide"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/engine"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/format"
)

// Kind is a kind of difference.
type Kind string

// The kinds of differences.
const (
	Missing  Kind = "missing"            // a legal move is not generated
	Extra    Kind = "extra"              // a move is generated that is illegal, or generated already
	WrongSum Kind = "wrong count"        // the lists of moves are right, but a count is wrong
	NotTaken Kind = "position not taken" // the moves belong to another position
)

// Rules besides those of chess.
const (
	Twice      fianchetto.Rule = "generated twice" // each move is listed once
	Total      fianchetto.Rule = "total"           // a program that prints only totals does not name the move
	Sum        fianchetto.Rule = "sum"             // counts contradict each other
	Divided    fianchetto.Rule = "divide"          // a count is that of the position after the move
	Remembered fianchetto.Rule = "hash or unmake"  // a count depends on what was counted before
	Position   fianchetto.Rule = "position"        // the program counts in the given position
	ReadingFEN fianchetto.Rule = "FEN"             // a position is the same whether it is set up or reached by moves
	OffBoard   fianchetto.Rule = "off the board"   // a move leads from a square to a square
)

// Difference is a wrong move or count in a position.
type Difference struct {
	Kind     Kind
	Path     engine.Path            // from the root to the position
	Move     string                 // in UCI notation, or "" if unknown
	Proposed divide.Proposal        // Move, parsed
	Nodes    uint64                 // what the program counts below an extra move
	Count    int                    // of the missing or extra moves
	Verdict  fianchetto.Explanation // the deciding rule
	// Short is the shortest end of Path that shows the difference. If it contains moves, the
	// mistake is in making the first.
	Short engine.Path
	// Alike are the other differences of the same kind and rule. Their Short is the whole path.
	Alike []Difference

	Depth   int        // of the question that shows a wrong count; 0 means 1
	Earlier []Question // these make the answer wrong

	sentence string          // of a finding without samples
	found    fianchetto.Rule // the first rule, which groups differences
}

// Position returns the position in which the program differs.
func (d *Difference) Position() fianchetto.Position { return d.Path.Position() }

// Headline is the first line of a report: the subject and the position.
func (d *Difference) Headline() string {
	if d.Kind == NotTaken {
		return d.Subject() + ": " + d.Position().FEN()
	}
	return d.Subject() + " in " + d.Position().FEN()
}

// Subject names the difference: "missing e5d6", "extra 2 moves", "wrong count".
func (d *Difference) Subject() string {
	switch {
	case d.Move != "":
		return string(d.Kind) + " " + d.Move
	case d.Kind == WrongSum, d.Kind == NotTaken:
		return string(d.Kind)
	}
	return string(d.Kind) + " " + format.Plain(d.Count, "move")
}

// Rule returns the rule, the reason and, for a mistake in making a move, that move.
func (d *Difference) Rule() string {
	text := d.Verdict.String()
	if n := len(d.Short.Moves); n > 0 && d.Kind != WrongSum {
		text += fmt.Sprintf(" (the bug is in making %s: with the same position set up from FEN, the engine is right)",
			d.Short.Root.UCI(d.Short.Moves[0]))
	}
	return text
}

func differencesIn(path engine.Path, t *table) []Difference {
	pos := path.Position()
	if t.notTaken != "" {
		return []Difference{wrong(NotTaken, path, Position, "the program did not take the position: %s", t.notTaken)}
	}
	var found []Difference
	for _, m := range t.Beyond {
		d := wrong(Extra, path, OffBoard, "there is no square %s", m.Square)
		d.Move, d.Nodes = m.Move, m.Nodes
		found = append(found, d)
	}
	missing := t.Missing()
	for _, r := range missing {
		const kinds = 4
		m, verdict := r.Move, Explain(path, divide.Propose(r.Move))
		var promotions []string // of the same pawn to the same square
		for _, other := range missing {
			if other.Move.From() == m.From() && other.Move.To() == m.To() {
				promotions = append(promotions, other.Move.Promotion().String())
			}
		}
		if promotions[0] != m.Promotion().String() {
			continue // the first represents all
		}
		if n := len(promotions); m.Promotion() != fianchetto.NoPieceType && n < kinds { // else the move is missing
			verdict.Rule = "promotion"
			verdict.Reason = fmt.Sprintf("promotion count is %d, not %d: a pawn may become a %s, too", kinds-n, kinds,
				strings.Join(promotions, " or a "))
		}
		found = append(found, Difference{Kind: Missing, Path: path, Move: pos.UCI(m), Proposed: divide.Propose(m),
			Count: 1, Verdict: verdict})
	}
	for _, m := range t.Extra {
		verdict := Explain(path, m.Proposal)
		if verdict.Legal {
			verdict.Rule, verdict.Reason = Twice, fmt.Sprintf("%v is legal, but listed once more", m)
		}
		found = append(found, Difference{Kind: Extra, Path: path, Move: m.String(), Proposed: m.Proposal, Nodes: m.Nodes,
			Count: 1, Verdict: verdict})
	}
	if t.unnamed != 0 {
		d := wrong(Extra, path, Total, "the count is %d, not %d, and the program does not list moves",
			len(t.Rows)+t.unnamed, len(t.Rows))
		if d.Count = t.unnamed; d.Count < 0 {
			d.Kind, d.Count = Missing, -t.unnamed
		}
		found = append(found, d)
	}
	return found
}

// wrong returns a difference without a move.
func wrong(kind Kind, path engine.Path, rule fianchetto.Rule, reason string, args ...any) Difference {
	return Difference{Kind: kind, Path: path, Short: path, Count: 1,
		Verdict: fianchetto.Explanation{Rule: rule, Reason: fmt.Sprintf(reason, args...)}}
}

// Explain explains a proposal at the end of a path. It names the move that lost a castling right.
func Explain(path engine.Path, m divide.Proposal) fianchetto.Explanation {
	pos := path.Position()
	us, promotion := pos.SideToMove(), m.Promotion
	if promotion == fianchetto.Pawn || promotion == fianchetto.King {
		promotion = fianchetto.Queen
	}
	move := pos.MoveBetween(m.From, m.To, promotion)
	switch isStep := bitboard.Distance(m.From, m.To) == 1; {
	case isStep && move.Kind() == fianchetto.Castling && !pos.IsChess960():
		move = fianchetto.NewMove(m.From, m.To, fianchetto.KingMove)
	case !isStep && m.From == pos.King(us) && path.Root.CastlingRooks(us).Has(m.To):
		move = fianchetto.NewMove(m.From, m.To, fianchetto.Castling) // the rook may be gone
	}
	why := pos.Explain(move)
	switch {
	case why.Legal && promotion != m.Promotion:
		why.Legal, why.Rule = false, "promotion"
		why.Reason = fmt.Sprintf("a pawn becomes a knight, a bishop, a rook or a queen, not a %v", m.Promotion)
	case why.Rule == "castling right":
		if lost, square := whyNoRight(path, us, move.To().File() > move.From().File()); lost != "" {
			why.Reason = why.Reason[:strings.LastIndex(why.Reason, ": ")+2] + lost
			why.Squares = why.Squares.With(square)
		}
	case why.Rule == "pawn capture" && !why.Legal:
		if plies := sinceEnPassant(path, m.To); plies > 0 {
			why.Rule = "en passant"
			why.Reason = fmt.Sprintf("en passant is possible only at once after a double push, and the push over %v was "+
				"%d plies ago", m.To, plies+1)
		}
	case why.Rule == "movement" && !why.Legal && wraps(&pos, m):
		why.Reason += "; did it step off the edge of the board and come in from the other side?"
	}
	return why
}

// wraps reports whether a move looks like a step across the edge of the board.
func wraps(pos *fianchetto.Position, m divide.Proposal) bool {
	const farAway = 5 // files: more than a knight, a king or a pawn can move
	a, b := m.From.File(), m.To.File()
	kind := pos.PieceAt(m.From).Type()
	isSlider := fianchetto.Bishop <= kind && kind <= fianchetto.Queen
	return max(a, b)-min(a, b) >= farAway && !isSlider
}

// sinceEnPassant returns how many plies ago a square was the en-passant square, or 0.
func sinceEnPassant(path engine.Path, s fianchetto.Square) (plies int) {
	for i := range path.Moves {
		if pos := (engine.Path{Root: path.Root, Moves: path.Moves[:i]}).Position(); pos.EnPassant() == s {
			plies = len(path.Moves) - i
		}
	}
	return plies
}

// whyNoRight names the move by which a side lost a castling right, east towards the h-file, and
// where the king or rook was.
func whyNoRight(path engine.Path, us fianchetto.Color, east bool) (lost string, square fianchetto.Square) {
	pos := path.Root
	for _, m := range path.Moves {
		next := pos.After(m)
		for rook := range (pos.CastlingRooks(us) &^ next.CastlingRooks(us)).Squares() {
			switch move := pos.UCI(m); {
			case rook > pos.King(us) != east:
			case m.To() == rook && m.Kind() != fianchetto.Castling:
				lost, square = fmt.Sprintf("%s captured the rook on %v", move, rook), rook
			default:
				lost, square = fmt.Sprintf("the %v has moved, %s", m.Piece(), move), m.From()
			}
		}
		pos = next
	}
	return lost, square
}

// clocks are the fields of a FEN because of which a program may not take a position.
var clocks = []struct {
	field, start string
	reset        func(*fianchetto.Setup)
}{
	{"the halfmove clock", "0", func(setup *fianchetto.Setup) { setup.HalfmoveClock = 0 }},
	{"the full-move number", "1", func(setup *fianchetto.Setup) { setup.FullmoveNumber = 1 }},
}

// checkClocks finds the clock because of which the program did not take a position.
func (s *search) checkClocks(d *Difference) {
	for _, clock := range clocks {
		root, ok := changed(d.Path.Root, clock.reset)
		if !ok || root == d.Path.Root {
			continue
		}
		if shows, isKnown := s.shows(engine.Path{Root: root, Moves: d.Path.Moves}, d); !shows && isKnown {
			d.Verdict.Rule = ReadingFEN
			d.Verdict.Reason = fmt.Sprintf("with %s %s it is right: it reads %[1]s wrong", clock.field, clock.start)
			d.sentence = "the engine reads the FEN wrong: " + clock.field
			return
		}
	}
}

// changed returns a changed position, if it is playable.
func changed(pos fianchetto.Position, change func(*fianchetto.Setup)) (other fianchetto.Position, ok bool) {
	setup := pos.Setup()
	change(&setup)
	other, err := setup.Position()
	return other.WithChess960(pos.IsChess960()), err == nil
}

// reachAnew asks about the position of a difference on other ways than from FEN: after a quiet move,
// and after one to the square of a rook without a right. The answers are evidence about the reader.
func (s *search) reachAnew(d *Difference) {
	last, ok := reach(d.Path.Root, bitboard.Full)
	if len(d.Path.Moves) > 0 || !ok {
		return
	}
	s.shows(last, d)
	if path, ok := reach(last.Root, d.Verdict.Move.To().Bitboard()); ok && d.Verdict.Rule == "castling right" {
		s.shows(path.Then(last.Moves[0]), d)
	}
}

// reach returns a path of one quiet move to a position, which leads to one of some squares.
func reach(pos fianchetto.Position, squares fianchetto.Bitboard) (path engine.Path, ok bool) {
	them := pos.SideToMove().Opponent()
	for to := range (squares & pos.ByColor(them) &^ pos.CastlingRooks(them)).Squares() {
		for from := range (^pos.Occupancy()).Squares() {
			before, ok := changed(pos, func(setup *fianchetto.Setup) {
				setup.Put(from, setup.PieceAt(to))
				setup.Put(to, fianchetto.NoPiece)
				setup.SideToMove, setup.EnPassant = them, fianchetto.NoSquare
			})
			m := before.MoveBetween(from, to, fianchetto.NoPieceType)
			if ok && before.IsLegal(m) && sameBut(before.After(m), pos) {
				return engine.Path{Root: before}.Then(m), true
			}
		}
	}
	return path, false
}

func sameBut(a, b fianchetto.Position) bool {
	s, t := a.Setup(), b.Setup()
	s.HalfmoveClock, s.FullmoveNumber = t.HalfmoveClock, t.FullmoveNumber
	return s == t
}

func oneIf(holds bool) int {
	if holds {
		return 1
	}
	return 0
}
