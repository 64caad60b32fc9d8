//go:build (amd64 || arm64) && !purego

// Package prefetch asks the processor for memory that will be read soon.
package prefetch

import "unsafe"

// Line has the processor load the cache line of an address, which may be any, without waiting for
// it.
//
//go:noescape
func Line(address unsafe.Pointer)
