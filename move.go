package fianchetto

import (
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/core"
)

// Move is a move in 16 bits: the square it leaves in bits 0-5, the square it goes to in bits 6-11, its
// kind in bits 12-15. It means something only together with the position it was made for.
//
// A castling goes to the square of its rook, as in Chess960, so that every castling there is can be told
// from every king's move; Position.UCI and Move.String spell it e1g1 all the same.
//
// The zero value is no move and prints as 0000.
type Move uint16

// NoMove is the zero value of Move.
const NoMove Move = 0

// MoveKind says which man moves and what is special about it.
type MoveKind uint8

// The kinds of moves. A capture is no kind of its own: the position knows what stands on the target.
const (
	KingMove      = MoveKind(core.KingMove) // any move of the king but castling
	PawnMove      = MoveKind(core.PawnMove) // a single push or a capture, neither en passant nor promoting
	KnightMove    = MoveKind(core.KnightMove)
	BishopMove    = MoveKind(core.BishopMove)
	RookMove      = MoveKind(core.RookMove)
	QueenMove     = MoveKind(core.QueenMove)
	DoublePush    = MoveKind(core.DoublePush) // a pawn's first step of two
	EnPassant     = MoveKind(core.EnPassant)  // to is the square behind the captured pawn
	Castling      = MoveKind(core.Castling)   // to is the square of the castling rook
	PromoteKnight = MoveKind(core.PromoteKnight)
	PromoteBishop = MoveKind(core.PromoteBishop)
	PromoteRook   = MoveKind(core.PromoteRook)
	PromoteQueen  = MoveKind(core.PromoteQueen)
)

// pieceOfKind is the kind of man that moves.
var pieceOfKind = [16]PieceType{
	KingMove: King, Castling: King,
	PawnMove: Pawn, DoublePush: Pawn, EnPassant: Pawn,
	PromoteKnight: Pawn, PromoteBishop: Pawn, PromoteRook: Pawn, PromoteQueen: Pawn,
	KnightMove: Knight, BishopMove: Bishop, RookMove: Rook, QueenMove: Queen,
}

// flipMove xored to a move turns it from the board as White sees it to the board as Black sees it.
var flipMove = [2]Move{White: 0, Black: core.FlipMove}

// NewMove packs a move; from and to are 0..63. Whether it is legal is another question: Position.IsLegal.
func NewMove(from, to Square, kind MoveKind) Move {
	return Move(core.Encode(from&63, to&63, core.Kind(kind&15)))
}

// From returns the square the move leaves.
func (m Move) From() Square { return Square(m & 63) }

// To returns the square the move goes to, for a castling that of its rook.
func (m Move) To() Square { return Square(m >> 6 & 63) }

// Kind returns what is special about the move.
func (m Move) Kind() MoveKind { return MoveKind(m >> 12) }

// Piece returns the kind of man that moves: Pawn for a promotion, King for a castling.
func (m Move) Piece() PieceType { return pieceOfKind[m>>12] }

// Promotion returns what the pawn becomes, NoPieceType if the move is no promotion.
func (m Move) Promotion() PieceType {
	if m.Kind() < PromoteKnight {
		return NoPieceType
	}
	return Knight + PieceType(m.Kind()-PromoteKnight)
}

// Path returns the squares that the man passes over, strictly between From and To: none for a step, a jump or a
// neighbour, and those between king and rook for a castling.
// Source: https://www.chessprogramming.org/Square_Attacked_By#InBetween
func (m Move) Path() Bitboard { return bitboard.Between(m.From(), m.To()) }

// String spells the move as UCI does in standard chess: e2e4, e7e8q, e1g1 for a castling of a king on
// the e-file with a rook in the corner; any other castling is spelled king takes rook. NoMove is 0000.
// Position.UCI knows whether the position is Chess960.
func (m Move) String() string {
	if m == NoMove {
		return "0000"
	}
	to := m.To()
	if m.Kind() == Castling && m.isStandardCastling() {
		to = m.castlingTarget()
	}
	return m.spell(to)
}

// spell writes the move as going to a square, which for a castling may be the king's or the rook's.
func (m Move) spell(to Square) string {
	text := m.From().String() + to.String()
	if t := m.Promotion(); t != NoPieceType {
		text += bitboard.PieceOf(Black, t).String()
	}
	return text
}

// isStandardCastling reports whether a castling moves a king on the e-file and a rook in the corner.
func (m Move) isStandardCastling() bool {
	rook := m.To().File()
	return m.From().File() == bitboard.FileE && (rook == bitboard.FileA || rook == bitboard.FileH)
}

// castlingTarget returns where the king ends when it castles.
func (m Move) castlingTarget() Square {
	to, _ := core.CastlingTargets(m.From(), m.To())
	return bitboard.SquareAt(to.File(), m.From().Rank())
}
