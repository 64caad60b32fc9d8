package magic

import "github.com/fianchetto-chess/fianchetto/bitboard"

// Fill writes the attacks of every relevant occupancy to its slot and leaves other slots unchanged.
// m.Slots() slots are always enough. [Verify] must accept m.
//
// Fill computes each of the slider's two lines once. They share no relevant square, so that the
// attacks are the union of the lines' attacks, and the product is the sum of their products.
func (m Magic) Fill(window []bitboard.Bitboard) {
	var first, second lineAttacks
	switch m.Piece {
	case bitboard.Bishop:
		first.expand(m, bitboard.NorthEast, bitboard.SouthWest)
		second.expand(m, bitboard.NorthWest, bitboard.SouthEast)
	case bitboard.Rook:
		first.expand(m, bitboard.North, bitboard.South)
		second.expand(m, bitboard.East, bitboard.West)
	}
	for _, a := range first.entries[:first.n] {
		for _, b := range second.entries[:second.n] {
			window[(a.product+b.product)>>m.Shift] = a.attacks | b.attacks
		}
	}
}

// lineAttacks holds the attacks along a line for each of its relevant occupancies.
type lineAttacks struct {
	entries [64]struct {
		product uint64 // occupancy times factor
		attacks bitboard.Bitboard
	}
	n int
}

func (l *lineAttacks) expand(m Magic, forth, back bitboard.Direction) {
	line := bitboard.Walk(m.Square, forth, bitboard.Empty) | bitboard.Walk(m.Square, back, bitboard.Empty)
	for occupancy := range (line & m.mask()).Subsets() {
		e := &l.entries[l.n]
		e.product = uint64(occupancy) * m.Factor
		e.attacks = bitboard.Walk(m.Square, forth, occupancy) | bitboard.Walk(m.Square, back, occupancy)
		l.n++
	}
}
