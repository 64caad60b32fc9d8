//go:build !amd64 || purego

package perft

import "unsafe"

// prefetch does nothing: lookups take a little longer without the instruction.
func prefetch(unsafe.Pointer) {}
