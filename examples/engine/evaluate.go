package main

import (
	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// tapered is a value in centipawns: one for the middlegame and one for the endgame.
// Source: https://www.chessprogramming.org/Tapered_Eval
type tapered struct{ middle, end int }

func (t *tapered) add(u tapered, times int) {
	t.middle += u.middle * times
	t.end += u.end * times
}

var (
	// mobility is what each square that a piece attacks is worth.
	mobility = [7]tapered{
		fianchetto.Knight: {4, 4}, fianchetto.Bishop: {4, 4}, fianchetto.Rook: {2, 4}, fianchetto.Queen: {1, 2},
	}
	// phase is how much of the middlegame leaves the board with a piece.
	phase = [7]int{fianchetto.Knight: 1, fianchetto.Bishop: 1, fianchetto.Rook: 2, fianchetto.Queen: 4}

	bishopPair = tapered{30, 45}
	toMove     = tapered{12, 6}
)

const fullPhase = 24 // of all the pieces that a game begins with

// pieceSquares has the value of each piece type on each square for White; for Black, the square is
// flipped.
// Source: https://www.chessprogramming.org/Piece-Square_Tables
var pieceSquares = newPieceSquares()

func newPieceSquares() (table [7][64]tapered) {
	for s := bitboard.A1; s <= bitboard.H8; s++ {
		file, rank := int(s.File()), int(s.Rank())
		toFile, toRank := min(file, 7-file), min(rank, 7-rank) // 0 at the edge, 3 in the centre
		centre := toFile + toRank - 3
		for kind, here := range [7]tapered{
			fianchetto.Pawn:   {75 + 2*toFile*rank, 95 + 2*(rank-1)*(rank-1)},
			fianchetto.Knight: {325 + 9*centre, 300 + 6*centre},
			fianchetto.Bishop: {335 + 4*centre, 315 + 3*centre},
			fianchetto.Rook:   {470 + 4*toFile, 525},
			fianchetto.Queen:  {975 + toRank, 965 + 5*centre},
			fianchetto.King:   {-20*min(rank, 4) - 14*toFile, 10 * centre},
		} {
			table[kind][s] = here
		}
	}
	return table
}

// balance is the sum of the piece-square values, White's less Black's, and the phase of the game:
// the part of the evaluation that a search updates move by move, since a move changes little of it.
// Source: https://www.chessprogramming.org/Incremental_Updates
type balance struct {
	sum   tapered
	phase int
}

// newBalance adds up all pieces.
func newBalance(pos *fianchetto.Position) (b balance) {
	for s := range pos.Occupancy().Squares() {
		b.add(pos.PieceAt(s), s, 1)
	}
	return b
}

// after returns the balance after a move.
func (b balance) after(pos *fianchetto.Position, m fianchetto.Move) balance {
	changes, n := pos.Changes(m)
	for _, c := range changes[:n] {
		if c.From != fianchetto.NoSquare {
			b.add(c.Piece, c.From, -1)
		}
		if c.To != fianchetto.NoSquare {
			b.add(c.Piece, c.To, 1)
		}
	}
	return b
}

// add counts a piece on a square so many times.
func (b *balance) add(piece fianchetto.Piece, s fianchetto.Square, times int) {
	kind := piece.Type()
	b.phase += phase[kind] * times
	if piece.Color() == fianchetto.Black {
		s, times = s.FlipRank(), -times
	}
	b.sum.add(pieceSquares[kind][s], times)
}

// evaluate returns how many centipawns the side to move is ahead, without regard to captures by the
// next move. b is the balance of the position.
func evaluate(pos *fianchetto.Position, b *balance) int {
	sum := b.sum
	sum.add(evaluateSide(pos, fianchetto.White), 1)
	sum.add(evaluateSide(pos, fianchetto.Black), -1)
	if pos.SideToMove() == fianchetto.Black {
		sum.middle, sum.end = -sum.middle, -sum.end
	}
	sum.add(toMove, 1)
	middle := min(b.phase, fullPhase)
	return (sum.middle*middle + sum.end*(fullPhase-middle)) / fullPhase
}

// evaluateSide returns the terms of one side apart from the squares of its pieces: mobility and the
// bishop pair.
func evaluateSide(pos *fianchetto.Position, us fianchetto.Color) (sum tapered) {
	mine, occupancy := pos.ByColor(us), pos.Occupancy()
	for kind := fianchetto.Knight; kind <= fianchetto.Queen; kind++ {
		for pieces := mine & pos.ByType(kind); pieces != 0; {
			sum.add(mobility[kind], (attacks.Of(bitboard.PieceOf(us, kind), pieces.Pop(), occupancy) &^ mine).Len())
		}
	}
	if pos.Pieces(us, fianchetto.Bishop).Len() >= 2 {
		sum.add(bishopPair, 1)
	}
	return sum
}
