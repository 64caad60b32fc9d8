package fianchetto

import (
	"fmt"
	"iter"

	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// flaw is one thing that makes a draft unplayable. The error says more than its Problem does.
type flaw struct {
	field  int
	square Square // NoSquare if it is about none
	letter int    // of a FEN's castling field
	err    error
}

func newFlaw(field int, square Square, cause Problem, format string, args ...any) flaw {
	return flaw{field, square, 0, fmt.Errorf("%w: %s", cause, fmt.Sprintf(format, args...))}
}

// menFlaws returns what is wrong with the men and the side to move.
func (d *draft) menFlaws() []flaw {
	return d.appendCheckFlaw(d.appendPawnFlaws(d.appendKingFlaws(nil)))
}

func (d *draft) appendKingFlaws(found []flaw) []flaw {
	for color := White; color <= Black; color++ {
		kings := d.byColor[color] & d.byType[King]
		if kings == 0 {
			found = append(found, newFlaw(placementField, NoSquare, ErrKingCount, "%v has none", color))
		}
		nth := 0
		for king := range asWritten(kings) {
			if nth++; nth > 1 {
				found = append(found, newFlaw(placementField, king, ErrKingCount, "%v has another on %v", color, king))
			}
		}
	}
	return found
}

func (d *draft) appendPawnFlaws(found []flaw) []flaw {
	for pawn := range asWritten(d.byType[Pawn] & (bitboard.Rank1Mask | bitboard.Rank8Mask)) {
		found = append(found, newFlaw(placementField, pawn, ErrPawnOnBackRank, "one is on %v", pawn))
	}
	return found
}

// appendCheckFlaw asks whether the side to move could take the king. With more kings, or none, on a side
// that is another problem.
func (d *draft) appendCheckFlaw(found []flaw) []flaw {
	kings := d.byColor[d.side.Opponent()] & d.byType[King]
	if kings.Len() != 1 {
		return found
	}
	king := kings.First()
	attackers := d.attackers(king)
	if attackers == 0 {
		return found
	}
	return append(found, newFlaw(sideField, king, ErrOpponentInCheck,
		"the king on %v is attacked from %v, and it is %v to move", king, attackers.First(), d.side))
}

// attackers returns the men of the side to move that attack a square.
func (d *draft) attackers(square Square) Bitboard {
	occupancy := d.byColor[White] | d.byColor[Black]
	return d.byColor[d.side] & (attacks.Pawn(d.side.Opponent(), square)&d.byType[Pawn] |
		attacks.Knight(square)&d.byType[Knight] |
		attacks.Bishop(square, occupancy)&(d.byType[Bishop]|d.byType[Queen]) |
		attacks.Rook(square, occupancy)&(d.byType[Rook]|d.byType[Queen]) |
		attacks.King(square)&d.byType[King])
}

// refuseRight says why a side cannot have the right to castle with a rook besides the rights that are given,
// nothing if it can. NoSquare is no rook.
func (d *draft) refuseRight(c Color, rook Square) string {
	switch {
	case rook == NoSquare || d.onBackRank(c, King) == 0 || !d.onBackRank(c, Rook).Has(rook):
		return fmt.Sprintf("has no %v king and rook", c)
	case d.wing(c, rook)&d.rights != 0:
		return fmt.Sprintf("is the second on its side of the %v king", c)
	}
	return ""
}

// wing returns the squares of the back rank on the same side of the king as the rook.
func (d *draft) wing(c Color, rook Square) Bitboard {
	king, rank := d.onBackRank(c, King), backRank(c)
	if east := eastOf(king, rank); east.Has(rook) {
		return east
	}
	return westOf(king, rank)
}

// enPassantFlaws asks whether the last move may have been a double push over the en-passant square.
func (d *draft) enPassantFlaws() []flaw {
	if d.enPassant == NoSquare || d.doublePushFits() {
		return nil
	}
	return []flaw{newFlaw(enPassantField, d.enPassant, ErrEnPassant, "%v is none with %v to move", d.enPassant, d.side)}
}

// doublePushFits reports whether the last move may have been a double push over the en-passant square.
func (d *draft) doublePushFits() bool {
	pusher := d.side.Opponent()
	rank, forward := bitboard.Rank3, bitboard.North
	if pusher == Black {
		rank, forward = bitboard.Rank6, bitboard.South
	}
	passed := d.enPassant.Bitboard()
	origin, target := passed.Shift(-forward), passed.Shift(forward)
	occupancy := d.byColor[White] | d.byColor[Black]
	return d.enPassant.Rank() == rank && (origin | passed).IsDisjoint(occupancy) &&
		target.IsSubset(d.byColor[pusher]&d.byType[Pawn])
}

// asWritten yields squares in the order in which the placement field of a FEN names them: from a8 to h1.
func asWritten(squares Bitboard) iter.Seq[Square] {
	return func(yield func(Square) bool) {
		for flipped := range squares.FlipVertical().Squares() {
			if !yield(flipped.FlipRank()) {
				return
			}
		}
	}
}
