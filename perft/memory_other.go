//go:build !linux

package perft

func memoryLimits() []memoryLimit { return nil }

func freeMemory() uint64 { return unknownMemory }

func adviseHugePages([]byte) {}
