package core

import (
	"math/bits"

	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// State is a board packed into 32 bytes, whole: two boards have one state exactly if the same moves, and moves after
// them, are legal. It has four bits for each square, as four planes. Apart from the twelve pieces, a square may have one of our
// rooks or of theirs with the right to castle, or a pawn that may legally be captured en passant.
type State [4]uint64

// StateOf packs a board. Squares take 16 values: our pawn 1, knight 2, bishop 3, rook 4, queen 5, king 6, castling
// rook 7; theirs the same with bit 3 set; 8 is the pawn that may be captured en passant.
func StateOf(b *Board) State {
	castling := b.CastlingRooks()
	bishopLike, rookLike := b.Diagonals, b.Orthogonals
	queens := bishopLike & rookLike
	kings := b.Kings()
	s := State{
		uint64(b.Pawns | bishopLike | castling),
		uint64(b.Knights | bishopLike&^queens | kings | castling),
		uint64(rookLike | kings),
		uint64(b.Them),
	}
	if b.EnPassant() != 0 && b.EnPassantCapturers() != 0 {
		s[0] &^= uint64(b.EnPassant() >> 8)
	}
	return s
}

// Board unpacks a state: it is what StateOf packed, without an en-passant square that no capture goes to.
func (s *State) Board() Board {
	first, second, third := bitboard.Bitboard(s[0]), bitboard.Bitboard(s[1]), bitboard.Bitboard(s[2])
	them := bitboard.Bitboard(s[3])
	occupancy := first | second | third | them
	captured := them &^ (first | second | third) // the pawn that may be captured en passant
	castling := first & second & third
	bishops := first & second &^ third
	queens := first & third &^ second
	rooks := third &^ first &^ second
	return Board{
		Us:                   occupancy &^ them,
		Them:                 them,
		Pawns:                first&^second&^third | captured,
		Knights:              second &^ first &^ third,
		Diagonals:            bishops | queens,
		Orthogonals:          rooks | queens | castling,
		CastlingAndEnPassant: castling | captured<<8,
	}
}

// Hash spreads a state over 64 bits, differently for each salt.
func (s *State) Hash(salt uint64) uint64 {
	const factor1, factor2 = 0x9e3779b97f4a7c15, 0xd6e8feb86659fd93 // odd, with bits well spread
	high1, low1 := bits.Mul64(s[0]^bits.RotateLeft64(s[1], 23)^salt, factor1)
	high2, low2 := bits.Mul64(s[2]^bits.RotateLeft64(s[3], 29)^low1, factor2)
	return high1 ^ high2 ^ low2
}
