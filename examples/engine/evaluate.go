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

// The weights of the evaluation, by piece type where it has an index.
var (
	// mobility is the value of each square that a piece reaches and no enemy pawn attacks, from
	// the usual number of squares on.
	mobility = [7]tapered{
		fianchetto.Knight: taper(5, 5), fianchetto.Bishop: taper(5, 5),
		fianchetto.Rook: taper(3, 5), fianchetto.Queen: taper(1, 4),
	}
	usual = [7]int{fianchetto.Knight: 4, fianchetto.Bishop: 6, fianchetto.Rook: 7, fianchetto.Queen: 13}

	// danger is the weight of each square next to the enemy king that a piece attacks.
	danger = [7]int{fianchetto.Knight: 3, fianchetto.Bishop: 3, fianchetto.Rook: 4, fianchetto.Queen: 6}

	// phase is each piece's share of the middlegame.
	phase = [7]int{fianchetto.Knight: 1, fianchetto.Bishop: 1, fianchetto.Rook: 2, fianchetto.Queen: 4}

	bishopPair   = taper(28, 50)
	halfOpenFile = taper(14, 8) // for a rook, and once more if the file is open
	shelter      = taper(10, 0) // for each pawn next to its king
	doubled      = taper(-8, -18)
	isolated     = taper(-12, -12)
	supported    = taper(7, 5) // by another pawn
	toMove       = taper(14, 8)

	// passed is the value of a passed pawn by its rank, as its side sees it.
	// Source: https://www.chessprogramming.org/Passed_Pawn
	passed = [8]tapered{0, taper(0, 8), taper(2, 12), taper(8, 28), taper(28, 55), taper(60, 105), taper(95, 170)}
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
			taper(74+2*toFile*rank, 100+2*rank),          // pawn
			taper(325+9*centre, 300+6*centre),            // knight
			taper(340+4*centre, 315+3*centre),            // bishop
			taper(470+4*toFile, 535),                     // rook
			taper(985+toRank, 965+5*centre),              // queen
			taper(-20*min(rank, 4)-14*toFile, 10*centre), // king
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

// evaluateSide returns the terms of one side outside the balance.
// Sources: https://www.chessprogramming.org/Mobility, https://www.chessprogramming.org/King_Safety
func evaluateSide(pos *fianchetto.Position, us fianchetto.Color) (sum tapered) {
	them, mine, occupancy := us.Opponent(), pos.ByColor(us), pos.Occupancy()
	pawns, theirPawns := pos.Pieces(us, fianchetto.Pawn), pos.Pieces(them, fianchetto.Pawn)
	area, zone := ^(mine | attacks.PawnAttacks(them, theirPawns)), attacks.King(pos.King(them))
	attackers, attacked := 0, 0
	for kind := fianchetto.Knight; kind <= fianchetto.Queen; kind++ {
		piece := bitboard.PieceOf(us, kind)
		for pieces := mine & pos.ByType(kind); pieces != 0; {
			s := pieces.Pop()
			reached := attacks.Of(piece, s, occupancy)
			sum += mobility[kind] * tapered((reached&area).Len()-usual[kind])
			if hits := reached & zone; hits != 0 {
				attackers, attacked = attackers+1, attacked+danger[kind]*hits.Len()
			}
			if file := s.File().Mask(); kind == fianchetto.Rook && file&pawns == 0 {
				sum += halfOpenFile
				if file&theirPawns == 0 {
					sum += halfOpenFile
				}
			}
		}
	}
	sum += taper(attackers*attacked, 0)
	sum += shelter * tapered((attacks.King(pos.King(us)) & pawns).Len())
	if pos.Pieces(us, fianchetto.Bishop).Len() >= 2 {
		sum += bishopPair
	}
	if pos.ByColor(them).Len() == 1 { // our king helps to drive a bare king to the edge
		sum += taper(0, 12*(7-bitboard.Distance(pos.King(us), pos.King(them))))
	}
	return sum + pawnStructure(pos, us, pawns, theirPawns)
}

// pawnStructure returns the value of the places of pawns, found as sets.
// Source: https://www.chessprogramming.org/Pawn_Structure
func pawnStructure(pos *fianchetto.Position, us fianchetto.Color, pawns, theirs fianchetto.Bitboard) (sum tapered) {
	ours, other := pos.King(us), pos.King(us.Opponent())
	supporting := (pawns & attacks.PawnAttacks(us, pawns)).Len()
	if us == fianchetto.Black { // as White sees its own pawns
		pawns, theirs, ours, other = pawns.FlipVertical(), theirs.FlipVertical(), ours.FlipVertical(), other.FlipVertical()
	}
	files := fillUp(fillDown(pawns))
	span := fillDown(theirs >> 8)
	sum = supported*tapered(supporting) + doubled*tapered((pawns&fillUp(pawns<<8)).Len()) +
		isolated*tapered((pawns&^beside(files)).Len())
	for free := pawns &^ (span | beside(span) | fillDown(pawns>>8)); free != 0; {
		s := free.Pop()
		rank := int(s.Rank())
		sum += passed[rank]
		stop := s + 8 // kings escort and stop it
		sum += taper(0, max(rank-2, 0)*(5*min(bitboard.Distance(other, stop), 5)-3*min(bitboard.Distance(ours, stop), 5)))
	}
	return sum
}

// beside returns the squares to the east and west of a set.
func beside(b fianchetto.Bitboard) fianchetto.Bitboard {
	return b&^bitboard.FileHMask<<1 | b&^bitboard.FileAMask>>1
}

// fillUp returns a set and all squares above it.
func fillUp(b fianchetto.Bitboard) fianchetto.Bitboard {
	b |= b << 8
	b |= b << 16
	return b | b<<32
}

func fillDown(b fianchetto.Bitboard) fianchetto.Bitboard {
	return fillUp(b.FlipVertical()).FlipVertical()
}
