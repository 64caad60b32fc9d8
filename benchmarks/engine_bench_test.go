package main

import (
	"testing"

	"github.com/dylhunn/dragontoothmg"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/suites"
)

// node is what an engine keeps for one ply.
type node struct {
	generator     fianchetto.Generator
	noisy, quiets []fianchetto.Move
	next          fianchetto.Position
	history       [1024]int // by kind and target
}

// BenchmarkEngine does at each position what a search does at a node: it asks whether the hash move is legal, orders
// the captures by victim and attacker with the exchange of each, the quiet moves by history and check, makes each move
// and evaluates the position after it by sets. The first two ways use the same library and return the same sum; the
// second keeps the engine's own format of moves and its one list, as a first port does. The third has no exchanges.
func BenchmarkEngine(b *testing.B) {
	n := &node{noisy: make([]fianchetto.Move, 0, 256), quiets: make([]fianchetto.Move, 0, 256)}
	for i := range n.history {
		n.history[i] = 3 * int(fianchetto.Move(i<<6).Piece())
	}
	fens := suites.FENs("random")
	positions := make([]fianchetto.Position, len(fens))
	hashMoves := make([]fianchetto.Move, len(fens))
	boards := make([]dragontoothmg.Board, len(fens))
	for i, fen := range fens {
		positions[i], boards[i] = fianchetto.MustParseFEN(fen), dragontoothmg.ParseFen(fen)
		if moves := positions[i].AppendLegal(nil); len(moves) > 0 {
			hashMoves[i] = moves[len(moves)/2]
		}
	}
	want := 0
	for i := range positions {
		want += n.visit(&positions[i], hashMoves[i])
	}
	for _, way := range []struct {
		name  string
		exact bool
		visit func(i int) int
	}{
		{"as the library wants", true, func(i int) int { return n.visit(&positions[i], hashMoves[i]) }},
		{"as first ported", true, func(i int) int { return n.visitPorted(&positions[i], hashMoves[i]) }},
		{"dragontoothmg", false, func(i int) int { return n.visitReference(&boards[i]) }},
	} {
		b.Run(way.name, func(b *testing.B) {
			for b.Loop() {
				sum := 0
				for i := range positions {
					sum += way.visit(i)
				}
				if way.exact && sum != want {
					b.Fatalf("the sum of all scores is %d, want %d", sum, want)
				}
			}
			perCall(b, len(positions), "ns/node")
		})
	}
}

// visit keeps fianchetto.Move throughout, lists captures and quiet moves apart and scores them in that loop.
func (n *node) visit(pos *fianchetto.Position, hashMove fianchetto.Move) (sum int) {
	n.generator.Reset(pos)
	if n.generator.IsLegal(hashMove) {
		sum += 1000
	}
	n.noisy = n.generator.AppendNoisy(n.noisy[:0])
	for _, m := range n.noisy {
		sum += 16*int(pos.Captured(m)) - int(m.Piece())
		if pos.SEEAtLeast(m, 0) {
			sum += 100
		}
		if n.generator.GivesCheck(m) {
			sum += 10
		}
		pos.CopyMake(&n.next, m)
		sum += evaluate(&n.next)
	}
	n.quiets = n.generator.AppendQuiets(n.quiets[:0])
	for _, m := range n.quiets {
		sum += n.history[m>>6]
		if n.generator.GivesCheck(m) {
			sum += 10
		}
		pos.CopyMake(&n.next, m)
		sum += evaluate(&n.next)
	}
	return sum
}

// ownMove is a move as many engines write it: the squares of the piece that moves, the king's for a castling.
type ownMove struct {
	from, to  fianchetto.Square
	promotion fianchetto.PieceType
}

// visitPorted visits a node as a first port does: it converts the library's moves into the engine's format, keeps them
// in one list, copies all sets, and finds out by the engine's own code which moves capture or give check.
func (n *node) visitPorted(pos *fianchetto.Position, hashMove fianchetto.Move) (sum int) {
	own := func(m fianchetto.Move) ownMove { return ownMove{m.From(), m.Destination(), m.Promotion()} }
	sets := pos.Sets()
	us, them := &sets[pos.SideToMove()], &sets[pos.SideToMove().Opponent()]
	typeAt := func(sets *[fianchetto.King + 1]fianchetto.Bitboard, s fianchetto.Square) fianchetto.PieceType {
		for t := fianchetto.Pawn; t <= fianchetto.King; t++ {
			if sets[t].Has(s) {
				return t
			}
		}
		return fianchetto.NoPieceType
	}
	n.noisy = pos.AppendLegal(n.noisy[:0])
	for _, m := range n.noisy {
		move := own(m)
		if move == own(hashMove) {
			sum += 1000
		}
		piece, captured := typeAt(us, move.from), typeAt(them, move.to)
		if piece == fianchetto.Pawn && move.to == pos.EnPassant() && move.from.File() != move.to.File() {
			captured = fianchetto.Pawn
		}
		if captured != fianchetto.NoPieceType || move.promotion != fianchetto.NoPieceType {
			sum += 16*int(captured) - int(piece)
			if pos.SEEAtLeast(pos.MoveBetween(move.from, move.to, move.promotion), 0) {
				sum += 100
			}
		} else {
			sum += 3 * int(piece)
		}
		undo := pos.Make(pos.MoveBetween(move.from, move.to, move.promotion))
		if pos.InCheck() {
			sum += 10
		}
		sum += evaluate(pos)
		pos.Unmake(undo)
	}
	return sum
}

// visitReference does the same on dragontoothmg, without exchanges.
func (n *node) visitReference(board *dragontoothmg.Board) (sum int) {
	for _, m := range board.GenerateLegalMoves() {
		if dragontoothmg.IsCapture(m, board) {
			captured, _ := dragontoothmg.GetPieceType(m.To(), board)
			sum += 16 * int(captured)
		} else {
			sum += n.history[m.To()]
		}
		undo := board.Apply(m)
		if board.OurKingInCheck() {
			sum += 10
		}
		sum += evaluateReference(board)
		undo()
	}
	return sum
}
