package fianchetto_test

import (
	"errors"
	"fmt"

	"github.com/fianchetto-chess/fianchetto"
)

func ExampleParseFEN() {
	pos, err := fianchetto.ParseFEN("r3k2r/8/8/8/3pP3/8/8/R3K2R b KQkq e3")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(pos.SideToMove(), "to move, en passant on", pos.EnPassant())
	fmt.Println(pos)
	// Output:
	// black to move, en passant on e3
	// r3k2r/8/8/8/3pP3/8/8/R3K2R b KQkq e3 0 1
}

// A text that is no FEN is refused at its first problem.
func ExampleParseFEN_syntax() {
	_, err := fianchetto.ParseFEN("rnbqkbnr/pppppppp/8/8/8/9/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
	fmt.Println(err)

	var refusal *fianchetto.FENError
	if errors.As(err, &refusal) {
		fmt.Println(refusal.Field, refusal.Offset, refusal.Input[refusal.Offset:refusal.Offset+1])
	}
	// Output:
	// fianchetto: FEN "rnbqkbnr/pppppppp/8/8/8/9/PPPPPPPP/RNBQKBNR w KQkq - 0 1": placement at offset 24: the men are the letters PNBRQKpnbrqk, empty squares the digits 1 to 8
	// placement 24 9
}

// A position that cannot be played from is refused with all its problems.
func ExampleParseFEN_unplayable() {
	_, err := fianchetto.ParseFEN("4k2P/8/8/8/8/8/8/R3K3 w KQ - 0 1")
	var unplayable *fianchetto.UnplayableError
	if errors.As(err, &unplayable) {
		for _, problem := range unplayable.Problems {
			fmt.Println(problem.Field, problem.Offset, problem.Err)
		}
	}
	fmt.Println(errors.Is(err, fianchetto.ErrCastlingRights), errors.Is(err, fianchetto.ErrKingCount))
	// Output:
	// placement 3 no pawn stands on the first or the eighth rank: one is on h8
	// castling 24 a castling right needs king and rook on the back rank, and is one per side of the king: K has no white king and rook
	// true false
}

// X-FEN says K for the outermost rook; a rook with the right that is not the outermost goes by its file. In
// Chess960 all go by their files.
func ExamplePosition_FEN() {
	pos := fianchetto.MustParseFEN("4k3/8/8/8/8/8/8/RR2K1RR w GQ - 0 1")
	fmt.Println(pos.IsChess960(), pos.FEN())
	fmt.Println(pos.WithChess960(false).FEN())
	// Output:
	// true 4k3/8/8/8/8/8/8/RR2K1RR w GA - 0 1
	// 4k3/8/8/8/8/8/8/RR2K1RR w GQ - 0 1
}

func ExamplePosition_Draw() {
	pos := fianchetto.MustParseFEN("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3")
	fmt.Print(pos.Draw())
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

// The squares where a knight would give check, marked on the men of the board.
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

func ExamplePosition_ParseUCI() {
	pos := fianchetto.StartPosition()
	for _, text := range []string{"e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "g8f6", "e1g1"} {
		m, err := pos.ParseUCI(text)
		if err != nil {
			fmt.Println(err)
			return
		}
		pos = pos.After(m)
	}
	fmt.Println(pos)

	_, err := pos.ParseUCI("e8g8")
	fmt.Println(err)
	// Output:
	// r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1 b kq - 5 4
	// fianchetto: move "e8g8" at offset 2: the move is not legal here (r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1 b kq - 5 4)
}

func ExamplePosition_UCI() {
	pos := fianchetto.MustParseFEN("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
	m, err := pos.ParseUCI("e1g1")
	if err != nil {
		fmt.Println(err)
		return
	}
	chess960 := pos.WithChess960(true)
	fmt.Println(pos.UCI(m), chess960.UCI(m))
	// Output: e1g1 e1h1
}

func ExamplePosition_Unreachable() {
	pos := fianchetto.MustParseFEN("4k3/8/8/8/8/QQ6/PPPPPPPP/RNB1KBNR w KQ - 0 1")
	for _, reason := range pos.Unreachable() {
		fmt.Println(reason)
	}
	fmt.Println(pos.CountLegal(), "legal moves all the same")
	// Output:
	// a side has at most sixteen men: white has 17
	// every promoted man costs a pawn: white has 1, and 8 pawns
	// 43 legal moves all the same
}
