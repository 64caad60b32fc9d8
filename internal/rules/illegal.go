package rules

import (
	"fmt"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// relativeRank returns the rank of s as the side to move sees it.
func (q *question) relativeRank(s fianchetto.Square) bitboard.Rank {
	if q.us == fianchetto.Black {
		return s.FlipRank().Rank()
	}
	return s.Rank()
}

// wrongPawnMove forbids moves that are not pseudo-legal for a pawn.
func (q *question) wrongPawnMove() Verdict {
	from, to := q.move.From, q.move.To
	files := int(to.File()) - int(from.File())
	ranks := int(q.relativeRank(to)) - int(q.relativeRank(from))
	switch {
	case files == 0 && ranks == 1 && q.target != fianchetto.NoPiece:
		return forbidden(PawnPush, "a pawn does not capture straight ahead: %v is occupied by %s", to,
			q.name(to.Bitboard()))
	case files == 0 && ranks == 1:
		return Verdict{}
	case files == 0 && ranks == 2:
		return q.wrongDoublePush()
	case (files == 1 || files == -1) && ranks == 1:
		return q.wrongPawnCapture()
	case ranks <= 0 && files == 0:
		return forbidden(Movement, "a pawn does not move back, from %v to %v", from, to)
	}
	return q.noSuchMove()
}

func (q *question) wrongDoublePush() Verdict {
	from, to := q.move.From, q.move.To
	between := bitboard.Between(from, to)
	switch {
	case q.relativeRank(from) != bitboard.Rank2:
		return forbidden(DoublePush,
			"a pawn goes two squares only from the rank it starts on, and the one on %v has left it", from)
	case between&q.occupancy != 0:
		return forbidden(DoublePush, "a pawn does not jump: %s stands on the square it would skip", q.name(between))
	case q.target != fianchetto.NoPiece:
		return forbidden(DoublePush, "a pawn does not capture straight ahead: %v is occupied by %s", to,
			q.name(to.Bitboard()))
	}
	return Verdict{}
}

func (q *question) wrongPawnCapture() Verdict {
	switch {
	case q.target != fianchetto.NoPiece:
		return q.ownPieceOnTarget()
	case q.pos.EnPassant() == q.move.To:
		return Verdict{}
	}
	if victim := q.victim(); q.pos.PieceAt(victim) == bitboard.PieceOf(q.them, fianchetto.Pawn) &&
		q.relativeRank(q.move.From) == bitboard.Rank5 {
		return forbidden(EnPassant, "en passant is possible only at once after a double push, and %s",
			q.whyNotEnPassant(victim))
	}
	return forbidden(PawnCapture, "a pawn moves diagonally only to capture, and nobody stands on %v", q.move.To)
}

// isEnPassant reports whether a pawn captures on an empty square.
func (q *question) isEnPassant() bool {
	return q.piece.Type() == fianchetto.Pawn && q.move.From.File() != q.move.To.File() && q.target == fianchetto.NoPiece
}

// victim returns the square of the pawn that is captured en passant, if the move does that.
func (q *question) victim() fianchetto.Square {
	return bitboard.SquareAt(q.move.To.File(), q.move.From.Rank())
}

// whyNotEnPassant explains why the pawn on victim has not just made a double push.
func (q *question) whyNotEnPassant(victim fianchetto.Square) string {
	for i := len(q.before) - 1; i >= 0; i-- {
		if m := q.before[i]; m.To() == victim {
			if m.Kind() == fianchetto.DoublePush {
				return "the push " + m.String() + " was " + plies(len(q.before)-i) + " ago"
			}
			return "the pawn on " + victim.String() + " came there by " + m.String()
		}
	}
	return "the pawn on " + victim.String() + " has not just made one"
}

// wrongPromotion forbids promotions of other pieces or on other ranks, and moves to the last rank without a promotion.
func (q *question) wrongPromotion() Verdict {
	kind := q.move.Promotion
	lastRank := q.piece.Type() == fianchetto.Pawn && q.relativeRank(q.move.To) == bitboard.Rank8
	switch {
	case kind == fianchetto.NoPieceType && lastRank:
		return forbidden(Promotion, "a pawn that reaches the last rank must be promoted")
	case kind == fianchetto.NoPieceType:
		return Verdict{}
	case q.piece.Type() != fianchetto.Pawn:
		return forbidden(Promotion, "a %v is not promoted", q.piece.Type())
	case !lastRank:
		return forbidden(Promotion, "a pawn is promoted on the last rank only, and %v is not on it", q.move.To)
	case kind < fianchetto.Knight || kind > fianchetto.Queen:
		return forbidden(Promotion, "a pawn becomes a knight, a bishop, a rook or a queen, not a %v", kind)
	}
	return Verdict{}
}

// castling is a proposed castling. The rook may be missing.
type castling struct {
	east           bool              // towards the h-file
	rook           fianchetto.Square // NoSquare: there is none
	kingTo, rookTo fianchetto.Square
}

// side names the side of the board on which the rook stands.
func (c *castling) side() string {
	if c.east {
		return "the king's side"
	}
	return "the queen's side"
}

// asCastling returns the castling that the move proposes, nil if it proposes none.
func (q *question) asCastling() *castling {
	from, to := q.move.From, q.move.To
	ownRook := bitboard.PieceOf(q.us, fianchetto.Rook)
	onBackRank := q.relativeRank(q.king) == bitboard.Rank1 && bitboard.SameRank(q.king, to)
	if from != q.king || q.piece == fianchetto.NoPiece || !to.IsValid() || !onBackRank ||
		q.move.Promotion != fianchetto.NoPieceType {
		return nil
	}
	c := &castling{east: to > from, rook: to}
	if q.target != ownRook && !q.hadRight(to) {
		isTarget := to.File() == bitboard.FileC || to.File() == bitboard.FileG
		if !isTarget || bitboard.Distance(from, to) == 1 {
			return nil
		}
		c.east = to.File() == bitboard.FileG
		c.rook = q.castlingRook(c.east)
	}
	c.kingTo, c.rookTo = CastlingTargets(from, c.east)
	return c
}

// CastlingTargets returns the squares on which a king on its back rank and the rook arrive when they castle, to the
// h-file's side if east is set.
func CastlingTargets(king fianchetto.Square, east bool) (kingTo, rookTo fianchetto.Square) {
	if east {
		return bitboard.SquareAt(bitboard.FileG, king.Rank()), bitboard.SquareAt(bitboard.FileF, king.Rank())
	}
	return bitboard.SquareAt(bitboard.FileC, king.Rank()), bitboard.SquareAt(bitboard.FileD, king.Rank())
}

// hadRight reports whether a rook on s, which may be gone, had the right before the moves.
func (q *question) hadRight(s fianchetto.Square) bool {
	return len(q.before) > 0 && bitboard.Distance(q.king, s) > 1 && q.root.CastlingRooks(q.us).Has(s)
}

// castlingRook returns the rook to castle with on one side of the king: the one that has the right, else any.
func (q *question) castlingRook(east bool) fianchetto.Square {
	side := q.king.Bitboard() - 1
	if east {
		side = ^side.With(q.king)
	}
	rooks := q.pos.Pieces(q.us, fianchetto.Rook) & side & q.king.Rank().Mask()
	if rights := rooks & q.pos.CastlingRooks(q.us); rights != 0 {
		rooks = rights
	}
	if east {
		return rooks.Last()
	}
	return rooks.First()
}

// wrongCastling forbids a castling of which a condition does not hold: right, path, check, attacked squares.
func (q *question) wrongCastling() Verdict {
	c := q.castling
	if c == nil {
		return Verdict{}
	}
	if c.rook == fianchetto.NoSquare || !q.pos.CastlingRooks(q.us).Has(c.rook) {
		return forbidden(CastlingRight, "%v has no right to castle on %s: %s", q.us, c.side(), q.whyNoRight(c))
	}
	if checkers := q.checkers(); checkers != 0 {
		return forbidden(OutOfCheck, "the king on %v is in check by %s", q.king, q.name(checkers)).by(checkers, q.king)
	}
	path := (span(q.king, c.kingTo) | span(c.rook, c.rookTo)).Without(q.king).Without(c.rook)
	if blockers := path & q.occupancy; blockers != 0 {
		return q.blockedCastling(c, blockers)
	}
	return q.attackedCastling(c)
}

// blockedCastling names the piece that blocks the path of the king or else of the rook.
func (q *question) blockedCastling(c *castling, blockers fianchetto.Bitboard) Verdict {
	whose, from, to := fianchetto.King, q.king, c.kingTo
	if onPath := blockers & span(q.king, c.kingTo); onPath != 0 {
		blockers = onPath
	} else {
		whose, from, to = fianchetto.Rook, c.rook, c.rookTo
	}
	return forbidden(CastlingPath, "%s stands in the way of the %v from %v to %v", q.name(blockers.First().Bitboard()),
		whose, from, to)
}

// attackedCastling forbids castling across or onto an attacked square.
func (q *question) attackedCastling(c *castling) Verdict {
	for s := range span(q.king, c.kingTo).Without(c.kingTo).Squares() {
		if by := q.attackers(s, q.occupancy); by != 0 {
			return forbidden(ThroughCheck, "%v is attacked by %s", s, q.name(by)).by(by, s)
		}
	}
	if by := q.attackers(c.kingTo, q.occupancy); by != 0 {
		return forbidden(IntoCheck, "%v is attacked by %s", c.kingTo, q.name(by)).by(by, c.kingTo)
	}
	after := q.occupancy.Without(q.king).Without(c.rook).With(c.kingTo).With(c.rookTo)
	if by := q.attackers(c.kingTo, after); by != 0 {
		return forbidden(IntoCheck, "the rook that leaves %v no longer shields %v from %s", c.rook, c.kingTo,
			q.name(by)).by(by, c.kingTo)
	}
	return Verdict{}
}

// span returns the squares of a rank from a to b, both included.
func span(a, b fianchetto.Square) fianchetto.Bitboard {
	return bitboard.Between(a, b).With(a).With(b)
}

// whyNoRight explains how the right to castle was lost.
func (q *question) whyNoRight(c *castling) string {
	pos, lost := q.root, ""
	for _, m := range q.before {
		next := pos.After(m)
		for rook := range (pos.CastlingRooks(q.us) &^ next.CastlingRooks(q.us)).Squares() {
			if rook > pos.King(q.us) == c.east {
				lost = lostBy(&pos, m, rook)
			}
		}
		pos = next
	}
	switch {
	case lost != "":
		return lost
	case c.rook == fianchetto.NoSquare:
		return "no rook stands there"
	case q.pos.CastlingRooks(q.us) != 0:
		return fmt.Sprintf("the right is that of %s", q.name(q.pos.CastlingRooks(q.us)))
	}
	return fmt.Sprintf("it is lost, wherever king and rook on %v stand", c.rook)
}

// lostBy explains how m, played in pos, ended the right of a rook.
func lostBy(pos *fianchetto.Position, m fianchetto.Move, rook fianchetto.Square) string {
	switch {
	case m.To() == rook && m.Kind() != fianchetto.Castling:
		return fmt.Sprintf("%s captured the rook on %v", pos.UCI(m), rook)
	case m.From() == rook:
		return fmt.Sprintf("the rook has moved, %s", pos.UCI(m))
	}
	return fmt.Sprintf("the king has moved, %s", pos.UCI(m))
}

// attackers returns the opponent's pieces that attack s for an occupancy. It asks each piece for its attacks, and not
// the position for attackers: the explanation of a wrong move must not repeat a fault of the generator that made it.
func (q *question) attackers(s fianchetto.Square, occupancy fianchetto.Bitboard) (attackers fianchetto.Bitboard) {
	for from := range q.pos.ByColor(q.them).Squares() {
		if attacks.Of(q.pos.PieceAt(from), from, occupancy).Has(s) {
			attackers = attackers.With(from)
		}
	}
	return attackers
}

// checkers returns the pieces that give check.
func (q *question) checkers() fianchetto.Bitboard { return q.attackers(q.king, q.occupancy) }

// captured returns the square of the piece that the move captures, as a set.
func (q *question) captured() fianchetto.Bitboard {
	if q.isEnPassant() {
		return q.victim().Bitboard()
	}
	return q.move.To.Bitboard() & q.pos.ByColor(q.them)
}

// attackersAfter returns the pieces that attack the king after the move, which is not castling.
func (q *question) attackersAfter() fianchetto.Bitboard {
	king, captured := q.king, q.captured()
	if q.piece.Type() == fianchetto.King {
		king = q.move.To
	}
	occupancy := (q.occupancy &^ captured).Without(q.move.From).With(q.move.To)
	return q.attackers(king, occupancy) &^ captured
}

// wrongForKing forbids moves that leave the king attacked.
func (q *question) wrongForKing() Verdict {
	if q.castling != nil {
		return Verdict{}
	}
	attackers := q.attackersAfter()
	switch checkers := q.checkers(); {
	case attackers == 0:
		return Verdict{}
	case q.piece.Type() == fianchetto.King:
		return q.kingStepsIntoAttack(attackers).by(attackers, q.move.To)
	case checkers.Len() > 1:
		return forbidden(DoubleCheck, "in double check, by %s, only the king may move", q.name(checkers)).by(checkers,
			q.king)
	case attackers&checkers != 0:
		return q.checkNotMet(checkers).by(checkers, q.king)
	case q.isEnPassant():
		return q.enPassantOpens(attackers).by(attackers, q.king)
	}
	return q.leavesPin(attackers).by(attackers, q.king)
}

func (q *question) kingStepsIntoAttack(attackers fianchetto.Bitboard) Verdict {
	to := q.move.To
	seen := q.attackers(to, q.occupancy) & attackers
	switch {
	case seen == 0:
		return forbidden(KingSafety, "the king on %v steps back along the line of %s, which then attacks %v", q.king,
			q.name(attackers), to)
	case seen == q.pos.Pieces(q.them, fianchetto.King):
		return forbidden(KingSafety, "%v is attacked by %s: kings keep apart", to, q.name(seen))
	case q.target != fianchetto.NoPiece:
		return forbidden(KingSafety, "the %v on %v is protected by %s", q.target.Type(), to, q.name(seen))
	}
	return forbidden(KingSafety, "%v is attacked by %s", to, q.name(seen))
}

func (q *question) checkNotMet(checkers fianchetto.Bitboard) Verdict {
	checker := checkers.First()
	if bitboard.Between(checker, q.king) == 0 || q.pos.PieceAt(checker).Type() == fianchetto.Knight {
		return forbidden(Check, "the king on %v is in check by %s, which the move does not capture", q.king,
			q.name(checkers))
	}
	return forbidden(Check, "the king on %v is in check by %s, which the move neither captures nor interposes", q.king,
		q.name(checkers))
}

func (q *question) leavesPin(attackers fianchetto.Bitboard) Verdict {
	pinner := attackers.First()
	return forbidden(Pin, "the %v on %v is pinned to the king on %v by %s, along %s",
		q.piece.Type(), q.move.From, q.king, q.name(pinner.Bitboard()), lineName(pinner, q.king))
}

// enPassantOpens names the line that the capture opens, which one pawn leaves, or both do.
func (q *question) enPassantOpens(attackers fianchetto.Bitboard) Verdict {
	pinner, victim := attackers.First(), q.victim()
	line := bitboard.Between(pinner, q.king)
	switch {
	case line.Has(victim) && line.Has(q.move.From):
		return forbidden(EnPassant, "both pawns leave %s, and %s then attacks the king on %v along it",
			lineName(pinner, q.king), q.name(pinner.Bitboard()), q.king)
	case line.Has(victim):
		return forbidden(EnPassant, "the captured pawn on %v is all that shields the king on %v from %s, along %s",
			victim, q.king, q.name(pinner.Bitboard()), lineName(pinner, q.king))
	}
	return q.leavesPin(attackers)
}
