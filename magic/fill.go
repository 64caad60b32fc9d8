package magic

import "github.com/fianchetto-chess/fianchetto/bitboard"

// Fill writes the attacks under every relevant occupancy to where m looks for them; other slots of
// the window are left as they are. The window has m.Slots() slots, or as many as the highest index in use needs; m is one that
// [Verify] accepts.
//
// An occupancy is the union of one on each of the slider's two lines. Its attacks are the union of
// theirs and its product is the sum of theirs, as they share no square: so each line is worked out
// once, in at most 64 occupancies, and their 4096 pairs cost an addition and a union each.
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

// lineAttacks are the attacks along one line under each relevant occupancy of it.
type lineAttacks struct {
	entries [64]struct {
		product uint64 // occupancy times factor
		attacks bitboard.Bitboard
	}
	n int
}

func (l *lineAttacks) expand(m Magic, forth, back bitboard.Direction) {
	line := bitboard.Walk(m.Square, forth, bitboard.Empty) | bitboard.Walk(m.Square, back, bitboard.Empty)
	for occupancy := range (line & m.Mask).Subsets() {
		e := &l.entries[l.n]
		e.product = uint64(occupancy) * m.Factor
		e.attacks = bitboard.Walk(m.Square, forth, occupancy) | bitboard.Walk(m.Square, back, occupancy)
		l.n++
	}
}
