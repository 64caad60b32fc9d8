package core

import "github.com/fianchetto-chess/fianchetto/bitboard"

// Kind says what is special about a move.
type Kind uint16

// The kinds of moves. Captures are not a kind: the board shows them.
const (
	Normal        Kind = iota // any move not below
	DoublePush                // a pawn's first step of two
	Castling                  // to is the square of the rook
	EnPassant                 // to is the square behind the captured pawn
	PromoteKnight             // the last four in the order of what the pawn becomes
	PromoteBishop
	PromoteRook
	PromoteQueen
)

// A move is 16 bits: from in bits 0-5, to in bits 6-11, the kind in bits 12-14.
const (
	toShift   = 6
	kindShift = 12
)

// Encode packs a move.
func Encode(from, to Square, kind Kind) uint16 {
	return uint16(from) | uint16(to)<<toShift | uint16(kind)<<kindShift
}

// Decode unpacks a move.
func Decode(move uint16) (from, to Square, kind Kind) {
	return Square(move & 63), Square(move >> toShift & 63), Kind(move >> kindShift & 7)
}

// FlipMove is a mask: a move xored with it is the same move seen from the other side of the board.
const FlipMove = 56<<toShift | 56

// Make puts the board after a legal move into next, seen by the other side. next may not be b.
func (b *Board) Make(next *Board, from, to Square, kind Kind) {
	from, to = from&63, to&63 // proves to the compiler that no shift below is too long
	target := Bitboard(1) << to
	both := target | 1<<from
	us, them := b.Us^both, b.Them&^target
	pawns := b.Pawns&^both | b.Pawns>>from&1<<to
	knights := b.Knights&^both | b.Knights>>from&1<<to
	diagonals := b.Diagonals&^both | b.Diagonals>>from&1<<to
	orthogonals := b.Orthogonals&^both | b.Orthogonals>>from&1<<to
	rights := b.Rights & castlingRanks &^ both
	if (pawns|knights|diagonals|orthogonals)&target == 0 { // the king has moved
		rights &^= bitboard.Rank1Mask
	}
	switch kind {
	case DoublePush:
		rights |= target >> 8
	case Castling:
		us, orthogonals = b.castled(from, to)
		them = b.Them
	case EnPassant:
		them &^= target >> 8
		pawns &^= target >> 8
	case PromoteKnight:
		pawns, knights = pawns&^target, knights|target
	case PromoteBishop:
		pawns, diagonals = pawns&^target, diagonals|target
	case PromoteRook:
		pawns, orthogonals = pawns&^target, orthogonals|target
	case PromoteQueen:
		pawns, diagonals, orthogonals = pawns&^target, diagonals|target, orthogonals|target
	}
	next.Us = them.FlipVertical()
	next.Them = us.FlipVertical()
	next.Pawns = pawns.FlipVertical()
	next.Knights = knights.FlipVertical()
	next.Diagonals = diagonals.FlipVertical()
	next.Orthogonals = orthogonals.FlipVertical()
	next.Rights = rights.FlipVertical()
}

// castled returns our men, and the rooks and queens of both sides, after castling. King and rook move at
// once: in Chess960 each may end where the other stood.
func (b *Board) castled(king, rook Square) (us, orthogonals Bitboard) {
	kingTo, rookTo := CastlingTargets(king, rook)
	us = b.Us.Without(king).Without(rook).With(kingTo).With(rookTo)
	return us, b.Orthogonals.Without(rook).With(rookTo)
}
