package search

import (
	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// This evaluation contains the terms of engines: material, mobility, attacks on the king's zone,
// its shelter and the pawn structure. All boards run it on their sets.

const (
	pawnValue, knightValue, bishopValue, rookValue, queenValue = 100, 320, 330, 500, 950

	mobilityWeight, zoneWeight, shelterWeight               = 4, 9, 7
	doubledWeight, isolatedWeight, passedWeight, backWeight = -11, -13, 23, 5
)

// Army is the sets of one side.
type Army struct {
	Pawns, Knights, Bishops, Rooks, Queens, All bitboard.Bitboard
	King                                        bitboard.Square
}

// Evaluate returns the score of p for White.
func Evaluate(p *fianchetto.Position) int {
	var white, black Army
	white.read(p, fianchetto.White)
	black.read(p, fianchetto.Black)
	return EvaluateArmies(&white, &black)
}

// read writes through the pointer, because the copy of a returned struct would wait for its own
// stores.
func (a *Army) read(p *fianchetto.Position, c fianchetto.Color) {
	a.Pawns, a.Knights = p.Pieces(c, fianchetto.Pawn), p.Pieces(c, fianchetto.Knight)
	a.Bishops, a.Rooks = p.Pieces(c, fianchetto.Bishop), p.Pieces(c, fianchetto.Rook)
	a.Queens, a.All = p.Pieces(c, fianchetto.Queen), p.ByColor(c)
	a.King = p.King(c)
}

// EvaluateArmies returns the score for White.
func EvaluateArmies(white, black *Army) int {
	return evaluateSide(white, black, fianchetto.White) - evaluateSide(black, white, fianchetto.Black)
}

func evaluateSide(us, them *Army, side fianchetto.Color) int {
	protected := attacks.PawnAttacks(side, us.Pawns)
	score := pawnStructure(us.Pawns, them.Pawns, protected, side == fianchetto.White)
	score += pawnValue*us.Pawns.Len() + knightValue*us.Knights.Len() + bishopValue*us.Bishops.Len() +
		rookValue*us.Rooks.Len() + queenValue*us.Queens.Len()

	occupancy := us.All | them.All
	area := ^(us.All | attacks.PawnAttacks(side.Opponent(), them.Pawns))
	attacked, mobility := protected, 0
	for b := us.Knights; b != 0; {
		set := attacks.Knight(b.Pop())
		attacked, mobility = attacked|set, mobility+(set&area).Len()
	}
	for b := us.Bishops; b != 0; {
		set := attacks.Bishop(b.Pop(), occupancy)
		attacked, mobility = attacked|set, mobility+(set&area).Len()
	}
	for b := us.Rooks; b != 0; {
		set := attacks.Rook(b.Pop(), occupancy)
		attacked, mobility = attacked|set, mobility+(set&area).Len()
	}
	for b := us.Queens; b != 0; {
		set := attacks.Queen(b.Pop(), occupancy)
		attacked, mobility = attacked|set, mobility+(set&area).Len()
	}
	return score + mobilityWeight*mobility + zoneWeight*(attacked&attacks.King(them.King)).Len() +
		shelterWeight*(attacks.King(us.King)&us.Pawns).Len()
}

func pawnStructure(pawns, theirs, protected bitboard.Bitboard, white bool) int {
	if !white {
		pawns, theirs, protected = pawns.FlipVertical(), theirs.FlipVertical(), protected.FlipVertical()
	}
	span := fillDown(theirs >> 8)
	isolated, passed := pawns&^beside(fillUp(fillDown(pawns))), pawns&^(span|beside(span))
	return doubledWeight*(pawns&fillUp(pawns<<8)).Len() + isolatedWeight*isolated.Len() +
		passedWeight*passed.Len() + backWeight*(pawns&protected).Len()
}

func beside(b bitboard.Bitboard) bitboard.Bitboard {
	return b&^bitboard.FileH.Mask()<<1 | b&^bitboard.FileA.Mask()>>1
}

func fillUp(b bitboard.Bitboard) bitboard.Bitboard {
	b |= b << 8
	b |= b << 16
	return b | b<<32
}

func fillDown(b bitboard.Bitboard) bitboard.Bitboard {
	b |= b >> 8
	b |= b >> 16
	return b | b>>32
}
