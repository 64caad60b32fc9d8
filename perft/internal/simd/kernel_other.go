//go:build !amd64 || purego

package simd

var available = false

// These are never called, because available is false.
func prepareAVX512(*Scratch)   {}
func countAVX512(*Scratch) int { return 0 }
