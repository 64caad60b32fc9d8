package core

// HasMove reports whether there is a legal move. It looks where one is found soonest, and at the first it stops.
func (b *Board) HasMove() bool {
	s := b.safety()
	var t Targets
	if t.findKing(b, &everything, &s).To|t.Castling != 0 {
		return true
	}
	if s.checkers&(s.checkers-1) != 0 { // in double check only the king moves
		return false
	}
	t.findPawns(b, &everything, &s)
	if t.Push|t.DoublePush|t.CaptureWest|t.CaptureEast|t.EnPassant != 0 {
		return true
	}
	for _, p := range t.pieces[:t.findPieces(b, &everything, &s)&63] {
		if p.To != 0 {
			return true
		}
	}
	return false
}
