package positions

import (
	"iter"
	"math/rand/v2"

	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/oracle"
)

// Castlings returns the positions, White's and Black's alike, of a side with a king on its back rank, a rook that it
// may castle with and one enemy piece, which may be the king, on every square: 38,500 that are playable.
func Castlings() iter.Seq[string] {
	return func(yield func(string) bool) {
		for n := range 8 * 8 * 64 * 6 * 2 {
			king, rook, square := bitboard.Square(n&7), bitboard.Square(n>>3&7), bitboard.Square(n>>6&63)
			piece, mirrored := "pnbrqk"[(n>>12)%6], (n>>12)/6 == 1
			if king == rook || king == square || rook == square {
				continue
			}
			b := board{kings: [2]bitboard.Square{us: king, them: square}, castling: rook.Bitboard(),
				enPassant: bitboard.NoSquare}
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

// Small yields the playable positions of two kings, the king of the side to move on a given square, and no or one other
// piece, anywhere, of either side: with White and with Black to move, with and without the right to castle, and after
// each double push. From all 64 squares there are 3,962,680.
func Small(king bitboard.Square) iter.Seq[string] {
	return func(yield func(string) bool) {
		for n := range 64 * (1 + 64*len(smallPieces)) {
			theirs, third := bitboard.Square(n&63), n>>6-1
			b := board{kings: [2]bitboard.Square{us: king, them: theirs}, enPassant: bitboard.NoSquare}
			b.place(king, 'K')
			b.place(theirs, 'k')
			s, pieces := bitboard.A1, 2
			if third >= 0 {
				s, pieces = bitboard.Square(third&63), 3
				b.place(s, smallPieces[third>>6])
			}
			if b.empty().Len() == 64-pieces && !b.yieldVariants(s, yield) {
				return
			}
		}
	}
}

// RandomSmall returns a random playable position of two kings and two other pieces, with every right to castle that it
// can have, or the en-passant square of a double push.
func RandomSmall(random *rand.Rand) (fen string) {
	for {
		squares := random.Perm(64)
		king, theirs := bitboard.Square(squares[0]), bitboard.Square(squares[1])
		s, other := bitboard.Square(squares[2]), bitboard.Square(squares[3])
		piece := smallPieces[random.IntN(len(smallPieces))]
		switch random.IntN(4) {
		case 0: // often enough a double push
			s, piece = bitboard.A5+s&7, 'p'
		case 1: // or a rook that may castle
			s, king, piece = s&7, king&7, 'R'
		}
		b := board{random: random, kings: [2]bitboard.Square{us: king, them: theirs}, enPassant: bitboard.NoSquare}
		b.place(king, 'K')
		b.place(theirs, 'k')
		b.place(s, piece)
		b.place(other, smallPieces[random.IntN(len(smallPieces))])
		if b.empty().Len() != 60 {
			continue
		}
		b.castling = b.castlingRook(s) | b.castlingRook(other)
		b.yieldVariants(s, func(variant string) bool {
			fen = variant
			return random.IntN(2) > 0
		})
		if fen != "" {
			return fen
		}
	}
}

const smallPieces = "PNBRQpnbrq"

// yieldVariants yields the position for each side, without and with the right to castle or the double push that the
// piece on s allows, if it is playable. It reports false if yield did.
func (b *board) yieldVariants(s bitboard.Square, yield func(string) bool) bool {
	plain := *b
	variants := []board{plain}
	if rook := b.castlingRook(s); rook&^b.castling != 0 {
		with := plain
		with.castling |= rook
		variants = append(variants, with)
	}
	if pushed := s.Bitboard() & bitboard.Rank5Mask; pushed != 0 && b.pieces[s] == 'p' &&
		(pushed<<8 | pushed<<16).IsSubset(b.empty()) {
		with := plain
		with.enPassant = s + 8
		variants = append(variants, with)
	}
	for _, v := range variants {
		for _, mirrored := range []bool{false, true} {
			fen := v.fen(mirrored, clocks[0])
			if _, err := oracle.Parse(fen); err == nil && !yield(fen) {
				return false
			}
		}
	}
	return true
}

// castlingRook returns the square if it has a rook that may have the right to castle.
func (b *board) castlingRook(s bitboard.Square) bitboard.Bitboard {
	isOurs, isTheirs := b.pieces[s] == 'R', b.pieces[s] == 'r'
	if isOurs && s.Rank() == bitboard.Rank1 && b.kings[us].Rank() == bitboard.Rank1 ||
		isTheirs && s.Rank() == bitboard.Rank8 && b.kings[them].Rank() == bitboard.Rank8 {
		return s.Bitboard()
	}
	return bitboard.Empty
}
