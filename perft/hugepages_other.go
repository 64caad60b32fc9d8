//go:build !linux

package perft

// adviseHugePages does nothing: other systems choose by themselves.
func adviseHugePages([]byte) {}
