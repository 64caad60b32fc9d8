package perft_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

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

// A run with a journal goes on where the one before it stopped; here that one was at its end.
func ExampleOptions_journal() {
	directory, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
	}
	defer os.RemoveAll(directory)
	options := perft.Options{Journal: filepath.Join(directory, "journal")}
	for range 2 {
		result, err := perft.Run(context.Background(), fianchetto.StartPosition(), 6, options)
		fmt.Println(result.Nodes, err, "resumed", result.Resumed, "of", result.Tasks, "tasks")
	}
	// Output:
	// 119060324 <nil> resumed 0 of 400 tasks
	// 119060324 <nil> resumed 400 of 400 tasks
}
