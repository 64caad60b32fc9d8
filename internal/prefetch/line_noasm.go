//go:build (!amd64 && !arm64) || purego

package prefetch

import "unsafe"

// Line does nothing where there is no assembly.
func Line(unsafe.Pointer) {}
