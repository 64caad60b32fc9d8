//go:build (amd64 || arm64) && !purego

// Package prefetch asks the processor for memory that will be read soon.
package prefetch

import "unsafe"

// Line asks the processor to load the cache line of any address, without waiting for it.
//
//go:noescape
func Line(address unsafe.Pointer)
