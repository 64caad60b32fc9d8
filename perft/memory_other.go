//go:build !linux

package perft

// memoryLimits returns nothing: the limits of this system are not known.
func memoryLimits() []memoryLimit { return nil }

// freeMemory returns the usual guess.
func freeMemory() uint64 { return unknownMemory }

// adviseHugePages does nothing: other systems choose by themselves.
func adviseHugePages([]byte) {}

// discardPages does nothing: other systems do not promise that discarded pages are zero.
func discardPages([]byte) bool { return false }
