//go:build !linux

package perft

// memoryLimits returns nothing: the limits of this system are not known.
func memoryLimits() []memoryLimit { return nil }
