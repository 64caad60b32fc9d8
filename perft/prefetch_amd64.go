//go:build !purego

package perft

import "unsafe"

// prefetch has the processor load the cache line of an address; nothing waits for it, as it would for a load.
//
//go:noescape
func prefetch(address unsafe.Pointer)
