//go:build !linux

package perft

// memoryLimits returns nil because the limits of this system are unknown.
func memoryLimits() []memoryLimit { return nil }

// freeMemory returns unknownMemory.
func freeMemory() uint64 { return unknownMemory }

// adviseHugePages does nothing because other systems choose page sizes themselves.
func adviseHugePages([]byte) {}
