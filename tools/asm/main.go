// Command asm writes the AVX-512 kernel of package simd: the assembly, and the Go declaration of its
// function. `make generate` runs it.
//
// The program reads as the algorithm does. main.go has the function and its loop over batches, batch.go the steps of a
// batch from making the moves to the knights, lines.go the moves and attacks along lines, and the king. lanes.go has
// the operations that they are written in.
package main

import (
	"go/types"
	"log"
	"os"
	"strconv"
	"strings"

	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
	"golang.org/x/tools/go/packages"
)

// directory is the package the kernel belongs to, from here. Names of files to write are relative to it.
const directory = "../../perft/internal/simd"

func main() {
	log.SetFlags(0)
	log.SetPrefix("asm: ")
	if err := os.Chdir(directory); err != nil {
		log.Fatal(err)
	}
	// As for machines without the kernel, so that the package can be loaded before the kernel is written.
	if err := os.Setenv("GOFLAGS", "-tags=purego"); err != nil {
		log.Fatal(err)
	}
	Package(".")
	ConstraintExpr("amd64,!purego")
	constants.symbol = GLOBL("kernelConstants", attr.RODATA|attr.NOPTR)
	TEXT("countChildrenAVX512", attr.NOSPLIT, "func(s *siblings, moves *move, n int) int")
	Doc("countChildrenAVX512 is countEach, eight children at a time.")
	Pragma("noescape")
	writeKernel(loadTypes())
	Generate()
}

// loadTypes returns the types of the package. avo loads them too, for the function's parameters, but does not hand them
// out.
func loadTypes() *types.Package {
	config := &packages.Config{Mode: packages.NeedTypes | packages.NeedImports | packages.NeedDeps}
	loaded, err := packages.Load(config, ".")
	if err != nil {
		log.Fatal(err)
	}
	if problems := loaded[0].Errors; len(problems) > 0 {
		log.Fatal(problems[0])
	}
	return loaded[0].Types
}

// structure is a Go struct in memory, whose fields are found by name. So the kernel follows the package when that moves
// a field, and is no longer generated when it renames one.
type structure struct {
	base reg.Register
	kind types.Type
}

// field returns the address of a field. The path is like "castlings.1.rook", indices being constants.
func (s structure) field(path string) Mem {
	offset, kind := int64(0), s.kind
	for name := range strings.SplitSeq(path, ".") {
		var step int64
		step, kind = member(kind, name)
		if kind == nil {
			log.Fatalf("%v has no %q of %q", s.kind, name, path)
		}
		offset += step
	}
	return Mem{Base: s.base, Disp: int(offset)}
}

// size returns the size of the structure in bytes.
func (s structure) size() uint64 { return uint64(sizes.Sizeof(s.kind)) }

// sizes are those of the compiler whose code calls the kernel.
var sizes = types.SizesFor("gc", "amd64")

// member returns the offset and the type of a struct's field or an array's element, a nil type if there is none.
func member(kind types.Type, name string) (int64, types.Type) {
	switch kind := kind.Underlying().(type) {
	case *types.Array:
		if i, err := strconv.ParseInt(name, 10, 64); err == nil && i < kind.Len() {
			return i * sizes.Sizeof(kind.Elem()), kind.Elem()
		}
	case *types.Struct:
		fields := make([]*types.Var, kind.NumFields())
		for i := range fields {
			fields[i] = kind.Field(i)
		}
		for i, offset := range sizes.Offsetsof(fields) {
			if fields[i].Name() == name {
				return offset, fields[i].Type()
			}
		}
	}
	return 0, nil
}

// inside returns the type of what a field points to, or of the elements of an array.
func (s structure) inside(name string) types.Type {
	_, kind := member(s.kind, name)
	holder, ok := kind.(interface{ Elem() types.Type })
	if !ok {
		log.Fatalf("%v has no pointer or array %q", s.kind, name)
	}
	return holder.Elem()
}

// kernel is what stays the same for all batches of a call.
type kernel struct {
	siblings, king         structure
	moves                  reg.Register   // what is left of the list
	left                   reg.GPVirtual  // how many moves that is
	directions             reg.GPVirtual  // bits of the directions that matter: see findDirections
	total                  reg.VecVirtual // replies, by lane
	wideOnes, wideDiagonal reg.VecVirtual // for batches of either width
}

// kernel.directions has eight bits, by compass, for each of these.
const (
	checks  = 0  // a slider of theirs may attack our king, or pin a piece of ours to it, from that direction
	dangers = 8  // a slider of theirs may attack, in that direction, a square that matters to our king
	peeks   = 16 // a slider of ours may reach squares behind our king, in that direction
	sliders = 24 // we have sliders that go in that direction
)

// The compass of the package: even directions are a rook's, odd ones a bishop's.
const (
	north = iota
	northEast
	east
	southEast
	south
	southWest
	west
	northWest
)

// writeKernel writes the whole function: batches of eight; at the end, if four children or fewer are left, the same in
// registers of half the width.
func writeKernel(pkg *types.Package) {
	k := newKernel(pkg)
	k.findDirections()

	Label("eight")
	CMPQ(k.left, U8(4))
	JLE(LabelRef("four"))
	eight := batch{kernel: k, width: k.full(), lane: k.lanesLeft(8), name: "eight"}
	count := eight.count()
	VPADDQ(count, k.total, eight.lane, k.total)
	ADDQ(U8(8*4), k.moves)
	SUBQ(U8(8), k.left)
	JG(LabelRef("eight"))
	JMP(LabelRef("sum"))

	Label("four")
	four := batch{kernel: k, width: k.half(), lane: k.lanesLeft(4), name: "four"}
	count = four.count()
	alone := YMM()
	VMOVDQA64_Z(count, four.lane, alone) // which clears the upper half, too
	VPADDQ(alone.AsZ(), k.total, k.total)

	Label("sum")
	k.returnSum()
}

// full is for batches of eight, half for batches of four.
func (k *kernel) full() width {
	return width{func() lanes { return ZMM() }, k.wideOnes, k.wideDiagonal}
}
func (k *kernel) half() width {
	return width{func() lanes { return YMM() }, k.wideOnes.AsY(), k.wideDiagonal.AsY()}
}

// newKernel loads the arguments and what all batches need.
func newKernel(pkg *types.Package) *kernel {
	k := &kernel{
		siblings:     structure{Load(Param("s"), GP64()), pkg.Scope().Lookup("siblings").Type()},
		moves:        Load(Param("moves"), GP64()),
		left:         GP64(),
		directions:   GP64(),
		total:        ZMM(),
		wideOnes:     ZMM(),
		wideDiagonal: ZMM(),
	}
	Load(Param("n"), k.left)
	k.king = structure{GP64(), pkg.Scope().Lookup("kernelKing").Type()}
	MOVQ(k.siblings.field("king"), k.king.base)

	VPTERNLOGQ(U8(0xff), k.wideOnes, k.wideOnes, k.wideOnes)
	VPBROADCASTQ(constant(diagonalA1H8), k.wideDiagonal)
	VPXORQ(k.wideOnes, k.wideOnes, k.total)
	return k
}

// findDirections finds which directions matter to any of the siblings. A vector has all eight, one in each lane.
func (k *kernel) findDirections() {
	odd, mask := K(), GP32()
	MOVL(U32(0b10101010), mask)
	KMOVB(mask, odd)
	byDirection := func(orthogonals, diagonals string) reg.VecVirtual {
		d := ZMM()
		VPBROADCASTQ(k.siblings.field(orthogonals), d)
		VPBROADCASTQ(k.siblings.field(diagonals), odd, d)
		return d
	}
	theirs, ours := byDirection("reach.orthogonals", "reach.diagonals"), byDirection("orthogonals", "diagonals")

	zone := structure{GP64(), k.siblings.inside("zone")}
	MOVQ(k.siblings.field("zone"), zone.base)
	lines, opposite := ZMM(), ZMM()
	VMOVDQU64(k.king.field("rays"), lines)
	VSHUFI64X2(U8(0b01_00_11_10), lines, lines, opposite)

	XORL(k.directions.As32(), k.directions.As32())
	find := func(purpose int, squares Op, pieces lanes) {
		found := K()
		VPTESTMQ(squares, pieces, found)
		KMOVB(found, mask)
		SHLL(U8(purpose), mask)
		ORL(mask, k.directions.As32())
	}
	find(checks, lines, theirs)
	find(peeks, opposite, ours)
	find(sliders, ours, ours)
	whenSet(k.siblings.field("stages.kingMoves"), func() {
		find(dangers, zone.field("sliders"), theirs)
	})
}

// bits returns the bits of kernel.directions for a purpose.
func bits(purpose int, directions ...int) uint32 {
	var set uint32
	for _, direction := range directions {
		set |= 1 << (purpose + direction)
	}
	return set
}

// when skips the instructions that body writes unless one of the bits of directions is set.
func (k *kernel) when(bits uint32, body func()) {
	TESTL(U32(bits), k.directions.As32())
	skipIf(JEQ, body)
}

// lanesLeft returns the lanes of a batch of n that have a move.
func (k *kernel) lanesLeft(n int) reg.Register {
	used, bits, mask := GP64(), GP32(), K()
	MOVL(U32(n), used.As32())
	CMPQ(k.left, used)
	CMOVQLT(k.left, used) // BZHI reads eight bits only
	MOVL(U32(1<<n-1), bits)
	BZHIL(used.As32(), bits, bits)
	KMOVB(bits, mask)
	return mask
}

// returnSum returns the sum of the lanes of the total.
func (k *kernel) returnSum() {
	total, other := k.total, ZMM()
	VSHUFI64X2(U8(0b01_00_11_10), total, total, other)
	VPADDQ(other, total, total)
	VSHUFI64X2(U8(0b10_11_00_01), total, total, other)
	VPADDQ(other, total, total)
	VPSHUFD(U8(0b01_00_11_10), total, other)
	VPADDQ(other, total, total)
	sum := GP64()
	VMOVQ(total.AsX(), sum)
	VZEROUPPER()
	Store(sum, ReturnIndex(0))
	RET()
}
