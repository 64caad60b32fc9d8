package magic

import "github.com/fianchetto-chess/fianchetto/bitboard"

// fill writes the attacks of m's slider under every relevant occupancy.
//
// An occupancy is the union of one on each of the slider's two lines. Its attacks are the union of
// theirs, and its product is the sum of theirs, as they share no square: so each line is
// worked out once, at most 64 occupancies, and the 4096 pairs cost an addition and a union each.
func fill(window []bitboard.Bitboard, m Magic) {
	d := directions(m.Piece)
	first, second := d[:2], d[2:]
	if m.Piece == bitboard.Bishop {
		first, second = []bitboard.Direction{d[0], d[3]}, []bitboard.Direction{d[1], d[2]}
	}
	var a, b [64]lineAttacks
	na, nb := expand(&a, m, first), expand(&b, m, second)
	for _, x := range a[:na] {
		for _, y := range b[:nb] {
			window[(x.product+y.product)>>m.Shift] = x.attacks | y.attacks
		}
	}
}

// lineAttacks are the attacks along one line, forth and back, under one occupancy of it.
type lineAttacks struct {
	product uint64 // occupancy times factor
	attacks bitboard.Bitboard
}

// expand lists the attacks along a line in both its directions under every relevant occupancy and returns their number.
func expand(list *[64]lineAttacks, m Magic, line []bitboard.Direction) int {
	forth, back := line[0], line[1]
	mask := (bitboard.Walk(m.Square, forth, 0) | bitboard.Walk(m.Square, back, 0)) & m.Mask
	n := 0
	for occupancy := range mask.Subsets() {
		list[n] = lineAttacks{
			product: uint64(occupancy) * m.Factor,
			attacks: bitboard.Walk(m.Square, forth, occupancy) | bitboard.Walk(m.Square, back, occupancy),
		}
		n++
	}
	return n
}
