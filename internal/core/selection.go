package core

import "github.com/fianchetto-chess/fianchetto/bitboard"

// Selection says which of the legal moves are wanted: those of some men, onto some squares. It masks the sets while
// they are found, so that little is done for what is left out.
type Selection struct {
	From     Bitboard // the men that move, the king of a castling among them
	To       Bitboard // the squares that king and pieces go to, castling aside
	Push     Bitboard // the squares that pawns are pushed to
	Capture  Bitboard // the squares that pawns capture on, the en-passant target among them
	Castling Bitboard // the rooks that the king castles with
}

var everything = Selection{
	From:     bitboard.Full,
	To:       bitboard.Full,
	Push:     bitboard.Full,
	Capture:  bitboard.Full,
	Castling: bitboard.Full,
}

// Between selects the moves that leave a square of from for a square of to, which for a castling is that of the rook.
func Between(from, to Bitboard) Selection {
	return Selection{From: from, To: to, Push: to, Capture: to, Castling: to}
}

// Captures selects the captures of b, en passant and capturing promotions among them.
func (b *Board) Captures() Selection {
	return Selection{From: bitboard.Full, To: b.Them, Capture: bitboard.Full}
}

// Noisy selects the captures of b and all promotions.
func (b *Board) Noisy() Selection {
	return Selection{From: bitboard.Full, To: b.Them, Push: bitboard.Rank8Mask, Capture: bitboard.Full}
}

// Quiets selects what Noisy leaves out.
func (b *Board) Quiets() Selection {
	return Selection{From: bitboard.Full, To: ^b.Them, Push: ^bitboard.Rank8Mask, Castling: bitboard.Full}
}
