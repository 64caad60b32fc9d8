package fianchetto_test

import (
	"errors"
	"fmt"

	"github.com/fianchetto-chess/fianchetto"
)

// The error of a refused move has the rule to switch on, the sentence, and the squares to mark.
func ExampleMoveError() {
	pos := fianchetto.MustParseFEN("4k3/8/8/8/7b/6N1/8/4K3 w - - 0 1")
	_, err := pos.ParseSAN("Nf5")
	var refusal *fianchetto.MoveError
	if errors.As(err, &refusal) && refusal.Reasons[0].Rule == "pin" {
		fmt.Println(refusal.Reasons[0].Reason)
		fmt.Println(pos.Diagram().With(refusal.Reasons[0].Squares, '*'))
	}
	// Output:
	// the knight on g3 is pinned to the king on e1 by the bishop on h4
	// . . . . k . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . *
	// . . . . . . * .
	// . . . . . . . .
	// . . . . * . . .
}
