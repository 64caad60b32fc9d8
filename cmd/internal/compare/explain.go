package compare

import (
	"fmt"
	"strings"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/engine"
)

// Proposal is a move as a program proposes it, legal or not. Castling is the king's move to its target square or to the
// square of the rook.
type Proposal struct {
	From, To  fianchetto.Square
	Promotion fianchetto.PieceType // any piece type; NoPieceType for none
}

// propose returns a legal move as a proposal, castling as king takes rook.
func propose(m fianchetto.Move) Proposal { return Proposal{m.From(), m.To(), m.Promotion()} }

// String formats m as UCI does: "e2e4", "e7e8q".
func (m Proposal) String() string {
	text := m.From.String() + m.To.String()
	if m.Promotion != fianchetto.NoPieceType {
		text += string(m.Promotion.Letter())
	}
	return text
}

// Explain explains a proposal at the end of a path. Where a right to castle is lost, it names the move of the path that
// did it.
func Explain(path engine.Path, m Proposal) fianchetto.Explanation {
	pos := path.Position()
	us, promotion := pos.SideToMove(), m.Promotion
	if promotion == fianchetto.Pawn || promotion == fianchetto.King {
		promotion = fianchetto.Queen
	}
	move := pos.MoveBetween(m.From, m.To, promotion)
	if m.From == pos.King(us) && path.Root.CastlingRooks(us).Has(m.To) && bitboard.Distance(m.From, m.To) > 1 {
		move = fianchetto.NewMove(m.From, m.To, fianchetto.Castling) // the rook may be gone
	}
	why := pos.Explain(move)
	switch {
	case why.Legal && promotion != m.Promotion:
		why.Legal, why.Rule = false, fianchetto.RulePromotion
		why.Reason = fmt.Sprintf("a pawn becomes a knight, a bishop, a rook or a queen, not a %v", m.Promotion)
	case why.Rule == fianchetto.RuleCastlingRight:
		if lost, rook := whyNoRight(path, us, move.To().File() > move.From().File()); lost != "" {
			why.Reason = why.Reason[:strings.LastIndex(why.Reason, ": ")+2] + lost
			why.Squares = why.Squares.With(rook)
		}
	case why.Rule == fianchetto.RulePawnCapture && !why.Legal:
		if plies := sinceEnPassant(path, m.To); plies > 0 {
			why.Rule = fianchetto.RuleEnPassant
			why.Reason = fmt.Sprintf("en passant is possible only at once after a double push, and the push over %v was %d "+
				"plies ago", m.To, plies+1)
		}
	case why.Rule == fianchetto.RuleMovement && !why.Legal && wraps(&pos, m):
		why.Reason += "; did it step off the edge of the board and come in from the other side?"
	}
	return why
}

// wraps reports whether a move looks like a step across the edge of the board, a common mistake of generators.
func wraps(pos *fianchetto.Position, m Proposal) bool {
	const farAway = 5 // files: more than a knight, a king or a pawn can move
	a, b := m.From.File(), m.To.File()
	kind := pos.PieceAt(m.From).Type()
	isSlider := fianchetto.Bishop <= kind && kind <= fianchetto.Queen
	return max(a, b)-min(a, b) >= farAway && !isSlider
}

// sinceEnPassant returns how many plies ago a square was the en-passant square of a position of the path, 0 if it never
// was.
func sinceEnPassant(path engine.Path, s fianchetto.Square) (plies int) {
	pos := path.Root
	for i, m := range path.Moves {
		if pos.EnPassant() == s {
			plies = len(path.Moves) - i
		}
		pos = pos.After(m)
	}
	return plies
}

// whyNoRight names the move by which a side lost the right to castle towards the h-file, or else the a-file, and the
// square of the rook.
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
				lost, square = fmt.Sprintf("the %v has moved, %s", m.Piece(), move), rook
			}
		}
		pos = next
	}
	return lost, square
}
