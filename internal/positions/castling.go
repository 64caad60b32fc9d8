package positions

import (
	"iter"

	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/oracle"
)

// Castlings returns the positions, White's and Black's alike, of a side with a king on its back rank, a rook that it may
// castle with and one enemy piece, which may be the king, on every square: 38,500 that are playable.
func Castlings() iter.Seq[string] {
	return func(yield func(string) bool) {
		for n := range 8 * 8 * 64 * 6 * 2 {
			king, rook, square := bitboard.Square(n&7), bitboard.Square(n>>3&7), bitboard.Square(n>>6&63)
			piece, mirrored := "pnbrqk"[(n>>12)%6], (n>>12)/6 == 1
			if king == rook || king == square || rook == square {
				continue
			}
			b := board{kings: [2]bitboard.Square{us: king, them: square}, castling: rook.Bitboard(), enPassant: bitboard.NoSquare}
			for s := bitboard.A8; piece != 'k' && b.kings[them] == square; s++ {
				if s != square && s.File() != rook.File() { // the rook does not attack it
					b.kings[them] = s
				}
			}
			b.pieces[b.kings[them]] = 'k'
			b.pieces[square] = piece
			b.pieces[rook], b.pieces[king] = 'R', 'K'
			fen := b.fen(mirrored, clocks[0])
			if _, err := oracle.Parse(fen); err == nil && !yield(fen) {
				return
			}
		}
	}
}
