package rules_test

import (
	"fmt"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/rules"
)

func ExampleExplain() {
	pos := fianchetto.MustParseFEN("4k3/8/b7/8/8/8/8/4K2R w K - 0 1")
	verdict := rules.Explain(pos, rules.Proposal{From: bitboard.E1, To: bitboard.G1})
	fmt.Println(verdict)
	// Output: castling through check: f1 is attacked by the bishop on a6
}

func ExampleExplainAfter() {
	root := fianchetto.MustParseFEN("r3k2r/8/8/8/8/8/5n2/R3K2R b KQkq - 0 1")
	takes, err := root.ParseUCI("f2h1")
	if err != nil {
		fmt.Println(err)
	}
	verdict := rules.ExplainAfter(root, []fianchetto.Move{takes}, rules.Proposal{From: bitboard.E1, To: bitboard.G1})
	fmt.Println(verdict)
	// Output: castling right: white has no right to castle on the king's side: f2h1 captured the rook on h1
}
