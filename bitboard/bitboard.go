// Package bitboard is the vocabulary of the board: squares, lines, colours, pieces, and the
// Bitboard, a set of squares in a 64-bit word.
//
// Squares are numbered rank by rank: a1 = 0, b1 = 1, h1 = 7, a2 = 8, h8 = 63 (little-endian
// rank-file mapping). The file is square & 7, the rank square >> 3.
// Source: https://www.chessprogramming.org/Square_Mapping_Considerations
//
// # Sets
//
// Use Go's operators for the algebra of sets: union b | c, intersection b & c, difference b &^ c,
// complement ^b. b&^c == 0 is true if c contains all of b. Everything else is a method. The fastest
// loop over the members is
//
//	for b != 0 {
//		s := b.First()
//		b &= b - 1
//		...
//	}
//
// # Lines
//
// A square lies on four lines: its File, Rank, Diagonal and AntiDiagonal. See Between, Line,
// Intersect and LineKind.Fill.
//
// # Text
//
// Squares, pieces and piece types have a Parse function. These, sets and colours are text in JSON.
package bitboard

import (
	"cmp"
	"fmt"
	"io"
	"iter"
	"math/bits"
	"strconv"
	"strings"
)

// Bitboard is a set of squares: bit s is set if square s is a member.
// Source: https://www.chessprogramming.org/Bitboards
type Bitboard uint64

// Frequent sets.
const (
	Empty Bitboard = 0
	Full  Bitboard = 1<<64 - 1

	DarkSquares  Bitboard = 0xaa55aa55aa55aa55 // a1 is dark
	LightSquares Bitboard = ^DarkSquares
)

// BitboardOf returns the set of the given squares, each 0..63.
func BitboardOf(squares ...Square) Bitboard {
	var b Bitboard
	for _, s := range squares {
		b = b.With(s)
	}
	return b
}

// Has reports whether b contains s.
func (b Bitboard) Has(s Square) bool { return b>>(s&63)&1 != 0 }

// With returns b with s added.
func (b Bitboard) With(s Square) Bitboard { return b | 1<<(s&63) }

// Without returns b without s.
func (b Bitboard) Without(s Square) Bitboard { return b &^ (1 << (s & 63)) }

// Len returns the number of squares in b, 0..64.
func (b Bitboard) Len() int { return bits.OnesCount64(uint64(b)) }

// First returns the lowest square of b, or NoSquare if b is empty.
func (b Bitboard) First() Square { return Square(bits.TrailingZeros64(uint64(b))) }

// Last returns the highest square of b, or NoSquare if b is empty.
func (b Bitboard) Last() Square {
	if b == 0 {
		return NoSquare
	}
	return Square(63 - bits.LeadingZeros64(uint64(b)))
}

// Pop removes the lowest square of b and returns it, or returns NoSquare if b is empty.
func (b *Bitboard) Pop() Square {
	s := b.First()
	*b &= *b - 1
	return s
}

// Squares yields the squares of b from a1 upwards. In hot loops use Pop, which is 2.5 times as fast.
func (b Bitboard) Squares() iter.Seq[Square] {
	return func(yield func(Square) bool) {
		for rest := b; rest != 0; { // keeps b, so that the sequence can be ranged over again
			if !yield(rest.Pop()) {
				return
			}
		}
	}
}

// Subsets yields all 2^Len subsets of b, from the empty set to b (carry-rippler).
// Source: https://www.chessprogramming.org/Traversing_Subsets_of_a_Set
func (b Bitboard) Subsets() iter.Seq[Bitboard] {
	return func(yield func(Bitboard) bool) {
		for s := Empty; ; {
			if !yield(s) {
				return
			}
			if s = (s - b) & b; s == 0 {
				return
			}
		}
	}
}

// FlipVertical mirrors b vertically: the first rank becomes the eighth.
func (b Bitboard) FlipVertical() Bitboard { return Bitboard(bits.ReverseBytes64(uint64(b))) }

// FlipHorizontal mirrors b horizontally: the a-file becomes the h-file.
func (b Bitboard) FlipHorizontal() Bitboard {
	return Bitboard(bits.Reverse64(uint64(b))).FlipVertical()
}

// String draws b as eight lines, rank 8 first, with a 1 for each member and a dot for each other
// square.
func (b Bitboard) String() string { return Diagram{}.With(b, '1').String() }

// Format draws b for the verbs %v and %s and formats its bits as a uint64 for all others.
func (b Bitboard) Format(state fmt.State, verb rune) {
	if verb == 'v' || verb == 's' {
		io.WriteString(state, b.String())
		return
	}
	fmt.Fprintf(state, fmt.FormatString(state, verb), uint64(b))
}

// MarshalText returns 16 hexadecimal digits, such as 0x8100000000000081. A JSON number could be
// rounded.
func (b Bitboard) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "0x%016x", uint64(b)), nil }

// UnmarshalText reads a decimal number, or a hexadecimal one after 0x. An error leaves b unchanged.
func (b *Bitboard) UnmarshalText(text []byte) error {
	n, err := strconv.ParseUint(string(text), 0, 64)
	if err == nil {
		*b = Bitboard(n)
	}
	return err
}

// Diagram is a drawing of the board: the mark on each square, or 0.
type Diagram [64]rune

// With returns g with mark on every square of set, replacing earlier marks.
func (g Diagram) With(set Bitboard, mark rune) Diagram {
	for set != 0 {
		g[set.Pop()] = mark
	}
	return g
}

// String draws the board as eight lines, rank 8 first, with dots for squares without a mark.
func (g Diagram) String() string {
	var b strings.Builder
	for i := range NoSquare {
		s := i.FlipVertical() // from a8 to h1
		b.WriteRune(cmp.Or(g[s], '.'))
		switch {
		case s.File() != FileH:
			b.WriteByte(' ')
		case s.Rank() != Rank1:
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// Direction is one of the eight compass steps as a difference of square indices.
// Source: https://www.chessprogramming.org/Direction
type Direction int8

// The eight directions.
const (
	North     Direction = 8
	South     Direction = -8
	East      Direction = 1
	West      Direction = -1
	NorthEast Direction = North + East
	NorthWest Direction = North + West
	SouthEast Direction = South + East
	SouthWest Direction = South + West
)

// Directions returns the four directions in which a bishop or a rook moves, or zeros for other
// types.
func (t PieceType) Directions() (directions [4]Direction) {
	switch t {
	case Bishop:
		return [4]Direction{NorthEast, NorthWest, SouthEast, SouthWest}
	case Rook:
		return [4]Direction{North, South, East, West}
	}
	return directions
}

const (
	fileA Bitboard = 0x0101010101010101
	fileH          = fileA << 7
)

// Shift moves every square of b one step and drops the squares that leave the board.
// Source: https://www.chessprogramming.org/General_Setwise_Operations#OneStepOnly
func (b Bitboard) Shift(d Direction) Bitboard {
	switch d {
	case North:
		return b << 8
	case South:
		return b >> 8
	case East:
		return b &^ fileH << 1
	case West:
		return b &^ fileA >> 1
	case NorthEast:
		return b &^ fileH << 9
	case NorthWest:
		return b &^ fileA << 7
	case SouthEast:
		return b &^ fileH >> 7
	case SouthWest:
		return b &^ fileA >> 9
	}
	return Empty
}

// Walk steps from s in direction d and returns the squares reached, up to and including the first
// in occupancy. It is slow and plain because every slider algorithm is tested against it.
func Walk(s Square, d Direction, occupancy Bitboard) Bitboard {
	var passed Bitboard
	for step := s.Bitboard().Shift(d); step != 0; step = step.Shift(d) {
		passed |= step
		if step&occupancy != 0 {
			break
		}
	}
	return passed
}
