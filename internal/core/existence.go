package core

// HasMove reports whether there is a legal move. Mostly king and pawns have one; only if not, the pieces are looked at.
func (b *Board) HasMove() bool {
	var o outline
	s := o.find(b, &everything)
	return o.king.To|o.Castling|o.any() != 0 || !s.isDouble() && b.hasPieceMove(s)
}

// hasPieceMove reports whether a knight, bishop, rook or queen of ours has a legal move.
func (b *Board) hasPieceMove(s safety) bool {
	var t Targets
	for _, p := range t.pieces[:t.findPieces(b, &everything, s)&63] {
		if p.To != 0 {
			return true
		}
	}
	return false
}
