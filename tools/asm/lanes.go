package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// lanes is a register of bitboards, one for each of eight children, or four in half the width.
type lanes = reg.Register

// width makes registers as wide as the batch.
type width struct {
	register func() lanes
	ones     lanes // all squares, in all lanes
	diagonal lanes // the diagonal from a1 to h8, in all lanes
}

// Each operation below returns its result in a register of its own and leaves its operands alone. An operand
// in memory, where the type is Op, is one bitboard for all lanes.

func (w width) load(m Mem) lanes {
	d := w.register()
	VPBROADCASTQ(m, d)
	return d
}

func (w width) copy(x lanes) lanes {
	d := w.register()
	VMOVDQA64(x, d)
	return d
}

func (w width) none() lanes {
	d := w.register()
	VPXORQ(w.ones, w.ones, d) // of a register known to be written: avo takes x^x for a use of x
	return d
}

func (w width) and(x Op, y lanes) lanes {
	d := w.register()
	if m, ok := x.(Mem); ok {
		VPANDQ_BCST(m, y, d)
	} else {
		VPANDQ(x, y, d)
	}
	return d
}

func (w width) or(x, y lanes) lanes {
	d := w.register()
	VPORQ(x, y, d)
	return d
}

func (w width) xor(x, y lanes) lanes {
	d := w.register()
	VPXORQ(x, y, d)
	return d
}

// without returns x &^ y.
func (w width) without(x Op, y lanes) lanes {
	d := w.register()
	if m, ok := x.(Mem); ok {
		VPANDNQ_BCST(m, y, d)
	} else {
		VPANDNQ(x, y, d)
	}
	return d
}

// shift moves the squares n up the board, or -n down.
func (w width) shift(x lanes, n int) lanes {
	d := w.register()
	if n >= 0 {
		VPSLLQ(U8(n), x, d)
	} else {
		VPSRLQ(U8(-n), x, d)
	}
	return d
}

// logic is a function of three bits.
type logic func(a, b, c bool) bool

var (
	anyOf     logic = func(a, b, c bool) bool { return a || b || c }
	allOf     logic = func(a, b, c bool) bool { return a && b && c }
	orBoth    logic = func(a, b, c bool) bool { return a || b && c }
	orDiffer  logic = func(a, b, c bool) bool { return a || b != c }
	eitherIn  logic = func(a, b, c bool) bool { return (a || b) && c }
	differIn  logic = func(a, b, c bool) bool { return a != b && c }
	whereSame logic = func(a, b, c bool) bool { return a && b == c }
)

// table returns f as the instruction encodes it.
func (f logic) table() Constant {
	table := 0
	for i := range 8 {
		if f(i&4 != 0, i&2 != 0, i&1 != 0) {
			table |= 1 << i
		}
	}
	return U8(table)
}

// becomes sets d to f(d, b, c), square by square, and returns it. c may be in memory.
func becomes(d lanes, f logic, b lanes, c Op) lanes {
	if m, ok := c.(Mem); ok {
		VPTERNLOGQ_BCST(f.table(), m, b, d)
	} else {
		VPTERNLOGQ(f.table(), c, b, d)
	}
	return d
}

// meets returns the lanes in which x and y have a square in common.
func meets(x Op, y lanes) reg.Register {
	k := K()
	if m, ok := x.(Mem); ok {
		VPTESTMQ_BCST(m, y, k)
	} else {
		VPTESTMQ(x, y, k)
	}
	return k
}

// missesIn returns those of the lanes k in which x and y have no square in common.
func missesIn(k reg.Register, x Mem, y lanes) reg.Register {
	d := K()
	VPTESTNMQ_BCST(x, y, k, d)
	return d
}

// The transformations of a board below are products of bit matrices, one instruction each. A board is eight rows of
// eight bits, and so is the other factor.

const (
	diagonalA1H8 = 0x8040201008040201
	diagonalA8H1 = 0x0102040810204080
)

// mirrored returns the boards with the files in opposite order.
func (w width) mirrored(x lanes) lanes {
	d := w.register()
	VGF2P8AFFINEQB(U8(0), w.diagonal, x, d)
	return d
}

// sideways moves the squares n files to the east, or -n to the west; those that leave the board are lost.
func (w width) sideways(x lanes, n int) lanes {
	d := w.register()
	VGF2P8AFFINEQB_BCST(U8(0), constant(sidewaysMatrix(n)), x, d)
	return d
}

// sidewaysMatrix has in row i the file that ends on file i; the instruction wants the rows in opposite order.
func sidewaysMatrix(n int) uint64 {
	var matrix uint64
	for i := range 8 {
		if from := i - n; 0 <= from && from < 8 {
			matrix |= 1 << (8*(7-i) + from)
		}
	}
	return matrix
}

// turned returns the boards after a quarter turn: the a-file becomes the first rank, read from a8 to a1.
func (w width) turned(x lanes) lanes {
	d := w.register()
	VGF2P8AFFINEQB(U8(0), x, w.diagonal, d)
	return d
}

// turnedBack undoes turned, but leaves the boards mirrored.
func (w width) turnedBack(x lanes) lanes {
	d := w.register()
	VGF2P8AFFINEQB(U8(0), x, w.load(constant(diagonalA8H1)), d)
	return d
}

// constants are the kernel's 64-bit constants, each broadcast from memory where it is used.
var constants = struct {
	symbol  Mem
	offsets map[uint64]int
}{offsets: map[uint64]int{}}

func constant(v uint64) Mem {
	offset, known := constants.offsets[v]
	if !known {
		offset = 8 * len(constants.offsets)
		constants.offsets[v] = offset
		DATA(offset, U64(v))
	}
	return constants.symbol.Offset(offset)
}

const (
	fileA    = 0x0101010101010101
	fileH    = fileA << 7
	notFileA = ^uint64(fileA)
	notFileH = ^uint64(fileH)
	rank1    = 0xff
)

// skips counts the labels of skipped code.
var skips int

// whenSet skips the instructions that body writes if the bool is false.
func whenSet(flag Mem, body func()) {
	CMPB(flag, U8(0))
	skipIf(JEQ, body)
}

func skipIf(jump func(Op), body func()) {
	skips++
	label := fmt.Sprintf("skip%d", skips)
	jump(LabelRef(label))
	body()
	Label(label)
}
