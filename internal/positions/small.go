package positions

import (
	_ "embed"
	"iter"
	"math/rand/v2"
	"strings"

	"github.com/fianchetto-chess/fianchetto/bitboard"
)

//go:embed traps.txt
var traps string

// Traps returns the positions of traps.txt, on which a counter of replies is wrong if it leaves out what the list says.
func Traps() (fens []string) {
	for line := range strings.Lines(traps) {
		if fen, _, isTrap := strings.Cut(line, "\t"); isTrap {
			fens = append(fens, fen)
		}
	}
	return fens
}

// Castlings returns the positions, White's and Black's alike, of a side with a king on its back rank, a rook that it
// may castle with and one enemy piece, which may be the king, on every square: 38,500 that are playable.
func Castlings() iter.Seq[string] {
	return func(yield func(string) bool) {
		for n := range 8 * 8 * 64 * 6 * 2 {
			king, rook, square := bitboard.Square(n&7), bitboard.Square(n>>3&7), bitboard.Square(n>>6&63)
			if king == rook || king == square || rook == square {
				continue
			}
			piece, theirs := "pnbrqk"[n>>12%6], square
			if piece != 'k' {
				theirs = (bitboard.Rank8Mask &^ rook.File().Mask()).Without(square).First() // the rook does not attack it
			}
			b := small(king, theirs)
			b.pieces[square], b.pieces[rook], b.castling = piece, 'R', rook.Bitboard()
			if fen, ok := playable(b.fen(n>>12/6 == 1, "0 1")); ok && !yield(fen) {
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
			b, third, pieces := small(king, bitboard.Square(n&63)), n>>6-1, 2
			if third >= 0 {
				b.place(bitboard.Square(third&63), smallPieces[third>>6])
				pieces = 3
			}
			if b.empty().Len() != 64-pieces {
				continue
			}
			for _, fen := range b.variants(bitboard.Square(third & 63)) {
				if !yield(fen) {
					return
				}
			}
		}
	}
}

// RandomSmall returns a random playable position of two kings and two other pieces, often with the right to castle, or
// after a double push.
func RandomSmall(random *rand.Rand) string {
	for {
		squares := random.Perm(64)
		king, s := bitboard.Square(squares[0]), bitboard.Square(squares[2])
		piece := smallPieces[random.IntN(len(smallPieces))]
		switch random.IntN(4) {
		case 0: // often enough a double push
			s, piece = bitboard.A5+s&7, 'p'
		case 1: // or a rook that may castle
			s, king, piece = s&7, king&7, 'R'
		}
		b := small(king, bitboard.Square(squares[1]))
		b.place(s, piece)
		b.place(bitboard.Square(squares[3]), smallPieces[random.IntN(len(smallPieces))])
		if fens := b.variants(s); b.empty().Len() == 60 && len(fens) > 0 {
			return fens[random.IntN(len(fens))]
		}
	}
}

const smallPieces = "PNBRQpnbrq"

// small returns a board of two kings.
func small(king, theirs bitboard.Square) *board {
	b := &board{kings: [2]bitboard.Square{us: king, them: theirs}, enPassant: bitboard.NoSquare}
	b.place(king, 'K')
	b.place(theirs, 'k')
	return b
}

// variants returns the playable positions for each side, without and with the right to castle or the double push that
// the piece on s allows.
func (b *board) variants(s bitboard.Square) (fens []string) {
	boards := []board{*b}
	piece, pushed := b.pieces[s], s.Bitboard()<<8|s.Bitboard()<<16
	switch with := *b; {
	case piece == 'R' && s.Rank() == bitboard.Rank1 && b.kings[us].Rank() == bitboard.Rank1,
		piece == 'r' && s.Rank() == bitboard.Rank8 && b.kings[them].Rank() == bitboard.Rank8:
		with.castling = s.Bitboard()
		boards = append(boards, with)
	case piece == 'p' && s.Rank() == bitboard.Rank5 && pushed.IsSubset(b.empty()):
		with.enPassant = s + 8
		boards = append(boards, with)
	}
	for _, v := range boards {
		for _, mirrored := range []bool{false, true} {
			if fen, ok := playable(v.fen(mirrored, "0 1")); ok {
				fens = append(fens, fen)
			}
		}
	}
	return fens
}
