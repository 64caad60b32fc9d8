package attacks

import (
	"testing"

	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// TestXRays removes the first piece on each ray: a second walk finds the squares behind it.
func TestXRays(t *testing.T) {
	xrays := []struct {
		name       string
		xray       func(bitboard.Square, bitboard.Bitboard, bitboard.Bitboard) bitboard.Bitboard
		directions [4]bitboard.Direction
	}{
		{"XRayBishop", XRayBishop, bitboard.BishopDirections()},
		{"XRayRook", XRayRook, bitboard.RookDirections()},
	}
	queries := randomQueries(2000)
	for i, q := range queries {
		blockers := queries[(i+7)%len(queries)].occupancy // some pieces and some empty squares
		for _, x := range xrays {
			var want bitboard.Bitboard
			for _, d := range x.directions {
				seen := bitboard.Walk(q.square, d, q.occupancy)
				if first := seen & q.occupancy; first&blockers != 0 {
					want |= bitboard.Walk(q.square, d, q.occupancy&^first) &^ seen
				}
			}
			if got := x.xray(q.square, q.occupancy, blockers); got != want {
				t.Fatalf("%s on %v, among\n%v\nthrough\n%v\nis\n%v\nwant\n%v", x.name, q.square, q.occupancy, blockers, got, want)
			}
		}
	}
}
