//go:build !linux

package perft

// adviseHugePages does nothing: other systems choose by themselves.
func adviseHugePages([]byte) {}

// discardPages does nothing: other systems do not promise that discarded pages are zero.
func discardPages([]byte) bool { return false }
