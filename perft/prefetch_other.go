//go:build !amd64 || purego

package perft

import "unsafe"

// prefetch does nothing: where it can have no instruction of its own, the table is a little slower.
func prefetch(unsafe.Pointer) {}
