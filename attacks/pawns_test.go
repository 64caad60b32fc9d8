package attacks

import (
	"math/rand/v2"
	"testing"

	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// eachPawn collects the steps of single pawns. A step is a move by files and ranks as White sees
// them; those that leave the board or that may refuse are dropped.
func eachPawn(c bitboard.Color, pawns bitboard.Bitboard, files, ranks int, may func(from, to bitboard.Square) bool) bitboard.Bitboard {
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
					t.Fatalf("%s of %v pawns on\n%v\nwith empty squares\n%v\nis\n%v\nwant\n%v", tt.name, c, pawns, empty, tt.got, tt.want)
				}
			}
		}
	}
}
