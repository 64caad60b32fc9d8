package core

import (
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// EnPassantCapturers returns our pawns that may legally capture en passant. Two pieces leave the rank
// at once, which pins do not describe: each capture is tested on the occupancy that it leaves.
func (b *Board) EnPassantCapturers() Bitboard {
	target := b.EnPassant()
	capturers := (target&^bitboard.FileAMask>>9 | target&^bitboard.FileHMask>>7) & b.Pawns & b.Us
	for x := capturers; x != 0; x &= x - 1 {
		if !b.enPassantIsSafe(x&-x, target) {
			capturers &^= x & -x
		}
	}
	return capturers
}

// enPassantIsSafe reports whether our king is out of check after the capture.
func (b *Board) enPassantIsSafe(capturer, target Bitboard) bool {
	captured := target >> 8
	occupancy := (b.Us | b.Them) ^ capturer ^ captured ^ target
	king := (b.Kings() & b.Us).First()
	k := &kingLookups[king&63]
	return k.knights&b.Knights&b.Them == 0 &&
		k.pawns&b.Pawns&b.Them&^captured == 0 &&
		attacks.Bishop(king, occupancy)&b.Diagonals&b.Them == 0 &&
		attacks.Rook(king, occupancy)&b.Orthogonals&b.Them == 0
}
