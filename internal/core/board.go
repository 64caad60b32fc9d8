package core

import "github.com/fianchetto-chess/fianchetto/bitboard"

type (
	// Bitboard is the set of squares of package bitboard.
	Bitboard = bitboard.Bitboard
	// Square is the square of package bitboard, here relative to the side to move.
	Square = bitboard.Square
)

// Board is a chess position seen by the side to move, playing up the board: square a1 is its own
// left corner, whichever its colour. Seven words, no pointer: moves are made by copying (copy-make).
//
// The king is what is left of Us when all other pieces are removed; a queen is in both Diagonals
// and Orthogonals. That spares two words and every update of them.
type Board struct {
	Us, Them             Bitboard // the pieces of the side to move and of the other side
	Pawns                Bitboard // of both sides, like the next three
	Knights              Bitboard
	Diagonals            Bitboard // bishops and queens
	Orthogonals          Bitboard // rooks and queens
	CastlingAndEnPassant Bitboard // castling rooks on ranks 1 and 8, en-passant target on rank 6
}

const (
	// castlingRanks are the bits of CastlingAndEnPassant that are castling rooks.
	castlingRanks = bitboard.Rank1Mask | bitboard.Rank8Mask
	// EnPassantRank is where CastlingAndEnPassant has the en-passant target: a pawn of ours goes there to capture.
	EnPassantRank = bitboard.Rank6Mask
)

// Position is what BoardOf reads of a position, as White sees it. The root package's Position implements it.
type Position interface {
	SideToMove() bitboard.Color
	ByColor(bitboard.Color) Bitboard
	ByType(bitboard.PieceType) Bitboard
	CastlingRooks(bitboard.Color) Bitboard
	EnPassant() Square
}

// BoardOf returns the part of a position that moves and counts depend on, as its side to move sees it.
func BoardOf(p Position) Board {
	side := p.SideToMove()
	bishops, rooks, queens := p.ByType(bitboard.Bishop), p.ByType(bitboard.Rook), p.ByType(bitboard.Queen)
	b := Board{
		Us:                   p.ByColor(side),
		Them:                 p.ByColor(side.Opponent()),
		Pawns:                p.ByType(bitboard.Pawn),
		Knights:              p.ByType(bitboard.Knight),
		Diagonals:            bishops | queens,
		Orthogonals:          rooks | queens,
		CastlingAndEnPassant: p.CastlingRooks(bitboard.White) | p.CastlingRooks(bitboard.Black),
	}
	if s := p.EnPassant(); s.IsValid() {
		b.CastlingAndEnPassant = b.CastlingAndEnPassant.With(s)
	}
	if side == bitboard.Black {
		b = b.Mirror()
	}
	return b
}

// Occupancy returns the squares of all pieces.
func (b *Board) Occupancy() Bitboard { return b.Us | b.Them }

// Kings returns the squares of both kings.
func (b *Board) Kings() Bitboard {
	return (b.Us | b.Them) &^ (b.Pawns | b.Knights | b.Diagonals | b.Orthogonals)
}

// CastlingRooks returns the rooks of both sides that have the right to castle.
func (b *Board) CastlingRooks() Bitboard { return b.CastlingAndEnPassant & castlingRanks }

// EnPassant returns the en-passant target, the square behind the pawn that just made a double
// push, or the empty set.
func (b *Board) EnPassant() Bitboard { return b.CastlingAndEnPassant & EnPassantRank }

// Mirror turns the board upside down, all seven words of it; the sides keep their names.
func (b *Board) Mirror() Board {
	return Board{
		Us:                   b.Us.FlipVertical(),
		Them:                 b.Them.FlipVertical(),
		Pawns:                b.Pawns.FlipVertical(),
		Knights:              b.Knights.FlipVertical(),
		Diagonals:            b.Diagonals.FlipVertical(),
		Orthogonals:          b.Orthogonals.FlipVertical(),
		CastlingAndEnPassant: b.CastlingAndEnPassant.FlipVertical(),
	}
}

// Flip turns the board around: the other side is to move. En passant is lost, as by a null move.
func (b *Board) Flip() Board {
	f := b.Mirror()
	f.Us, f.Them = f.Them, f.Us
	f.CastlingAndEnPassant &= castlingRanks
	return f
}
