//go:build !amd64 || purego

package simd

func init() { available = false }

// These are never called.
func prepareAVX512(*Scratch)   {}
func countAVX512(*Scratch) int { return 0 }
