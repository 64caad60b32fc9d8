// Package debug checks arguments under the build tag fianchettodebug. The functions of the library that an engine calls at
// every node promise a result only for some arguments, such as legal moves, and do not check them. Without the tag a check is
//
//	if debug.Enabled { ... }
//
// with a constant that is false: the compiler removes it before it decides what to inline.
package debug

import "fmt"

// Squares panics unless all squares are on the board. The name is that of the function that got them.
func Squares[S ~uint8](name string, squares ...S) {
	for _, s := range squares {
		if s > 63 {
			panic(fmt.Sprintf("%s: square %d is not on the board", name, s))
		}
	}
}

// Different panics unless two squares are on the board and differ.
func Different[S ~uint8](name string, a, b S) {
	Squares(name, a, b)
	if a == b {
		panic(fmt.Sprintf("%s: both squares are %v", name, a))
	}
}
