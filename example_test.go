package fianchetto_test

import (
	"errors"
	"fmt"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// An engine lists moves into memory of its own and keeps each position as a value.
func Example() {
	pos, err := fianchetto.ParseFEN("7k/8/6KP/8/8/8/8/R7 w - - 0 1")
	if err != nil {
		fmt.Println(err) // field and offset of the first problem, or every reason why it cannot be played
		return
	}
	var buffer [256]fianchetto.Move
	for _, m := range pos.AppendLegal(buffer[:0]) { // no illegal move, no allocation
		if next := pos.After(m); pos.GivesCheck(m) {
			fmt.Println(pos.UCI(m), next.IsCheckmate(), next.CountLegal())
		}
	}
	// Output:
	// a1a8 true 0
}

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

// A text that is not a FEN is refused at its first problem.
func ExampleParseFEN_syntax() {
	_, err := fianchetto.ParseFEN("rnbqkbnr/pppppppp/8/8/8/9/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
	fmt.Println(err)

	var problem *fianchetto.PositionProblem
	if errors.As(err, &problem) {
		fmt.Println(problem.Field, problem.Offset)
	}
	// Output:
	// fianchetto: FEN "rnbqkbnr/pppppppp/8/8/8/9/PPPPPPPP/RNBQKBNR w KQkq - 0 1": placement at offset 24: invalid placement character: "9" (want PNBRQKpnbrqk, 1-8 or /)
	// placement 24
}

// A position that cannot be played from is refused with all its problems.
func ExampleParseFEN_unplayable() {
	_, err := fianchetto.ParseFEN("4k2P/8/8/8/8/8/8/R3K3 w KQ - 0 1")
	var unplayable *fianchetto.PositionError
	if errors.As(err, &unplayable) {
		for _, problem := range unplayable.Problems {
			fmt.Println(problem.Field, problem.Offset, problem.Err)
		}
	}
	fmt.Println(errors.Is(err, fianchetto.ErrCastlingRights), errors.Is(err, fianchetto.ErrKingCount))
	// Output:
	// placement 3 pawn on the first or last rank: h8
	// castling 24 castling right without its king and rook: K has no white king and rook
	// true false
}

// X-FEN says K for the outermost rook; a rook with the right that is not the outermost goes by its
// file. In Chess960 all go by their files.
func ExamplePosition_FEN() {
	pos := fianchetto.MustParseFEN("4k3/8/8/8/8/8/8/RR2K1RR w GQ - 0 1")
	fmt.Println(pos.IsChess960(), pos.FEN())
	fmt.Println(pos.WithChess960(false).FEN())
	// Output:
	// true 4k3/8/8/8/8/8/8/RR2K1RR w GA - 0 1
	// 4k3/8/8/8/8/8/8/RR2K1RR w GQ - 0 1
}

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
	// fianchetto: move "e8g8" at offset 2: illegal move: castling path: the bishop on f8 stands in the way of the king from e8 to g8 (r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1 b kq - 5 4)
}

func ExamplePosition_UCI() {
	pos := fianchetto.MustParseFEN("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
	m := pos.MoveBetween(bitboard.E1, bitboard.G1, fianchetto.NoPieceType)
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
	// more than sixteen pieces on one side: white has 17
	// more promoted pieces than missing pawns: white has 1, and 8 pawns
	// 43 legal moves all the same
}

// A search tries captures first, and lists the quiet moves only if none of them was good enough.
func ExamplePosition_AppendCaptures() {
	pos := fianchetto.MustParseFEN("r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4")
	var buffer [256]fianchetto.Move
	moves := pos.AppendCaptures(buffer[:0])
	for _, m := range moves {
		next := pos.After(m)
		fmt.Println(pos.UCI(m), next.IsCheckmate())
	}
	captures := len(moves)
	moves = pos.AppendQuiets(moves)
	fmt.Println(captures, "captures,", len(moves)-captures, "quiet moves")
	// Unordered output:
	// c4f7 false
	// h5e5 false
	// h5f7 true
	// h5h7 false
	// 4 captures, 39 quiet moves
}

// Each move of the knight opens the file; from d6 and f6 it gives check itself as well.
func ExampleGenerator_AppendQuietChecks() {
	pos := fianchetto.MustParseFEN("4k3/8/8/8/4N3/8/8/4R1K1 w - - 0 1")
	var g fianchetto.Generator
	g.Reset(&pos)
	for _, m := range g.AppendQuietChecks(nil) {
		fmt.Println(pos.SAN(m))
	}
	// Unordered output:
	// Nd2+
	// Nf2+
	// Nc3+
	// Ng3+
	// Nc5+
	// Ng5+
	// Nd6+
	// Nf6+
}

// All captures of one piece, here the queen on e4.
func ExampleGenerator_AppendMoves() {
	pos := fianchetto.MustParseFEN("4k3/4p3/6b1/1p6/N3q2p/8/4P3/4K3 b - - 0 1")
	var g fianchetto.Generator
	g.Reset(&pos)
	for _, m := range g.AppendMoves(nil, bitboard.E4.Bitboard(), pos.ByColor(fianchetto.White)) {
		fmt.Println(pos.UCI(m))
	}
	// Unordered output:
	// e4a4
	// e4e2
}

// The pinned rook stays on its file.
func ExamplePosition_Targets() {
	pos := fianchetto.MustParseFEN("4r1k1/8/8/8/8/4R3/8/4K3 w - - 0 1")
	fmt.Println(pos.Diagram().With(pos.Targets(bitboard.E3), '*'))
	// Output:
	// . . . . * . k .
	// . . . . * . . .
	// . . . . * . . .
	// . . . . * . . .
	// . . . . * . . .
	// . . . . R . . .
	// . . . . * . . .
	// . . . . K . . .
}

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
	// true fianchetto: move "Bb3" at offset 1: illegal move: movement: a bishop does not move from c8 to b3; movement: a bishop does not move from f8 to b3 (r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1 b kq - 5 4)
}

// The error of a text that fits several legal moves has all of them.
func ExamplePosition_ParseSAN_ambiguous() {
	pos := fianchetto.MustParseFEN("7k/8/4B3/8/4B3/8/8/7K w - - 0 1") // both bishops stand on light squares
	_, err := pos.ParseSAN("Bd5")
	var ambiguous *fianchetto.MoveError
	if errors.As(err, &ambiguous) {
		for _, m := range ambiguous.Candidates {
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
		fmt.Println(pos.SAN(m), pos.LAN(m))
	}
	// Output:
	// exf8=Q+ e7xf8=Q+
	// e8=N e7-e8=N
	// O-O-O O-O-O
	// Ra8 Ra1-a8
}

// A castling goes to the square of its rook, and en passant to an empty square: IsCapture knows
// both.
func ExamplePosition_IsCapture() {
	pos := fianchetto.MustParseFEN("4k3/8/8/3pP3/8/8/8/4K2R w K d6 0 1")
	for m := range pos.LegalMoves() {
		if m.Kind() == fianchetto.Castling || m.Kind() == fianchetto.EnPassant {
			fmt.Println(pos.SAN(m), pos.PieceAt(m.To()) != fianchetto.NoPiece, pos.IsCapture(m), pos.Captured(m))
		}
	}
	// Unordered output:
	// O-O true false none
	// exd6 false true pawn
}

// A promotion that captures: the pawn is removed, the queen is put, and the knight is removed.
func ExamplePosition_Changes() {
	pos := fianchetto.MustParseFEN("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1")
	m := fianchetto.NewMove(bitboard.A7, bitboard.B8, fianchetto.PromoteQueen)
	changes, n := pos.Changes(m)
	for _, c := range changes[:n] {
		fmt.Println(c.Piece, c.From, c.To)
	}
	// Output:
	// P a7 -
	// Q - b8
	// n b8 -
}

// One generator for each ply: here the captures are listed first, and the quiet moves after them.
func ExampleGenerator() {
	pos := fianchetto.MustParseFEN("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
	var g fianchetto.Generator
	g.Reset(&pos)
	moves := g.AppendNoisy(make([]fianchetto.Move, 0, fianchetto.MaxMoves))
	noisy := len(moves)
	moves = g.AppendQuiets(moves)
	fmt.Println(noisy, len(moves), g.InCheck(), g.IsLegal(moves[0]), g.GivesCheck(moves[0]))
	// Output: 8 48 false true false
}

// The knight is pinned by the bishop (x); the rook's own pawn hides its check (*).
func ExamplePosition_DiscoveredCheckCandidates() {
	pos := fianchetto.MustParseFEN("4k3/8/8/4P3/1b6/2N5/4R3/4K3 w - - 0 1")
	fmt.Println(pos.Diagram().With(pos.Pinners(fianchetto.White),
		'x').With(pos.DiscoveredCheckCandidates(fianchetto.White), '*'))
	// Output:
	// . . . . k . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . * . . .
	// . x . . . . . .
	// . . N . . . . .
	// . . . . R . . .
	// . . . . K . . .
}

// A pin is a line: what stands between the king and the pinner, and where the pinned piece may go.
func ExamplePosition_Pinners() {
	pos := fianchetto.MustParseFEN("4k3/8/8/b7/8/2B5/8/4K3 w - - 0 1")
	for pinners := pos.Pinners(fianchetto.White); pinners != 0; {
		pinner, king := pinners.Pop(), pos.King(fianchetto.White)
		pinned := bitboard.Between(king, pinner) & pos.Pinned(fianchetto.White)
		fmt.Printf("%v pins %v: it may go to\n", pinner, pinned.First())
		fmt.Println((bitboard.Between(king, pinner) &^ pinned).With(pinner))
	}
	// Output:
	// a5 pins c3: it may go to
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// 1 . . . . . . .
	// . 1 . . . . . .
	// . . . . . . . .
	// . . . 1 . . . .
	// . . . . . . . .
}

// A list may be kept from node to node: moves are appended to it, and nothing is allocated once it
// is long enough.
func ExamplePosition_AppendLegal() {
	pos := fianchetto.StartPosition()
	var buffer [256]fianchetto.Move
	moves := pos.AppendLegal(buffer[:0])
	fmt.Println(len(moves))
	// Output:
	// 20
}

// After returns a new position; the old one is the undo.
func ExamplePosition_After() {
	pos := fianchetto.MustParseFEN("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1")
	next := pos.After(fianchetto.NewMove(bitboard.D1, bitboard.D8, fianchetto.RookMove))
	fmt.Println(next.IsCheckmate(), pos.IsCheckmate())
	// Output:
	// true false
}

// A search keeps a position for each ply and makes a move from one into the next: there is nothing
// to undo.
func ExamplePosition_CopyMake() {
	var plies [3]fianchetto.Position
	plies[0] = fianchetto.StartPosition()
	count := 0
	var buffer [256]fianchetto.Move
	for _, m := range plies[0].AppendLegal(buffer[:0]) {
		plies[0].CopyMake(&plies[1], m)
		count += plies[1].CountLegal()
	}
	fmt.Println(count)
	// Output:
	// 400
}

// Make returns what Unmake needs.
func ExamplePosition_Make() {
	pos := fianchetto.StartPosition()
	before := pos
	m := fianchetto.NewMove(bitboard.E2, bitboard.E4, fianchetto.DoublePush)
	undo := pos.Make(m)
	fmt.Println(pos.FEN())
	pos.Unmake(undo)
	fmt.Println(pos == before)
	// Output:
	// rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1
	// true
}

// A null move passes. It is possible unless the side to move is in check.
func ExamplePosition_Null() {
	pos := fianchetto.StartPosition()
	if !pos.InCheck() {
		next := pos.Null()
		fmt.Println(next.FEN())
	}
	// Output:
	// rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 1 1
}

// A move from a hash table may belong to another position with the same index: any 16 bits may be
// asked.
func ExamplePosition_IsLegal() {
	pos := fianchetto.StartPosition()
	fmt.Println(pos.IsLegal(fianchetto.NewMove(bitboard.G1, bitboard.F3, fianchetto.KnightMove)))
	fmt.Println(pos.IsLegal(fianchetto.NewMove(bitboard.E1, bitboard.E2, fianchetto.KingMove)), pos.IsLegal(0xffff))
	// Output:
	// true
	// false false
}

// The key after a move is known before it is made.
// A killer is a quiet move that was good in another position. Here the knight would capture.
func ExamplePosition_IsLegalQuiet() {
	killer := fianchetto.NewMove(bitboard.G1, bitboard.F3, fianchetto.KnightMove)
	pos := fianchetto.StartPosition()
	fmt.Println(pos.IsLegal(killer), pos.IsLegalQuiet(killer))
	pos = fianchetto.MustParseFEN("4k3/8/8/8/8/5b2/8/4K1N1 w - - 0 1")
	fmt.Println(pos.IsLegal(killer), pos.IsLegalQuiet(killer))
	// Output:
	// true true
	// true false
}

// A history by side, piece and target. A castling has the entry of the king's move to g1.
func ExampleMove_PieceTo() {
	var history [2][6 * 64]int
	pos := fianchetto.MustParseFEN("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
	castling := fianchetto.NewMove(bitboard.E1, bitboard.H1, fianchetto.Castling)
	history[pos.SideToMove()][castling.PieceTo()] += 100
	king := fianchetto.NewMove(bitboard.F1, bitboard.G1, fianchetto.KingMove)
	fmt.Println(king.PieceTo(), history[fianchetto.White][king.PieceTo()])
	// Output: 326 100
}

func ExamplePosition_KeyAfter() {
	pos := fianchetto.StartPosition()
	m := fianchetto.NewMove(bitboard.G1, bitboard.F3, fianchetto.KnightMove)
	next := pos.After(m)
	fmt.Println(pos.KeyAfter(m) == next.Key())
	// Output:
	// true
}

// The position command of UCI is read with its moves, so that repetitions are known.
func ExampleParseUCIPosition() {
	game, err := fianchetto.ParseUCIPosition("position startpos moves g1f3 g8f6 f3g1 f6g8", false)
	if err != nil {
		fmt.Println(err)
		return
	}
	pos := game.Position()
	fmt.Println(pos.FEN(), game.History().Repetitions(&pos))
	// Output:
	// rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 4 3 1
}

// For a search, a position that repeats one of its own is a draw at once; one that repeats a
// position of the game is not.
func ExampleHistory_SetRoot() {
	game, err := fianchetto.ParseUCIPosition("position startpos moves g1f3 g8f6 f3g1 f6g8", false)
	if err != nil {
		fmt.Println(err)
		return
	}
	history, pos := game.History(), game.Position()
	history.SetRoot()
	fmt.Println("before the search:", history.IsRepetition(&pos))
	for _, text := range []string{"b1c3", "b8c6", "c3b1", "c6b8"} {
		m, err := pos.ParseUCI(text)
		if err != nil {
			fmt.Println(err)
			return
		}
		history.Push(&pos)
		pos = pos.After(m)
	}
	fmt.Println("repeated within the search:", history.IsRepetition(&pos))
	// Output:
	// before the search: false
	// repeated within the search: true
}

// Each function that returns a set of squares, drawn on the board: an asterisk marks a square of
// the set.

// All pieces of both colours that attack d5, pinned or not.
func ExamplePosition_AttackersTo() {
	pos := fianchetto.MustParseFEN("3r3k/8/2n5/3p4/4P3/2N5/6B1/3R3K w - - 0 1")
	fmt.Printf("%v\n\n%v\n", pos.Diagram(), pos.Diagram().With(pos.AttackersTo(bitboard.D5, pos.Occupancy()), '*'))
	// Output:
	// . . . r . . . k
	// . . . . . . . .
	// . . n . . . . .
	// . . . p . . . .
	// . . . . P . . .
	// . . N . . . . .
	// . . . . . . B .
	// . . . R . . . K
	//
	// . . . * . . . k
	// . . . . . . . .
	// . . n . . . . .
	// . . . p . . . .
	// . . . . * . . .
	// . . * . . . . .
	// . . . . . . B .
	// . . . * . . . K
}

// The squares that White attacks, with the squares of the pieces that it defends.
func ExamplePosition_Attacks() {
	pos := fianchetto.MustParseFEN("4k3/8/8/3p4/8/4P3/3P4/R3K3 w - - 0 1")
	fmt.Printf("%v\n\n%v\n", pos.Diagram(), pos.Diagram().With(pos.Attacks(fianchetto.White), '*'))
	// Output:
	// . . . . k . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . p . . . .
	// . . . . . . . .
	// . . . . P . . .
	// . . . P . . . .
	// R . . . K . . .
	//
	// * . . . k . . .
	// * . . . . . . .
	// * . . . . . . .
	// * . . p . . . .
	// * . . * . * . .
	// * . * . * . . .
	// * . . * * * . .
	// R * * * * * . .
}

// The squares that the rook attacks: on c4 it defends a pawn, on e7 it attacks one.
func ExamplePosition_AttacksFrom() {
	pos := fianchetto.MustParseFEN("4k3/4p3/8/8/2P1R3/8/8/4K3 w - - 0 1")
	fmt.Printf("%v\n\n%v\n", pos.Diagram(), pos.Diagram().With(pos.AttacksFrom(bitboard.E4), '*'))
	// Output:
	// . . . . k . . .
	// . . . . p . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . P . R . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . K . . .
	//
	// . . . . k . . .
	// . . . . * . . .
	// . . . . * . . .
	// . . . . * . . .
	// . . * * R * * *
	// . . . . * . . .
	// . . . . * . . .
	// . . . . * . . .
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

// A double check: the knight has opened the file of the rook.
func ExamplePosition_Checkers() {
	pos := fianchetto.MustParseFEN("4k3/8/3N4/8/8/8/8/4R1K1 b - - 0 1")
	fmt.Print(pos.Draw())
	fmt.Println(pos.Diagram().With(pos.Checkers(), '*'))
	// Output:
	//   a b c d e f g h
	// 8 . . . . k . . . 8
	// 7 . . . . . . . . 7
	// 6 . . . N . . . . 6
	// 5 . . . . . . . . 5
	// 4 . . . . . . . . 4
	// 3 . . . . . . . . 3
	// 2 . . . . . . . . 2
	// 1 . . . . R . K . 1
	//   a b c d e f g h
	//
	// move 1, black to move, in check from e1 and d6
	// castling -, en passant -, halfmove clock 0
	// . . . . k . . .
	// . . . . . . . .
	// . . . * . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . * . K .
}

// A knight of White would give check from these squares.
func ExamplePosition_CheckSquares() {
	pos := fianchetto.MustParseFEN("6k1/8/8/8/8/5N2/8/4K3 w - - 0 1")
	fmt.Printf("%v\n\n%v\n", pos.Diagram(), pos.Diagram().With(pos.CheckSquares(fianchetto.Knight), '*'))
	// Output:
	// . . . . . . k .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . N . .
	// . . . . . . . .
	// . . . . K . . .
	//
	// . . . . . . k .
	// . . . . * . . .
	// . . . . . * . *
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . N . .
	// . . . . . . . .
	// . . . . K . . .
}

// The knight is pinned by the bishop, the pawn by the rook.
func ExamplePosition_Pinned() {
	pos := fianchetto.MustParseFEN("4k3/8/8/b7/8/2N5/3K2Pr/8 w - - 0 1")
	fmt.Printf("%v\n\n%v\n", pos.Diagram(), pos.Diagram().With(pos.Pinned(fianchetto.White), '*'))
	// Output:
	// . . . . k . . .
	// . . . . . . . .
	// . . . . . . . .
	// b . . . . . . .
	// . . . . . . . .
	// . . N . . . . .
	// . . . K . . P r
	// . . . . . . . .
	//
	// . . . . k . . .
	// . . . . . . . .
	// . . . . . . . .
	// b . . . . . . .
	// . . . . . . . .
	// . . * . . . . .
	// . . . K . . * r
	// . . . . . . . .
}

// The queen gives check from these squares; the pawn is in its way to b8.
func ExamplePosition_SliderChecks() {
	pos := fianchetto.MustParseFEN("4k3/8/8/8/8/1P6/1Q6/4K3 w - - 0 1")
	fmt.Printf("%v\n\n%v\n", pos.Diagram(), pos.Diagram().With(pos.SliderChecks(bitboard.B2), '*'))
	// Output:
	// . . . . k . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . P . . . . . .
	// . Q . . . . . .
	// . . . . K . . .
	//
	// . . . . k . . *
	// . . . . . . . .
	// . . . . . . . .
	// . . . . * . . .
	// . . . . . . . .
	// . P . . . . . .
	// . Q . . * . . .
	// . . . . K . . .
}
