package core

import (
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// CheckSquares is how our moves give check to the enemy king, but for those that take two pieces off their squares or
// change the piece.
// Source: https://www.chessprogramming.org/Checks_and_Pinned_Pieces_(Bitboards)
type CheckSquares struct {
	ByKind     [8]Bitboard // the squares onto which a move gives check directly, by its kind
	Candidates Bitboard    // the discovered-check candidates: our pieces that give check by leaving their line to the king
	King       Square      // of the enemy
}

// FindCheckSquares finds the check squares of b and puts them into c.
func (b *Board) FindCheckSquares(c *CheckSquares) {
	c.King = (b.Kings() & b.Them).First()
	diagonals, orthogonals := attacks.Bishop(c.King, b.Us|b.Them), attacks.Rook(c.King, b.Us|b.Them)
	pawns := attacks.Pawn(bitboard.Black, c.King)
	c.ByKind = [8]Bitboard{
		PawnMove: pawns, DoublePush: pawns, KnightMove: attacks.Knight(c.King),
		BishopMove: diagonals, RookMove: orthogonals, QueenMove: diagonals | orthogonals,
	}
	c.Candidates = b.discoveredCheckCandidates(c.King, diagonals, orthogonals)
}

// discoveredCheckCandidates returns our pieces whose moves off a line open it for a slider of ours to the enemy king, given
// what attacks that king along the lines.
func (b *Board) discoveredCheckCandidates(king Square, diagonals, orthogonals Bitboard) (candidates Bitboard) {
	occupancy := b.Us | b.Them
	if blockers := diagonals & b.Us; blockers != 0 {
		for x := attacks.Bishop(king, occupancy&^blockers) & b.Diagonals & b.Us &^ diagonals; x != 0; x &= x - 1 {
			candidates |= bitboard.Between(king, x.First()) & blockers
		}
	}
	if blockers := orthogonals & b.Us; blockers != 0 {
		for x := attacks.Rook(king, occupancy&^blockers) & b.Orthogonals & b.Us &^ orthogonals; x != 0; x &= x - 1 {
			candidates |= bitboard.Between(king, x.First()) & blockers
		}
	}
	return candidates
}

// AppendQuietChecks appends the moves of [Board.Quiets] that give check, directly or by discovery, to list, each xored
// with flip. No move is tried: the targets of each piece meet the squares from which its type attacks the enemy
// king; those of a discovered-check candidate also all squares off the line that it opens.
func AppendQuietChecks[M ~uint16](list []M, b *Board, t *TargetSets, c *CheckSquares, flip M) []M {
	empty := ^(b.Us | b.Them)
	mask := MoveMask{From: ^c.Candidates, Push: c.ByKind[PawnMove] &^ bitboard.Rank8Mask, Castling: b.checkingCastlings(t)}
	for kind := range mask.Pieces {
		mask.Pieces[kind] = c.ByKind[kind] & empty
	}
	list = AppendSelected(list, t, &mask, bitboard.Empty, flip)
	for x := c.Candidates; x != 0; x &= x - 1 {
		discovering, squares := mask, empty&^bitboard.Line(c.King, x.First())
		discovering.From = x & -x
		discovering.Push |= squares &^ bitboard.Rank8Mask
		for kind := range discovering.Pieces {
			discovering.Pieces[kind] |= squares
		}
		list = AppendSelected(list, t, &discovering, bitboard.Empty, flip)
	}
	return list
}

// checkingCastlings returns the rooks of the castlings that give check.
func (b *Board) checkingCastlings(t *TargetSets) (rooks Bitboard) {
	for x := t.Castling; x != 0; x &= x - 1 {
		if b.GivesCheck(t.king.From, x.First(), Castling) {
			rooks |= x & -x
		}
	}
	return rooks
}
