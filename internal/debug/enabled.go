//go:build fianchettodebug

package debug

import (
	"fmt"
	"runtime"
	"strings"
)

// Enabled reports whether arguments are checked.
const Enabled = true

// Place is a place in a program, as the calls that lead to it.
type Place [12]uintptr

// Set makes p the place that is being executed.
func (p *Place) Set() { runtime.Callers(3, p[:]) }

// String returns the innermost file and line outside the library.
func (p Place) String() string {
	frames := runtime.CallersFrames(p[:])
	for {
		frame, more := frames.Next()
		name, inside := strings.CutPrefix(frame.Function, "github.com/fianchetto-chess/fianchetto")
		if inside = inside && (name[0] == '.' || strings.HasPrefix(name, "/internal/debug.")); !inside || !more {
			return fmt.Sprintf("%s:%d", frame.File, frame.Line)
		}
	}
}
