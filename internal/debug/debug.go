// Package debug checks arguments under the build tag fianchettodebug. Functions called at every
// node of a search otherwise trust their arguments. They check them if
//
//	debug.Enabled
//
// Without the tag the constant is false, and the compiler removes the check before it decides what
// to inline. A checking function, such as Different, may test the constant itself, and then costs
// three units of the caller's inlining budget. Callers that lack these test the constant.
package debug

import "fmt"

// Squares panics unless all squares are on the board. The name is the caller's.
func Squares[S ~uint8](name string, squares ...S) {
	for _, s := range squares {
		if s > 63 {
			panic(fmt.Sprintf("%s: square %d is not on the board", name, s))
		}
	}
}

// Different panics unless two squares are on the board and differ.
func Different[S ~uint8](name string, a, b S) {
	if !Enabled {
		return
	}
	Squares(name, a, b)
	if a == b {
		panic(fmt.Sprintf("%s: both squares are %v", name, a))
	}
}
