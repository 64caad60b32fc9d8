package core

// HasMove reports whether there is a legal move. It looks where one is found soonest, and at the first it stops.
func (b *Board) HasMove() bool {
	s := b.safety()
	if !s.isDouble() { // in double check only the king moves
		var pawns PawnTargets
		if pawns.find(b, &everything, &s); pawns.any() != 0 {
			return true
		}
	}
	if to, castling := b.kingTargets(&everything, &s); to|castling != 0 {
		return true
	}
	return !s.isDouble() && b.hasPieceMove(&s)
}

// hasPieceMove reports whether a knight, bishop, rook or queen of ours has a legal move.
func (b *Board) hasPieceMove(s *safety) bool {
	var t Targets
	for _, p := range t.pieces[:t.findPieces(b, &everything, s)&63] {
		if p.To != 0 {
			return true
		}
	}
	return false
}
