// Package debug checks arguments under the build tag fianchettodebug. The functions that an engine
// calls at every node require some arguments, such as legal moves, to be valid and do not check
// them. With the tag they check them if
//
//	debug.Enabled
//
// Without the tag, the constant is false, and the compiler removes the check before it decides what
// to inline. A function that checks, such as Different, may have the condition in itself: then it
// is empty, and its call costs nothing, except three units of the caller's budget for inlining.
// Where those are missing, the caller has the condition.
package debug

import "fmt"

// Squares panics unless all squares are on the board. The name is the name of the function that got
// them.
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
