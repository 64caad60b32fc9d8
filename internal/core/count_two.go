package core

import "github.com/fianchetto-chess/fianchetto/bitboard"

// CountTwo returns the number of legal moves two plies deep: the legal replies to each legal move, each
// move made, the replies counted in bulk. t is scratch space: what it had is lost.
//
// The board is turned around once, not once per move: the targets are flipped instead, and each move is
// made on the board the other side sees. There our pawns come down, so a push has its origin above it.
func (b *Board) CountTwo(t *TargetSets) int {
	b.FindTargets(t)
	c := b.Flip()
	us, them := c.Them, c.Us // ours are the ones that move here; the child has them as Them
	pawns, knights, diagonals, orthogonals := c.Pawns, c.Knights, c.Diagonals, c.Orthogonals
	rights := c.CastlingAndEnPassant
	total := 0

	for _, p := range t.Knights() {
		from := p.From.FlipRank().Bitboard()
		for x := p.To.FlipVertical(); x != 0; x &= x - 1 {
			to := x & -x
			total += countMoves(them&^to, us^from^to, pawns&^to, knights&^from|to, diagonals&^to, orthogonals&^to, rights&^to)
		}
	}
	for _, p := range t.Bishops() {
		from := p.From.FlipRank().Bitboard()
		for x := p.To.FlipVertical(); x != 0; x &= x - 1 {
			to := x & -x
			total += countMoves(them&^to, us^from^to, pawns&^to, knights&^to, diagonals&^from|to, orthogonals&^to, rights&^to)
		}
	}
	for _, p := range t.Rooks() {
		from := p.From.FlipRank().Bitboard()
		for x := p.To.FlipVertical(); x != 0; x &= x - 1 {
			to := x & -x
			total += countMoves(them&^to, us^from^to, pawns&^to, knights&^to, diagonals&^to, orthogonals&^from|to, rights&^(from|to))
		}
	}
	for _, p := range t.Queens() {
		from := p.From.FlipRank().Bitboard()
		for x := p.To.FlipVertical(); x != 0; x &= x - 1 {
			to := x & -x
			total += countMoves(them&^to, us^from^to, pawns&^to, knights&^to, diagonals&^from|to, orthogonals&^from|to, rights&^to)
		}
	}
	king := t.King()
	from := king.From.FlipRank().Bitboard()
	for x := king.To.FlipVertical(); x != 0; x &= x - 1 {
		to := x & -x
		total += countMoves(them&^to, us^from^to, pawns&^to, knights&^to, diagonals&^to, orthogonals&^to, rights&^(to|bitboard.Rank8Mask))
	}

	for x := (t.Push &^ bitboard.Rank8Mask).FlipVertical(); x != 0; x &= x - 1 {
		to := x & -x
		step := to | to<<8
		total += countMoves(them, us^step, pawns^step, knights, diagonals, orthogonals, rights)
	}
	for x := t.DoublePush.FlipVertical(); x != 0; x &= x - 1 {
		to := x & -x
		step := to | to<<16
		total += countMoves(them, us^step, pawns^step, knights, diagonals, orthogonals, rights|to<<8)
	}
	for x := (t.CaptureWest &^ bitboard.Rank8Mask).FlipVertical(); x != 0; x &= x - 1 {
		to, from := x&-x, x&-x<<9
		total += countMoves(them&^to, us^from^to, pawns&^from|to, knights&^to, diagonals&^to, orthogonals&^to, rights)
	}
	for x := (t.CaptureEast &^ bitboard.Rank8Mask).FlipVertical(); x != 0; x &= x - 1 {
		to, from := x&-x, x&-x<<7
		total += countMoves(them&^to, us^from^to, pawns&^from|to, knights&^to, diagonals&^to, orthogonals&^to, rights)
	}
	if (t.Push|t.CaptureWest|t.CaptureEast)&bitboard.Rank8Mask|t.EnPassant|t.Castling != 0 {
		total += b.countAfterSpecial(t)
	}
	return total
}

// countAfterSpecial counts the replies to promotions, en passant captures and castlings.
func (b *Board) countAfterSpecial(t *TargetSets) int {
	total := b.countAfterPromotions(t.Push, 8) + b.countAfterPromotions(t.CaptureWest, 7) + b.countAfterPromotions(t.CaptureEast, 9)
	var c Board
	for x := t.EnPassant; x != 0; x &= x - 1 {
		b.Make(&c, x.First(), b.EnPassant().First(), EnPassant)
		total += c.CountMoves()
	}
	for x := t.Castling; x != 0; x &= x - 1 {
		b.Make(&c, t.King().From, x.First(), Castling)
		total += c.CountMoves()
	}
	return total
}

func (b *Board) countAfterPromotions(targets Bitboard, step Square) int {
	total := 0
	var c Board
	for x := targets & bitboard.Rank8Mask; x != 0; x &= x - 1 {
		for kind := PromoteKnight; kind <= PromoteQueen; kind++ {
			b.Make(&c, x.First()-step, x.First(), kind)
			total += c.CountMoves()
		}
	}
	return total
}
