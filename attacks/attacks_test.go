package attacks

import (
	"math/rand/v2"
	"testing"

	"github.com/fianchetto-chess/fianchetto/bitboard"
)

func white(t bitboard.PieceType) bitboard.Piece { return bitboard.PieceOf(bitboard.White, t) }
func black(t bitboard.PieceType) bitboard.Piece { return bitboard.PieceOf(bitboard.Black, t) }

// BenchmarkFill times the work at the start of a program, without the page faults of the first
// touch.
func BenchmarkFill(b *testing.B) {
	for b.Loop() {
		fillTable()
	}
}

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

func TestSetWiseLeaperAttacks(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for range 2000 {
		pieces := randomOccupancy(random)
		var knights, kings bitboard.Bitboard
		for s := range pieces.Squares() {
			knights |= Knight(s)
			kings |= King(s)
		}
		if got := KnightAttacks(pieces); got != knights {
			t.Fatalf("knights on\n%v\nattack\n%v\nwant\n%v", pieces, got, knights)
		}
		if got := KingAttacks(pieces); got != kings {
			t.Fatalf("kings on\n%v\nattack\n%v\nwant\n%v", pieces, got, kings)
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

// eachPawn collects the steps of single pawns. A step is a move by files and ranks as White sees
// them; those that leave the board or that may refuse are dropped.
func eachPawn(c bitboard.Color, pawns bitboard.Bitboard, files, ranks int,
	may func(from, to bitboard.Square) bool) bitboard.Bitboard {
	if c == bitboard.Black {
		ranks = -ranks
	}
	var reached bitboard.Bitboard
	for from := range pawns.Squares() {
		file, rank := int(from.File())+files, int(from.Rank())+ranks
		if file < 0 || file > 7 || rank < 0 || rank > 7 {
			continue
		}
		if to := bitboard.SquareAt(bitboard.File(file), bitboard.Rank(rank)); may(from, to) {
			reached = reached.With(to)
		}
	}
	return reached
}

func TestPawnSetsAreThoseOfSinglePawns(t *testing.T) {
	always := func(_, _ bitboard.Square) bool { return true }
	firstRank := map[bitboard.Color]bitboard.Rank{bitboard.White: bitboard.Rank2, bitboard.Black: bitboard.Rank7}
	random := rand.New(rand.NewPCG(7, 8))
	for range 20_000 {
		pawns, empty := randomOccupancy(random), randomOccupancy(random)
		for _, c := range []bitboard.Color{bitboard.White, bitboard.Black} {
			push := func(_, to bitboard.Square) bool { return empty.Has(to) }
			double := func(from, to bitboard.Square) bool {
				over := (from + to) / 2
				return from.Rank() == firstRank[c] && empty.Has(over) && empty.Has(to)
			}
			east, west := eachPawn(c, pawns, +1, 1, always), eachPawn(c, pawns, -1, 1, always)
			for _, tt := range []struct {
				name      string
				got, want bitboard.Bitboard
			}{
				{"PawnAttacks", PawnAttacks(c, pawns), east | west},
				{"PawnPushes", PawnPushes(c, pawns, empty), eachPawn(c, pawns, 0, 1, push)},
				{"PawnDoublePushes", PawnDoublePushes(c, pawns, empty), eachPawn(c, pawns, 0, 2, double)},
			} {
				if tt.got != tt.want {
					t.Fatalf("%s of %v pawns on\n%v\nwith empty squares\n%v\nis\n%v\nwant\n%v", tt.name, c, pawns,
						empty, tt.got, tt.want)
				}
			}
		}
	}
}
