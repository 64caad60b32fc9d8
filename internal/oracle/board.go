// Package oracle is a second move generator, slow and simple, written from the
// rules of chess alone. Tests compare the fast generator with it.
//
// The board is an array of 64 squares. The moves of a piece are found by walking
// from square to square, and a move is legal if the king of the side that makes it
// is not attacked afterwards. There are no sets of squares, tables, pins or check
// masks, so that the two generators do not share a mistake. Of package bitboard it
// uses only the types of squares, colours and pieces.
//
// One rule for castling serves standard chess, Chess960 and double Chess960, in which
// the two sides start with different arrays. A castling is written as king takes rook.
// Sources: FIDE Laws of Chess, articles 3 and 5, and guideline II (Chess960).
package oracle

import (
	"slices"

	"github.com/fianchetto-chess/fianchetto/bitboard"
)

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

// backRank has the rank on which the pieces of each colour start, pawnRank the rank of its pawns.
var (
	backRank = [...]bitboard.Rank{bitboard.White: bitboard.Rank1, bitboard.Black: bitboard.Rank8}
	pawnRank = [...]bitboard.Rank{bitboard.White: bitboard.Rank2, bitboard.Black: bitboard.Rank7}
)

// step is the way from one square to another: so many files to the right, so many ranks up.
type step struct{ files, ranks int }

var (
	rookSteps   = []step{{0, 1}, {1, 0}, {0, -1}, {-1, 0}}
	bishopSteps = []step{{1, 1}, {1, -1}, {-1, -1}, {-1, 1}}
	royalSteps  = slices.Concat(rookSteps, bishopSteps)
	knightSteps = []step{{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}}
)

// forward has the step of the pawns of each colour.
var forward = [...]step{bitboard.White: {0, 1}, bitboard.Black: {0, -1}}

// pawnCaptures returns the two steps with which c's pawns capture.
func pawnCaptures(c bitboard.Color) []step {
	ahead := forward[c].ranks
	return []step{{-1, ahead}, {1, ahead}}
}

// from returns the square that the step leads to from s, and whether it is on the board.
func (d step) from(s bitboard.Square) (bitboard.Square, bool) {
	file, rank := int(s.File())+d.files, int(s.Rank())+d.ranks
	if file < 0 || file > 7 || rank < 0 || rank > 7 {
		return bitboard.NoSquare, false
	}
	return bitboard.SquareAt(bitboard.File(file), bitboard.Rank(rank)), true
}

// InCheck reports whether the king of the side to move is attacked.
func (b Board) InCheck() bool { return b.kingAttacked(b.sideToMove) }

// kingAttacked reports whether c's king is attacked by its opponent.
func (b *Board) kingAttacked(c bitboard.Color) bool {
	return b.attacked(b.king(c), c.Opponent())
}

// attacked reports whether a piece of colour by attacks s. It walks from s as each piece type moves
// and looks for a piece of this type, since every move can be reversed; pawns capture back in the
// opposite direction.
func (b *Board) attacked(s bitboard.Square, by bitboard.Color) bool {
	return b.seesAlong(s, rookSteps, by, bitboard.Rook, bitboard.Queen) ||
		b.seesAlong(s, bishopSteps, by, bitboard.Bishop, bitboard.Queen) ||
		b.seesBeside(s, knightSteps, by, bitboard.Knight) ||
		b.seesBeside(s, royalSteps, by, bitboard.King) ||
		b.seesBeside(s, pawnCaptures(by.Opponent()), by, bitboard.Pawn)
}

// seesAlong reports whether the first piece from s in one of the directions is
// one of by's pieces of the given types.
func (b *Board) seesAlong(s bitboard.Square, directions []step, by bitboard.Color, kinds ...bitboard.PieceType) bool {
	for _, d := range directions {
		at, ok := d.from(s)
		for ok && b.isEmpty(at) {
			at, ok = d.from(at)
		}
		if ok && b.holds(at, by) && slices.Contains(kinds, b.pieces[at].Type()) {
			return true
		}
	}
	return false
}

// seesBeside reports whether one of by's pieces of the given type is one step from s.
func (b *Board) seesBeside(s bitboard.Square, steps []step, by bitboard.Color, kind bitboard.PieceType) bool {
	for _, d := range steps {
		if at, ok := d.from(s); ok && b.pieces[at] == bitboard.PieceOf(by, kind) {
			return true
		}
	}
	return false
}
