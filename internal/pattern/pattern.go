// Package pattern compiles patterns when they are needed.
package pattern

import (
	"regexp"
	"sync"
)

// Lazy returns a function that compiles a pattern at its first call. Compiling all patterns when a
// program starts would cost every command a third of a millisecond.
func Lazy(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
