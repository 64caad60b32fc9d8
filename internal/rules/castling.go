package rules

import (
	"fmt"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

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
	if from != q.king || q.piece == fianchetto.NoPiece || !to.IsValid() || !onBackRank || q.move.Promotion != fianchetto.NoPieceType {
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
	c.kingTo, c.rookTo = bitboard.SquareAt(bitboard.FileC, from.Rank()), bitboard.SquareAt(bitboard.FileD, from.Rank())
	if c.east {
		c.kingTo, c.rookTo = bitboard.SquareAt(bitboard.FileG, from.Rank()), bitboard.SquareAt(bitboard.FileF, from.Rank())
	}
	return c
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
func (q *question) wrongCastling() (Verdict, bool) {
	c := q.castling
	if c == nil {
		return Verdict{}, false
	}
	if c.rook == fianchetto.NoSquare || !q.pos.CastlingRooks(q.us).Has(c.rook) {
		return forbidden(CastlingRight, "%v has no right to castle on %s: %s", q.us, c.side(), q.whyNoRight(c)), true
	}
	if checkers := q.checkers(); checkers != 0 {
		return forbidden(OutOfCheck, "the king on %v is in check by %s", q.king, q.name(checkers)).by(checkers, q.king), true
	}
	path := (span(q.king, c.kingTo) | span(c.rook, c.rookTo)).Without(q.king).Without(c.rook)
	if blockers := path & q.occupancy; blockers != 0 {
		return q.blockedCastling(c, blockers), true
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
	return forbidden(CastlingPath, "%s stands in the way of the %v from %v to %v", q.name(blockers.First().Bitboard()), whose, from, to)
}

// attackedCastling forbids castling across or onto an attacked square.
func (q *question) attackedCastling(c *castling) (Verdict, bool) {
	for s := range span(q.king, c.kingTo).Without(c.kingTo).Squares() {
		if by := q.attackers(s, q.occupancy); by != 0 {
			return forbidden(ThroughCheck, "%v is attacked by %s", s, q.name(by)).by(by, s), true
		}
	}
	if by := q.attackers(c.kingTo, q.occupancy); by != 0 {
		return forbidden(IntoCheck, "%v is attacked by %s", c.kingTo, q.name(by)).by(by, c.kingTo), true
	}
	after := q.occupancy.Without(q.king).Without(c.rook).With(c.kingTo).With(c.rookTo)
	if by := q.attackers(c.kingTo, after); by != 0 {
		return forbidden(IntoCheck, "the rook that leaves %v no longer shields %v from %s", c.rook, c.kingTo, q.name(by)).by(by, c.kingTo), true
	}
	return Verdict{}, false
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
