package fianchetto

import (
	"fmt"
	"strconv"

	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/core"
)

// Rule names the rule of chess that makes a move legal or illegal. Explain reports the first violated
// one of these:
//
//	no piece                the origin is occupied
//	side to move            the piece belongs to the side to move
//	castling right          king and rook have not moved
//	castling out of check   the king is not in check
//	castling path           the paths of king and rook are empty
//	castling through check  no square that the king crosses is attacked
//	castling into check     the king's destination is not attacked
//	castling                all conditions of castling hold
//	movement                how the piece moves on an empty board
//	pawn push               one square ahead, if it is empty
//	double push             two empty squares ahead from the second rank
//	pawn capture            diagonally, only to capture
//	en passant              directly after a double push, without opening a line to the king
//	blocked path            sliders do not jump
//	own piece               no capture of an own piece
//	promotion               on the last rank, and only there
//	kind of move            the Kind fits the piece and the squares
//	king safety             the king avoids attacked squares
//	double check            only the king can move
//	check                   the move ends the check
//	pin                     a pinned piece stays on the line
//
// Source: FIDE Laws of Chess, articles 3 and 5, and guideline II (Chess960)
type Rule string

// Explanation says whether a move is legal and why.
type Explanation struct {
	Move   Move   // the move explained
	Legal  bool   // as IsLegal reports
	Rule   Rule   // the deciding rule, which for a legal move is the one easiest to get wrong
	Reason string // such as "the knight on f3 is pinned to the king on e1 by the bishop on b4"

	// Squares are the squares named in Reason.
	Squares Bitboard
	// Attackers are the pieces that give check, pin, or attack Attacked, the square where the king
	// is or would be. Without attackers, Attacked is NoSquare.
	Attackers Bitboard
	Attacked  Square
}

// String returns rule and reason, as in "pin: the knight on f3 is pinned to the king on e1 by the
// bishop on b4".
func (e Explanation) String() string { return string(e.Rule) + ": " + e.Reason }

// MarshalJSON names moves and squares, and omits attacked without attackers.
//
//	{"move":"d2f3","legal":false,"rule":"pin","reason":"...","squares":["d2","e1"],"attackers":["b4"],"attacked":"e1"}
func (e Explanation) MarshalJSON() ([]byte, error) {
	quoted := func(s Square) string { return strconv.Quote(s.String()) }
	text := fmt.Appendf(nil, `{"move":"%v","legal":%t,"rule":%q,"reason":%q,"squares":[%s],"attackers":[%s]`,
		e.Move, e.Legal, e.Rule, e.Reason, join(e.Squares, ",", ",", quoted), join(e.Attackers, ",", ",", quoted))
	if e.Attacked.IsValid() {
		text = fmt.Appendf(text, `,"attacked":%s`, quoted(e.Attacked))
	}
	return append(text, '}'), nil
}

// Explain says why m, which may have any value, is legal or illegal in p. It is much slower than
// IsLegal. MoveBetween builds the Move:
//
//	if why := pos.Explain(pos.MoveBetween(from, to, fianchetto.NoPieceType)); !why.Legal {
//		fmt.Println("You cannot play this:", why.Reason)
//	}
func (p *Position) Explain(m Move) Explanation {
	us := p.SideToMove()
	q := question{
		Position: p, us: us, king: p.King(us), from: m.From(), to: m.To(),
		piece: p.PieceAt(m.From()), target: p.PieceAt(m.To()),
		why: Explanation{Move: m, Attacked: NoSquare},
	}
	isCastling := m.Kind() == Castling && q.piece.Type() == King // for another piece a wrong kind
	q.why.Legal = !(q.refusesPiece() || isCastling && q.refusesCastling() ||
		!isCastling && (q.refusesMovement() || q.refusesKind() || q.refusesForKing()))
	switch {
	case q.why.Legal && isCastling:
		q.allowCastling()
	case q.why.Legal:
		q.allow()
	}
	return q.why
}

// question is a move under examination. Its methods do without the generator and IsLegal, so as not
// to repeat their faults.
type question struct {
	*Position
	us            Color
	king          Square
	from, to      Square
	piece, target Piece
	why           Explanation
}

// say appends to the reason and records the squares it names.
func (q *question) say(format string, args ...any) {
	for i, arg := range args {
		switch arg := arg.(type) {
		case Square:
			q.why.Squares = q.why.Squares.With(arg)
		case Bitboard:
			q.why.Squares |= arg
			args[i] = enumerate(arg, func(s Square) string { return "the " + q.typeAt(s).String() + " on " + s.String() })
		}
	}
	q.why.Reason += fmt.Sprintf(format, args...)
}

func (q *question) squares(set Bitboard) string {
	q.why.Squares |= set
	return enumerate(set, Square.String)
}

// decide records rule and reason. It returns true, for functions that refuse a move.
func (q *question) decide(rule Rule, format string, args ...any) bool {
	q.why.Rule = rule
	q.say(format, args...)
	return true
}

// refuseAttacked is decide for a move that leaves the king attacked.
func (q *question) refuseAttacked(attackers Bitboard, attacked Square, rule Rule, format string, args ...any) bool {
	q.why.Attackers, q.why.Attacked = attackers, attacked
	return q.decide(rule, format, args...)
}

func (q *question) refusesPiece() bool {
	switch {
	case q.piece == NoPiece:
		return q.decide("no piece", "no piece stands on %v", q.from)
	case q.piece.Color() != q.us:
		return q.decide("side to move", "the %v on %v is %v's, and %v is to move", q.piece.Type(), q.from,
			q.us.Opponent(), q.us)
	}
	return false
}

func (q *question) refusesMovement() bool {
	switch {
	case q.piece.Type() == Pawn:
		return q.refusesPawnMove()
	case !attacks.Of(q.piece, q.from, bitboard.Empty).Has(q.to):
		return q.decide("movement", "a %v does not move from %v to %v", q.piece.Type(), q.from, q.to)
	}
	if blockers := bitboard.Between(q.from, q.to) & q.Occupancy(); blockers != 0 {
		return q.decide("blocked path", "the way of the %v from %v to %v is blocked by %v", q.piece.Type(), q.from,
			q.to, nearest(q.from, blockers))
	}
	return q.refusesOwnPiece()
}

func (q *question) refusesOwnPiece() bool {
	return q.ByColor(q.us).Has(q.to) && q.decide("own piece", "%v is occupied by the side's own %v", q.to, q.target.Type())
}

func nearest(s Square, squares Bitboard) Bitboard {
	if squares.First() > s {
		return squares.First().Bitboard()
	}
	return squares.Last().Bitboard()
}

func (q *question) relativeRank(s Square) bitboard.Rank { return q.relative(s).Rank() }

func (q *question) refusesPawnMove() bool {
	ahead := int(q.relativeRank(q.to)) - int(q.relativeRank(q.from))
	isDiagonal := bitboard.Distance(q.from, q.to) == 1 && q.from.File() != q.to.File()
	start := q.relative(bitboard.SquareAt(q.from.File(), bitboard.Rank2))
	rule := Rule("pawn push")
	if ahead == 2 {
		rule = "double push"
	}
	switch between := bitboard.Between(q.from, q.to) & q.Occupancy(); {
	case ahead == 1 && isDiagonal:
		return q.refusesPawnCapture()
	case q.from.File() != q.to.File():
		return q.decide("movement", "a pawn moves one square forward, or two from %v, and captures one square diagonally",
			start)
	case ahead < 1 || ahead > 2:
		return q.decide("movement", "a pawn moves one square forward, or two from %v", start)
	case ahead == 2 && q.from != start:
		return q.decide(rule, "a pawn moves one square forward, or two from %v", start)
	case between != 0:
		return q.decide(rule, "a pawn does not jump: %v stands in its way", between)
	case q.target != NoPiece:
		return q.decide(rule, "a pawn does not capture straight ahead: %v stands there", q.to.Bitboard())
	}
	return false
}

func (q *question) refusesPawnCapture() bool {
	victim := q.victim()
	switch {
	case q.target != NoPiece:
		return q.refusesOwnPiece()
	case q.EnPassant() == q.to:
		return false
	case q.Pieces(q.us.Opponent(), Pawn).Has(victim) && q.relativeRank(victim) == bitboard.Rank5:
		return q.decide("en passant", "en passant is possible only at once after a double push, and the pawn on %v "+
			"has not just made one", victim)
	}
	return q.decide("pawn capture", "a pawn moves diagonally only to capture, and %v is empty", q.to)
}

func (q *question) victim() Square { return bitboard.SquareAt(q.to.File(), q.from.Rank()) }

func (q *question) isEnPassant() bool {
	return q.piece.Type() == Pawn && q.target == NoPiece && q.from.File() != q.to.File()
}

func (q *question) refusesKind() bool {
	kind := q.why.Move.Kind()
	isPawn := q.piece.Type() == Pawn
	isLast := isPawn && q.relativeRank(q.to) == bitboard.Rank8
	want := q.kindBetween(q.from, q.to)
	switch {
	case isLast && q.why.Move.IsPromotion():
		return false
	case isLast:
		return q.decide("promotion", "a pawn that reaches the last rank must be promoted")
	case q.why.Move.IsPromotion() && !isPawn:
		return q.decide("promotion", "a %v is not promoted", q.piece.Type())
	case q.why.Move.IsPromotion():
		return q.decide("promotion", "a pawn is promoted on the last rank only, and %v is not on it", q.to)
	}
	return kind != want && q.decide("kind of move", "the kind of the move is %v, want %v", kind, want)
}

func (q *question) refusesCastling() bool {
	rook := q.to
	kingTo, rookTo := core.CastlingTargets(q.king, rook)
	kingPath, rookPath := span(q.king, kingTo), span(rook, rookTo)
	blockers := (kingPath | rookPath).Without(q.king).Without(rook) & q.Occupancy()
	checkers := q.attackers(q.king, q.Occupancy())
	switch {
	case !q.CastlingRooks(q.us).Has(rook):
		return q.refusesCastlingRight(rook)
	case checkers != 0:
		return q.refuseAttacked(checkers, q.king, "castling out of check", "the king on %v is in check from %v", q.king,
			checkers)
	case blockers&kingPath != 0:
		return q.decide("castling path", "%v stands in the way of the king from %v to %v",
			nearest(q.king, blockers&kingPath), q.king, kingTo)
	case blockers != 0:
		return q.decide("castling path", "%v stands in the way of the rook from %v to %v", nearest(rook, blockers),
			rook, rookTo)
	}
	for s := range kingPath.Without(kingTo).Squares() {
		if by := q.attackers(s, q.Occupancy()); by != 0 {
			return q.refuseAttacked(by, s, "castling through check", "%v is attacked by %v", s, by)
		}
	}
	if by := q.attackers(kingTo, q.Occupancy()); by != 0 {
		return q.refuseAttacked(by, kingTo, "castling into check", "%v is attacked by %v", kingTo, by)
	}
	after := q.Occupancy().Without(q.king).Without(rook).With(kingTo).With(rookTo)
	by := q.attackers(kingTo, after)
	return by != 0 && q.refuseAttacked(by, kingTo, "castling into check",
		"the rook that leaves %v no longer shields %v from %v", rook, kingTo, by)
}

func span(a, b Square) Bitboard { return bitboard.Between(a, b).With(a).With(b) }

func (q *question) refusesCastlingRight(rook Square) bool {
	name, side := "queen's", westOf(q.king.Bitboard(), q.CastlingRooks(q.us))
	if rook.File() > q.king.File() {
		name, side = "king's", eastOf(q.king.Bitboard(), q.CastlingRooks(q.us))
	}
	switch {
	case side != 0:
		return q.decide("castling right", "%v castles on the %s side with %v", q.us, name, side)
	case !q.Pieces(q.us, Rook).Has(rook):
		return q.decide("castling right", "%v has no right to castle on the %s side: no rook stands there", q.us, name)
	}
	return q.decide("castling right", "%v has no right to castle on the %s side: it is lost, wherever king and rook "+
		"on %v stand", q.us, name, rook)
}

func (q *question) attackers(s Square, occupancy Bitboard) (attackers Bitboard) {
	for from := range q.ByColor(q.us.Opponent()).Squares() {
		if attacks.Of(q.PieceAt(from), from, occupancy).Has(s) {
			attackers = attackers.With(from)
		}
	}
	return attackers
}

func (q *question) captured() Bitboard {
	if q.isEnPassant() {
		return q.victim().Bitboard()
	}
	return q.to.Bitboard() & q.ByColor(q.us.Opponent())
}

func (q *question) refusesForKing() bool {
	isKing, king := q.piece.Type() == King, q.king
	if isKing {
		king = q.to
	}
	captured := q.captured()
	by := q.attackers(king, (q.Occupancy()&^captured).Without(q.from).With(q.to)) &^ captured
	checkers := q.attackers(q.king, q.Occupancy())
	switch {
	case by == 0:
		return false
	case isKing && q.attackers(king, q.Occupancy())&by == 0:
		return q.refuseAttacked(by, king, "king safety", "the king on %v steps back along the line of %v, which then "+
			"attacks %v", q.king, by, king)
	case isKing:
		return q.refuseAttacked(by, king, "king safety", "%v is attacked by %v", king, by)
	case checkers.Len() > 1:
		return q.refuseAttacked(checkers, king, "double check", "in double check from %v: only the king may move",
			q.squares(checkers))
	case by&checkers != 0:
		return q.refuseAttacked(checkers, king, "check", "in check from %v: the move does not end it", checkers.First())
	}
	// Without a pinner, the captured pawn kept the line closed.
	if pinners := by & q.attackers(king, q.Occupancy().Without(q.from).With(q.to)); pinners != 0 {
		return q.refuseAttacked(pinners, king, "pin", "the %v on %v is pinned to the king on %v by %v", q.piece.Type(),
			q.from, king, pinners)
	}
	return q.refuseAttacked(by, king, "en passant", "en passant opens the line from %v to the king on %v", by, king)
}

// allow explains how the piece of a legal move moves, then why a pin or check allows it.
func (q *question) allow() {
	q.allowMovement()
	checkers := q.attackers(q.king, q.Occupancy())
	pinners := q.attackers(q.king, q.Occupancy().Without(q.from)) &^ checkers
	if pinners != 0 && q.from != q.king {
		q.say("; it is pinned by %v, but stays on the line", pinners)
		q.decideBy("pin", pinners)
	}
	switch {
	case checkers == 0:
		return
	case checkers == q.captured():
		q.say("; capturing %v ends the check", checkers)
	case q.piece.Type() == King:
		q.say("; that leaves the check by %v", checkers)
	default:
		q.say("; that steps between the king and %v, which gives check", checkers)
	}
	q.decideBy("check", checkers)
}

// decideBy makes a pin or check the deciding rule, unless that is en passant.
func (q *question) decideBy(rule Rule, attackers Bitboard) {
	q.why.Attackers, q.why.Attacked = attackers, q.king
	if q.why.Rule != "en passant" {
		q.why.Rule = rule
	}
}

func (q *question) allowMovement() {
	isPawn := q.piece.Type() == Pawn
	switch {
	case q.isEnPassant():
		q.decide("en passant", "the pawn on %v captures en passant the pawn on %v, which has just made a double push",
			q.from, q.victim())
	case q.piece.Type() == King:
		q.decide("king safety", "no enemy piece attacks %v", q.to)
	case q.why.Move.IsPromotion() && q.target != NoPiece:
		q.decide("promotion", "the pawn on %v captures %v and becomes a %v", q.from, q.to.Bitboard(), q.why.Move.Promotion())
	case q.why.Move.IsPromotion():
		q.decide("promotion", "a pawn that reaches the last rank may become a %v", q.why.Move.Promotion())
	case isPawn && q.target != NoPiece:
		q.decide("pawn capture", "the pawn on %v captures %v diagonally", q.from, q.to.Bitboard())
	case isPawn && q.why.Move.Kind() == DoublePush:
		q.decide("double push", "the pawn on %v has not moved, and both squares ahead of it are empty", q.from)
	case isPawn:
		q.decide("pawn push", "the square ahead of the pawn on %v is empty", q.from)
	case q.target != NoPiece:
		q.decide("movement", "the %v on %v captures %v", q.piece.Type(), q.from, q.to.Bitboard())
	default:
		q.decide("movement", "the %v on %v moves to %v, which is empty", q.piece.Type(), q.from, q.to)
	}
}

func (q *question) allowCastling() {
	rook := q.to
	kingTo, rookTo := core.CastlingTargets(q.king, rook)
	kingPath := span(q.king, kingTo)
	q.decide("castling", "king and rook on %v have not moved, their path is clear, and no piece attacks %v",
		rook, q.squares(kingPath))
	for s := range (span(rook, rookTo) &^ kingPath).Squares() {
		if by := q.attackers(s, q.Occupancy()); by != 0 {
			q.say("; that %v attacks %v does not matter, as the king does not pass it", by, s)
		}
	}
}
