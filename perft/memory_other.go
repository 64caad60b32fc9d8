//go:build !linux

package perft

// machineMB returns the memory of the machine in MiB, 0 if that is unknown.
func machineMB() int { return 0 }
