package core

import (
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// CountTwo returns the number of legal moves two plies deep: the legal replies to each legal move. Each move is made, the
// replies are counted in bulk. t is scratch space: what it had is lost.
//
// The board is turned around once, not once per move: the targets are flipped instead, and each move is
// made on the board that the replying side sees. There the pawns that move come down: a push has its origin above it.
func (b *Board) CountTwo(t *TargetSets) int {
	b.FindTargets(t)
	f := siblings{Board: b.Flip()}
	f.find()
	total := 0
	for _, p := range t.Knights() {
		total += f.count(p.From.FlipRank().Bitboard(), p.To.FlipVertical(), &placedBy[KnightMove])
	}
	for _, p := range t.Bishops() {
		total += f.count(p.From.FlipRank().Bitboard(), p.To.FlipVertical(), &placedBy[BishopMove])
	}
	for _, p := range t.Rooks() {
		total += f.count(p.From.FlipRank().Bitboard(), p.To.FlipVertical(), &placedBy[RookMove])
	}
	for _, p := range t.Queens() {
		total += f.count(p.From.FlipRank().Bitboard(), p.To.FlipVertical(), &placedBy[QueenMove])
	}
	p := t.King()
	total += f.count(p.From.FlipRank().Bitboard(), p.To.FlipVertical(), &placedBy[KingMove])
	total += f.countPushes((t.Push &^ bitboard.Rank8Mask).FlipVertical(), 8)
	total += f.countPushes(t.DoublePush.FlipVertical(), 16)
	total += f.countPawns((t.Push & bitboard.Rank8Mask).FlipVertical(), 8)
	total += f.countPawns(t.CaptureWest.FlipVertical(), 9)
	total += f.countPawns(t.CaptureEast.FlipVertical(), 7)
	if t.EnPassant|t.Castling != 0 {
		total += b.countAfterSpecial(t)
	}
	return total + b.enPassantReplies(t)
}

// enPassantReplies counts the captures en passant that double pushes allow.
func (b *Board) enPassantReplies(t *TargetSets) int {
	theirs := b.Pawns & b.Them
	total := 0
	var c Board
	for x := t.DoublePush & (theirs&^bitboard.FileAMask>>1 | theirs&^bitboard.FileHMask<<1); x != 0; x &= x - 1 {
		b.Make(&c, x.First()-16, x.First(), DoublePush)
		total += c.EnPassantCapturers().Len()
	}
	return total
}

// countAfterSpecial counts the replies to captures en passant and castlings.
func (b *Board) countAfterSpecial(t *TargetSets) int {
	total := 0
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
