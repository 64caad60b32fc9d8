package core

import (
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// kingView is what the generator looks up for the square of a king: 128 bytes, two cache lines.
type kingView struct {
	ring        Bitboard // the squares next to the king
	knights     Bitboard // squares from which a knight checks it
	pawns       Bitboard // squares from which an enemy pawn, coming down the board, checks it
	diagonals   Bitboard // squares from which a bishop checks it on an empty board
	orthogonals Bitboard // squares from which a rook checks it on an empty board
	_           [3]Bitboard
	zones       zones
	_           [4]Bitboard
}

// zones are the squares from which an enemy piece could, on an empty board, attack one of the squares that are looked
// at for a king. A piece outside its zone is skipped.
type zones struct {
	kings, knights, diagonals, orthogonals Bitboard
}

var (
	kingViews     [64]kingView
	castlingZones [8]zones // by the king's file on the first rank: of its own square, the ring and every castling path
)

func init() {
	for s := bitboard.A1; s <= bitboard.H8; s++ {
		kingViews[s] = kingView{
			ring:        attacks.King(s),
			knights:     attacks.Knight(s),
			pawns:       attacks.Pawn(bitboard.White, s),
			diagonals:   attacks.Bishop(s, 0),
			orthogonals: attacks.Rook(s, 0),
			zones:       zonesAround(attacks.King(s)),
		}
	}
	for king := bitboard.A1; king <= bitboard.H1; king++ {
		paths := span(king, kingEastTarget) | span(king, kingWestTarget)
		castlingZones[king] = zonesAround(king.Bitboard() | attacks.King(king) | paths)
	}
}

// zonesAround returns the zones of a set of squares that are looked at for a king.
func zonesAround(wanted Bitboard) zones {
	z := zones{diagonals: wanted, orthogonals: wanted}
	for s := range wanted.Squares() {
		z.kings |= attacks.King(s)
		z.knights |= attacks.Knight(s)
		z.diagonals |= attacks.Bishop(s, 0)
		z.orthogonals |= attacks.Rook(s, 0)
	}
	return z
}
