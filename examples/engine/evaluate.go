package main

import (
	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// tapered is a value in centipawns for the middlegame and one for the endgame, in the halves of a
// word: an addition or a multiplication changes both.
// Source: https://www.chessprogramming.org/Tapered_Eval
type tapered int64

func taper(middle, end int) tapered { return tapered(end)<<32 + tapered(middle) }

// blend returns the value at a phase, 0 to fullPhase.
func (t tapered) blend(phase int) int {
	middle, end := int(int32(t)), int((t+1<<31)>>32)
	return (middle*phase + end*(fullPhase-phase)) / fullPhase
}

var (
	// mobility is the value of each square that a piece attacks.
	mobility = [7]tapered{
		fianchetto.Knight: taper(4, 4), fianchetto.Bishop: taper(4, 4),
		fianchetto.Rook: taper(2, 4), fianchetto.Queen: taper(1, 2),
	}
	// phase is each piece's share of the middlegame.
	phase = [7]int{fianchetto.Knight: 1, fianchetto.Bishop: 1, fianchetto.Rook: 2, fianchetto.Queen: 4}

	bishopPair = taper(30, 45)
	toMove     = taper(12, 6)
)

const fullPhase = 24 // the sum of phase over the pieces at the start of a game

// balance is the sum of the piece-square values, White's minus Black's, and the phase of the game.
// A move changes little of this part of the evaluation, so the search updates it move by move.
// Source: https://www.chessprogramming.org/Incremental_Updates
type balance struct {
	sum   tapered
	phase int
}

// pieceSquares stores what each piece adds to the balance on each square, by Piece.Index. On
// NoSquare it adds nothing.
// Source: https://www.chessprogramming.org/Piece-Square_Tables
var pieceSquares = newPieceSquares()

func newPieceSquares() (table [12][fianchetto.NoSquare + 1]balance) {
	for s := bitboard.A1; s <= bitboard.H8; s++ {
		file, rank := int(s.File()), int(s.Rank())
		toFile, toRank := min(file, 7-file), min(rank, 7-rank) // 0 at the edge, 3 in the centre
		centre := toFile + toRank - 3
		for i, value := range [6]tapered{
			taper(75+2*toFile*rank, 95+2*(rank-1)*(rank-1)), // pawn
			taper(325+9*centre, 300+6*centre),               // knight
			taper(335+4*centre, 315+3*centre),               // bishop
			taper(470+4*toFile, 525),                        // rook
			taper(975+toRank, 965+5*centre),                 // queen
			taper(-20*min(rank, 4)-14*toFile, 10*centre),    // king
		} {
			table[i][s] = balance{value, phase[i+1]}
			table[i+6][s.FlipVertical()] = balance{-value, phase[i+1]}
		}
	}
	return table
}

// newBalance adds up all pieces.
func newBalance(pos *fianchetto.Position) (b balance) {
	for s := range pos.Occupancy().Squares() {
		value := &pieceSquares[pos.PieceAt(s).Index()][s]
		b.sum, b.phase = b.sum+value.sum, b.phase+value.phase
	}
	return b
}

// after returns the balance after a move.
func (b balance) after(pos *fianchetto.Position, m fianchetto.Move) balance {
	changes, n := pos.Changes(m)
	for _, c := range changes[:n] {
		from, to := &pieceSquares[c.Piece.Index()][c.From], &pieceSquares[c.Piece.Index()][c.To]
		b.sum, b.phase = b.sum+to.sum-from.sum, b.phase+to.phase-from.phase
	}
	return b
}

// evaluate returns by how many centipawns the side to move is ahead, disregarding captures by the
// next move. b is the balance of the position.
func evaluate(pos *fianchetto.Position, b *balance) int {
	sum := b.sum + evaluateSide(pos, fianchetto.White) - evaluateSide(pos, fianchetto.Black)
	if pos.SideToMove() == fianchetto.Black {
		sum = -sum
	}
	return (sum + toMove).blend(min(b.phase, fullPhase))
}

// evaluateSide returns the terms of one side outside the balance: mobility and the bishop pair.
func evaluateSide(pos *fianchetto.Position, us fianchetto.Color) (sum tapered) {
	mine, occupancy := pos.ByColor(us), pos.Occupancy()
	for kind := fianchetto.Knight; kind <= fianchetto.Queen; kind++ {
		reached := 0
		for pieces := mine & pos.ByType(kind); pieces != 0; {
			reached += (attacks.Of(bitboard.PieceOf(us, kind), pieces.Pop(), occupancy) &^ mine).Len()
		}
		sum += mobility[kind] * tapered(reached)
	}
	if pos.Pieces(us, fianchetto.Bishop).Len() >= 2 {
		sum += bishopPair
	}
	return sum
}
