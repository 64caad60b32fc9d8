package attacks

import (
	"testing"

	"github.com/fianchetto-chess/fianchetto/bitboard"
)

func TestLeapersByFileAndRank(t *testing.T) {
	tests := []struct {
		name  string
		table func(bitboard.Square) bitboard.Bitboard
		leaps func(files, ranks int) bool
	}{
		{"knight", Knight, func(files, ranks int) bool { return files*files+ranks*ranks == 5 }},
		{"king", King, func(files, ranks int) bool { d := files*files + ranks*ranks; return d == 1 || d == 2 }},
		{"white pawn", func(s bitboard.Square) bitboard.Bitboard { return Pawn(bitboard.White, s) },
			func(files, ranks int) bool { return files*files == 1 && ranks == +1 }},
		{"black pawn", func(s bitboard.Square) bitboard.Bitboard { return Pawn(bitboard.Black, s) },
			func(files, ranks int) bool { return files*files == 1 && ranks == -1 }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for from := bitboard.A1; from <= bitboard.H8; from++ {
				for to := bitboard.A1; to <= bitboard.H8; to++ {
					want := tt.leaps(int(to.File())-int(from.File()), int(to.Rank())-int(from.Rank()))
					if got := tt.table(from).Has(to); got != want {
						t.Errorf("%v attacks %v: %v, want %v", from, to, got, want)
					}
				}
			}
		})
	}
}

func TestOfIsTheAttackOfEachPiece(t *testing.T) {
	for _, q := range randomQueries(2000) {
		s, occupancy := q.square, q.occupancy
		for piece, want := range map[bitboard.Piece]bitboard.Bitboard{
			bitboard.NoPiece:     bitboard.Empty,
			bitboard.WhitePawn:   Pawn(bitboard.White, s),
			bitboard.BlackPawn:   Pawn(bitboard.Black, s),
			bitboard.WhiteKnight: Knight(s),
			bitboard.BlackBishop: Bishop(s, occupancy),
			bitboard.WhiteRook:   Rook(s, occupancy),
			bitboard.BlackQueen:  Queen(s, occupancy),
			bitboard.WhiteKing:   King(s),
		} {
			if got := Of(piece, s, occupancy); got != want {
				t.Fatalf("%v on %v, among\n%v\nattacks\n%v\nwant\n%v", piece, s, occupancy, got, want)
			}
		}
	}
}
