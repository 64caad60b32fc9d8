package perft

import (
	"math"
	"unsafe"

	"github.com/fianchetto-chess/fianchetto"
)

// AutoHashMB returns a size in MiB of a hash table for a count: one that holds about twice the positions that the count
// looks up. The size is at most half of the memory that the process may still take, which depends on the free memory of the
// machine, the limit of its control group and its resource limits; where these are not known, as on systems other than Linux,
// it is at most 512 MiB. It is 0 for depths below 4, at which Run looks nothing up, and for depths that Run refuses.
// AutoHashMB counts three plies to guess how the tree grows.
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

// distinctPositions guesses how many different positions some plies lead to, within a factor of three where that is known: after
// the first ply a third of the moves, on average, leads to positions that other moves lead to as well.
func distinctPositions(pos fianchetto.Position, plies int) float64 {
	moves := float64(pos.CountLegal())
	leaves, _ := Count(pos, 3) // three plies do not overflow
	replies := math.Sqrt(float64(leaves) / max(1, moves))
	return moves * math.Pow(replies*2/3, float64(plies-1))
}
