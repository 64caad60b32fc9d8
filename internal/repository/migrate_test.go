package repository

import (
	"fmt"
	"math/bits"
	"sort"

	"github.com/dylhunn/dragontoothmg"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// The code of docs/migrate.md, in its order: TestPagesAreTested compares the two.

func Example_castlings() {
	pos := fianchetto.MustParseFEN("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
	m, err := pos.ParseUCI("e1g1") // e1h1 is read as well
	if err != nil {
		fmt.Println(err)
		return
	}
	king, rook := m.CastlingTargets()
	fmt.Println(m.To(), king, rook, pos.UCI(m))
	fmt.Println(pos.PieceAt(m.To()) != fianchetto.NoPiece, pos.IsCapture(m))
	// Output:
	// h1 g1 f1 e1g1
	// true false
}

func Example_enPassant() {
	pos := fianchetto.MustParseFEN("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1")
	m, err := pos.ParseUCI("e5d6")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(pos.PieceAt(m.To()) == fianchetto.NoPiece, pos.IsCapture(m), pos.Captured(m))
	changes, n := pos.Changes(m)
	for _, c := range changes[:n] {
		fmt.Println(c.Piece, c.From, c.To)
	}
	next := pos.After(m)
	fmt.Println(pos.EnPassant(), next.EnPassant())
	// Output:
	// true true pawn
	// P e5 d6
	// p d5 -
	// d6 -
}

func Example_moveKinds() {
	pos := fianchetto.MustParseFEN("3r2k1/4P3/8/8/8/8/8/4K3 w - - 0 1")
	m, err := pos.ParseUCI("e7d8q")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.Piece(), m.Kind(), m.Promotion())
	fmt.Println(m == fianchetto.NewMove(bitboard.E7, bitboard.D8, fianchetto.PromoteQueen))
	// Output:
	// pawn promotion to queen queen
	// true
}

func Example_legality() {
	pos := fianchetto.MustParseFEN("4k3/8/8/8/4r3/8/4B3/4K3 w - - 0 1")
	_, err := pos.ParseUCI("e2d3") // the bishop is pinned
	fmt.Println(err)
	m := fianchetto.NewMove(bitboard.E2, bitboard.D3, fianchetto.BishopMove)
	fmt.Println(pos.IsPseudoLegal(m), pos.IsLegal(m))
	// Output:
	// fianchetto: move "e2d3" at offset 2: illegal move (4k3/8/8/8/4r3/8/4B3/4K3 w - - 0 1)
	// true false
}

func Example_values() {
	pos := fianchetto.StartPosition()
	m, err := pos.ParseUCI("e2e4")
	if err != nil {
		fmt.Println(err)
		return
	}
	next := pos.After(m)
	fmt.Println(pos == fianchetto.StartPosition(), next == pos, next.SideToMove())
	// Output: true false black
}

// materialBefore returns what the side to move has more than its opponent, in pawns.
func materialBefore(board *dragontoothmg.Board) int {
	us, them := &board.White, &board.Black
	if !board.Wtomove {
		us, them = them, us
	}
	return bits.OnesCount64(us.Pawns) - bits.OnesCount64(them.Pawns) +
		3*(bits.OnesCount64(us.Knights|us.Bishops)-bits.OnesCount64(them.Knights|them.Bishops)) +
		5*(bits.OnesCount64(us.Rooks)-bits.OnesCount64(them.Rooks)) +
		9*(bits.OnesCount64(us.Queens)-bits.OnesCount64(them.Queens))
}

// searchBefore is alpha-beta on dragontoothmg, with the captures first.
func searchBefore(board *dragontoothmg.Board, alpha, beta, depth int) int {
	moves := board.GenerateLegalMoves()
	if len(moves) == 0 {
		if board.OurKingInCheck() {
			return -1000 - depth
		}
		return 0
	}
	if depth == 0 {
		return materialBefore(board)
	}
	sort.SliceStable(moves, func(i, j int) bool {
		return dragontoothmg.IsCapture(moves[i], board) && !dragontoothmg.IsCapture(moves[j], board)
	})
	for _, m := range moves {
		undo := board.Apply(m)
		score := -searchBefore(board, -beta, -alpha, depth-1)
		undo()
		if score >= beta {
			return beta
		}
		alpha = max(alpha, score)
	}
	return alpha
}

// materialAfter returns what the side to move has more than its opponent, in pawns.
func materialAfter(pos *fianchetto.Position) int {
	us, them := pos.ByColor(pos.SideToMove()), pos.ByColor(pos.SideToMove().Opponent())
	surplus := func(pieces fianchetto.Bitboard) int { return (us & pieces).Len() - (them & pieces).Len() }
	return surplus(pos.ByType(fianchetto.Pawn)) +
		3*surplus(pos.ByType(fianchetto.Knight)|pos.ByType(fianchetto.Bishop)) +
		5*surplus(pos.ByType(fianchetto.Rook)) +
		9*surplus(pos.ByType(fianchetto.Queen))
}

// node is what the search keeps for one ply.
type node struct {
	pos       fianchetto.Position
	generator fianchetto.Generator
	buffer    [256]fianchetto.Move
}

// searchAfter is the same on Fianchetto. plies has a node for each ply, so that nothing is allocated.
func searchAfter(plies []node, alpha, beta, depth int) int {
	n := &plies[0]
	if depth == 0 && n.pos.HasLegalMove() {
		return materialAfter(&n.pos)
	}
	n.generator.Reset(&n.pos)
	tried := 0
	for _, quiet := range [...]bool{false, true} {
		moves := n.buffer[:0]
		if quiet { // listed only if no capture was good enough
			moves = n.generator.AppendQuiets(moves)
		} else {
			moves = n.generator.AppendNoisy(moves)
		}
		for _, m := range moves {
			tried++
			n.pos.CopyMake(&plies[1].pos, m)
			score := -searchAfter(plies[1:], -beta, -alpha, depth-1)
			if score >= beta {
				return beta
			}
			alpha = max(alpha, score)
		}
	}
	switch {
	case tried > 0:
		return alpha
	case n.generator.InCheck():
		return -1000 - depth
	}
	return 0
}

func Example_port() {
	const fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"

	board := dragontoothmg.ParseFen(fen)
	fmt.Println(searchBefore(&board, -2000, 2000, 3))

	plies := make([]node, 64)
	plies[0].pos = fianchetto.MustParseFEN(fen)
	fmt.Println(searchAfter(plies, -2000, 2000, 3))
	// Output:
	// 3
	// 3
}
