// Package debug checks arguments under the build tag fianchettodebug. Functions called at every
// node of a search otherwise trust their arguments. They check them if
//
//	debug.Enabled
//
// Without the tag the constant is false, and the compiler removes the check before it decides what
// to inline. A checking function, such as Different, may test the constant itself, and then costs
// three units of the caller's inlining budget. Callers that lack these test the constant.
package debug

import (
	"fmt"
	"sync"
	"unsafe"
)

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

// A second list in the same memory of a caller overwrites the first without a sign. Under the build
// tag each list therefore gets new memory, and the overwritten one is filled with values that are
// no moves. A function called with such a value panics with the places of both lists.

// overwritten is the kind, in the highest four bits, of such a value. Moves never have this kind.
const overwritten = 9

type list struct {
	given, memory []uint16 // the caller's memory, and the list's
	place, before Place    // where it was asked for, and the list that it overwrites
}

var lists struct {
	sync.Mutex
	recent [1 << 12]list
	next   int
	at     map[*uint16]int // the last list of each memory
}

// NewList returns new memory for a list that is appended to moves, and marks the overwritten list.
func NewList(moves []uint16) []uint16 {
	if cap(moves) == 0 {
		return moves
	}
	l := list{given: moves[:cap(moves)], memory: append(make([]uint16, 0, cap(moves)), moves...)[:cap(moves)]}
	l.place.Set()
	lists.Lock()
	defer lists.Unlock()
	if lists.at == nil {
		lists.at = map[*uint16]int{}
	}
	id := lists.next
	lists.next = (id + 1) % len(lists.recent)
	last := &lists.recent[id]
	for _, memory := range [][]uint16{last.given, last.memory} {
		if memory != nil && lists.at[unsafe.SliceData(memory)] == id {
			delete(lists.at, unsafe.SliceData(memory))
		}
	}
	if i, found := lists.at[unsafe.SliceData(moves)]; found {
		l.before = lists.recent[i].place
		mark(lists.recent[i].memory, len(moves), id)
		mark(l.given, len(moves), id)
	}
	lists.recent[id] = l
	lists.at[unsafe.SliceData(moves)], lists.at[unsafe.SliceData(l.memory)] = id, id
	return l.memory[:len(moves)]
}

func mark(memory []uint16, from, id int) {
	for i := from; i < len(memory); i++ {
		memory[i] = uint16(overwritten<<12 | id)
	}
}

// Overwritten returns the places of the list that a move belonged to and of the one that overwrote
// it, or "" for other moves.
func Overwritten(move uint16) string {
	if move>>12 != overwritten {
		return ""
	}
	lists.Lock()
	defer lists.Unlock()
	l := &lists.recent[move&(1<<12-1)]
	return fmt.Sprintf(": it was read from the list of %s, which the list of %s has overwritten", l.before, l.place)
}
