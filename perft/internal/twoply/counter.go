package twoply

import (
	"math/bits"

	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// counter stores a number of 0 to 15 for each square in bit planes: a square with the number 5 is
// in ones and in fours. The compiler keeps four words in registers, but not five.
type counter struct{ ones, twos, fours, eights Bitboard }

// plus adds one on each square of a, and one on each square of b. No number must exceed 15.
func (c counter) plus(a, b Bitboard) counter {
	odd := a ^ b
	c.ones ^= odd
	carry := a&b | odd&^c.ones // what an addition clears is carried
	c.twos ^= carry
	carry &^= c.twos
	c.fours ^= carry
	carry &^= c.fours
	c.eights ^= carry
	return c
}

// plusThreeBits adds a number of 0 to 7 on each square. carry are the squares whose sums are 16
// more.
func (c counter) plusThreeBits(ones, twos, fours Bitboard) (sum counter, carry Bitboard) {
	sum.ones = c.ones ^ ones
	carry = ones &^ sum.ones
	half := c.twos ^ twos
	sum.twos = half ^ carry
	carry = twos&^half | half&carry
	half = c.fours ^ fours
	sum.fours = half ^ carry
	carry = fours&^half | half&carry
	sum.eights = c.eights ^ carry
	return sum, carry &^ sum.eights
}

func (c counter) sumOver(set Bitboard) int {
	return (c.ones & set).Len() + 2*(c.twos&set).Len() + 4*(c.fours&set).Len() + 8*(c.eights&set).Len()
}

// with returns the counter with the number n on s, where it had 0.
func (c counter) with(s Square, n int) counter {
	s &= 63
	return counter{c.ones | Bitboard(n&1)<<s, c.twos | Bitboard(n>>1&1)<<s,
		c.fours | Bitboard(n>>2&1)<<s, c.eights | Bitboard(n>>3&1)<<s}
}

type (
	// Bitboard is the set of squares of package bitboard.
	Bitboard = bitboard.Bitboard
	// Square is the square of package bitboard, relative to the side to move.
	Square = bitboard.Square
)

var (
	// rays are the squares from a square to the edges, by the kind of line: ahead towards higher
	// squares, behind towards lower ones.
	rays [64][4]struct{ ahead, behind Bitboard }

	// shadows give the number of squares that a piece on each square of a line takes from a slider
	// on a1: those beyond the piece. The indices are the kind of line and the numbers of free
	// squares ahead and behind. Squares behind wrap round the board. Rotated by s, the planes serve
	// a slider on s.
	shadows [4][64]threeBits

	// beyond gives, for a slider's square and another on its ray, the squares behind the other.
	beyond [64][64]Bitboard

	// onEmptyBoard are the squares that a piece of ours attacks on an empty board, by piece type.
	onEmptyBoard [8][64]Bitboard

	// near are the squares at most two king's steps away.
	near [64]Bitboard

	// knightNear are the squares from which a knight attacks squares next to a king.
	knightNear [64]Bitboard
)

var steps = [4]int{bitboard.RankLine: 1, bitboard.FileLine: 8, bitboard.DiagonalLine: 9, bitboard.AntiDiagonalLine: 7}

func init() {
	for s := bitboard.A1; s <= bitboard.H8; s++ {
		for a := range attacks.King(s).Squares() {
			near[s] |= attacks.King(a)
			knightNear[s] |= attacks.Knight(a)
		}
		for piece := bitboard.Pawn; piece <= bitboard.Queen; piece++ {
			onEmptyBoard[piece][s] = attacks.Of(bitboard.PieceOf(bitboard.White, piece), s, bitboard.Empty)
		}
		for kind := range bitboard.AntiDiagonalLine + 1 {
			line := kind.Through(s).Without(s)
			r := &rays[s][kind]
			r.ahead, r.behind = line&(bitboard.Full<<s), line&^(bitboard.Full<<s)
			for _, ray := range [...]Bitboard{r.ahead, r.behind} {
				for other := range ray.Squares() {
					beyond[s][other] = ray &^ bitboard.Between(s, other).With(other)
				}
			}
		}
	}
	for kind := range shadows {
		for n := range shadows[kind] {
			ahead, behind := n>>3, n&7
			p := &shadows[kind][n]
			p.putRay(ahead, steps[kind])
			p.putRay(behind, -steps[kind])
		}
	}
}

// threeBits stores a number of 0 to 7 for each square, in planes.
type threeBits struct{ ones, twos, fours Bitboard }

// putRay enters the numbers for a ray of length squares.
func (p *threeBits) putRay(length, step int) {
	for i := 1; i <= length; i++ {
		square := Bitboard(bits.RotateLeft64(1, i*step))
		p.ones |= square * Bitboard((length-i)&1)
		p.twos |= square * Bitboard((length-i)>>1&1)
		p.fours |= square * Bitboard((length-i)>>2&1)
	}
}

// withLine adds the shadow of a line, turned to a1, of a slider on s. It shares no square with the
// slider's other lines. free are the squares that the slider can go to.
func (p threeBits) withLine(kind bitboard.LineKind, s Square, free Bitboard) threeBits {
	r := &rays[s&63][kind]
	line := &shadows[kind][((r.ahead&free).Len()<<3+(r.behind&free).Len())&63]
	return threeBits{p.ones | line.ones, p.twos | line.twos, p.fours | line.fours}
}

// rotated turns a set found for a1 round the board to s.
func rotated(set Bitboard, s Square) Bitboard {
	return Bitboard(bits.RotateLeft64(uint64(set), int(s)))
}
