//go:build !amd64 || purego

package sliders

const hasPEXT = false

// extract returns the bits of source selected by mask, packed at the low end.
func extract(source, mask uint64) uint64 { return extractPortable(source, mask) }
