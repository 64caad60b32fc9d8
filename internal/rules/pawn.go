package rules

import (
	"github.com/fianchetto-chess/fianchetto"
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
func (q *question) wrongPawnMove() (Verdict, bool) {
	from, to := q.move.From, q.move.To
	files := int(to.File()) - int(from.File())
	ranks := int(q.relativeRank(to)) - int(q.relativeRank(from))
	switch {
	case files == 0 && ranks == 1:
		return q.wrongPush()
	case files == 0 && ranks == 2:
		return q.wrongDoublePush()
	case (files == 1 || files == -1) && ranks == 1:
		return q.wrongPawnCapture()
	case ranks <= 0 && files == 0:
		return forbidden(Movement, "a pawn does not move back, from %v to %v", from, to), true
	}
	return q.noSuchMove()
}

func (q *question) wrongPush() (Verdict, bool) {
	if q.target != fianchetto.NoPiece {
		return forbidden(PawnPush, "a pawn does not capture straight ahead: %v is occupied by %s", q.move.To, q.name(q.move.To.Bitboard())), true
	}
	return Verdict{}, false
}

func (q *question) wrongDoublePush() (Verdict, bool) {
	from, to := q.move.From, q.move.To
	between := bitboard.Between(from, to)
	switch {
	case q.relativeRank(from) != bitboard.Rank2:
		return forbidden(DoublePush, "a pawn goes two squares only from the rank it starts on, and the one on %v has left it", from), true
	case between&q.occupancy != 0:
		return forbidden(DoublePush, "a pawn does not jump: %s stands on the square it would skip", q.name(between)), true
	case q.target != fianchetto.NoPiece:
		return forbidden(DoublePush, "a pawn does not capture straight ahead: %v is occupied by %s", to, q.name(to.Bitboard())), true
	}
	return Verdict{}, false
}

func (q *question) wrongPawnCapture() (Verdict, bool) {
	switch {
	case q.target != fianchetto.NoPiece:
		return q.ownPieceOnTarget()
	case q.pos.EnPassant() == q.move.To:
		return Verdict{}, false
	}
	if victim := q.victim(); q.pos.PieceAt(victim) == bitboard.PieceOf(q.them, fianchetto.Pawn) && q.relativeRank(q.move.From) == bitboard.Rank5 {
		return forbidden(EnPassant, "en passant is possible only at once after a double push, and %s", q.whyNotEnPassant(victim)), true
	}
	return forbidden(PawnCapture, "a pawn moves diagonally only to capture, and nobody stands on %v", q.move.To), true
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
func (q *question) wrongPromotion() (Verdict, bool) {
	kind := q.move.Promotion
	lastRank := q.piece.Type() == fianchetto.Pawn && q.relativeRank(q.move.To) == bitboard.Rank8
	switch {
	case kind == fianchetto.NoPieceType && lastRank:
		return forbidden(Promotion, "a pawn that reaches the last rank must be promoted"), true
	case kind == fianchetto.NoPieceType:
		return Verdict{}, false
	case q.piece.Type() != fianchetto.Pawn:
		return forbidden(Promotion, "a %v is not promoted", q.piece.Type()), true
	case !lastRank:
		return forbidden(Promotion, "a pawn is promoted on the last rank only, and %v is not on it", q.move.To), true
	case kind < fianchetto.Knight || kind > fianchetto.Queen:
		return forbidden(Promotion, "a pawn becomes a knight, a bishop, a rook or a queen, not a %v", kind), true
	}
	return Verdict{}, false
}
