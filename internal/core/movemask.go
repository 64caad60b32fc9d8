package core

import "github.com/fianchetto-chess/fianchetto/bitboard"

// MoveMask selects some of the legal moves: those of some pieces onto some squares.
type MoveMask struct {
	From     Bitboard    // the pieces that move, the king of a castling among them
	Pieces   [8]Bitboard // the squares that they go to, by kind of move: KnightMove to QueenMove and KingMove
	Castling Bitboard    // the rooks that the king castles with
	Push     Bitboard    // the squares that pawns are pushed to
	Capture  Bitboard    // the squares that pawns capture on, the en-passant target among them
}

// everything selects all moves.
var everything = MaskOf(bitboard.Full, bitboard.Full)

// MaskOf returns the mask of the moves that leave a square of from for a square of to, which for a castling is that of the rook.
func MaskOf(from, to Bitboard) MoveMask {
	return MoveMask{From: from, Pieces: allPieces(to), Castling: to, Push: to, Capture: to}
}

// allPieces returns the squares that pieces go to, the same for all.
func allPieces(to Bitboard) [8]Bitboard {
	return [8]Bitboard{KingMove: to, KnightMove: to, BishopMove: to, RookMove: to, QueenMove: to}
}

// Captures selects the captures of b, en passant and capturing promotions among them.
func (b *Board) Captures() MoveMask {
	return MoveMask{From: bitboard.Full, Pieces: allPieces(b.Them), Capture: bitboard.Full}
}

// Noisy selects the captures of b and all promotions.
func (b *Board) Noisy() MoveMask {
	return MoveMask{From: bitboard.Full, Pieces: allPieces(b.Them), Push: bitboard.Rank8Mask, Capture: bitboard.Full}
}

// Quiets selects what Noisy leaves out.
func (b *Board) Quiets() MoveMask {
	return MoveMask{From: bitboard.Full, Pieces: allPieces(^b.Them), Castling: bitboard.Full, Push: ^bitboard.Rank8Mask}
}
