package main

import (
	. "github.com/mmcloughlin/avo/build"
)

// Bishops, and queens as bishops, flood the diagonals in three steps of doubling length.
// Source: https://www.chessprogramming.org/Kogge-Stone_Algorithm

// flood is how one direction is flooded.
type flood struct {
	direction, step int
	notWrapped      uint64   // the files a step arrives on, if it does not leave the board
	passable        [3]lanes // squares reached by passing one, two, four squares that are free to pass
}

// countBishopLines counts the moves of our bishops and queens along diagonals, and adds to the danger what
// theirs attack.
func (b *batch) countBishopLines() {
	ours := bits(sliders, northEast)
	b.when(ours|bits(dangers, northEast, southEast, southWest, northWest), func() {
		floods := b.floods()
		b.when(ours, func() {
			var bishops lanes
			for i, f := range floods {
				if i%2 == 0 { // the other direction of the line follows
					bishops = b.along(f.direction, b.diagonals)
				}
				b.countFlood(f, bishops)
			}
		})
		for _, f := range floods {
			b.when(bits(dangers, f.direction), func() {
				attacked := b.shift(b.flooded(f, b.theirDiagonals), f.step)
				becomes(b.danger, orBoth, attacked, constant(f.notWrapped))
			})
		}
	})
}

// countFlood counts the moves of bishops in one direction.
func (b *batch) countFlood(f flood, bishops lanes) {
	origins := b.flooded(f, bishops)
	targets := becomes(b.shift(origins, f.step), allOf, b.targets, constant(f.notWrapped))
	b.when(bits(peeks, f.direction), func() {
		// One of them may have come through our king: take away what it found behind.
		behind, _ := b.seen(f.direction, b.and(b.ray(f.direction), b.occupancy))
		VPANDNQ(targets, behind, meets(b.king.field("square"), origins), targets)
	})
	b.add(targets)
}

// flooded returns bishops and the free squares that they pass.
func (b *batch) flooded(f flood, bishops lanes) lanes {
	d := b.copy(bishops)
	for i, passable := range f.passable {
		becomes(d, orBoth, passable, b.shift(d, f.step<<i))
	}
	return d
}

// floods returns the four directions, the two of a line together. Squares at the edge are never passed, which
// keeps a flood from wrapping around the board. Our king can be passed: it does not shield the squares behind it.
func (b *batch) floods() []flood {
	inner := constant(notFileA & notFileH)
	free := logic(func(king, occupancy, inner bool) bool { return (king || !occupancy) && inner })
	passable := becomes(b.load(b.king.field("square")), free, b.occupancy, inner)
	line := func(direction int, step int, notWrapped uint64, opposite uint64) []flood {
		two := b.and(passable, b.shift(passable, step))
		four := b.and(two, b.shift(two, 2*step))
		// The same squares, for the opposite direction.
		twoBack, fourBack := b.shift(two, -step), b.shift(four, -3*step)
		return []flood{
			{direction, step, notWrapped, [3]lanes{passable, two, four}},
			{(direction + 4) % 8, -step, opposite, [3]lanes{passable, twoBack, fourBack}},
		}
	}
	return append(line(northEast, 9, notFileA, notFileH), line(northWest, 7, notFileH, notFileA)...)
}
