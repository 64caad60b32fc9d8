// Package search compares boards in a whole search. Its subpackages position, tuned and dragontooth
// each contain a board and the same text of an alpha-beta search, search.go. The text calls its
// board directly, without an interface or type parameters, so that the compiler inlines as in an
// engine. All three search the same tree.
//
// This package contains the evaluation, the numbers of keys and squares, and the exchanges for
// boards that have none.
//
//go:generate go run copytext.go
package search

import (
	"fmt"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// Number is a piece's part of the key, and of the sum of piece-square values, White's minus
// Black's.
type Number struct {
	Key uint64
	Sum int64
}

// The numbers of pieces by fianchetto.Piece, and Polyglot's numbers of the other parts of the key.
var (
	Pieces     = newPieces()
	Castling   = newCastling()
	EnPassant  = newEnPassant()
	SideToMove = keyOf("4k3/8/8/8/8/8/8/4K3 w - - 0 1") ^ keyOf("4k3/8/8/8/8/8/8/4K3 b - - 0 1")
)

func keyOf(fen string) uint64 {
	pos := fianchetto.MustParseFEN(fen)
	return pos.Key()
}

func newPieces() (numbers [16][64]Number) {
	for piece := range bitboard.Piece(len(numbers)) {
		if !piece.IsValid() {
			continue
		}
		for s := bitboard.A1; s <= bitboard.H8; s++ {
			relative, sign := s, int64(1)
			if piece.Color() == fianchetto.Black {
				relative, sign = s.FlipVertical(), -1
			}
			change := fianchetto.Change{Piece: piece, From: fianchetto.NoSquare, To: s}
			numbers[piece][s] = Number{change.Key(), sign * squareValue(piece.Type(), relative)}
		}
	}
	return numbers
}

func squareValue(t fianchetto.PieceType, s fianchetto.Square) int64 {
	file, rank := int64(s.File()), int64(s.Rank())
	centre := min(file, 7-file) + min(rank, 7-rank)
	return [...]int64{
		fianchetto.Pawn: 2*rank*rank/3 + centre, fianchetto.Knight: 6 * centre, fianchetto.Bishop: 3 * centre,
		fianchetto.Rook: min(file, 7-file), fianchetto.Queen: centre, fianchetto.King: -7 * min(rank, 3),
	}[t]
}

// The castling rights as indices of Castling, from the lowest bit: KQkq.
func newCastling() (keys [16]uint64) {
	without := keyOf("r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1")
	for rights := 1; rights < 16; rights++ {
		text := ""
		for i, letter := range "KQkq" {
			if rights>>i&1 != 0 {
				text += string(letter)
			}
		}
		keys[rights] = without ^ keyOf("r3k2r/8/8/8/8/8/8/R3K2R w "+text+" - 0 1")
	}
	return keys
}

// RightsAfter are the castling rights left by a move from or to a square.
var RightsAfter = func() (rights [64]uint8) {
	for s := range rights {
		rights[s] = 15
	}
	rights[bitboard.H1], rights[bitboard.A1], rights[bitboard.E1] = 14, 13, 12
	rights[bitboard.H8], rights[bitboard.A8], rights[bitboard.E8] = 11, 7, 3
	return rights
}()

func newEnPassant() (keys [8]uint64) {
	for file := range keys {
		ranks := [2]string{"pPpPpPpP", "PpPpPpPp"}
		pos := fianchetto.MustParseFEN(fmt.Sprintf("4k3/8/8/%s/8/8/8/4K3 w - %c6 0 1", ranks[file%2], 'a'+file))
		without := pos.WithoutEnPassant()
		keys[file] = pos.Key() ^ without.Key()
	}
	return keys
}

// Passed returns the en-passant square if a pawn stands beside the pushed one, or else NoSquare.
func Passed(pos *fianchetto.Position) bitboard.Square {
	if without := pos.WithoutEnPassant(); without.Key() == pos.Key() {
		return fianchetto.NoSquare
	}
	return pos.EnPassant()
}

// Rights returns the castling rights as an index of Castling.
func Rights(pos *fianchetto.Position) (rights uint8) {
	for i, corner := range []bitboard.Square{bitboard.H1, bitboard.A1, bitboard.H8, bitboard.A8} {
		if pos.CastlingRooks(fianchetto.Color(i / 2)).Has(corner) {
			rights |= 1 << i
		}
	}
	return rights
}
