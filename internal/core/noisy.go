package core

import "github.com/fianchetto-chess/fianchetto/bitboard"

// Captures and promotions are listed in the order in which a search tries them, so that it scores
// and sorts none: promotions to queens, captures of queens, rooks, bishops, knights and pawns, each
// with the least valuable piece first, and promotions to other pieces.
// Source: https://www.chessprogramming.org/MVV-LVA

// AppendNoisy appends the captures and promotions of t, the targets of b. The root package repeats
// it on White's view of the board, where it needs no other targets.
func AppendNoisy(list []uint16, b *Board, t *TargetSets, flip uint16) []uint16 {
	p, capturers := &t.PawnTargets, t.Pieces()
	promoting := (p.Push | p.CaptureWest | p.CaptureEast) & bitboard.Rank8Mask
	if promoting != 0 {
		list = appendPromotionsTo(list, PromoteQueen, p, flip)
	}
	west, east := p.CaptureWest&^bitboard.Rank8Mask, p.CaptureEast&^bitboard.Rank8Mask
	passed := bitboard.Empty // the pawn that may be captured en passant
	if p.EnPassant != 0 {
		passed = b.EnPassant() >> 8
	}
	queens := b.Diagonals & b.Orthogonals
	for _, victims := range [...]Bitboard{queens, b.Orthogonals &^ queens, b.Diagonals &^ queens, b.Knights, b.Pawns} {
		if victims &= b.Them; victims == 0 {
			continue
		}
		for x := west & victims; x != 0; x &= x - 1 {
			list = append(list, pawnMove(x.First(), 7, uint16(PawnMove)<<kindShift)^flip)
		}
		for x := east & victims; x != 0; x &= x - 1 {
			list = append(list, pawnMove(x.First(), 9, uint16(PawnMove)<<kindShift)^flip)
		}
		if victims&passed != 0 {
			for x := p.EnPassant; x != 0; x &= x - 1 {
				list = append(list, Encode(x.First(), b.EnPassant().First(), EnPassant)^flip)
			}
		}
		for i := range capturers {
			c := &capturers[i]
			list = appendTargets(list, c.origin^flip, c.To&victims)
		}
	}
	if promoting != 0 {
		for kind := PromoteRook; kind >= PromoteKnight; kind-- {
			list = appendPromotionsTo(list, kind, p, flip)
		}
	}
	return list
}

// appendPromotionsTo appends the promotions to the piece of a kind.
func appendPromotionsTo(list []uint16, kind Kind, p *PawnTargets, flip uint16) []uint16 {
	for x := p.Push & bitboard.Rank8Mask; x != 0; x &= x - 1 {
		list = append(list, pawnMove(x.First(), 8, uint16(kind)<<kindShift)^flip)
	}
	for x := p.CaptureWest & bitboard.Rank8Mask; x != 0; x &= x - 1 {
		list = append(list, pawnMove(x.First(), 7, uint16(kind)<<kindShift)^flip)
	}
	for x := p.CaptureEast & bitboard.Rank8Mask; x != 0; x &= x - 1 {
		list = append(list, pawnMove(x.First(), 9, uint16(kind)<<kindShift)^flip)
	}
	return list
}
