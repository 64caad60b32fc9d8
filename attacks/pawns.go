package attacks

import "github.com/fianchetto-chess/fianchetto/bitboard"

// PawnPushes returns the squares that pawns of colour c reach by a single push onto an empty square.
// Source: https://www.chessprogramming.org/Pawn_Pushes_(Bitboards)
func PawnPushes(c bitboard.Color, pawns, empty bitboard.Bitboard) bitboard.Bitboard {
	return forward(c, pawns) & empty
}

// PawnDoublePushes returns the squares that pawns of colour c reach by a double push from their
// first rank, over and onto empty squares.
// Source: https://www.chessprogramming.org/Pawn_Pushes_(Bitboards)
func PawnDoublePushes(c bitboard.Color, pawns, empty bitboard.Bitboard) bitboard.Bitboard {
	landing := bitboard.Rank4Mask
	if c == bitboard.Black {
		landing = bitboard.Rank5Mask
	}
	return PawnPushes(c, PawnPushes(c, pawns, empty), empty) & landing
}

// PawnAttacks returns the squares that pawns of colour c attack on either side.
// Source: https://www.chessprogramming.org/Pawn_Attacks_(Bitboards)
func PawnAttacks(c bitboard.Color, pawns bitboard.Bitboard) bitboard.Bitboard {
	return forward(c, pawns&^bitboard.FileHMask<<1|pawns&^bitboard.FileAMask>>1)
}

// forward moves a set one rank in the direction in which pawns of colour c advance.
func forward(c bitboard.Color, b bitboard.Bitboard) bitboard.Bitboard {
	if c == bitboard.White {
		return b << 8
	}
	return b >> 8
}
