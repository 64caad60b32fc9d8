package fianchetto_test

import (
	"encoding"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/difftest"
	"github.com/fianchetto-chess/fianchetto/internal/positions"
)

func TestMain(m *testing.M) { difftest.Main(m) }

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

// TestNormalized checks the forms of random positions that leave out what does not distinguish
// them.
func TestNormalized(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	kept, dropped := 0, 0
	for kept < 50 || dropped < 500 {
		pos, err := fianchetto.ParseFEN(positions.Random(random))
		if err != nil || !pos.EnPassant().IsValid() {
			continue
		}
		captures := slices.ContainsFunc(pos.AppendLegal(nil), func(m fianchetto.Move) bool {
			return m.Kind() == fianchetto.EnPassant
		})
		without, legal, normalized := pos.WithoutEnPassant(), pos.WithLegalEnPassant(), pos.Normalized()
		fields := strings.Fields(pos.FEN())
		fields[3] = "-"
		want := without
		if dropped++; captures {
			kept, want = kept+1, pos
		}
		if without.FEN() != strings.Join(fields, " ") || legal != want {
			t.Fatalf("%s: without en passant %s, with a legal one %s (captures: %v)", pos, without, legal, captures)
		}
		later := fianchetto.MustParseFEN(strings.Join(append(strings.Fields(legal.FEN())[:4], "7", "9"), " "))
		if normalized != later.WithChess960(true).Normalized() || normalized.HalfmoveClock() != 0 ||
			normalized.FullmoveNumber() != 1 || normalized.IsChess960() ||
			!slices.Equal(normalized.AppendLegal(nil), pos.AppendLegal(nil)) {
			t.Fatalf("%s is normalized to %s", pos, normalized)
		}
	}
}

var (
	_ encoding.BinaryAppender    = fianchetto.Position{}
	_ encoding.BinaryMarshaler   = fianchetto.Position{}
	_ encoding.BinaryUnmarshaler = (*fianchetto.Position)(nil)
	_ encoding.TextAppender      = fianchetto.Position{}
	_ encoding.TextMarshaler     = fianchetto.Position{}
	_ encoding.TextUnmarshaler   = (*fianchetto.Position)(nil)
	_ encoding.TextMarshaler     = fianchetto.NoMove
)

// The FEN of a position keeps the en-passant square after every double push. Other programs leave
// it out unless a capture is possible.
func ExamplePosition_WithLegalEnPassant() {
	var game fianchetto.Game
	if err := game.PlaySAN("e4"); err != nil {
		fmt.Println(err)
	}
	pos := game.Position()
	fmt.Println(pos.FEN())
	fmt.Println(pos.WithLegalEnPassant().FEN())
	// Output:
	// rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1
	// rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1
}

func ExamplePosition_Pretty() {
	pos := fianchetto.MustParseFEN("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3")
	fmt.Print(pos.Pretty())
	fmt.Println("checkmate:", pos.IsCheckmate())
	// Output:
	//   a b c d e f g h
	// 8 r n b . k b n r 8
	// 7 p p p p . p p p 7
	// 6 . . . . . . . . 6
	// 5 . . . . p . . . 5
	// 4 . . . . . . P q 4
	// 3 . . . . . P . . 3
	// 2 P P P P P . . P 2
	// 1 R N B Q K B N R 1
	//   a b c d e f g h
	//
	// move 3, white to move, in check from h4
	// castling KQkq, en passant -, halfmove clock 1
	// checkmate: true
}

// The squares where a knight would give check, marked on the pieces of the board.
func ExamplePosition_Diagram() {
	pos := fianchetto.MustParseFEN("4k3/8/8/3N4/8/8/8/4K3 w - - 0 1")
	fmt.Println(pos.Diagram().With(pos.CheckSquares(fianchetto.Knight), '*'))
	// Output:
	// . . . . k . . .
	// . . * . . . * .
	// . . . * . * . .
	// . . . N . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . K . . .
}

// The pieces of Black.
func ExamplePosition_ByColor() {
	pos := fianchetto.MustParseFEN("r3k3/2p5/8/8/8/8/2P5/R3K3 w - - 0 1")
	fmt.Printf("%v\n\n%v\n", pos.Diagram(), pos.Diagram().With(pos.ByColor(fianchetto.Black), '*'))
	// Output:
	// r . . . k . . .
	// . . p . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . P . . . . .
	// R . . . K . . .
	//
	// * . . . * . . .
	// . . * . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . P . . . . .
	// R . . . K . . .
}

// The rooks of both colours.
func ExamplePosition_ByType() {
	pos := fianchetto.MustParseFEN("r3k3/2p5/8/8/8/8/2P5/R3K3 w - - 0 1")
	fmt.Printf("%v\n\n%v\n", pos.Diagram(), pos.Diagram().With(pos.ByType(fianchetto.Rook), '*'))
	// Output:
	// r . . . k . . .
	// . . p . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . P . . . . .
	// R . . . K . . .
	//
	// * . . . k . . .
	// . . p . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . P . . . . .
	// * . . . K . . .
}

// The pawns of White.
func ExamplePosition_Pieces() {
	pos := fianchetto.MustParseFEN("r3k3/2p5/8/8/8/8/2P5/R3K3 w - - 0 1")
	fmt.Printf("%v\n\n%v\n", pos.Diagram(), pos.Diagram().With(pos.Pieces(fianchetto.White, fianchetto.Pawn), '*'))
	// Output:
	// r . . . k . . .
	// . . p . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . P . . . . .
	// R . . . K . . .
	//
	// r . . . k . . .
	// . . p . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . * . . . . .
	// R . . . K . . .
}

// All pieces.
func ExamplePosition_Occupancy() {
	pos := fianchetto.MustParseFEN("r3k3/2p5/8/8/8/8/2P5/R3K3 w - - 0 1")
	fmt.Printf("%v\n\n%v\n", pos.Diagram(), pos.Diagram().With(pos.Occupancy(), '*'))
	// Output:
	// r . . . k . . .
	// . . p . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . P . . . . .
	// R . . . K . . .
	//
	// * . . . * . . .
	// . . * . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . * . . . . .
	// * . . . * . . .
}

// White may still castle with the rook on h1, not with that on a1.
func ExamplePosition_CastlingRooks() {
	pos := fianchetto.MustParseFEN("r3k2r/8/8/8/8/8/8/R3K2R w Kkq - 0 1")
	fmt.Printf("%v\n\n%v\n", pos.Diagram(), pos.Diagram().With(pos.CastlingRooks(fianchetto.White), '*'))
	// Output:
	// r . . . k . . r
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// R . . . K . . R
	//
	// r . . . k . . r
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// R . . . K . . *
}
