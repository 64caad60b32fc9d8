package mutant

import "github.com/fianchetto-chess/fianchetto/bitboard"

// attackers returns the pieces of a colour that attack s; mistakes make it overlook pawns or knights.
func (b *Board) attackers(s bitboard.Square, by bitboard.Color, noPawns, noKnights bool) bitboard.Bitboard {
	var set bitboard.Bitboard
	look := func(steps []step, slides bool, kinds ...bitboard.PieceType) {
		for _, d := range steps {
			at, ok := d.from(s, false)
			for ok && slides && b.isEmpty(at) {
				at, ok = d.from(at, false)
			}
			for _, kind := range kinds {
				if ok && b.pieces[at] == bitboard.PieceOf(by, kind) {
					set = set.With(at)
				}
			}
		}
	}
	look(rookSteps, true, bitboard.Rook, bitboard.Queen)
	look(bishopSteps, true, bitboard.Bishop, bitboard.Queen)
	if !noKnights {
		look(knightSteps, false, bitboard.Knight)
	}
	if !b.has(KingBesideKing) {
		look(royalSteps, false, bitboard.King)
	}
	if !noPawns {
		down := -1 + 2*int(by)
		look([]step{{-1, down}, {1, down}}, false, bitboard.Pawn)
	}
	return set
}

// isLegal reports whether, for the generator, the king is not attacked after a pseudo-legal move.
func (b *Board) isLegal(m Move) bool {
	next := b.After(m)
	if b.has(EnPassantLeavesVictim) && b.isEnPassant(m) { // the mistake affects making the move, not its legality
		next.pieces[bitboard.SquareAt(m.To.File(), m.From.Rank())] = bitboard.NoPiece
	}
	king, them := next.king(b.us), b.us.Opponent()
	isKing := b.pieces[m.From].Type() == bitboard.King
	attackers := next.attackers(king, them, isKing && b.has(KingIgnoresPawns), isKing && b.has(KingIgnoresKnights))
	if m.castling {
		tolerated := b.has(CastlingIntoCheck) || b.has(CastlingPawnBlind) || b.has(KingTwoSteps) || b.has(StayInCheck) || b.has(CastlingRookStays) || b.has(StandardPathSafety)
		return attackers == 0 || tolerated || b.has(ShieldingRook) && b.attackers(king, them, false, false) == 0
	}
	checkers := b.attackers(b.king(b.us), them, false, false)
	return attackers == 0 || b.overlooksCheck(m, checkers, attackers)
}

// overlooksCheck reports whether a mistake makes the generator overlook that the king is attacked after a move.
func (b *Board) overlooksCheck(m Move, checkers, attackers bitboard.Bitboard) bool {
	king := b.king(b.us)
	piece := b.pieces[m.From].Type()
	if piece == bitboard.King {
		before := b.attackers(m.To, b.us.Opponent(), false, false)
		return b.has(KingAlongRay) && before == 0 ||
			b.has(KingTakesGuarded) && !b.isEmpty(m.To)
	}
	capturesChecker := checkers.Has(m.To)
	interposes := false
	for s := range checkers.Squares() {
		interposes = interposes || bitboard.Between(s, king).Has(m.To)
	}
	switch {
	case checkers.Len() > 1:
		return b.has(DoubleCheckCapture) && capturesChecker || b.has(DoubleCheckBlocked) && interposes
	case attackers&checkers != 0:
		return b.has(CheckIgnored) && piece == bitboard.Knight
	}
	pinner := attackers.First()
	line := bitboard.Between(pinner, king)
	if b.isEnPassant(m) {
		victim := bitboard.SquareAt(m.To.File(), m.From.Rank())
		return b.has(EnPassantRankPin) && line.Has(victim) && line.Has(m.From) ||
			b.has(EnPassantVictimShield) && line.Has(victim) && !line.Has(m.From) ||
			b.has(EnPassantPinned) && line.Has(m.From) && !line.Has(victim)
	}
	diagonal := !bitboard.SameFile(pinner, king) && !bitboard.SameRank(pinner, king)
	return b.has(PinnedMoves) || b.has(PinnedKnightMoves) && piece == bitboard.Knight || b.has(DiagonalPinsIgnored) && diagonal
}

// spoil omits and duplicates legal moves for some mistakes.
func (b *Board) spoil(moves []Move) []Move {
	king, them := b.king(b.us), b.us.Opponent()
	checkers := b.attackers(king, them, false, false)
	var kept []Move
	for _, m := range moves {
		piece := b.pieces[m.From].Type()
		meets := checkers != 0 && piece != bitboard.King
		switch {
		case b.has(EnPassantNoEvasion) && meets && b.isEnPassant(m),
			b.has(NoInterposition) && meets && !checkers.Has(m.To) && !b.isEnPassant(m),
			b.has(NoCheckerCapture) && meets && checkers.Has(m.To),
			b.has(KingNeverCaptures) && piece == bitboard.King && b.holds(m.To, them),
			b.has(PinnedNeverMoves) && piece != bitboard.King && b.isPinned(m.From):
			continue
		}
		kept = append(kept, m)
		if b.has(MovesTwice) && piece == bitboard.Queen || b.has(CastlesTwice) && m.castling {
			kept = append(kept, m)
		}
	}
	return kept
}

// isPinned reports whether the king, not attacked now, would be attacked without the piece.
func (b *Board) isPinned(s bitboard.Square) bool {
	king, them := b.king(b.us), b.us.Opponent()
	without := *b
	without.pieces[s] = bitboard.NoPiece
	return without.attackers(king, them, false, false) != b.attackers(king, them, false, false)
}
