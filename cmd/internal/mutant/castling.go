package mutant

import "github.com/fianchetto-chess/fianchetto/bitboard"

func (b *Board) appendCastlings(moves []Move, king bitboard.Square) []Move {
	home := relative(b.us, bitboard.Rank1).Mask()
	rights := b.rights
	if b.has(CastlingWithoutRight) && king.File() == bitboard.FileE {
		rights |= corners
	}
	for rook := range (rights & home).Squares() {
		m := Move{From: king, To: rook, castling: true}
		if b.has(OuterRook) {
			m.To = b.outermost(m)
		}
		if b.mayCastle(m) {
			moves = append(moves, m)
		}
	}
	return moves
}

// outermost returns the rook nearest to the corner on the side of a castling's rook.
func (b *Board) outermost(m Move) bitboard.Square {
	towards := 1
	if m.To < m.From {
		towards = -1
	}
	outer := m.To
	for s, ok := (step{towards, 0}).from(m.To, false); ok; s, ok = (step{towards, 0}).from(s, false) {
		if b.pieces[s] == bitboard.PieceOf(b.us, bitboard.Rook) {
			outer = s
		}
	}
	return outer
}

func (b *Board) mayCastle(m Move) bool {
	kingTo, rookTo := castlingTargets(m)
	onHomeRank := relative(b.us, m.From.Rank()) == bitboard.Rank1
	hasRook := b.pieces[m.To] == bitboard.PieceOf(b.us, bitboard.Rook) || b.rightOutlivesRook()
	switch {
	case !onHomeRank || !hasRook, b.has(RightsAfterKingMoved) && m.From.File() != bitboard.FileE:
		return false
	case b.has(NoQueenside) && m.To < m.From,
		b.has(KingStaysRefused) && kingTo == m.From,
		b.has(RookStaysRefused) && rookTo == m.To,
		b.has(NoSwap) && kingTo == m.To && rookTo == m.From:
		return false
	}
	return b.castlingPathIsClear(m, kingTo, rookTo) && b.castlingPathIsSafe(m, kingTo, rookTo)
}

// rightOutlivesRook reports whether a mistake lets the king castle with any piece on the square of the rook.
func (b *Board) rightOutlivesRook() bool {
	return b.has(RightsAfterRookCaptured) || b.has(RightsAfterRookMoved) || b.has(PromotionKeepsRookHome) || b.has(CornerRights) || b.has(CornerCaptureRights)
}

func (b *Board) castlingPathIsClear(m Move, kingTo, rookTo bitboard.Square) bool {
	path := span(m.From, kingTo)
	if !b.has(RookPathIgnored) {
		path |= span(m.To, rookTo)
	}
	if b.has(StandardPathEmpty) {
		path = span(kingTo, rookTo)
	}
	path = path.Without(m.From)
	if !b.has(OwnRookBlocks) || m.To == kingTo {
		path = path.Without(m.To)
	}
	if b.has(KingTargetTaken) && m.From != kingTo {
		path = path.Without(kingTo)
	}
	if b.has(CastlingOverPiece) && m.To < m.From {
		path = path.Without(m.To + 1)
	}
	for s := range path.Squares() {
		if !b.isEmpty(s) {
			return false
		}
	}
	return true
}

func (b *Board) castlingPathIsSafe(m Move, kingTo, rookTo bitboard.Square) bool {
	path := span(m.From, kingTo)
	switch {
	case b.has(CastlingThroughCheck):
		path &= m.From.Bitboard() | kingTo.Bitboard()
	case b.has(CastlingOutOfCheck):
		path = path.Without(m.From)
	case b.has(CastlingIntoCheck):
		path = path.Without(kingTo)
	case b.has(CastlingRookPathSafe):
		path |= span(m.To, rookTo).Without(m.To)
	case b.has(CastlingRookAttacked):
		path = path.With(m.To)
	case b.has(StandardPathSafety):
		path = span(kingTo, rookTo).With(m.From)
	case b.has(StayInCheck) && m.From == kingTo:
		path = bitboard.Empty
	}
	for s := range path.Squares() {
		if b.attackers(s, b.us.Opponent(), b.has(CastlingPawnBlind), false) != 0 {
			return false
		}
	}
	return true
}

// span returns the squares of a rank from a to b, both included.
func span(a, b bitboard.Square) bitboard.Bitboard { return bitboard.Between(a, b).With(a).With(b) }
