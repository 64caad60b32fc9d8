// Package oracle is a second move generator, slow and simple, written from the rules of chess
// alone. Tests compare the fast generator with it.
//
// Pieces walk from square to square on an array of 64, and a move is legal if it does not leave its
// own king attacked. The oracle uses no sets of squares, tables, pins or check masks, because the
// two generators must not share a mistake. From package bitboard it takes only the types of
// squares, colours and pieces.
//
// One castling rule serves standard chess, Chess960 and double Chess960. Castling is encoded as
// king takes rook. Sources: FIDE Laws of Chess, articles 3 and 5, and guideline II (Chess960).
package oracle

import (
	"slices"

	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// Board is a comparable position: pieces, side to move, castling rights, en-passant square and
// clocks.
type Board struct {
	pieces         [64]bitboard.Piece
	sideToMove     bitboard.Color
	castlingRook   [2][2]bitboard.Square // by colour and castling side; NoSquare without the right
	enPassant      bitboard.Square       // the square that a pawn has just skipped, or NoSquare
	halfmoveClock  int
	fullmoveNumber int
}

type castlingSide int

const (
	kingSide castlingSide = iota
	queenSide
)

var castlingSides = [...]castlingSide{kingSide, queenSide}

// PieceAt returns the piece on s (0 to 63), or NoPiece.
func (b Board) PieceAt(s bitboard.Square) bitboard.Piece { return b.pieces[s] }

// SideToMove returns the side to move.
func (b Board) SideToMove() bitboard.Color { return b.sideToMove }

// EnPassant returns the square that a pawn skipped in the last move, even if no capture is
// possible, or NoSquare.
func (b Board) EnPassant() bitboard.Square { return b.enPassant }

func (b *Board) holds(s bitboard.Square, c bitboard.Color) bool {
	return b.pieces[s] != bitboard.NoPiece && b.pieces[s].Color() == c
}

func (b *Board) isEmpty(s bitboard.Square) bool { return b.pieces[s] == bitboard.NoPiece }

func (b *Board) isPawn(s bitboard.Square) bool { return b.pieces[s].Type() == bitboard.Pawn }

func (b *Board) king(c bitboard.Color) bitboard.Square {
	for s := bitboard.A1; s <= bitboard.H8; s++ {
		if b.pieces[s] == bitboard.PieceOf(c, bitboard.King) {
			return s
		}
	}
	return bitboard.NoSquare
}

func (b *Board) lift(s bitboard.Square) bitboard.Piece {
	piece := b.pieces[s]
	b.pieces[s] = bitboard.NoPiece
	return piece
}

// backRank is the first rank of each colour, pawnRank the rank of its pawns.
var (
	backRank = [...]bitboard.Rank{bitboard.White: bitboard.Rank1, bitboard.Black: bitboard.Rank8}
	pawnRank = [...]bitboard.Rank{bitboard.White: bitboard.Rank2, bitboard.Black: bitboard.Rank7}
)

type step struct{ files, ranks int }

var (
	rookSteps   = []step{{0, 1}, {1, 0}, {0, -1}, {-1, 0}}
	bishopSteps = []step{{1, 1}, {1, -1}, {-1, -1}, {-1, 1}}
	royalSteps  = slices.Concat(rookSteps, bishopSteps)
	knightSteps = []step{{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}}
)

var forward = [...]step{bitboard.White: {0, 1}, bitboard.Black: {0, -1}}

func pawnCaptures(c bitboard.Color) []step {
	ahead := forward[c].ranks
	return []step{{-1, ahead}, {1, ahead}}
}

// from returns the square one step from s and whether it is on the board.
func (d step) from(s bitboard.Square) (bitboard.Square, bool) {
	file, rank := int(s.File())+d.files, int(s.Rank())+d.ranks
	if file < 0 || file > 7 || rank < 0 || rank > 7 {
		return bitboard.NoSquare, false
	}
	return bitboard.SquareAt(bitboard.File(file), bitboard.Rank(rank)), true
}

// InCheck reports whether the king of the side to move is attacked.
func (b Board) InCheck() bool { return b.kingAttacked(b.sideToMove) }

func (b *Board) kingAttacked(c bitboard.Color) bool {
	return b.attacked(b.king(c), c.Opponent())
}

// attacked reports whether a piece of colour by attacks s. It walks from s as each piece type
// moves, pawns backwards, and looks for a piece of that type.
func (b *Board) attacked(s bitboard.Square, by bitboard.Color) bool {
	return b.seesAlong(s, rookSteps, by, bitboard.Rook, bitboard.Queen) ||
		b.seesAlong(s, bishopSteps, by, bitboard.Bishop, bitboard.Queen) ||
		b.seesBeside(s, knightSteps, by, bitboard.Knight) ||
		b.seesBeside(s, royalSteps, by, bitboard.King) ||
		b.seesBeside(s, pawnCaptures(by.Opponent()), by, bitboard.Pawn)
}

// seesAlong reports whether the first piece in one of the directions from s is by's and of the
// given types.
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

func (b *Board) seesBeside(s bitboard.Square, steps []step, by bitboard.Color, kind bitboard.PieceType) bool {
	for _, d := range steps {
		if at, ok := d.from(s); ok && b.pieces[at] == bitboard.PieceOf(by, kind) {
			return true
		}
	}
	return false
}
