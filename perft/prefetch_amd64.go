//go:build !purego

package perft

import "unsafe"

// prefetch has the processor bring the cache line of an address into its caches without anybody waiting for it: a
// load would hold up all that comes after it.
//
//go:noescape
func prefetch(address unsafe.Pointer)
