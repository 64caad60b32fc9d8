package attacks

import (
	"testing"

	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// TestXRays takes the first man off each ray by walking: what is seen then and was not before is behind it.
func TestXRays(t *testing.T) {
	xrays := []struct {
		name       string
		xray       func(bitboard.Square, bitboard.Bitboard, bitboard.Bitboard) bitboard.Bitboard
		directions []bitboard.Direction
	}{
		{"XRayBishop", XRayBishop, directionsOf(bitboard.BishopDirections())},
		{"XRayRook", XRayRook, directionsOf(bitboard.RookDirections())},
		{"XRayQueen", XRayQueen, append(directionsOf(bitboard.BishopDirections()), directionsOf(bitboard.RookDirections())...)},
	}
	queries := randomQueries(2000)
	for i, q := range queries {
		blockers := queries[(i+7)%len(queries)].occupancy // some men, and some squares where none is
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

func directionsOf(four [4]bitboard.Direction) []bitboard.Direction { return four[:] }
