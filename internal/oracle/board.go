package oracle

import "github.com/fianchetto-chess/fianchetto/bitboard"

// Board is a position: the pieces, side to move, castling rights, en-passant square and clocks.
// It is a comparable value. Parse makes one.
type Board struct {
	pieces         [64]bitboard.Piece
	sideToMove     bitboard.Color
	castlingRook   [2][2]bitboard.Square // by colour and castling side; NoSquare if the right is lost
	enPassant      bitboard.Square       // the square a pawn has just skipped; NoSquare if none
	halfmoveClock  int
	fullmoveNumber int
}

// castlingSide is the side of the board, seen from the king, on which the castling rook stands.
type castlingSide int

const (
	kingSide castlingSide = iota
	queenSide
)

// castlingSides lists both, in the order in which FEN writes the rights.
var castlingSides = [...]castlingSide{kingSide, queenSide}

// PieceAt returns the piece on s (0..63), NoPiece if the square is empty.
func (b Board) PieceAt(s bitboard.Square) bitboard.Piece { return b.pieces[s] }

// SideToMove returns the side whose turn it is.
func (b Board) SideToMove() bitboard.Color { return b.sideToMove }

// EnPassant returns the square that a pawn skipped in the last move, NoSquare if
// the last move was not a double step. It is set whether or not a capture is possible.
func (b Board) EnPassant() bitboard.Square { return b.enPassant }

// holds reports whether the piece on s is of colour c.
func (b *Board) holds(s bitboard.Square, c bitboard.Color) bool {
	return b.pieces[s] != bitboard.NoPiece && b.pieces[s].Color() == c
}

// isEmpty reports whether there is no piece on s.
func (b *Board) isEmpty(s bitboard.Square) bool { return b.pieces[s] == bitboard.NoPiece }

// isPawn reports whether the piece on s is a pawn.
func (b *Board) isPawn(s bitboard.Square) bool { return b.pieces[s].Type() == bitboard.Pawn }

// king returns the square of c's king, NoSquare if it has none.
func (b *Board) king(c bitboard.Color) bitboard.Square {
	for s := bitboard.A1; s <= bitboard.H8; s++ {
		if b.pieces[s] == bitboard.PieceOf(c, bitboard.King) {
			return s
		}
	}
	return bitboard.NoSquare
}

// lift removes the piece on s and returns it.
func (b *Board) lift(s bitboard.Square) bitboard.Piece {
	piece := b.pieces[s]
	b.pieces[s] = bitboard.NoPiece
	return piece
}

// backRank returns the rank on which c's pieces start.
func backRank(c bitboard.Color) bitboard.Rank {
	if c == bitboard.White {
		return bitboard.Rank1
	}
	return bitboard.Rank8
}

// pawnRank returns the rank on which c's pawns start.
func pawnRank(c bitboard.Color) bitboard.Rank {
	if c == bitboard.White {
		return bitboard.Rank2
	}
	return bitboard.Rank7
}
