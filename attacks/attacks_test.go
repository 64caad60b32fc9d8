package attacks

import (
	"math/rand/v2"
	"testing"

	"github.com/fianchetto-chess/fianchetto/bitboard"
)

func white(t bitboard.PieceType) bitboard.Piece { return bitboard.PieceOf(bitboard.White, t) }
func black(t bitboard.PieceType) bitboard.Piece { return bitboard.PieceOf(bitboard.Black, t) }

// A walk returns the attacks of a slider square by square.
type walk func(s bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard

// walkAlong returns the walk in some directions.
func walkAlong(directions ...bitboard.Direction) walk {
	return func(s bitboard.Square, occupancy bitboard.Bitboard) (attacked bitboard.Bitboard) {
		for _, d := range directions {
			attacked |= bitboard.Walk(s, d, occupancy)
		}
		return attacked
	}
}

var (
	diagonals, straights = bitboard.Bishop.Directions(), bitboard.Rook.Directions()
	walkBishop           = walkAlong(diagonals[:]...)
	walkRook             = walkAlong(straights[:]...)
	walkQueen            = walkAlong(append(diagonals[:], straights[:]...)...)
)

// randomOccupancy returns sets of different densities, with pieces on the edge.
func randomOccupancy(random *rand.Rand) bitboard.Bitboard {
	b := bitboard.Bitboard(random.Uint64())
	for range random.IntN(3) {
		b &= bitboard.Bitboard(random.Uint64())
	}
	return b
}

func TestLeapersByFileAndRank(t *testing.T) {
	tests := []struct {
		piece bitboard.Piece
		leaps func(files, ranks int) bool
	}{
		{white(bitboard.Knight), func(files, ranks int) bool { return files*files+ranks*ranks == 5 }},
		{black(bitboard.King), func(files, ranks int) bool { d := files*files + ranks*ranks; return d == 1 || d == 2 }},
		{white(bitboard.Pawn), func(files, ranks int) bool { return files*files == 1 && ranks == +1 }},
		{black(bitboard.Pawn), func(files, ranks int) bool { return files*files == 1 && ranks == -1 }},
	}
	for _, tt := range tests {
		for from := bitboard.A1; from <= bitboard.H8; from++ {
			for to := bitboard.A1; to <= bitboard.H8; to++ {
				want := tt.leaps(int(to.File())-int(from.File()), int(to.Rank())-int(from.Rank()))
				if got := Of(tt.piece, from, bitboard.Full).Has(to); got != want {
					t.Errorf("%v on %v attacks %v: %v, want %v", tt.piece, from, to, got, want)
				}
			}
		}
	}
}

func TestOfIsTheAttackOfEachPiece(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		s, occupancy := bitboard.Square(random.IntN(64)), randomOccupancy(random)
		for piece, attacked := range map[bitboard.Piece][2]bitboard.Bitboard{
			bitboard.NoPiece:       {bitboard.Empty, bitboard.Empty},
			white(bitboard.Pawn):   {Pawn(bitboard.White, s), PawnAttacks(bitboard.White, s.Bitboard())},
			black(bitboard.Pawn):   {Pawn(bitboard.Black, s), PawnAttacks(bitboard.Black, s.Bitboard())},
			white(bitboard.Knight): {Knight(s), Knight(s)},
			black(bitboard.Bishop): {Bishop(s, occupancy), walkBishop(s, occupancy)},
			white(bitboard.Rook):   {Rook(s, occupancy), walkRook(s, occupancy)},
			black(bitboard.Queen):  {Queen(s, occupancy), walkQueen(s, occupancy)},
			white(bitboard.King):   {King(s), King(s)},
		} {
			if got := Of(piece, s, occupancy); got != attacked[0] || got != attacked[1] {
				t.Fatalf("%v on %v, among\n%v\nattacks\n%v\nwant\n%v", piece, s, occupancy, got, attacked)
			}
		}
	}
}

// TestSetsAreThoseOfSinglePieces adds up the attacks and pushes of the members of random sets.
func TestSetsAreThoseOfSinglePieces(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for range 20_000 {
		pieces, empty := randomOccupancy(random), randomOccupancy(random)
		for c, pawn := range []struct {
			ahead       bitboard.Direction
			first, last bitboard.Rank
		}{{bitboard.North, bitboard.Rank2, bitboard.Rank8}, {bitboard.South, bitboard.Rank7, bitboard.Rank1}} {
			var knights, kings, attacked, pushes, doubles bitboard.Bitboard
			for s := range pieces.Squares() {
				knights, kings, attacked = knights|Knight(s), kings|King(s), attacked|Pawn(bitboard.Color(c), s)
				step := bitboard.Square(pawn.ahead)
				if s.Rank() != pawn.last && empty.Has(s+step) {
					pushes = pushes.With(s + step)
					if s.Rank() == pawn.first && empty.Has(s+2*step) {
						doubles = doubles.With(s + 2*step)
					}
				}
			}
			for _, test := range []struct {
				name      string
				got, want bitboard.Bitboard
			}{
				{"KnightAttacks", KnightAttacks(pieces), knights},
				{"KingAttacks", KingAttacks(pieces), kings},
				{"PawnAttacks", PawnAttacks(bitboard.Color(c), pieces), attacked},
				{"PawnPushes", PawnPushes(bitboard.Color(c), pieces, empty), pushes},
				{"PawnDoublePushes", PawnDoublePushes(bitboard.Color(c), pieces, empty), doubles},
			} {
				if test.got != test.want {
					t.Fatalf("%s of %v pieces on\n%v\nwith empty squares\n%v\nis\n%v\nwant\n%v", test.name, bitboard.Color(c),
						pieces, empty, test.got, test.want)
				}
			}
		}
	}
}
