package rules

import (
	"fmt"

	"github.com/fianchetto-chess/fianchetto"
)

// Rule names what decides about a move. Its text is the name that people read.
type Rule string

// The rules, from what a man may do to what its king allows.
const (
	NoMan         Rule = "no man"         // nobody stands on the square that is left
	SideToMove    Rule = "side to move"   // the man is the opponent's
	Movement      Rule = "movement"       // how a man moves on an empty board
	OwnMan        Rule = "own man"        // a man of one's own is not captured
	BlockedPath   Rule = "blocked path"   // a bishop, rook or queen does not jump
	PawnPush      Rule = "pawn push"      // one square ahead, if it is empty
	DoublePush    Rule = "double push"    // two squares from the first one, if both are empty
	PawnCapture   Rule = "pawn capture"   // diagonally, and only to capture
	EnPassant     Rule = "en passant"     // when it may be done, and what it opens
	Promotion     Rule = "promotion"      // on the last rank, to one of four kinds
	CastlingRight Rule = "castling right" // neither king nor rook has moved
	CastlingPath  Rule = "castling path"  // nobody stands in the way of king and rook
	Castling      Rule = "castling"       // all that it asks for is given
	OutOfCheck    Rule = "castling out of check"
	ThroughCheck  Rule = "castling through check"
	IntoCheck     Rule = "castling into check"
	KingSafety    Rule = "king safety"  // the king does not step onto an attacked square
	Pin           Rule = "pin"          // a man that shields its king stays on the line
	Check         Rule = "check"        // a check must be met
	DoubleCheck   Rule = "double check" // only the king moves
)

// Move is a move as somebody proposes it: it need not be legal, or make any sense. Castling is the king's move to
// the square where it ends or to that of its rook.
type Move struct {
	From, To  fianchetto.Square    // 0..63
	Promotion fianchetto.PieceType // any kind; NoPieceType for none
}

// MoveOf returns a legal move as somebody would propose it, castling as king takes rook.
func MoveOf(m fianchetto.Move) Move { return Move{m.From(), m.To(), m.Promotion()} }

// String spells m as UCI does: "e2e4", "e7e8q".
func (m Move) String() string {
	text := m.From.String() + m.To.String()
	if m.Promotion != fianchetto.NoPieceType {
		text += string(m.Promotion.Letter() | ('a' - 'A'))
	}
	return text
}

// Verdict is what the rules say about a move.
type Verdict struct {
	Legal  bool   // whether it may be played
	Rule   Rule   // the one that decides; of a legal move, the one that is easiest to get wrong
	Reason string // a sentence without a full stop, naming men and squares
}

// String is the rule and the reason: "pin: the knight on e3 is pinned to ...".
func (v Verdict) String() string { return string(v.Rule) + ": " + v.Reason }

func allowed(rule Rule, format string, values ...any) Verdict {
	return Verdict{true, rule, fmt.Sprintf(format, values...)}
}

func forbidden(rule Rule, format string, values ...any) Verdict {
	return Verdict{false, rule, fmt.Sprintf(format, values...)}
}
