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

func TestDraw(t *testing.T) {
	for fen, want := range map[string]string{
		"rnbqkbnr/pppp1ppp/8/8/3pP3/8/PPP2PPP/RNBQKBNR b KQkq e3 0 3": `  a b c d e f g h
8 r n b q k b n r 8
7 p p p p . p p p 7
6 . . . . . . . . 6
5 . . . . . . . . 5
4 . . . p P . . . 4
3 . . . . . . . . 3
2 P P P . . P P P 2
1 R N B Q K B N R 1
  a b c d e f g h

move 3, black to move
castling KQkq, en passant e3, halfmove clock 0
`,
		"8/8/8/8/4k3/8/3K1n2/4r3 w - - 12 71": `  a b c d e f g h
8 . . . . . . . . 8
7 . . . . . . . . 7
6 . . . . . . . . 6
5 . . . . . . . . 5
4 . . . . k . . . 4
3 . . . . . . . . 3
2 . . . K . n . . 2
1 . . . . r . . . 1
  a b c d e f g h

move 71, white to move
castling -, en passant -, halfmove clock 12
`,
		"4k3/8/8/8/8/5n2/8/4K2r w - - 1 9": `  a b c d e f g h
8 . . . . k . . . 8
7 . . . . . . . . 7
6 . . . . . . . . 6
5 . . . . . . . . 5
4 . . . . . . . . 4
3 . . . . . n . . 3
2 . . . . . . . . 2
1 . . . . K . . r 1
  a b c d e f g h

move 9, white to move, in check from h1 and f3
castling -, en passant -, halfmove clock 1
`,
	} {
		p := fianchetto.MustParseFEN(fen)
		if got := p.Draw(); got != want {
			t.Errorf("%q is drawn as\n%s\nwant\n%s", fen, got, want)
		}
	}
}
