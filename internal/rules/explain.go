package rules

import (
	"fmt"
	"slices"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// Explain reports whether m is legal in pos, and the rule that decides. m can be any move; squares above 63 are empty.
//
// A king's move is a castling if its target is a rook of its own side, or if it goes along the back rank to the c- or g-file and
// is longer than one square. A step of one square is not a castling, although a castling in Chess960 can be one.
func Explain(pos fianchetto.Position, m Proposal) Verdict {
	return ExplainAfter(pos, nil, m)
}

// ExplainAfter is Explain for the position after moves, which must be legal, have been played from root. It
// also finds by which of the moves a right to castle or to capture en passant was lost.
func ExplainAfter(root fianchetto.Position, moves []fianchetto.Move, m Proposal) Verdict {
	q := newQuestion(root, moves, m)
	for _, forbids := range []func() (Verdict, bool){q.wrongPiece, q.wrongCastling, q.wrongMovement, q.wrongPromotion, q.wrongForKing} {
		if v, ok := forbids(); ok {
			return v
		}
	}
	return q.legal()
}

// question is a move, its position, and what the rules need to know of them.
type question struct {
	root   fianchetto.Position
	before []fianchetto.Move

	pos       fianchetto.Position
	move      Proposal
	us, them  fianchetto.Color
	piece     fianchetto.Piece // that moves; NoPiece if there is none
	target    fianchetto.Piece // on the square it goes to
	occupancy fianchetto.Bitboard
	king      fianchetto.Square
	castling  *castling // nil: another move
}

func newQuestion(root fianchetto.Position, moves []fianchetto.Move, m Proposal) *question {
	pos := root
	for _, played := range moves {
		pos = pos.After(played)
	}
	us := pos.SideToMove()
	q := &question{
		root: root, before: moves, pos: pos, move: m,
		us: us, them: us.Opponent(),
		piece: pos.PieceAt(m.From), target: pos.PieceAt(m.To),
		occupancy: pos.Occupancy(), king: pos.King(us),
	}
	q.castling = q.asCastling()
	return q
}

// wrongPiece forbids moves from an empty square and moves of an enemy piece.
func (q *question) wrongPiece() (Verdict, bool) {
	switch {
	case q.piece == fianchetto.NoPiece:
		return forbidden(NoPiece, "no piece stands on %v%s", q.move.From, q.whyEmpty(q.move.From)), true
	case q.piece.Color() != q.us:
		return forbidden(SideToMove, "the %v on %v is %v's, and %v is to move", q.piece.Type(), q.move.From, q.them, q.us), true
	case !q.move.To.IsValid():
		return forbidden(Movement, "the target square is off the board"), true
	}
	return Verdict{}, false
}

// whyEmpty names the move of those before that emptied a square, if there is one.
func (q *question) whyEmpty(s fianchetto.Square) string {
	for _, m := range slices.Backward(q.before) {
		switch {
		case m.From() == s:
			return fmt.Sprintf(": %v left it", m)
		case m.Kind() == fianchetto.EnPassant && bitboard.SquareAt(m.To().File(), m.From().Rank()) == s:
			return fmt.Sprintf(": %v captured the pawn there en passant", m)
		}
	}
	return ""
}

// wrongMovement forbids moves that are not pseudo-legal.
func (q *question) wrongMovement() (Verdict, bool) {
	from, to := q.move.From, q.move.To
	switch {
	case q.castling != nil:
		return Verdict{}, false
	case q.piece.Type() == fianchetto.Pawn:
		return q.wrongPawnMove()
	case !attacks.Of(q.piece, from, bitboard.Empty).Has(to):
		return q.noSuchMove()
	}
	if blockers := bitboard.Between(from, to) & q.occupancy; blockers != 0 {
		return forbidden(BlockedPath, "the way of the %v from %v to %v is blocked by %s",
			q.piece.Type(), from, to, q.name(nearest(from, blockers))), true
	}
	return q.ownPieceOnTarget()
}

// noSuchMove forbids a move that the piece does not have on any board. It adds a hint if the move looks like a step across the
// edge of the board, a common mistake of generators.
func (q *question) noSuchMove() (Verdict, bool) {
	const farAway = 5 // files: more than a knight, a king or a pawn can move
	a, b := q.move.From.File(), q.move.To.File()
	kind, hint := q.piece.Type(), ""
	isSlider := kind == fianchetto.Bishop || kind == fianchetto.Rook || kind == fianchetto.Queen
	if max(a, b)-min(a, b) >= farAway && !isSlider {
		hint = "; did it step off the edge of the board and come in from the other side?"
	}
	return forbidden(Movement, "a %v does not move from %v to %v%s", q.piece.Type(), q.move.From, q.move.To, hint), true
}

func (q *question) ownPieceOnTarget() (Verdict, bool) {
	if q.target != fianchetto.NoPiece && q.target.Color() == q.us {
		return forbidden(OwnPiece, "the %v on %v is %v's own", q.target.Type(), q.move.To, q.us), true
	}
	return Verdict{}, false
}

// nearest returns, as a set, the one of a line's squares that is next to s.
func nearest(s fianchetto.Square, squares fianchetto.Bitboard) fianchetto.Bitboard {
	if squares.First() > s {
		return squares.First().Bitboard()
	}
	return squares.Last().Bitboard()
}
