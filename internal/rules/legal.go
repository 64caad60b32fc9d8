package rules

import (
	"fmt"
	"strings"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// legal explains a legal move: how the piece moves, then why a pin or a check does not forbid it. The verdict has the
// last rule of these, since it is the least obvious one; en passant remains the rule.
func (q *question) legal() Verdict {
	verdict := q.legalMovement()
	for _, doubt := range []Verdict{q.doubtPin(), q.doubtCheck()} {
		rule := doubt.Rule
		if rule == "" {
			continue
		}
		if verdict.Rule == EnPassant {
			rule = EnPassant
		}
		verdict = allowed(rule, "%s; %s", verdict.Reason, doubt.Reason).by(doubt.Attackers, doubt.Attacked)
	}
	return verdict
}

// legalMovement explains how the piece moves.
func (q *question) legalMovement() Verdict {
	from, to := q.move.From, q.move.To
	switch {
	case q.castling != nil:
		return q.legalCastling()
	case q.isEnPassant():
		return q.legalEnPassant()
	case q.piece.Type() == fianchetto.King && q.target != fianchetto.NoPiece:
		return allowed(KingSafety, "the king may capture the %v on %v, which nobody protects", q.target.Type(), to)
	case q.piece.Type() == fianchetto.King:
		return allowed(KingSafety, "the king may go to %v, which nobody attacks", to)
	case q.move.Promotion != fianchetto.NoPieceType:
		return allowed(Promotion, "a pawn that reaches the last rank may become a %v", q.move.Promotion)
	case q.piece.Type() != fianchetto.Pawn:
		return allowed(Movement, "a %v moves from %v to %v, where %s", q.piece.Type(), from, to, q.onTarget())
	case q.target != fianchetto.NoPiece:
		return allowed(PawnCapture, "the pawn on %v captures %s diagonally", from, q.name(to.Bitboard()))
	case bitboard.Distance(from, to) == 2:
		return allowed(DoublePush, "the pawn on %v has not moved, and both squares ahead of it are empty", from)
	}
	return allowed(PawnPush, "the square ahead of the pawn on %v is empty", from)
}

// onTarget describes the square that the piece goes to.
func (q *question) onTarget() string {
	if q.target == fianchetto.NoPiece {
		return "nobody is in its way"
	}
	return "it captures " + q.name(q.move.To.Bitboard())
}

// legalEnPassant explains why en passant is possible, and why an apparent pin along the rank does not forbid it.
func (q *question) legalEnPassant() Verdict {
	verdict := allowed(EnPassant, "en passant is legal here: the pawn on %v has just made a double push", q.victim())
	pawns := q.move.From.Bitboard().With(q.victim())
	rank := q.king.Rank().Mask()
	if !bitboard.SameRank(q.king, q.move.From) {
		return verdict
	}
	for s := range (rank & q.pos.ByColor(q.them)).Squares() {
		between := bitboard.Between(s, q.king)
		if !pawns.IsSubset(between) {
			continue
		}
		attacker, closed := q.name(s.Bitboard()), between&q.occupancy&^pawns
		switch kind := q.pos.PieceAt(s).Type(); {
		case kind == fianchetto.Rook || kind == fianchetto.Queen:
			return allowed(EnPassant,
				"%s; the pin along the rank is not one because %s still stands between the king and %s",
				verdict.Reason, q.name(nearest(q.king, closed)), attacker)
		case closed == 0:
			return allowed(EnPassant, "%s; the pin along the rank is not one because %s does not attack along ranks",
				verdict.Reason, attacker)
		}
	}
	return verdict
}

// legalCastling lists the conditions of castling, and which attacks do not matter.
func (q *question) legalCastling() Verdict {
	c := q.castling
	kingPath := span(q.king, c.kingTo)
	reason := fmt.Sprintf("king and rook on %v have not moved, nobody stands in their way, and nobody attacks %s",
		c.rook, squareNames(kingPath))
	rookPath := span(c.rook, c.rookTo) &^ kingPath
	for s := range rookPath.Squares() {
		if by := q.attackers(s, q.occupancy); by != 0 {
			reason += fmt.Sprintf("; that %s attacks %v does not matter, as the king does not pass it", q.name(by), s)
		}
	}
	switch {
	case q.king == c.kingTo:
		reason += "; only the rook moves"
	case c.rook == c.rookTo:
		reason += "; only the king moves"
	}
	return allowed(Castling, "%s", reason)
}

// doubtPin explains why a pinned piece may move: it stays on the line.
func (q *question) doubtPin() Verdict {
	from := q.move.From
	pinners := q.attackers(q.king, q.occupancy.Without(from)) &^ q.checkers()
	if q.castling != nil || from == q.king || pinners == 0 {
		return Verdict{}
	}
	pinner := pinners.First()
	return allowed(Pin, "it is pinned by %s, but stays on %s", q.name(pinners), lineName(pinner, q.king)).by(pinners,
		q.king)
}

// doubtCheck explains how the move meets a check.
func (q *question) doubtCheck() Verdict {
	checkers := q.checkers()
	switch {
	case checkers == 0:
		return Verdict{}
	case checkers == q.captured():
		return allowed(Check, "capturing %s ends the check", q.name(checkers)).by(checkers, q.king)
	case q.piece.Type() == fianchetto.King:
		return allowed(Check, "that leaves the check by %s", q.name(checkers)).by(checkers, q.king)
	}
	return allowed(Check, "that steps between the king and %s, which gives check", q.name(checkers)).by(checkers,
		q.king)
}

// name names the pieces on some squares: "the rook on e8 and the knight on f3".
func (q *question) name(squares fianchetto.Bitboard) string {
	var names []string
	for s := range squares.Squares() {
		names = append(names, fmt.Sprintf("the %v on %v", q.pos.PieceAt(s).Type(), s))
	}
	return join(names)
}

func squareNames(squares fianchetto.Bitboard) string {
	var names []string
	for s := range squares.Squares() {
		names = append(names, s.String())
	}
	return join(names)
}

// join strings names together: "a, b and c".
func join(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// lineName names the line through two aligned squares: "the e-file", "rank 5", or a diagonal by the two squares.
func lineName(a, b fianchetto.Square) string {
	switch {
	case bitboard.SameFile(a, b):
		return fmt.Sprintf("the %v-file", a.File())
	case bitboard.SameRank(a, b):
		return fmt.Sprintf("rank %v", a.Rank())
	}
	return fmt.Sprintf("the diagonal from %v to %v", a, b)
}

func plies(n int) string {
	if n == 1 {
		return "1 ply"
	}
	return fmt.Sprintf("%d plies", n)
}
