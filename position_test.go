package fianchetto_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// reflections are the ways to mirror a position, and what becomes of a piece.
var reflections = []struct {
	name    string
	mirror  func(*fianchetto.Position) fianchetto.Position
	square  func(fianchetto.Square) fianchetto.Square
	recolor bool
	castles bool // castling stays what it was
}{
	{"FlipColors", (*fianchetto.Position).FlipColors, fianchetto.Square.FlipRank, true, true},
	{"FlipHorizontal", (*fianchetto.Position).FlipHorizontal, fianchetto.Square.FlipFile, false, false},
}

// TestReflections puts each piece where it belongs, reads the result back from its FEN, and counts moves two plies down.
func TestReflections(t *testing.T) {
	t.Parallel()
	counted := 0
	for _, fen := range testFENs() {
		p := fianchetto.MustParseFEN(fen)
		for _, r := range reflections {
			mirrored := r.mirror(&p)
			for s := bitboard.A1; s <= bitboard.H8; s++ {
				want := p.PieceAt(s)
				if r.recolor && want != fianchetto.NoPiece {
					want = bitboard.PieceOf(want.Color().Opponent(), want.Type())
				}
				if got := mirrored.PieceAt(r.square(s)); got != want {
					t.Fatalf("%v: %s has %v on %v, want %v", p, r.name, got, r.square(s), want)
				}
			}
			if (mirrored.SideToMove() != p.SideToMove()) != r.recolor {
				t.Fatalf("%v: %s leaves %v to move", p, r.name, mirrored.SideToMove())
			}
			read := fianchetto.MustParseFEN(mirrored.FEN())
			if read.WithChess960(p.IsChess960()) != mirrored {
				t.Fatalf("%v: %s gives %v, read again it is another position", p, r.name, mirrored)
			}
			if twice := r.mirror(&mirrored); r.castles && twice != p || twice.Occupancy() != p.Occupancy() {
				t.Fatalf("%v: %s twice gives %v", p, r.name, twice)
			}
			if hasRights(&p) && !r.castles {
				if hasRights(&mirrored) {
					t.Fatalf("%v: %s keeps castling rights", p, r.name)
				}
				continue
			}
			if got, want := count(t, mirrored), count(t, p); got != want {
				t.Fatalf("%v: %d after two plies, %s gives %v, %d", p, want, r.name, mirrored, got)
			}
			counted++
		}
	}
	t.Logf("%d trees counted", counted)
}

func hasRights(p *fianchetto.Position) bool {
	return p.CastlingRooks(fianchetto.White)|p.CastlingRooks(fianchetto.Black) != 0
}

func count(t *testing.T, p fianchetto.Position) uint64 {
	t.Helper()
	n, err := perft.Count(p, 2)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestExchangesAreWorthTheSameWithColorsFlipped evaluates each capture and its image.
func TestExchangesAreWorthTheSameWithColorsFlipped(t *testing.T) {
	for game := range 20 {
		random := rand.New(rand.NewPCG(8, uint64(game)))
		p := fianchetto.StartPosition()
		for range 80 {
			flipped := p.FlipColors()
			moves := p.AppendLegal(nil)
			for _, m := range moves {
				image := fianchetto.NewMove(m.From().FlipRank(), m.To().FlipRank(), m.Kind())
				if p.SEE(m) != flipped.SEE(image) || p.GivesCheck(m) != flipped.GivesCheck(image) {
					t.Fatalf("%v: %v is worth %d, its image %d", p, m, p.SEE(m), flipped.SEE(image))
				}
			}
			if len(moves) == 0 {
				break
			}
			p = p.After(moves[random.IntN(len(moves))])
		}
	}
}

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
