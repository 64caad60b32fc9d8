//go:build (!amd64 && !arm64) || purego

package fianchetto

import "unsafe"

func prefetch(unsafe.Pointer) {}
