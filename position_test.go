package fianchetto_test

import (
	"fmt"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
)

// After 1. e4 it is Black's turn; with the colours flipped it is White's turn against e5.
func ExamplePosition_FlipColors() {
	pos := fianchetto.MustParseFEN("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1")
	flipped := pos.FlipColors()
	fmt.Println(flipped)
	fmt.Println(flipped.Diagram())
	// Output:
	// rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq e6 0 1
	// r n b q k b n r
	// p p p p . p p p
	// . . . . . . . .
	// . . . . p . . .
	// . . . . . . . .
	// . . . . . . . .
	// P P P P P P P P
	// R N B Q K B N R
}

func TestSets(t *testing.T) {
	for _, fen := range testFENs() {
		pos := fianchetto.MustParseFEN(fen)
		for c, sets := range pos.Sets() {
			for i, got := range sets {
				want := pos.ByColor(fianchetto.Color(c))
				if i > 0 {
					want = pos.Pieces(fianchetto.Color(c), fianchetto.PieceType(i))
				}
				if got != want {
					t.Fatalf("%v: set %d, %d is\n%v, want\n%v", pos, c, i, got, want)
				}
			}
		}
	}
}
