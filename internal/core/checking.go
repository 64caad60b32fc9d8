package core

import (
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// QuietChecks finds the moves of [Board.Quiets] that give check, directly or by discovery, and puts them into t. No
// move is tried: the targets of each man meet the squares from which its kind attacks the enemy king, and a
// discoverer, besides, all squares off the line that it opens.
// Source: https://www.chessprogramming.org/Checks_and_Pinned_Pieces_(Bitboards)
func (b *Board) QuietChecks(t *Targets) {
	want := b.Quiets()
	b.Select(t, &want)
	occupancy := b.Us | b.Them
	king := (b.Kings() & b.Them).First()
	diagonals, orthogonals := attacks.Bishop(king, occupancy), attacks.Rook(king, occupancy)
	discoverers := b.discoverers(king, diagonals, orthogonals)

	keepChecks(t.Knights(), attacks.Knight(king), discoverers, king)
	keepChecks(t.Bishops(), diagonals, discoverers, king)
	keepChecks(t.Rooks(), orthogonals, discoverers, king)
	keepChecks(t.Queens(), diagonals|orthogonals, discoverers, king)
	keepChecks(t.pieces[t.ends[3]&63:][:1], 0, discoverers, king)

	// A pawn on the king's file stays on the line that it would open; on any other line it leaves it.
	opening := discoverers & b.Pawns &^ king.File().Mask()
	checks := attacks.Pawn(bitboard.Black, king)
	t.Push &= checks | opening<<8
	t.DoublePush &= checks | opening<<16
	for x := t.Castling; x != 0; x &= x - 1 {
		if !b.GivesCheck(t.King().From, x.First(), Castling) {
			t.Castling &^= x & -x
		}
	}
}

// keepChecks leaves of the targets of pieces of one kind those that give check: where the kind does, and, for a
// discoverer, off its line to the king.
func keepChecks(pieces []PieceTargets, checks, discoverers Bitboard, king Square) {
	for i := range pieces {
		p := &pieces[i]
		opening := bitboard.Empty
		if discoverers.Has(p.From) {
			opening = ^bitboard.Line(king, p.From)
		}
		p.To &= checks | opening
	}
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
