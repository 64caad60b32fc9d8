package twoply

import "github.com/fianchetto-chess/fianchetto/bitboard"

// counter holds a number of 0 to 15 for each square, sliced by bits: a square whose number is 5 is in ones and
// in fours. Adding to all 64 numbers takes two operations a plane. What does not fit
// is returned as a carry: the squares whose numbers are sixteen more.
//
// It has four words because the compiler keeps a struct of four words in registers, but not one of five.
type counter struct{ ones, twos, fours, eights Bitboard }

// plus adds one on each square of set.
func (c counter) plus(set Bitboard) (sum counter, carry Bitboard) {
	twos := c.ones & set
	fours := c.twos & twos
	eights := c.fours & fours
	return counter{c.ones ^ set, c.twos ^ twos, c.fours ^ fours, c.eights ^ eights}, c.eights & eights
}

// plusThreeBits adds a number of 0 to 7 on each square, given by its planes.
func (c counter) plusThreeBits(ones, twos, fours Bitboard) (sum counter, carry Bitboard) {
	carryTwos := c.ones & ones
	half := c.twos ^ twos
	carryFours := c.twos&twos | half&carryTwos
	sum.ones, sum.twos = c.ones^ones, half^carryTwos
	half = c.fours ^ fours
	carryEights := c.fours&fours | half&carryFours
	sum.fours, sum.eights = half^carryFours, c.eights^carryEights
	return sum, c.eights & carryEights
}

// plusCounter adds a number on each square.
func (c counter) plusCounter(d counter) (sum counter, carry Bitboard) {
	sum, carry = c.plusThreeBits(d.ones, d.twos, d.fours)
	carry |= sum.eights & d.eights
	sum.eights ^= d.eights
	return sum, carry
}

// nonzero returns the squares whose number is not 0.
func (c counter) nonzero() Bitboard { return c.ones | c.twos | c.fours | c.eights }

// at returns the number of one square.
func (c counter) at(s bitboard.Square) int {
	s &= 63
	return int(c.ones>>s&1 | c.twos>>s&1<<1 | c.fours>>s&1<<2 | c.eights>>s&1<<3)
}

// sumOver returns the sum of the numbers on the squares of set.
func (c counter) sumOver(set Bitboard) int {
	return (c.ones & set).Len() + 2*(c.twos&set).Len() + 4*(c.fours&set).Len() + 8*(c.eights&set).Len()
}

// dot returns the sum over all squares of the products of two numbers.
func (c counter) dot(d counter) int {
	sum := (c.ones & d.ones).Len() +
		2*((c.twos&d.ones).Len()+(c.ones&d.twos).Len()) +
		4*((c.fours&d.ones).Len()+(c.twos&d.twos).Len()+(c.ones&d.fours).Len()) +
		8*((c.fours&d.twos).Len()+(c.twos&d.fours).Len()) +
		16*(c.fours&d.fours).Len()
	if c.eights|d.eights != 0 {
		sum += 8*(c.sumOver(d.eights)+d.sumOver(c.eights)) - 64*(c.eights&d.eights).Len()
	}
	return sum
}

// single returns a counter whose number is n on s and 0 elsewhere.
func single(s Square, n int) counter {
	s &= 63
	return counter{Bitboard(n&1) << s, Bitboard(n>>1&1) << s, Bitboard(n>>2&1) << s, Bitboard(n>>3&1) << s}
}
