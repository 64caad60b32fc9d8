package core

import "github.com/fianchetto-chess/fianchetto/bitboard"

// Kind says which piece moves, or what is special about the move.
type Kind uint16

// The kinds of moves. A capture is not a kind, because the board shows it.
const (
	KingMove   Kind = iota // any move of the king but castling
	PawnMove               // a single push or a capture, neither en passant nor promoting
	KnightMove             // in the order of bitboard's piece types
	BishopMove
	RookMove
	QueenMove
	DoublePush // a pawn's first step of two
	EnPassant  // to is the square behind the captured pawn
	Castling   // to is the square of the rook

	PromoteKnight Kind = iota + 3 // the last four of sixteen
	PromoteBishop
	PromoteRook
	PromoteQueen
)

// MorePromotions is the number of promotions to a square beyond the one that a count of targets
// contains.
const MorePromotions = int(PromoteQueen - PromoteKnight)

// placed gives, per kind, a full mask for each set that contains the moved piece. An index and four
// ANDs replace a branch.
type placed struct{ pawns, knights, diagonals, orthogonals Bitboard }

var placedBy = [16]placed{
	PawnMove:      {pawns: bitboard.Full},
	KnightMove:    {knights: bitboard.Full},
	BishopMove:    {diagonals: bitboard.Full},
	RookMove:      {orthogonals: bitboard.Full},
	QueenMove:     {diagonals: bitboard.Full, orthogonals: bitboard.Full},
	DoublePush:    {pawns: bitboard.Full},
	EnPassant:     {pawns: bitboard.Full},
	PromoteKnight: {knights: bitboard.Full},
	PromoteBishop: {diagonals: bitboard.Full},
	PromoteRook:   {orthogonals: bitboard.Full},
	PromoteQueen:  {diagonals: bitboard.Full, orthogonals: bitboard.Full},
}

// A move is 16 bits: from in bits 0-5, to in bits 6-11, the kind in bits 12-15.
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
	return Square(move & 63), Square(move >> toShift & 63), Kind(move >> kindShift)
}

// FlipMove is a mask: a move xored with it is the same move seen from the other side of the board.
const FlipMove = 56<<toShift | 56

// Make writes the board after a legal move to next, as the other side sees it. next must not be b.
// It stores each word at once, so that the compiler keeps all words in registers.
func (b *Board) Make(next *Board, from, to Square, kind Kind) {
	target := Bitboard(1) << (to & 63)
	both := target | 1<<(from&63)
	put := &placedBy[kind&15]
	next.Us = (b.Them &^ target).FlipVertical()
	next.Them = (b.Us ^ both).FlipVertical()
	next.Pawns = (b.Pawns&^both | target&put.pawns).FlipVertical()
	next.Knights = (b.Knights&^both | target&put.knights).FlipVertical()
	next.Diagonals = (b.Diagonals&^both | target&put.diagonals).FlipVertical()
	next.Orthogonals = (b.Orthogonals&^both | target&put.orthogonals).FlipVertical()
	rights := b.CastlingAndEnPassant & castlingRanks &^ both
	switch kind {
	case KingMove:
		rights &^= Rank1Mask
	case DoublePush:
		rights |= target >> 8
	case EnPassant:
		captured := (target >> 8).FlipVertical()
		next.Us, next.Pawns = next.Us&^captured, next.Pawns&^captured
	case Castling:
		us, orthogonals := b.castled(from, to)
		next.Them, next.Orthogonals = us.FlipVertical(), orthogonals.FlipVertical()
		rights &^= Rank1Mask
	}
	next.CastlingAndEnPassant = rights.FlipVertical()
}

// castled returns our pieces, and the rooks and queens of both sides, after castling. King and rook
// move at once, because in Chess960 each may end on the other's square.
func (b *Board) castled(king, rook Square) (us, orthogonals Bitboard) {
	kingTo, rookTo := CastlingTargets(king, rook)
	us = b.Us.Without(king).Without(rook).With(kingTo).With(rookTo)
	return us, b.Orthogonals.Without(rook).With(rookTo)
}
