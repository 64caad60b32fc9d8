package core

import "github.com/fianchetto-chess/fianchetto/bitboard"

// MoveMask says which of the legal moves are wanted: those of some men, onto some squares. It masks the sets while
// they are found, so that little is done for what is left out.
type MoveMask struct {
	From                            Bitboard // the men that move, the king of a castling among them
	Knights, Bishops, Rooks, Queens Bitboard // the squares that pieces of each kind go to
	King                            Bitboard // the squares that the king goes to, castling aside
	Castling                        Bitboard // the rooks that it castles with
	Push                            Bitboard // the squares that pawns are pushed to
	Capture                         Bitboard // the squares that pawns capture on, the en-passant target among them
}

// everything selects all moves.
var everything = MaskOf(bitboard.Full, bitboard.Full)

// MaskOf returns the mask of the moves that leave a square of from for a square of to, which for a castling is that of the rook.
func MaskOf(from, to Bitboard) MoveMask {
	return MoveMask{From: from, Knights: to, Bishops: to, Rooks: to, Queens: to, King: to, Castling: to, Push: to, Capture: to}
}

// Captures selects the captures of b, en passant and capturing promotions among them.
func (b *Board) Captures() MoveMask { return b.noisy(bitboard.Empty) }

// Noisy selects the captures of b and all promotions.
func (b *Board) Noisy() MoveMask { return b.noisy(bitboard.Rank8Mask) }

// noisy selects captures, and pushes to some squares.
func (b *Board) noisy(push Bitboard) MoveMask {
	to := b.Them
	return MoveMask{From: bitboard.Full, Knights: to, Bishops: to, Rooks: to, Queens: to, King: to, Push: push, Capture: bitboard.Full}
}

// Quiets selects what Noisy leaves out.
func (b *Board) Quiets() MoveMask {
	to := ^b.Them
	return MoveMask{From: bitboard.Full, Knights: to, Bishops: to, Rooks: to, Queens: to, King: to, Castling: bitboard.Full, Push: ^bitboard.Rank8Mask}
}
