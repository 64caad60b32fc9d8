//go:build !linux

package perft

func memoryLimits() []memoryLimit { return nil }

func freeMemory() uint64 { return unknownMemory }

// adviseHugePages does nothing because other systems choose page sizes themselves.
func adviseHugePages([]byte) {}
