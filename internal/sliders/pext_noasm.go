//go:build !amd64 || purego

package sliders

const hasPEXT = false

func extract(source, mask uint64) uint64 { return extractPortable(source, mask) }
