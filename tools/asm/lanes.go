package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// lanes is a register of eight bitboards, or of four at half the width.
type lanes = reg.Register

type width struct {
	register func() lanes
	ones     lanes // all squares, in all lanes
	diagonal lanes // the diagonal from a1 to h8, in all lanes
}

// Each operation below returns its result in a new register. An Op in memory is one bitboard for
// all lanes.

func (w width) put(instruction func(...Op), operands ...Op) lanes {
	d := w.register()
	instruction(append(operands, d)...)
	return d
}

func pick(operand Op, inMemory, inRegister func(...Op)) func(...Op) {
	if _, ok := operand.(Mem); ok {
		return inMemory
	}
	return inRegister
}

func (w width) load(m Mem) lanes { return w.put(VPBROADCASTQ, m) }

func (w width) copy(x lanes) lanes { return w.put(VMOVDQA64, x) }

// avo regards x^x as a use of x, so x must be known to be written.
func (w width) none() lanes { return w.put(VPXORQ, w.ones, w.ones) }

func (w width) and(x Op, y lanes) lanes { return w.put(pick(x, VPANDQ_BCST, VPANDQ), x, y) }

func (w width) or(x, y lanes) lanes { return w.put(VPORQ, x, y) }

func (w width) xor(x, y lanes) lanes { return w.put(VPXORQ, x, y) }

func (w width) without(x Op, y lanes) lanes { return w.put(pick(x, VPANDNQ_BCST, VPANDNQ), x, y) }

// shift moves the squares n up the board, or -n down.
func (w width) shift(x lanes, n int) lanes {
	if n >= 0 {
		return w.put(VPSLLQ, U8(n), x)
	}
	return w.put(VPSRLQ, U8(-n), x)
}

// swapped exchanges the halves of the register (level 0), of its halves (1) or of its quarters (2).
func (w width) swapped(level int, x lanes) lanes {
	switch level {
	case 0:
		return w.put(VSHUFI64X2, U8(0b01_00_11_10), x, x)
	case 1:
		return w.put(VSHUFI64X2, U8(0b10_11_00_01), x, x)
	}
	return w.put(VPSHUFD, U8(0b01_00_11_10), x)
}

type logic func(a, b, c bool) bool

var (
	anyOf     logic = func(a, b, c bool) bool { return a || b || c }
	oddOf     logic = func(a, b, c bool) bool { return a != (b != c) }
	allOf     logic = func(a, b, c bool) bool { return a && b && c }
	orBoth    logic = func(a, b, c bool) bool { return a || b && c }
	orDiffer  logic = func(a, b, c bool) bool { return a || b != c }
	eitherIn  logic = func(a, b, c bool) bool { return (a || b) && c }
	differIn  logic = func(a, b, c bool) bool { return a != b && c }
	whereSame logic = func(a, b, c bool) bool { return a && b == c }
)

func (f logic) table() Constant {
	table := 0
	for i := range 8 {
		if f(i&4 != 0, i&2 != 0, i&1 != 0) {
			table |= 1 << i
		}
	}
	return U8(table)
}

// becomes sets d to f(d, b, c), bit by bit. c may be in memory.
func becomes(d lanes, f logic, b lanes, c Op) lanes {
	pick(c, VPTERNLOGQ_BCST, VPTERNLOGQ)(f.table(), c, b, d)
	return d
}

func meets(x Op, y lanes) reg.Register {
	k := K()
	pick(x, VPTESTMQ_BCST, VPTESTMQ)(x, y, k)
	return k
}

// missesIn returns the lanes of k in which x and y share no square.
func missesIn(k reg.Register, x Mem, y lanes) reg.Register {
	d := K()
	VPTESTNMQ_BCST(x, y, k, d)
	return d
}

// Each transformation of a board below is one instruction: a product of two 8 by 8 bit matrices,
// one of which is the board.

const (
	diagonalA1H8 = 0x8040201008040201
	diagonalA8H1 = 0x0102040810204080
)

// mirrored returns the boards with the files in opposite order.
func (w width) mirrored(x lanes) lanes { return w.put(VGF2P8AFFINEQB, U8(0), w.diagonal, x) }

// sideways moves the squares n files to the east, and drops those that leave the board.
func (w width) sideways(x lanes, n int) lanes {
	return w.put(VGF2P8AFFINEQB_BCST, U8(0), constant(sidewaysMatrix(n)), x)
}

// Row i selects the file that moves to file i. The instruction expects the rows in opposite order.
func sidewaysMatrix(n int) uint64 {
	var matrix uint64
	for i := range 8 {
		if from := i - n; 0 <= from && from < 8 {
			matrix |= 1 << (8*(7-i) + from)
		}
	}
	return matrix
}

// After a quarter turn, the a-file is the first rank, from a8 to a1.
func (w width) turned(x lanes) lanes { return w.put(VGF2P8AFFINEQB, U8(0), x, w.diagonal) }

// turnedBack undoes turned, but leaves the boards mirrored.
func (w width) turnedBack(x lanes) lanes {
	return w.put(VGF2P8AFFINEQB, U8(0), x, w.load(constant(diagonalA8H1)))
}

var constants = struct {
	symbol  Mem
	size    int
	offsets map[string]int // by the text of the list
}{offsets: map[string]int{}}

// constant returns a value for all lanes, to be broadcast, or a value for each of the eight lanes.
func constant(values ...uint64) Mem {
	key := fmt.Sprint(values)
	offset, known := constants.offsets[key]
	if !known {
		offset = constants.size
		constants.offsets[key] = offset
		for _, v := range values {
			DATA(constants.size, U64(v))
			constants.size += 8
		}
	}
	return constants.symbol.Offset(offset)
}

func byLane(values [8]uint64) Mem { return constant(values[:]...) }

func eachLane(value func(lane int) uint64) Mem {
	var values [8]uint64
	for lane := range values {
		values[lane] = value(lane)
	}
	return byLane(values)
}

const (
	fileA    = 0x0101010101010101
	fileH    = fileA << 7
	notFileA = ^uint64(fileA)
	notFileH = ^uint64(fileH)
	rank1    = 0xff
	notRank1 = ^uint64(rank1)
	notRank8 = ^uint64(rank1 << 56)
)

var skips int // labels of skipped code

func skipIf(jump func(Op), body func()) {
	skips++
	label := fmt.Sprintf("skip%d", skips)
	jump(LabelRef(label))
	body()
	Label(label)
}
