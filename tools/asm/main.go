// Command asm writes the AVX-512 assembly of package simd and the Go declarations of its functions.
// make generate runs it.
//
// prepare.go sums the free moves and lists the others, main.go contains the kernel's loop over
// batches, and batch.go the steps of a batch. As in package simd, sets that do not name the mover
// are the replier's.
package main

import (
	"flag"
	exact "go/constant"
	"go/types"
	"log"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
	"golang.org/x/tools/go/packages"
)

const directory = "../../perft/internal/simd"

func main() {
	log.SetFlags(0)
	log.SetPrefix("asm: ")
	check(os.Chdir(directory))
	// With this tag the package can be loaded before the kernel is written.
	check(os.Setenv("GOFLAGS", "-tags=purego"))
	Package(".")
	ConstraintExpr("amd64,!purego")
	constants.symbol = GLOBL("kernelConstants", attr.RODATA|attr.NOPTR)
	pkg := loadTypes()
	TEXT("prepareAVX512", attr.NOSPLIT, "func(s *Scratch)")
	Doc("prepareAVX512 finds which moves are free and sums them, lists the others, and finds the parts of the kernel.")
	Pragma("noescape")
	writePreparation(pkg)
	TEXT("countAVX512", attr.NOSPLIT, "func(s *Scratch) int")
	Doc("countAVX512 counts the replies to the listed moves, eight children at a time, and adds those to free moves.")
	Pragma("noescape")
	writeKernel(pkg)
	Generate()
	dropIdleMoves(flag.Lookup("out").Value.String())
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// avo leaves a move of a register to itself if a copy and its original share a register.
func dropIdleMoves(name string) {
	text, err := os.ReadFile(name)
	check(err)
	lines := slices.DeleteFunc(strings.SplitAfter(string(text), "\n"), func(line string) bool {
		fields := strings.Fields(strings.ReplaceAll(line, ",", ""))
		return len(fields) == 3 && fields[0] == "VMOVDQA64" && fields[1] == fields[2]
	})
	check(os.WriteFile(name, []byte(strings.Join(lines, "")), 0o644))
}

func loadTypes() *types.Package {
	mode := packages.NeedTypes | packages.NeedImports | packages.NeedDeps
	loaded, err := packages.Load(&packages.Config{Mode: mode}, ".")
	check(err)
	for _, problem := range loaded[0].Errors {
		check(problem)
	}
	return loaded[0].Types
}

// structure is a Go struct in memory, whose fields are found by name.
type structure struct {
	base reg.Register
	kind types.Type
}

// field returns the address of a path such as "castling moves.1.rook".
func (s structure) field(path string) Mem {
	offset, _ := s.find(path)
	return Mem{Base: s.base, Disp: int(offset)}
}

func (s structure) find(path string) (offset int64, kind types.Type) {
	kind = s.kind
	for name := range strings.SplitSeq(path, ".") {
		if array, ok := kind.Underlying().(*types.Array); ok {
			i, err := strconv.ParseInt(name, 10, 64)
			if err != nil || i >= array.Len() {
				log.Fatalf("%v has no element %q of %q", s.kind, name, path)
			}
			kind = array.Elem()
			offset += i * sizes.Sizeof(kind)
			continue
		}
		_, steps, _ := types.LookupFieldOrMethod(kind, false, types.Unalias(kind).(*types.Named).Obj().Pkg(), name)
		if steps == nil {
			log.Fatalf("%v has no field %q of %q", s.kind, name, path)
		}
		for _, i := range steps { // through embedded fields
			fields := slices.Collect(kind.Underlying().(*types.Struct).Fields())
			offset += sizes.Offsetsof(fields)[i]
			kind = fields[i].Type()
		}
	}
	return offset, kind
}

var sizes = types.SizesFor("gc", "amd64")

func (s structure) pointed(name string) structure {
	to := structure{GP64(), s.inside(name)}
	MOVQ(s.field(name), to.base)
	return to
}

func (s structure) inside(name string) types.Type {
	_, kind := s.find(name)
	holder, ok := kind.(interface{ Elem() types.Type })
	if !ok {
		log.Fatalf("%v has no pointer or array %q", s.kind, name)
	}
	return holder.Elem()
}

// constant returns a constant, such as a bit of a move's origin, of the package of the struct.
func (s structure) constant(name string) uint64 {
	found := types.Unalias(s.kind).(*types.Named).Obj().Pkg().Scope().Lookup(name)
	value, _ := exact.Uint64Val(found.(*types.Const).Val())
	return value
}

type kernel struct {
	scratch, king structure
	next          reg.GPVirtual
	left          reg.GPVirtual
	parts         reg.GPVirtual
}

// The bits of Scratch.parts. The first three begin groups of eight bits, by compass.
const (
	checks       = 0  // a slider of the mover may check or pin from that direction
	dangers      = 8  // it may attack a square that matters to the king, in that direction
	peeks        = 16 // a slider of the replier may reach squares behind the king, in that direction
	castled      = 24 // the mover may castle
	orthogonals  = 25 // the replier has rooks or queens
	diagonals    = 26 // the replier has bishops or queens
	moverKnights = 27 // they may attack the king or a square next to it
	moverKing    = 28 // it may attack a square next to the king
	promotions   = 29 // pawns of the replier may promote
	kingMoves    = 30 // the king may have a move
)

// The compass of package simd: the even directions are the rooks', the odd ones the bishops'.
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

// writeKernel writes countAVX512. It counts batches of eight, and a last one of at most four
// children in registers of half the width.
func writeKernel(pkg *types.Package) {
	k := &kernel{scratch: newScratch(pkg), next: GP64(), left: GP64(), parts: GP64()}
	total, ones, diagonal := ZMM(), ZMM(), ZMM() // the replies by lane, and constants
	k.king = k.scratch.pointed("king")
	MOVQ(k.scratch.field("moves.end"), k.left)
	MOVL(k.scratch.field("parts"), k.parts.As32())
	VPTERNLOGQ(U8(0xff), ones, ones, ones)
	VPBROADCASTQ(constant(diagonalA1H8), diagonal)
	VMOVDQU64(k.scratch.field("change"), total)

	// The first lane of the first batch is the null move. Its weight is the number of free moves
	// less one, because the total already contains it once.
	weight, nulls := GP64(), GP64()
	MOVQ(k.scratch.field("free"), weight)
	DECQ(weight)
	XORQ(nulls, nulls)
	weigh := func(count lanes) {
		replies := GP64()
		VMOVQ(count.(reg.Vec).AsX(), replies)
		IMULQ(weight, replies)
		ADDQ(replies, nulls)
		XORQ(weight, weight)
	}
	XORQ(k.next, k.next)

	Label("eight")
	CMPQ(k.left, U8(4))
	JLE(LabelRef("four"))
	full := width{func() lanes { return ZMM() }, ones, diagonal}
	eight := batch{kernel: k, width: full, lane: k.lanesLeft(8), name: "eight"}
	count := eight.count()
	VPADDQ(count, total, eight.lane, total)
	weigh(count)
	ADDQ(U8(8), k.next)
	SUBQ(U8(8), k.left)
	JG(LabelRef("eight"))
	JMP(LabelRef("sum"))

	Label("four")
	half := width{func() lanes { return YMM() }, ones.AsY(), diagonal.AsY()}
	four := batch{kernel: k, width: half, lane: k.lanesLeft(4), name: "four"}
	count = four.count()
	weigh(count)
	alone := YMM()
	VMOVDQA64_Z(count, four.lane, alone) // this also clears the upper half
	VPADDQ(alone.AsZ(), total, total)

	Label("sum")
	for level := range 3 {
		VPADDQ(full.swapped(level, total), total, total)
	}
	sum := GP64()
	VMOVQ(total.AsX(), sum)
	ADDQ(nulls, sum)
	VZEROUPPER()
	Store(sum, ReturnIndex(0))
	RET()
}

func newScratch(pkg *types.Package) structure {
	return structure{Load(Param("s"), GP64()), pkg.Scope().Lookup("Scratch").Type()}
}

func bits(purpose int, directions ...int) uint32 {
	var set uint32
	for _, direction := range directions {
		set |= 1 << (purpose + direction)
	}
	return set
}

// when writes body so that it runs only if one of the bits of parts is set.
func (k *kernel) when(bits uint32, body func()) {
	TESTL(U32(bits), k.parts.As32())
	skipIf(JEQ, body)
}

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
