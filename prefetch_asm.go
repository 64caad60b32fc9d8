//go:build (amd64 || arm64) && !purego

package fianchetto

import "unsafe"

//go:noescape
func prefetch(address unsafe.Pointer)
