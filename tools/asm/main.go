// Command asm writes the AVX-512 kernel of package simd: the assembly, and the Go declaration of its
// function. `make generate` runs it.
//
// The program reads as the algorithm does: kernel.go and batch.go have the order of the steps, and there is a file each
// for making the moves, for checks and pins, for pawns, knights, rook lines, bishop lines and the king.
// lanes.go has the words that they are written in.
package main

import (
	"log"
	"os"

	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
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
