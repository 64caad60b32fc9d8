package rules

import (
	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// attackers returns the opponent's pieces that attack s for an occupancy. It asks each piece for its attacks, and not the
// position for attackers: the explanation of a wrong move must not repeat a fault of the generator that made it.
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
func (q *question) wrongForKing() (Verdict, bool) {
	if q.castling != nil {
		return Verdict{}, false
	}
	attackers := q.attackersAfter()
	switch checkers := q.checkers(); {
	case attackers == 0:
		return Verdict{}, false
	case q.piece.Type() == fianchetto.King:
		return q.kingStepsIntoAttack(attackers).by(attackers, q.move.To), true
	case checkers.Len() > 1:
		return forbidden(DoubleCheck, "in double check, by %s, only the king may move", q.name(checkers)).by(checkers, q.king), true
	case attackers&checkers != 0:
		return q.checkNotMet(checkers).by(checkers, q.king), true
	case q.isEnPassant():
		return q.enPassantOpens(attackers).by(attackers, q.king), true
	}
	return q.leavesPin(attackers).by(attackers, q.king), true
}

func (q *question) kingStepsIntoAttack(attackers fianchetto.Bitboard) Verdict {
	to := q.move.To
	seen := q.attackers(to, q.occupancy) & attackers
	switch {
	case seen == 0:
		return forbidden(KingSafety, "the king on %v steps back along the line of %s, which then attacks %v", q.king, q.name(attackers), to)
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
		return forbidden(Check, "the king on %v is in check by %s, which the move does not capture", q.king, q.name(checkers))
	}
	return forbidden(Check, "the king on %v is in check by %s, which the move neither captures nor interposes", q.king, q.name(checkers))
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
