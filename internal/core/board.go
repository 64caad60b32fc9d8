// Package core is the hot core of the generator: a board of seven words, the analysis of checks and
// pins, the sets of legal targets, and the count of legal moves, where perft spends its time. The
// root package wraps core for engines, and package perft recurses on it.
//
// The side to move always plays up the board: its castling rooks are on rank 1, and an en-passant
// target is on rank 6. Making a move swaps the sides and flips the board, so one generator serves
// both colours.
//
// In this package and in twoply, us and we are the side to move, and them and they the other side.
// Code that looks from the other side, such as childContext and package simd, calls the sides mover
// and replier.
//
// # Reading it in one sitting
//
// Data flows one way: Board -> checks and pins -> sets of targets per piece -> moves or counts.
// Read the files in this order:
//
//   - board.go: the seven words, the same board packed into 32 bytes, a move in 16 bits, and how it
//     is made.
//   - king.go: the lookups for a king, its safe targets, castling paths.
//   - checks.go: attackers, checks and pins, and the moves that give check.
//   - targets.go: the legal moves as a set of squares for each piece and four sets for the pawns.
//   - list.go: lists of moves, the Generator for a search, captures and promotions in search order.
//   - count.go: counts of the legal moves one and two plies deep, the latter also if we have only a
//     king and pawns.
//   - legal.go: the legality of one move, and the pieces that may go to a square.
//
// # The loops over pieces
//
// Pawns are handled as sets. Knights, bishops, rooks and queens need a lookup each. Only targets
// and lists loop over queens, which otherwise count with bishops and rooks. The loops are written
// out several times, because each uses the target set differently. A shared loop that calls a
// function for each piece makes plain counting 8% slower, 2% with GOAMD64=v3. The loops are:
//
//   - Targets: findPieces stores the targets of each piece, from which a Generator lists moves, and
//     [Board.CountTwo] and package simd make children.
//   - List: [AppendOnto] appends moves at once, which is faster than storing their targets first.
//   - Count: countMoves counts as if no piece were pinned, the commonest case, and countForbidden
//     subtracts the moves that pins forbid. countEvasions counts in check. pieceMoves counts what
//     most children of a board share.
//   - Danger: safeKingTargets removes the squares that enemy pieces attack from the king's targets.
//
// The first three share checksAndPins, the targets of king and pawns, and the castling moves.
//
// # Each fact once
//
// Other packages take these facts from here: the attackers of a square ([Board.Attackers] and its
// three parts), the lines through a square ([Lines]), the targets and conditions of castling
// ([CastlingTargets], [CastlingPathsOf]), and the en-passant captures that are legal
// ([Board.EnPassantCapturers]) or answer double pushes ([Board.EnPassantReplies]). The root package
// decides legality, pins and check squares of single moves again, because converting its board
// would cost more. Tests compare both with the oracle.
package core

import (
	"encoding/binary"
	"math/bits"

	"github.com/fianchetto-chess/fianchetto/bitboard"
)

type (
	// Bitboard is the set of squares of package bitboard.
	Bitboard = bitboard.Bitboard
	// Square is the square of package bitboard, here relative to the side to move.
	Square = bitboard.Square
)

// Board is a chess position seen by the side to move: square a1 is its left corner, whatever its
// colour. Moves are made by copying its seven words (copy-make).
//
// The king is the piece of Us in no other set. A queen is in Diagonals and Orthogonals. That saves
// two words and their updates.
type Board struct {
	Us, Them             Bitboard // the pieces of the side to move and of the other side
	Pawns                Bitboard // of both sides, like the next three
	Knights              Bitboard
	Diagonals            Bitboard // bishops and queens
	Orthogonals          Bitboard // rooks and queens
	CastlingAndEnPassant Bitboard // castling rooks on ranks 1 and 8, en-passant target on rank 6
}

// Outer files and ranks as constants: with calls of File.Mask and Rank.Mask, the compiler inlines
// less.
const (
	FileAMask Bitboard = 0x0101010101010101
	FileHMask          = FileAMask << 7
	Rank1Mask Bitboard = 0xff
	Rank2Mask          = Rank1Mask << 8
	Rank3Mask          = Rank1Mask << 16
	Rank6Mask          = Rank1Mask << 40
	Rank7Mask          = Rank1Mask << 48
	Rank8Mask          = Rank1Mask << 56

	// castlingRanks are the ranks of castling rooks in CastlingAndEnPassant.
	castlingRanks = Rank1Mask | Rank8Mask
	// EnPassantRank is the rank of the en-passant target in CastlingAndEnPassant.
	EnPassantRank = Rank6Mask
)

// Position is the part of a position that BoardOf reads, as White sees it. The root package's
// Position implements it.
type Position interface {
	SideToMove() bitboard.Color
	ByColor(bitboard.Color) Bitboard
	ByType(bitboard.PieceType) Bitboard
	CastlingRooks(bitboard.Color) Bitboard
	EnPassant() Square
}

// BoardOf returns the board of a position. All packages use it except the root, which unrolls it.
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

// CastlingRooks returns the castling rooks of both sides.
func (b *Board) CastlingRooks() Bitboard { return b.CastlingAndEnPassant & castlingRanks }

// EnPassant returns the en-passant target, the square behind the pawn that just made a double
// push, or the empty set.
func (b *Board) EnPassant() Bitboard { return b.CastlingAndEnPassant & EnPassantRank }

// Mirror turns all seven words upside down, but does not swap Us and Them.
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

// State is a board packed into 32 bytes: four planes, which give each square one of 16 values. Two
// boards have the same state exactly if the same sequences of moves are legal.
type State [4]uint64

// StateOf packs a board. The values are our pawn 1, knight 2, bishop 3, rook 4, queen 5, king 6 and
// castling rook 7. Their pieces add 8, and 8 itself is a pawn that may legally be captured en
// passant.
func StateOf(b *Board) State {
	castling := b.CastlingRooks()
	bishopLike, rookLike := b.Diagonals, b.Orthogonals
	queens := bishopLike & rookLike
	kings := b.Kings()
	s := State{
		uint64(b.Pawns | bishopLike | castling),
		uint64(b.Knights | bishopLike&^queens | kings | castling),
		uint64(rookLike | kings),
		uint64(b.Them),
	}
	if b.EnPassant() != 0 && b.EnPassantCapturers() != 0 {
		s[0] &^= uint64(b.EnPassant() >> 8)
	}
	return s
}

// Board unpacks a state. The board has an en-passant target only if a capture is legal there.
func (s *State) Board() Board {
	first, second, third := bitboard.Bitboard(s[0]), bitboard.Bitboard(s[1]), bitboard.Bitboard(s[2])
	them := bitboard.Bitboard(s[3])
	occupancy := first | second | third | them
	captured := them &^ (first | second | third) // en passant
	castling := first & second & third
	bishops := first & second &^ third
	queens := first & third &^ second
	rooks := third &^ first &^ second
	return Board{
		Us:                   occupancy &^ them,
		Them:                 them,
		Pawns:                first&^second&^third | captured,
		Knights:              second &^ first &^ third,
		Diagonals:            bishops | queens,
		Orthogonals:          rooks | queens | castling,
		CastlingAndEnPassant: castling | captured<<8,
	}
}

// StateSize is the number of bytes of a packed state.
const StateSize = 4 * 8

// Append appends the planes of a state, the low byte of each first.
func (s *State) Append(data []byte) []byte {
	for _, plane := range s {
		data = binary.LittleEndian.AppendUint64(data, plane)
	}
	return data
}

// ReadState reads the state that Append wrote.
func ReadState(data []byte) (s State) {
	for i := range s {
		s[i] = binary.LittleEndian.Uint64(data[8*i:])
	}
	return s
}

// Hash spreads a state over 64 bits, differently for each salt.
func (s *State) Hash(salt uint64) uint64 {
	const factor1, factor2 = 0x9e3779b97f4a7c15, 0xd6e8feb86659fd93 // odd, with bits well spread
	high1, low1 := bits.Mul64(s[0]^bits.RotateLeft64(s[1], 23)^salt, factor1)
	high2, low2 := bits.Mul64(s[2]^bits.RotateLeft64(s[3], 29)^low1, factor2)
	return high1 ^ high2 ^ low2
}

// Kind says which piece moves, or what is special about the move.
type Kind uint16

// The kinds of moves. A capture is not a kind, because the board shows it.
const (
	KingMove   Kind = iota // any move of the king but castling
	PawnMove               // a single push or a capture, neither en passant nor promoting
	KnightMove             // in the order of bitboard's piece types
	BishopMove
	RookMove
	QueenMove
	DoublePush // a pawn's first step of two
	EnPassant  // to is the square behind the captured pawn
	Castling   // to is the square of the rook

	PromoteKnight Kind = iota + 3 // the last four of sixteen
	PromoteBishop
	PromoteRook
	PromoteQueen
)

// MorePromotions is the number of promotions to a square beyond the one that a count of targets
// contains.
const MorePromotions = int(PromoteQueen - PromoteKnight)

// placed gives, per kind, a full mask for each set that contains the moved piece. An index and four
// ANDs replace a branch.
type placed struct{ pawns, knights, diagonals, orthogonals Bitboard }

var placedBy = [16]placed{
	PawnMove:      {pawns: bitboard.Full},
	KnightMove:    {knights: bitboard.Full},
	BishopMove:    {diagonals: bitboard.Full},
	RookMove:      {orthogonals: bitboard.Full},
	QueenMove:     {diagonals: bitboard.Full, orthogonals: bitboard.Full},
	DoublePush:    {pawns: bitboard.Full},
	EnPassant:     {pawns: bitboard.Full},
	PromoteKnight: {knights: bitboard.Full},
	PromoteBishop: {diagonals: bitboard.Full},
	PromoteRook:   {orthogonals: bitboard.Full},
	PromoteQueen:  {diagonals: bitboard.Full, orthogonals: bitboard.Full},
}

// A move is 16 bits: from in bits 0-5, to in bits 6-11, the kind in bits 12-15.
const (
	toShift   = 6
	kindShift = 12
)

// Encode packs a move.
func Encode(from, to Square, kind Kind) uint16 {
	return uint16(from) | uint16(to)<<toShift | uint16(kind)<<kindShift
}

// Decode unpacks a move.
func Decode(move uint16) (from, to Square, kind Kind) {
	return Square(move & 63), Square(move >> toShift & 63), Kind(move >> kindShift)
}

// FlipMove is a mask: a move xored with it is the same move seen from the other side of the board.
const FlipMove = 56<<toShift | 56

// Make writes the board after a legal move to next, as the other side sees it. next must not be b.
// It stores each word at once, so that the compiler keeps all words in registers.
func (b *Board) Make(next *Board, from, to Square, kind Kind) {
	target := Bitboard(1) << (to & 63)
	both := target | 1<<(from&63)
	put := &placedBy[kind&15]
	next.Us = (b.Them &^ target).FlipVertical()
	next.Them = (b.Us ^ both).FlipVertical()
	next.Pawns = (b.Pawns&^both | target&put.pawns).FlipVertical()
	next.Knights = (b.Knights&^both | target&put.knights).FlipVertical()
	next.Diagonals = (b.Diagonals&^both | target&put.diagonals).FlipVertical()
	next.Orthogonals = (b.Orthogonals&^both | target&put.orthogonals).FlipVertical()
	rights := b.CastlingAndEnPassant & castlingRanks &^ both
	switch kind {
	case KingMove:
		rights &^= Rank1Mask
	case DoublePush:
		rights |= target >> 8
	case EnPassant:
		captured := (target >> 8).FlipVertical()
		next.Us, next.Pawns = next.Us&^captured, next.Pawns&^captured
	case Castling:
		us, orthogonals := b.castled(from, to)
		next.Them, next.Orthogonals = us.FlipVertical(), orthogonals.FlipVertical()
		rights &^= Rank1Mask
	}
	next.CastlingAndEnPassant = rights.FlipVertical()
}

// castled returns our pieces, and the rooks and queens of both sides, after castling. King and rook
// move at once, because in Chess960 each may end on the other's square.
func (b *Board) castled(king, rook Square) (us, orthogonals Bitboard) {
	kingTo, rookTo := CastlingTargets(king, rook)
	us = b.Us.Without(king).Without(rook).With(kingTo).With(rookTo)
	return us, b.Orthogonals.Without(rook).With(rookTo)
}
