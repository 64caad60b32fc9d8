package perft

import (
	"fmt"
	"math"
	"unsafe"

	"github.com/fianchetto-chess/fianchetto"
)

// AutoHashMB suggests the size of a hash table in MiB, enough for about half the positions that a
// count looks up. A larger table costs more to allocate than it saves. The size is at most half the
// memory available to the process or, if that is unknown, as on systems other than Linux, 512 MiB.
// It is 0 for depths below 5, where a table saves nothing. AutoHashMB counts three plies to estimate
// the growth of the tree.
func AutoHashMB(pos fianchetto.Position, depth int) int {
	if checkDepth(depth) != nil {
		return 0
	}
	return autoHashMB(pos, depth, availableMemory())
}

func autoHashMB(pos fianchetto.Position, depth int, available uint64) int {
	if depth < 3+pairDepth { // no position repeats within three plies, and the last pairDepth are not looked up
		return 0
	}
	const room = 0.5
	share := float64(deepShare) / (deepShare - 1) // size of the table, relative to its part for pairs
	bytes := room * share * distinctPositions(pos, depth-pairDepth) * float64(unsafe.Sizeof(pairEntry{}))
	most := min(available/2>>20, MaxHashMB)
	return int(min(math.Ceil(bytes/(1<<20)), float64(most)))
}

// distinctPositions estimates the number of distinct positions within a factor of three: from the
// second ply on, a third of the moves lead to repeated positions.
func distinctPositions(pos fianchetto.Position, plies int) float64 {
	moves := float64(pos.CountLegal())
	leaves, _ := Count(pos, 3) // three plies do not overflow
	replies := math.Sqrt(float64(leaves) / max(1, moves))
	return moves * math.Pow(replies*2/3, float64(plies-1))
}

type memoryLimit struct {
	bytes  uint64
	source string // for errors, such as "the machine has"
}

func checkHashMB(megabytes int) error {
	if megabytes < 0 || megabytes > MaxHashMB {
		return fmt.Errorf("%w: %d MiB of hash table of 0..%d", ErrOptions, megabytes, MaxHashMB)
	}
	if megabytes == 0 {
		return nil
	}
	for _, limit := range append(memoryLimits(), memoryLimit{math.MaxInt, "a program of this word size can address"}) {
		if uint64(megabytes) > limit.bytes>>20 {
			return fmt.Errorf("%w: %d MiB of hash table, and %s %d MiB", ErrOptions, megabytes, limit.source,
				limit.bytes>>20)
		}
	}
	return nil
}

const unknownMemory = 1 << 30

func availableMemory() uint64 {
	available := freeMemory()
	for _, limit := range memoryLimits() {
		available = min(available, limit.bytes)
	}
	return min(available, math.MaxInt)
}

// makeLarge returns a slice of n zero values, on large pages if the system provides them.
func makeLarge[T any](n int) []T {
	slice := make([]T, n)
	adviseHugePages(bytesOf(slice))
	return slice
}

func bytesOf[T any](slice []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(slice))), len(slice)*int(unsafe.Sizeof(*new(T))))
}
