package perft

import (
	"fmt"
	"math"
)

// memoryLimit is a limit of the memory that a hash table may have.
type memoryLimit struct {
	bytes  uint64
	source string // "the machine has"
}

// checkHashMB refuses a hash table that is larger than MaxHashMB, or than the machine, the system or this process allows.
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
			return fmt.Errorf("%w: %d MiB of hash table, and %s %d MiB", ErrOptions, megabytes, limit.source, limit.bytes>>20)
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
