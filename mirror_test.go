package fianchetto_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// reflections are the ways to mirror a position, and what becomes of a man.
var reflections = []struct {
	name    string
	mirror  func(*fianchetto.Position) fianchetto.Position
	square  func(fianchetto.Square) fianchetto.Square
	recolor bool
	castles bool // castling stays what it was
}{
	{"FlipColors", (*fianchetto.Position).FlipColors, fianchetto.Square.FlipRank, true, true},
	{"MirrorFiles", (*fianchetto.Position).MirrorFiles, fianchetto.Square.FlipFile, false, false},
	{"Rotate", (*fianchetto.Position).Rotate, func(s fianchetto.Square) fianchetto.Square { return 63 - s }, true, false},
}

// TestReflections puts each man where it belongs, reads the result back from its FEN, and counts moves two plies down.
func TestReflections(t *testing.T) {
	t.Parallel()
	counted := 0
	for _, c := range suites(t) {
		p := fianchetto.MustParseFEN(c.FEN)
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
