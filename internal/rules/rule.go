package rules

import (
	"fmt"

	"github.com/fianchetto-chess/fianchetto"
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

// Proposal is a move as a program proposes it, legal or not. Castling is the king's move to its target square or to the square of
// the rook.
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

	// Attackers are the pieces that check, pin, or attack the square Attacked, on which the king would be. Without them,
	// Attacked is NoSquare.
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
