package twoply

import (
	"math/bits"

	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

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

	// shadows are what a piece of ours takes from a slider on a1 by its place on a line: the planes of a number
	// for each square of the line, how many of the squares the slider can go to lie beyond, and on a1 itself how
	// many there are. Indexed by the kind of line, and by how many they are ahead and behind; squares
	// behind wrap round the board. Turned by s they are the planes for a slider on s.
	shadows [4][64]threeBits

	// beyond has for a slider's square and another on a line with it the squares of that ray behind the other.
	beyond [64][64]Bitboard

	// lines of a bishop and of a rook on an empty board.
	emptyBoard [64]struct{ diagonals, orthogonals Bitboard }

	// near are the squares at most two king's steps away.
	near [64]Bitboard
)

// steps are the differences of square indices along the lines, by their kind.
var steps = [4]int{
	bitboard.RankLine:         int(bitboard.East),
	bitboard.FileLine:         int(bitboard.North),
	bitboard.DiagonalLine:     int(bitboard.NorthEast),
	bitboard.AntiDiagonalLine: int(bitboard.NorthWest),
}

func init() {
	for s := bitboard.A1; s <= bitboard.H8; s++ {
		emptyBoard[s].diagonals = attacks.Bishop(s, bitboard.Empty)
		emptyBoard[s].orthogonals = attacks.Rook(s, bitboard.Empty)
		for a := range attacks.King(s).Squares() {
			near[s] |= attacks.King(a)
		}
		for _, kind := range bitboard.LineKinds() {
			line := kind.Through(s).Without(s)
			r := &rays[s][kind]
			r.ahead, r.behind = line&(bitboard.Full<<s), line&^(bitboard.Full<<s)
			fillBeyond(s, r.ahead)
			fillBeyond(s, r.behind)
		}
	}
	for kind := range shadows {
		for n := range shadows[kind] {
			ahead, behind := n>>3, n&7
			p := &shadows[kind][n]
			p.put(1, (ahead+behind)&7) // more than seven squares no line has
			p.putRay(ahead, steps[kind])
			p.putRay(behind, -steps[kind])
		}
	}
}

func fillBeyond(s Square, ray Bitboard) {
	for other := range ray.Squares() {
		beyond[s][other] = ray &^ bitboard.Between(s, other).With(other)
	}
}

// threeBits are the planes of a number of 0 to 7 for each square.
type threeBits struct{ ones, twos, fours Bitboard }

// put enters a number.
func (p *threeBits) put(square Bitboard, n int) {
	p.ones |= square * Bitboard(n&1)
	p.twos |= square * Bitboard(n>>1&1)
	p.fours |= square * Bitboard(n>>2&1)
}

// putRay enters the numbers for a ray of length squares.
func (p *threeBits) putRay(length, step int) {
	for i := 1; i <= length; i++ {
		p.put(Bitboard(bits.RotateLeft64(1, i*step)), length-i)
	}
}

// shadow returns how many of the squares that the slider on s can go to on a line a piece of ours on each square takes.
func shadow(kind bitboard.LineKind, s Square, free Bitboard) (ones, twos, fours Bitboard) {
	r := &rays[s&63][kind]
	p := &shadows[kind][(r.ahead&free).Len()<<3&63|(r.behind&free).Len()&7]
	return rotated(p.ones, s), rotated(p.twos, s), rotated(p.fours, s)
}

// rotated turns a set found for a1 round the board to s.
func rotated(set Bitboard, s Square) Bitboard {
	return Bitboard(bits.RotateLeft64(uint64(set), int(s)))
}
