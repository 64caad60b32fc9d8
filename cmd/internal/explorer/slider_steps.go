package explorer

import (
	"fmt"
	"math/bits"

	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/magic"
)

// stepsByName has, for each algorithm of package attacks, its steps as boards. The algorithms are implemented here again, step by
// step; a test compares the results for every square.
var stepsByName = map[string]func(slider) ([]Step, bitboard.Bitboard){
	"walker":       raySteps("one square %v at a time, up to the first piece"),
	"breadcrumbs":  raySteps("%v: a square gets a breadcrumb if the one before it has one, and no piece stands there"),
	"coordinates":  raySteps("%v: (file, rank) plus k times the direction, k = 1, 2, ... up to the first piece or the edge"),
	"classical":    classicalSteps,
	"hyperbola":    hyperbolaSteps,
	"obstruction":  obstructionSteps,
	"kogge-stone":  koggeStoneSteps,
	"kindergarten": kindergartenSteps,
	"fancy":        func(s slider) ([]Step, bitboard.Bitboard) { return magicSteps(s, magic.VariableNumbers()) },
	"fixed":        func(s slider) ([]Step, bitboard.Bitboard) { return magicSteps(s, magic.Numbers()) },
	"pext":         pextSteps,
}

func (s slider) directions() [4]bitboard.Direction {
	if s.piece == bitboard.Bishop {
		return bitboard.BishopDirections()
	}
	return bitboard.RookDirections()
}

// lineKinds are the two kinds of lines that the slider moves along.
func (s slider) lineKinds() [2]bitboard.LineKind {
	if s.piece == bitboard.Bishop {
		return [2]bitboard.LineKind{bitboard.DiagonalLine, bitboard.AntiDiagonalLine}
	}
	return [2]bitboard.LineKind{bitboard.FileLine, bitboard.RankLine}
}

// raySteps are the steps of an algorithm that goes along each ray, square by square.
func raySteps(title string) func(slider) ([]Step, bitboard.Bitboard) {
	return func(s slider) (steps []Step, attacked bitboard.Bitboard) {
		for _, d := range s.directions() {
			attacked |= bitboard.Walk(s.square, d, s.occupancy)
			steps = append(steps, Step{Title: fmt.Sprintf(title, d), Board: set(attacked)})
		}
		return steps, attacked
	}
}

// classicalSteps removes from each ray the squares behind its first piece.
func classicalSteps(s slider) (steps []Step, attacked bitboard.Bitboard) {
	for _, d := range s.directions() {
		ray := bitboard.Walk(s.square, d, bitboard.Empty)
		steps = append(steps, Step{Title: fmt.Sprintf("the ray %v on an empty board", d), Board: set(ray)})
		blockers := ray & s.occupancy
		if !blockers.IsEmpty() {
			first, scan := blockers.First(), "lowest"
			if d < 0 {
				first, scan = blockers.Last(), "highest"
			}
			steps = append(steps, Step{Title: fmt.Sprintf("pieces on it; the first one is the %s bit: %v", scan, first), Board: set(blockers)})
			ray &^= bitboard.Walk(first, d, bitboard.Empty)
			steps = append(steps, Step{Title: fmt.Sprintf("the ray without the squares behind %v", first), Board: set(ray)})
		}
		attacked |= ray
	}
	return steps, attacked
}

// hyperbolaSteps subtract twice the slider from the pieces of each line, o ^ (o-2r), upwards and, reversed, downwards.
// On every line the board is reversed as a whole, which is right for ranks too; package attacks looks ranks up instead.
func hyperbolaSteps(s slider) (steps []Step, attacked bitboard.Bitboard) {
	r := s.square.Bitboard()
	for _, kind := range s.lineKinds() {
		line := kind.Through(s.square).Without(s.square)
		o := s.occupancy & line
		up := o - 2*r
		reversed := rotate180(o)
		down := rotate180(reversed - 2*rotate180(r))
		steps = append(steps,
			Step{Title: fmt.Sprintf("o: pieces on the %v", kind), Board: set(o)},
			Step{Title: "o - 2r: the borrow runs up to the first piece above", Board: set(up), Bits: true},
			Step{Title: "reverse(reverse(o) - 2*reverse(r)): the same downwards", Board: set(down), Bits: true},
			Step{Title: "where the two differ", Board: set(up ^ down), Bits: true},
			Step{Title: fmt.Sprintf("that, on the %v", kind), Board: set((up ^ down) & line)},
		)
		attacked |= (up ^ down) & line
	}
	return steps, attacked
}

// obstructionSteps take the difference of the nearest pieces on both sides as numbers.
func obstructionSteps(s slider) (steps []Step, attacked bitboard.Bitboard) {
	for _, kind := range s.lineKinds() {
		line := kind.Through(s.square).Without(s.square)
		below := s.square.Bitboard() - 1
		lower, upper := line&s.occupancy&below, line&s.occupancy&^below
		nearestLower := bitboard.Bitboard(1) << (63 - bits.LeadingZeros64(uint64(lower|1)))
		nearestUpper := upper & -upper
		difference := 2*nearestUpper - nearestLower
		steps = append(steps,
			Step{Title: fmt.Sprintf("pieces on the %v below the slider; the highest counts, else a1", kind), Board: set(lower)},
			Step{Title: "pieces above it; the lowest counts", Board: set(upper)},
			Step{Title: "2 * upper - lower: every bit from one to the other", Board: set(difference), Bits: true},
			Step{Title: fmt.Sprintf("that, on the %v", kind), Board: set(difference & line)},
		)
		attacked |= difference & line
	}
	return steps, attacked
}

// koggeStoneSteps flood each direction in three steps, which double the distance, and one more.
func koggeStoneSteps(s slider) (steps []Step, attacked bitboard.Bitboard) {
	for _, d := range s.directions() {
		arrivals := bitboard.Full.Shift(d) // squares that a step in this direction can arrive on
		flooded, open := s.square.Bitboard(), ^s.occupancy&arrivals
		for _, distance := range []int{1, 2, 4} {
			flooded |= open & shiftBits(flooded, int(d)*distance)
			open &= shiftBits(open, int(d)*distance)
			steps = append(steps, Step{Title: fmt.Sprintf("flood %v by %d", d, distance), Board: set(flooded)})
		}
		found := flooded.Shift(d)
		steps = append(steps, Step{Title: fmt.Sprintf("one more step %v, onto the first piece", d), Board: set(found)})
		attacked |= found
	}
	return steps, attacked
}

// shiftBits shifts to the left by by bits, to the right if by is negative.
func shiftBits(b bitboard.Bitboard, by int) bitboard.Bitboard {
	if by < 0 {
		return b >> -by
	}
	return b << by
}

// kindergartenSteps gather the pieces of each line in six bits by a multiplication.
func kindergartenSteps(s slider) (steps []Step, attacked bitboard.Bitboard) {
	const (
		fileB        = bitboard.FileAMask << 1
		diagonalC2H7 = bitboard.Bitboard(0x0080402010080400)
	)
	for _, kind := range s.lineKinds() {
		line := kind.Through(s.square).Without(s.square)
		on, factor, name := s.occupancy&line, fileB, "the b-file"
		if kind == bitboard.FileLine { // moved to the a-file and turned by the diagonal, a file reads as a rank
			on, factor, name = s.occupancy&line>>s.square.File()&bitboard.FileAMask, diagonalC2H7, "the diagonal c2/h7"
		}
		product := on * factor
		found := bitboard.Empty
		for _, d := range s.directions() {
			if line.Has(s.square+bitboard.Square(d)) || bitboard.Walk(s.square, d, bitboard.Empty)&line != 0 {
				found |= bitboard.Walk(s.square, d, s.occupancy)
			}
		}
		steps = append(steps,
			Step{Title: fmt.Sprintf("pieces on the %v", kind), Board: set(s.occupancy & line)},
			Step{Title: fmt.Sprintf("times %s: the six inner squares arrive in the highest six bits", name), Board: set(product), Bits: true},
			Step{Title: "shifted right by 58: the index", Value: fmt.Sprint(uint64(product) >> 58), Board: set(product >> 58), Bits: true},
			Step{Title: fmt.Sprintf("what the table has for that index, on the %v", kind), Board: set(found)},
		)
		attacked |= found
	}
	return steps, attacked
}

// magicSteps are those of a multiplication by a magic number.
func magicSteps(s slider, numbers []magic.Magic) ([]Step, bitboard.Bitboard) {
	row := int(s.square)
	if s.piece == bitboard.Rook {
		row += 64
	}
	m := numbers[row]
	relevant := s.occupancy & m.Mask
	product := uint64(relevant) * m.Factor
	window := make([]bitboard.Bitboard, m.Slots())
	m.Fill(window)
	found := window[m.Index(s.occupancy)]
	return []Step{
		{Title: "the mask: squares whose occupancy matters", Board: set(m.Mask)},
		{Title: "pieces on the mask", Board: set(relevant)},
		{Title: fmt.Sprintf("the magic number of a %v on %v", s.piece, s.square), Board: set(m.Factor), Bits: true},
		{Title: "the product", Board: set(product), Bits: true},
		{Title: fmt.Sprintf("shifted right by %d: the index", m.Shift), Value: fmt.Sprintf("%d of %d; slot %d of the table", m.Index(s.occupancy), m.Slots(), m.Start+m.Index(s.occupancy)), Board: set(product >> m.Shift), Bits: true},
		{Title: "the entry of the table", Board: set(found)},
	}, found
}

// pextSteps gather the relevant bits at the low end.
func pextSteps(s slider) ([]Step, bitboard.Bitboard) {
	mask := magic.Mask(s.piece, s.square)
	index, bit := 0, 1
	for square := range mask.Squares() {
		if s.occupancy.Has(square) {
			index |= bit
		}
		bit <<= 1
	}
	found := bitboard.Empty
	for _, d := range s.directions() {
		found |= bitboard.Walk(s.square, d, s.occupancy)
	}
	return []Step{
		{Title: "the mask: squares whose occupancy matters", Board: set(mask)},
		{Title: "pieces on the mask", Board: set(s.occupancy & mask)},
		{Title: "their bits, moved together at the low end: the index", Value: fmt.Sprintf("%d of %d", index, bit), Board: set(index), Bits: true},
		{Title: "the entry of the table", Board: set(found)},
	}, found
}
