package perft_test

import (
	"fmt"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/perft"
)

func ExampleCount() {
	nodes, err := perft.Count(fianchetto.StartPosition(), 5)
	fmt.Println(nodes, err)
	// Output: 4865609 <nil>
}

// Two counts that differ are followed down the move that they differ for.
func ExampleDivide() {
	pos := fianchetto.MustParseFEN("8/8/8/8/8/5k2/6p1/7K w - - 0 1")
	counts, err := perft.Divide(pos, 2)
	if err != nil {
		fmt.Println(err)
	}
	for _, c := range counts {
		fmt.Printf("%s: %d\n", pos.UCI(c.Move), c.Nodes)
	}
	// Output:
	// h1g1: 6
	// h1h2: 10
}
