package fianchetto_test

import (
	"errors"
	"fmt"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// People leave out, and add, what they like; one legal move must fit.
func ExamplePosition_ParseSAN() {
	pos := fianchetto.StartPosition()
	for _, text := range []string{"e4", "e7-e5", "♘f3", "Nb8c6", "Bc4!", "Nf6?!", "0-0"} {
		m, err := pos.ParseSAN(text)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(pos.SAN(m))
		pos = pos.After(m)
	}

	_, err := pos.ParseSAN("Bb3")
	fmt.Println(errors.Is(err, fianchetto.ErrIllegalMove), err)
	// Output:
	// e4
	// e5
	// Nf3
	// Nc6
	// Bc4
	// Nf6
	// O-O
	// true fianchetto: move "Bb3" at offset 1: the move is not legal here: black can move no such bishop to b3 (r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1 b kq - 5 4)
}

// A text that fits several legal moves is refused, and says which they are.
func ExamplePosition_ParseSAN_ambiguous() {
	pos := fianchetto.MustParseFEN("7k/8/4B3/8/4B3/8/8/7K w - - 0 1") // both bishops stand on light squares
	_, err := pos.ParseSAN("Bd5")
	var several *fianchetto.AmbiguityError
	if errors.As(err, &several) {
		for _, m := range several.Candidates {
			fmt.Println(pos.SAN(m), "from", m.From())
		}
	}
	// Output:
	// B4d5 from e4
	// B6d5 from e6
}

func ExamplePosition_SAN() {
	pos := fianchetto.MustParseFEN("5rk1/4P3/8/8/8/8/8/R3K3 w Q - 0 1")
	for _, text := range []string{"e7f8q", "e7e8n", "e1c1", "a1a8"} {
		m, err := pos.ParseUCI(text)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(pos.SAN(m), pos.LAN(m), pos.FigurineSAN(m))
	}
	// Output:
	// exf8=Q+ e7xf8=Q+ exf8=♕+
	// e8=N e7-e8=N e8=♘
	// O-O-O O-O-O O-O-O
	// Ra8 Ra1-a8 ♖a8
}

// A bishop goes from a8 to h1, along light squares.
func ExampleMove_Path() {
	m := fianchetto.NewMove(bitboard.A8, bitboard.H1, fianchetto.BishopMove)
	fmt.Println(m.Path())
	fmt.Println(m.From().Color(), m.To().Color(), m.Path().IsSubset(bitboard.LightSquares))
	// Output:
	// . . . . . . . .
	// . 1 . . . . . .
	// . . 1 . . . . .
	// . . . 1 . . . .
	// . . . . 1 . . .
	// . . . . . 1 . .
	// . . . . . . 1 .
	// . . . . . . . .
	// white white true
}
