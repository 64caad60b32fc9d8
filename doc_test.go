package fianchetto_test

import (
	"fmt"

	"github.com/fianchetto-chess/fianchetto"
)

// An engine lists moves into memory of its own and keeps each position as a value.
func Example() {
	pos, err := fianchetto.ParseFEN("7k/8/6KP/8/8/8/8/R7 w - - 0 1")
	if err != nil {
		fmt.Println(err) // field and offset of the first problem, or every reason why it cannot be played
		return
	}
	var buffer [256]fianchetto.Move
	for _, m := range pos.AppendLegal(buffer[:0]) { // no illegal move, no allocation
		if next := pos.After(m); pos.GivesCheck(m) {
			fmt.Println(pos.UCI(m), next.IsCheckmate(), next.CountLegal())
		}
	}
	// Output:
	// a1a8 true 0
}
