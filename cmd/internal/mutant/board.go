package mutant

import (
	"slices"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// Move is a move as the generator lists it; castling is king takes rook.
type Move struct {
	From, To  bitboard.Square
	Promotion bitboard.PieceType
	castling  bool
}

// Board is a position with the mistakes of its generator.
type Board struct {
	bugs      map[Bug]bool
	pieces    [64]bitboard.Piece
	us        bitboard.Color
	rights    bitboard.Bitboard // rooks that may castle
	enPassant bitboard.Square
}

// NewBoard returns a position whose moves are generated with the given mistakes.
func NewBoard(pos fianchetto.Position, bugs ...Bug) Board {
	b := Board{bugs: make(map[Bug]bool), us: pos.SideToMove(), enPassant: pos.EnPassant()}
	for _, bug := range bugs {
		b.bugs[bug] = true
	}
	for s := bitboard.A1; s <= bitboard.H8; s++ {
		b.pieces[s] = pos.PieceAt(s)
	}
	b.rights = pos.CastlingRooks(bitboard.White) | pos.CastlingRooks(bitboard.Black)
	return b
}

// has reports whether a mistake is switched on.
func (b *Board) has(bug Bug) bool { return b.bugs[bug] }

func (b *Board) isEmpty(s bitboard.Square) bool { return b.pieces[s] == bitboard.NoPiece }

func (b *Board) holds(s bitboard.Square, c bitboard.Color) bool {
	return !b.isEmpty(s) && b.pieces[s].Color() == c
}

func (b *Board) king(c bitboard.Color) bitboard.Square {
	return bitboard.Square(max(0, slices.Index(b.pieces[:], bitboard.PieceOf(c, bitboard.King))))
}

// relative converts a rank between the view of White and that of c.
func relative(c bitboard.Color, rank bitboard.Rank) bitboard.Rank { return rank ^ bitboard.Rank(c)*7 }

// Perft returns the leaves below the position.
func (b *Board) Perft(depth int) uint64 {
	if depth == 0 {
		return 1
	}
	moves := b.Moves()
	if depth == 1 {
		return uint64(len(moves))
	}
	var nodes uint64
	for _, m := range moves {
		next := b.After(m)
		nodes += next.Perft(depth - 1)
	}
	return nodes
}

// After returns the position after a move.
func (b *Board) After(m Move) Board {
	next := *b
	next.enPassant = bitboard.NoSquare
	next.us = b.us.Opponent()
	next.rights = b.rightsAfter(m)
	if m.castling {
		next.castle(m)
		return next
	}
	next.shift(m)
	files, ranks := distance(m.From, m.To)
	if b.pieces[m.From].Type() == bitboard.Pawn && files == 0 && ranks == 2 {
		next.enPassant = (m.From + m.To) / 2
	} else if b.has(EnPassantKept) && b.enPassant != bitboard.NoSquare {
		next.enPassant = b.enPassant
	}
	return next
}

// shift makes a move that is not castling.
func (b *Board) shift(m Move) {
	piece := b.pieces[m.From]
	if b.isEnPassant(m) && !b.has(EnPassantLeavesVictim) {
		b.pieces[bitboard.SquareAt(m.To.File(), m.From.Rank())] = bitboard.NoPiece
	}
	if m.Promotion != bitboard.NoPieceType {
		piece = bitboard.PieceOf(piece.Color(), m.Promotion)
	}
	b.pieces[m.From] = bitboard.NoPiece
	b.pieces[m.To] = piece
}

func (b *Board) isEnPassant(m Move) bool {
	victim := bitboard.SquareAt(m.To.File(), m.From.Rank())
	return b.pieces[m.From].Type() == bitboard.Pawn && m.From.File() != m.To.File() && b.isEmpty(m.To) &&
		b.pieces[victim] == bitboard.PieceOf(b.pieces[m.From].Color().Opponent(), bitboard.Pawn)
}

// distance returns how many files and ranks apart two squares are.
func distance(a, b bitboard.Square) (files, ranks int) {
	files, ranks = int(a.File())-int(b.File()), int(a.Rank())-int(b.Rank())
	return max(files, -files), max(ranks, -ranks)
}

// castle moves king and rook.
func (b *Board) castle(m Move) {
	kingTo, rookTo := castlingTargets(m)
	if b.has(KingTwoSteps) {
		kingTo = m.From + 2
		if m.To < m.From {
			kingTo = m.From - 2
		}
		kingTo &= 63 // off the board, it wraps around
	}
	king, rook := b.pieces[m.From], b.pieces[m.To]
	b.pieces[m.From] = bitboard.NoPiece
	if !b.has(CastlingRookStays) {
		b.pieces[m.To] = bitboard.NoPiece
		b.pieces[rookTo] = rook
	}
	b.pieces[kingTo] = king
}

// castlingTargets returns the target squares of king and rook.
func castlingTargets(m Move) (king, rook bitboard.Square) {
	if m.To > m.From {
		return bitboard.SquareAt(bitboard.FileG, m.From.Rank()), bitboard.SquareAt(bitboard.FileF, m.From.Rank())
	}
	return bitboard.SquareAt(bitboard.FileC, m.From.Rank()), bitboard.SquareAt(bitboard.FileD, m.From.Rank())
}

// corners are the squares of the rooks at the start of standard chess.
var corners = bitboard.BitboardOf(bitboard.A1, bitboard.H1, bitboard.A8, bitboard.H8)

// rightsAfter returns the castling rights after a move.
func (b *Board) rightsAfter(m Move) bitboard.Bitboard {
	rights := b.rights
	ours := relative(b.us, bitboard.Rank1).Mask()
	piece := b.pieces[m.From].Type()
	switch {
	case piece == bitboard.King && (m.castling || !b.has(RightsAfterKingMoved)):
		rights &^= ours
	case piece == bitboard.Rook && b.has(RightsLostByAnyRook):
		rights &^= ours
	case piece == bitboard.Rook && !b.has(RightsAfterRookMoved) && (!b.has(CornerRights) || corners.Has(m.From)):
		rights = rights.Without(m.From)
	}
	keeps := b.has(RightsAfterRookCaptured) ||
		b.has(PromotionKeepsRookHome) && m.Promotion != bitboard.NoPieceType ||
		b.has(CornerCaptureRights) && !corners.Has(m.To)
	if !keeps && b.holds(m.To, b.us.Opponent()) {
		rights = rights.Without(m.To)
	}
	return rights
}
