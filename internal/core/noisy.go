package core

// Captures and promotions are listed in the order in which a search tries them, so that it need not
// sort them: promotions to queens, captures of queens, rooks, bishops, knights and pawns, each with
// the least valuable piece first, en-passant captures, and promotions to other pieces.
// Source: https://www.chessprogramming.org/MVV-LVA

// AppendNoisy appends the captures and promotions of t, the targets of b. The root package repeats
// it on White's view of the board.
func AppendNoisy(list []uint16, b *Board, t *TargetSets, flip uint16) []uint16 {
	capturers := t.Pieces()
	list = AppendPromotions(list, &t.PawnTargets, PromoteQueen, PromoteQueen, flip)
	west, east := t.CaptureWest&^Rank8Mask, t.CaptureEast&^Rank8Mask
	captured := (west | east | t.union | t.king.To) & b.Them
	queens := b.Diagonals & b.Orthogonals
	for _, victims := range [...]Bitboard{queens, b.Orthogonals &^ queens, b.Diagonals &^ queens, b.Knights, b.Pawns} {
		if victims &= captured; victims == 0 {
			continue
		}
		for x := west & victims; x != 0; x &= x - 1 {
			list = append(list, pawnMove(x.First(), 7, uint16(PawnMove)<<kindShift)^flip)
		}
		for x := east & victims; x != 0; x &= x - 1 {
			list = append(list, pawnMove(x.First(), 9, uint16(PawnMove)<<kindShift)^flip)
		}
		for i := range capturers {
			c := &capturers[i]
			list = appendTargets(list, c.origin^flip, c.To&victims)
		}
	}
	for x := t.EnPassant; x != 0; x &= x - 1 {
		list = append(list, Encode(x.First(), b.EnPassant().First(), EnPassant)^flip)
	}
	return AppendPromotions(list, &t.PawnTargets, PromoteRook, PromoteKnight, flip)
}

// FindPawns returns the moves of our pawns.
func (b *Board) FindPawns() PawnTargets {
	var o kingAndPawnTargets
	o.find(b)
	return o.PawnTargets
}

// AppendPromotions appends the promotions to the pieces from one kind down to another.
func AppendPromotions(list []uint16, p *PawnTargets, from, to Kind, flip uint16) []uint16 {
	if (p.Push|p.CaptureWest|p.CaptureEast)&Rank8Mask == 0 {
		return list
	}
	for kind := from; kind >= to; kind-- {
		for x := p.Push & Rank8Mask; x != 0; x &= x - 1 {
			list = append(list, pawnMove(x.First(), 8, uint16(kind)<<kindShift)^flip)
		}
		for x := p.CaptureWest & Rank8Mask; x != 0; x &= x - 1 {
			list = append(list, pawnMove(x.First(), 7, uint16(kind)<<kindShift)^flip)
		}
		for x := p.CaptureEast & Rank8Mask; x != 0; x &= x - 1 {
			list = append(list, pawnMove(x.First(), 9, uint16(kind)<<kindShift)^flip)
		}
	}
	return list
}
