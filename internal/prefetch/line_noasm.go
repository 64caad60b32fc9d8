//go:build (!amd64 && !arm64) || purego

package prefetch

import "unsafe"

// Line does nothing without assembly.
func Line(unsafe.Pointer) {}
