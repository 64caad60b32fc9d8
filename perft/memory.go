package perft

import (
	"fmt"
	"math"
	"os"
	"unsafe"

	"github.com/fianchetto-chess/fianchetto"
)

// AutoHashMB returns a size in MiB of a hash table for a count: one that holds about twice the positions that the
// count looks up. The size is at most half of the memory that the process may still take, which depends on the free
// memory of the machine, the limit of its control group and its resource limits; where these are not known, as on
// systems other than Linux, it is at most 512 MiB. It is 0 for depths below 4, at which Run looks nothing up, and for
// depths that Run refuses. AutoHashMB counts three plies to guess how the tree grows.
func AutoHashMB(pos fianchetto.Position, depth int) int {
	if checkDepth(depth) != nil {
		return 0
	}
	return autoHashMB(pos, depth, availableMemory())
}

func autoHashMB(pos fianchetto.Position, depth int, available uint64) int {
	if depth < 2+pairDepth { // a run looks up positions from the second ply on, with pairDepth or more plies left
		return 0
	}
	const room = 2
	share := float64(deepShare) / (deepShare - 1) // of the whole table to that of pairs
	bytes := room * share * distinctPositions(pos, depth-pairDepth) * float64(unsafe.Sizeof(pairEntry{}))
	most := min(available/2>>20, MaxHashMB)
	return int(min(math.Ceil(bytes/(1<<20)), float64(most)))
}

// distinctPositions guesses how many different positions some plies lead to, within a factor of three where that is
// known: after the first ply a third of the moves, on average, leads to positions that other moves lead to as well.
func distinctPositions(pos fianchetto.Position, plies int) float64 {
	moves := float64(pos.CountLegal())
	leaves, _ := Count(pos, 3) // three plies do not overflow
	replies := math.Sqrt(float64(leaves) / max(1, moves))
	return moves * math.Pow(replies*2/3, float64(plies-1))
}

// memoryLimit is a limit of the memory that a hash table may have.
type memoryLimit struct {
	bytes  uint64
	source string // "the machine has"
}

// checkHashMB refuses a hash table that is larger than MaxHashMB, or than the machine, the system or this process
// allows.
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

// unknownMemory is what autoHashMB takes for free where nothing is known of the memory.
const unknownMemory = 1 << 30

// availableMemory returns how many bytes this process may still take: what is free, within all limits that are known.
func availableMemory() uint64 {
	available, ok := freeMemory()
	if !ok {
		available = unknownMemory
	}
	for _, limit := range memoryLimits() {
		available = min(available, limit.bytes)
	}
	return min(available, math.MaxInt)
}

// makeLarge returns a slice of so many zero values, with large pages under it where the system has them.
func makeLarge[T any](n int) []T {
	slice := make([]T, n)
	_, pages, _ := cutPages(bytesOf(slice))
	adviseHugePages(pages)
	return slice
}

// clearLarge sets a slice of values without pointers to zero. Where the system can, its pages go back to the system,
// which gives empty ones when they are used again.
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

// cutPages cuts memory where its first whole page begins and its last one ends, as systems ask of what they are
// advised on.
func cutPages(memory []byte) (before, pages, after []byte) {
	page := os.Getpagesize()
	begin := min(int(-uintptr(unsafe.Pointer(unsafe.SliceData(memory)))&uintptr(page-1)), len(memory))
	end := begin + (len(memory)-begin)&^(page-1)
	return memory[:begin], memory[begin:end], memory[end:]
}
