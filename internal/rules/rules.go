// Package rules explains which rule of chess makes a move legal or illegal, in a sentence that names the pieces and
// the squares: "f1 is attacked by the bishop on a6". It is used for moves about which two generators differ.
//
//	pos := fianchetto.MustParseFEN("4k3/8/b7/8/8/8/8/4K2R w K - 0 1")
//	verdict := rules.Explain(pos, rules.Proposal{From: bitboard.E1, To: bitboard.G1})
//
// Source of the rules: FIDE Laws of Chess, articles 3 and 5, and guideline II (Chess960).
package rules

import (
	"fmt"
	"slices"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// Rule is the name of a rule that decides about a move.
type Rule string

// The rules: first those of the pieces, then those of the king.
const (
	NoPiece       Rule = "no piece"       // the square that is left is empty
	SideToMove    Rule = "side to move"   // the piece is the opponent's
	Movement      Rule = "movement"       // how a piece moves on an empty board
	OwnPiece      Rule = "own piece"      // a piece of one's own is not captured
	BlockedPath   Rule = "blocked path"   // a bishop, rook or queen does not jump
	PawnPush      Rule = "pawn push"      // one square ahead, if it is empty
	DoublePush    Rule = "double push"    // two squares from the first one, if both are empty
	PawnCapture   Rule = "pawn capture"   // diagonally, and only to capture
	EnPassant     Rule = "en passant"     // only at once, and only if the king is not attacked then
	Promotion     Rule = "promotion"      // on the last rank, to one of four piece types
	CastlingRight Rule = "castling right" // neither king nor rook has moved
	CastlingPath  Rule = "castling path"  // the squares that king and rook cross are empty
	Castling      Rule = "castling"       // all of its conditions hold
	OutOfCheck    Rule = "castling out of check"
	ThroughCheck  Rule = "castling through check"
	IntoCheck     Rule = "castling into check"
	KingSafety    Rule = "king safety"  // the king does not step onto an attacked square
	Pin           Rule = "pin"          // a pinned piece stays on the line
	Check         Rule = "check"        // a check must be met
	DoubleCheck   Rule = "double check" // only the king moves
)

// Proposal is a move as a program proposes it, legal or not. Castling is the king's move to its target square or to the
// square of the rook.
type Proposal struct {
	From, To  fianchetto.Square    // 0..63
	Promotion fianchetto.PieceType // any piece type; NoPieceType for none
}

// Propose returns a legal move as a proposal, castling as king takes rook.
func Propose(m fianchetto.Move) Proposal { return Proposal{m.From(), m.To(), m.Promotion()} }

// String formats m as UCI does: "e2e4", "e7e8q".
func (m Proposal) String() string {
	text := m.From.String() + m.To.String()
	if m.Promotion != fianchetto.NoPieceType {
		text += string(m.Promotion.Letter() | ('a' - 'A'))
	}
	return text
}

// Verdict is whether the rules allow a move, and why.
type Verdict struct {
	Legal  bool   // whether it may be played
	Rule   Rule   // that decides; for a legal move, the rule that is easiest to get wrong
	Reason string // a sentence without a full stop that names pieces and squares

	// Attackers are the pieces that check, pin, or attack the square Attacked, on which the king would be. Without
	// them, Attacked is NoSquare.
	Attackers fianchetto.Bitboard
	Attacked  fianchetto.Square
}

// String returns the rule and the reason: "pin: the knight on e3 is pinned to ...".
func (v Verdict) String() string { return string(v.Rule) + ": " + v.Reason }

func allowed(rule Rule, format string, values ...any) Verdict {
	return Verdict{Legal: true, Rule: rule, Reason: fmt.Sprintf(format, values...), Attacked: fianchetto.NoSquare}
}

func forbidden(rule Rule, format string, values ...any) Verdict {
	return Verdict{Rule: rule, Reason: fmt.Sprintf(format, values...), Attacked: fianchetto.NoSquare}
}

// by returns the verdict with the attackers of a square that decide.
func (v Verdict) by(attackers fianchetto.Bitboard, attacked fianchetto.Square) Verdict {
	v.Attackers, v.Attacked = attackers, attacked
	return v
}

// Explain reports whether m is legal in pos, and the rule that decides. m can be any move; squares above 63 are empty.
//
// A king's move is a castling if its target is a rook of its own side, or if it goes along the back rank to the c- or
// g-file and is longer than one square. A step of one square is not a castling, although a castling in Chess960 can be
// one.
func Explain(pos fianchetto.Position, m Proposal) Verdict {
	return ExplainAfter(pos, nil, m)
}

// ExplainAfter is Explain for the position after moves, which must be legal, have been played from root. It
// also finds by which of the moves a right to castle or to capture en passant was lost.
func ExplainAfter(root fianchetto.Position, moves []fianchetto.Move, m Proposal) Verdict {
	q := newQuestion(root, moves, m)
	forbids := []func() Verdict{q.wrongPiece, q.wrongCastling, q.wrongMovement, q.wrongPromotion, q.wrongForKing}
	for _, forbid := range forbids { // each returns the zero Verdict if it does not decide
		if v := forbid(); v.Rule != "" {
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
func (q *question) wrongPiece() Verdict {
	switch {
	case q.piece == fianchetto.NoPiece:
		return forbidden(NoPiece, "no piece stands on %v%s", q.move.From, q.whyEmpty(q.move.From))
	case q.piece.Color() != q.us:
		return forbidden(SideToMove, "the %v on %v is %v's, and %v is to move", q.piece.Type(), q.move.From, q.them,
			q.us)
	case !q.move.To.IsValid():
		return forbidden(Movement, "the target square is off the board")
	}
	return Verdict{}
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
func (q *question) wrongMovement() Verdict {
	from, to := q.move.From, q.move.To
	switch {
	case q.castling != nil:
		return Verdict{}
	case q.piece.Type() == fianchetto.Pawn:
		return q.wrongPawnMove()
	case !attacks.Of(q.piece, from, bitboard.Empty).Has(to):
		return q.noSuchMove()
	}
	if blockers := bitboard.Between(from, to) & q.occupancy; blockers != 0 {
		return forbidden(BlockedPath, "the way of the %v from %v to %v is blocked by %s",
			q.piece.Type(), from, to, q.name(nearest(from, blockers)))
	}
	return q.ownPieceOnTarget()
}

// noSuchMove forbids a move that the piece does not have on any board. It adds a hint if the move looks like a step
// across the edge of the board, a common mistake of generators.
func (q *question) noSuchMove() Verdict {
	const farAway = 5 // files: more than a knight, a king or a pawn can move
	a, b := q.move.From.File(), q.move.To.File()
	kind, hint := q.piece.Type(), ""
	isSlider := kind == fianchetto.Bishop || kind == fianchetto.Rook || kind == fianchetto.Queen
	if max(a, b)-min(a, b) >= farAway && !isSlider {
		hint = "; did it step off the edge of the board and come in from the other side?"
	}
	return forbidden(Movement, "a %v does not move from %v to %v%s", q.piece.Type(), q.move.From, q.move.To, hint)
}

func (q *question) ownPieceOnTarget() Verdict {
	if q.target != fianchetto.NoPiece && q.target.Color() == q.us {
		return forbidden(OwnPiece, "the %v on %v is %v's own", q.target.Type(), q.move.To, q.us)
	}
	return Verdict{}
}

// nearest returns, as a set, the one of a line's squares that is next to s.
func nearest(s fianchetto.Square, squares fianchetto.Bitboard) fianchetto.Bitboard {
	if squares.First() > s {
		return squares.First().Bitboard()
	}
	return squares.Last().Bitboard()
}
