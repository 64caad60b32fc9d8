package perft

import (
	"fmt"
	"math"
	"os"
	"unsafe"

	"github.com/fianchetto-chess/fianchetto"
)

// AutoHashMB returns the size in MiB of a hash table with room for about half of the positions that
// a count looks up: a larger one finds few more of them, and takes longer to get from the system
// than these take to count. It is at most half of the memory that the process may still take: the
// free memory within the limits of the control group and of resources. Where these are not known,
// as on systems other than Linux, it is at most 512 MiB. It is 0 for depths below 5, where a hash
// table saves nothing, and for depths that Run refuses. AutoHashMB counts three plies to guess the
// growth of the tree.
func AutoHashMB(pos fianchetto.Position, depth int) int {
	if checkDepth(depth) != nil {
		return 0
	}
	return autoHashMB(pos, depth, availableMemory())
}

func autoHashMB(pos fianchetto.Position, depth int, available uint64) int {
	if depth < 3+pairDepth { // below three plies no two positions are the same; pairDepth plies are counted at once
		return 0
	}
	const room = 0.5
	share := float64(deepShare) / (deepShare - 1) // the whole table to its part for pairs
	bytes := room * share * distinctPositions(pos, depth-pairDepth) * float64(unsafe.Sizeof(pairEntry{}))
	most := min(available/2>>20, MaxHashMB)
	return int(min(math.Ceil(bytes/(1<<20)), float64(most)))
}

// distinctPositions guesses the number of different positions after some plies, within a factor of
// three of known numbers: after the first ply a third of the moves, on average, leads to a position
// that another move leads to.
func distinctPositions(pos fianchetto.Position, plies int) float64 {
	moves := float64(pos.CountLegal())
	leaves, _ := Count(pos, 3) // three plies do not overflow
	replies := math.Sqrt(float64(leaves) / max(1, moves))
	return moves * math.Pow(replies*2/3, float64(plies-1))
}

// memoryLimit limits the memory of a hash table.
type memoryLimit struct {
	bytes  uint64
	source string // "the machine has"
}

// checkHashMB refuses a hash table above MaxHashMB or above a known limit.
func checkHashMB(megabytes int) error {
	if megabytes < 0 || megabytes > MaxHashMB {
		return fmt.Errorf("%w: %d MiB of hash table of 0..%d", ErrOptions, megabytes, MaxHashMB)
	}
	if megabytes == 0 {
		return nil
	}
	limits := append(memoryLimits(), memoryLimit{math.MaxInt, "a program of this word size can address"})
	for _, limit := range limits {
		if uint64(megabytes) > limit.bytes>>20 {
			return fmt.Errorf("%w: %d MiB of hash table, and %s %d MiB", ErrOptions, megabytes, limit.source,
				limit.bytes>>20)
		}
	}
	return nil
}

// unknownMemory is the free memory that autoHashMB assumes where none is known.
const unknownMemory = 1 << 30

// availableMemory returns the number of bytes that this process may still take: the free memory
// within all known limits.
func availableMemory() uint64 {
	available := freeMemory()
	for _, limit := range memoryLimits() {
		available = min(available, limit.bytes)
	}
	return min(available, math.MaxInt)
}

// makeLarge returns a slice of n zero values, on large pages where the system has them.
func makeLarge[T any](n int) []T {
	slice := make([]T, n)
	_, pages, _ := cutPages(bytesOf(slice))
	adviseHugePages(pages)
	return slice
}

// clearLarge sets a slice of values without pointers to zero. Where possible, its pages go back to
// the system, which provides empty ones at the next use.
func clearLarge[T any](slice []T) {
	before, pages, after := cutPages(bytesOf(slice))
	clear(before)
	clear(after)
	if !discardPages(pages) {
		clear(pages)
	}
}

// bytesOf returns the memory of a slice.
func bytesOf[T any](slice []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(slice))), len(slice)*int(unsafe.Sizeof(*new(T))))
}

// cutPages cuts memory where its first whole page begins and its last one ends: the system takes
// advice on whole pages.
func cutPages(memory []byte) (before, pages, after []byte) {
	page := os.Getpagesize()
	begin := min(int(-uintptr(unsafe.Pointer(unsafe.SliceData(memory)))&uintptr(page-1)), len(memory))
	end := begin + (len(memory)-begin)&^(page-1)
	return memory[:begin], memory[begin:end], memory[end:]
}
