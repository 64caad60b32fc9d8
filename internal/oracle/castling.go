package oracle

import "github.com/fianchetto-chess/fianchetto/bitboard"

// appendCastlings appends the castlings of the side to move. The side must have the
// right, and the squares that the king or the rook leaves, crosses or arrives on must be empty
// except for these two.
func (b *Board) appendCastlings(moves []Move) []Move {
	king := b.king(b.sideToMove)
	for _, w := range castlingSides {
		rook := b.castlingRook[b.sideToMove][w]
		if rook == bitboard.NoSquare {
			continue
		}
		kingTo, rookTo := castlingTargets(b.sideToMove, w)
		if b.pathIsClear(king, kingTo, king, rook) && b.pathIsClear(rook, rookTo, king, rook) {
			moves = append(moves, Move{From: king, To: rook})
		}
	}
	return moves
}

// castlingTargets returns the squares on which king and rook arrive, which are those of
// standard chess in Chess960 too.
func castlingTargets(c bitboard.Color, w castlingSide) (king, rook bitboard.Square) {
	if w == kingSide {
		return bitboard.SquareAt(bitboard.FileG, backRank(c)), bitboard.SquareAt(bitboard.FileF, backRank(c))
	}
	return bitboard.SquareAt(bitboard.FileC, backRank(c)), bitboard.SquareAt(bitboard.FileD, backRank(c))
}

// pathIsClear reports whether the squares of one rank between two squares, both included, have
// no other piece than the two that castle.
func (b *Board) pathIsClear(from, to, king, rook bitboard.Square) bool {
	for s := min(from, to); s <= max(from, to); s++ {
		if s != king && s != rook && !b.isEmpty(s) {
			return false
		}
	}
	return true
}

// castlesThroughAttack reports whether the opponent attacks a square that the king leaves,
// crosses or arrives on when it castles. IsLegal checks the last of these squares again after the
// move, because the rook that leaves its square may open a line to it.
func (b *Board) castlesThroughAttack(m Move) bool {
	kingTo, _ := castlingTargets(b.sideToMove, b.castlingSideOf(m))
	for s := min(m.From, kingTo); s <= max(m.From, kingTo); s++ {
		if b.attacked(s, b.sideToMove.Opponent()) {
			return true
		}
	}
	return false
}

// isCastling reports whether m is a king's move onto its own rook.
func (b *Board) isCastling(m Move) bool {
	return b.pieces[m.From].Type() == bitboard.King && b.holds(m.To, b.sideToMove)
}

// castlingSideOf returns the side to which m castles.
func (b *Board) castlingSideOf(m Move) castlingSide {
	if m.To == b.castlingRook[b.sideToMove][queenSide] {
		return queenSide
	}
	return kingSide
}

// castle removes king and rook before it places them: in Chess960 either may arrive on the square of the other.
func (b *Board) castle(m Move) {
	kingTo, rookTo := castlingTargets(b.sideToMove, b.castlingSideOf(m))
	king, rook := b.lift(m.From), b.lift(m.To)
	b.pieces[kingTo], b.pieces[rookTo] = king, rook
}
