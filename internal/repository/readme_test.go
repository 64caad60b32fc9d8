package repository

import (
	"fmt"

	"github.com/fianchetto-chess/fianchetto"
)

// The code of README.md: TestPagesAreTested compares the two.

func Example_mate() {
	pos, err := fianchetto.ParseFEN("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1")
	if err != nil {
		fmt.Println(err) // field and offset of the first problem, or every reason why it cannot be played
		return
	}
	var buffer [256]fianchetto.Move
	for _, m := range pos.AppendLegal(buffer[:0]) { // legal moves only, and no allocation
		if next := pos.After(m); next.IsCheckmate() { // a value of 80 bytes; pos is the undo
			fmt.Println(pos.SAN(m))
			fmt.Println(next.Diagram())
		}
	}
	// Output:
	// Rd8#
	// . . . R . . k .
	// . . . . . p p p
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . P P P
	// . . . . . . K .
}
