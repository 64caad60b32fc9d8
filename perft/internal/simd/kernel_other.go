//go:build !amd64 || purego

package simd

var available = false

// There is no kernel: nobody calls these.
func prepareAVX512(*Scratch)   {}
func countAVX512(*Scratch) int { return 0 }
