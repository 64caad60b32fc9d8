//go:build !linux

package perft

// memoryLimits returns nothing: the limits of this system are not known.
func memoryLimits() []memoryLimit { return nil }

// freeMemory returns nothing, either.
func freeMemory() (bytes uint64, ok bool) { return 0, false }
