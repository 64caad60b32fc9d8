package core

import (
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// AppendQuietChecks appends the moves of [Board.Quiets] that give check, directly or by discovery, to list, each xored
// with flip. No move is tried: the targets of each man meet the squares from which its kind attacks the enemy
// king; those of a discoverer, besides, all squares off the line that it opens.
// Source: https://www.chessprogramming.org/Checks_and_Pinned_Pieces_(Bitboards)
func AppendQuietChecks[M ~uint16](list []M, b *Board, flip M) []M {
	king, empty := (b.Kings() & b.Them).First(), ^(b.Us | b.Them)
	diagonals, orthogonals := attacks.Bishop(king, ^empty), attacks.Rook(king, ^empty)
	discoverers := b.discoverers(king, diagonals, orthogonals)
	mask := MoveMask{
		From:     ^discoverers,
		Knights:  attacks.Knight(king) & empty,
		Bishops:  diagonals & empty,
		Rooks:    orthogonals & empty,
		Queens:   (diagonals | orthogonals) & empty,
		Push:     attacks.Pawn(bitboard.Black, king) &^ bitboard.Rank8Mask,
		Castling: b.checkingCastlings(),
	}
	list = AppendMasked(list, b, &mask, flip)
	for x := discoverers; x != 0; x &= x - 1 {
		opening := mask.opening(x&-x, empty&^bitboard.Line(king, x.First()))
		list = AppendMasked(list, b, &opening, flip)
	}
	return list
}

// opening returns the selection of the moves of one man onto the squares of w, or onto those that open a line.
func (w *MoveMask) opening(man, squares Bitboard) MoveMask {
	return MoveMask{
		From:     man,
		Knights:  w.Knights | squares,
		Bishops:  w.Bishops | squares,
		Rooks:    w.Rooks | squares,
		Queens:   w.Queens | squares,
		King:     squares,
		Push:     w.Push | squares&^bitboard.Rank8Mask,
		Castling: w.Castling,
	}
}

// checkingCastlings returns the rooks that our king would give check by castling with, if it may.
func (b *Board) checkingCastlings() Bitboard {
	king := (b.Kings() & b.Us).First()
	rooks := b.openCastlings(king)
	for x := rooks; x != 0; x &= x - 1 {
		if !b.GivesCheck(king, x.First(), Castling) {
			rooks &^= x & -x
		}
	}
	return rooks
}

// discoverers returns our men whose moves off a line open it for a slider of ours to the enemy king, given what
// that king's square sees along the lines.
func (b *Board) discoverers(king Square, diagonals, orthogonals Bitboard) Bitboard {
	occupancy := b.Us | b.Them
	var discoverers Bitboard
	if candidates := diagonals & b.Us; candidates != 0 {
		for x := attacks.Bishop(king, occupancy&^candidates) & b.Diagonals & b.Us &^ diagonals; x != 0; x &= x - 1 {
			discoverers |= bitboard.Between(king, x.First()) & candidates
		}
	}
	if candidates := orthogonals & b.Us; candidates != 0 {
		for x := attacks.Rook(king, occupancy&^candidates) & b.Orthogonals & b.Us &^ orthogonals; x != 0; x &= x - 1 {
			discoverers |= bitboard.Between(king, x.First()) & candidates
		}
	}
	return discoverers
}
