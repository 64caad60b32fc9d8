//go:build !amd64 || purego

package perft

import "unsafe"

// prefetch does nothing: without the instruction lookups take a little longer.
func prefetch(unsafe.Pointer) {}
