package main

import (
	"github.com/dylhunn/dragontoothmg"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// An evaluation as engines have it: material, mobility, attacks on the king's zone, its shelter and the pawn structure,
// of both sides. Both libraries' engines run the same code, on sets that are read from a Position or from a Board.

// The weights of the evaluation's terms.
const (
	pawnValue, knightValue, bishopValue, rookValue, queenValue = 100, 320, 330, 500, 950

	mobilityWeight, zoneWeight, shelterWeight               = 4, 9, 7
	doubledWeight, isolatedWeight, passedWeight, backWeight = -11, -13, 23, 5
)

// army is the sets of one side.
type army struct {
	pawns, knights, bishops, rooks, queens, all bitboard.Bitboard
	king                                        bitboard.Square
}

// evaluate returns the score of p for White.
func evaluate(p *fianchetto.Position) int {
	white, black := armyOf(p, fianchetto.White), armyOf(p, fianchetto.Black)
	return evaluateArmies(&white, &black)
}

func armyOf(p *fianchetto.Position, c fianchetto.Color) army {
	return army{
		p.Pieces(c, fianchetto.Pawn), p.Pieces(c, fianchetto.Knight), p.Pieces(c, fianchetto.Bishop),
		p.Pieces(c, fianchetto.Rook), p.Pieces(c, fianchetto.Queen), p.ByColor(c), p.King(c),
	}
}

// evaluateCopy is evaluate on a copy of all sets.
func evaluateCopy(p *fianchetto.Position) int {
	sets := p.Sets()
	of := func(s *[fianchetto.King + 1]bitboard.Bitboard) army {
		return army{
			s[fianchetto.Pawn], s[fianchetto.Knight], s[fianchetto.Bishop], s[fianchetto.Rook], s[fianchetto.Queen],
			s[fianchetto.NoPieceType], s[fianchetto.King].First(),
		}
	}
	white, black := of(&sets[fianchetto.White]), of(&sets[fianchetto.Black])
	return evaluateArmies(&white, &black)
}

// evaluateReference is evaluate for dragontoothmg.
func evaluateReference(b *dragontoothmg.Board) int {
	of := func(s *dragontoothmg.Bitboards) army {
		type set = bitboard.Bitboard
		return army{
			set(s.Pawns), set(s.Knights), set(s.Bishops), set(s.Rooks), set(s.Queens), set(s.All), set(s.Kings).First(),
		}
	}
	white, black := of(&b.White), of(&b.Black)
	return evaluateArmies(&white, &black)
}

func evaluateArmies(white, black *army) int {
	return evaluateSide(white, black, fianchetto.White) - evaluateSide(black, white, fianchetto.Black)
}

func evaluateSide(us, them *army, side fianchetto.Color) int {
	protected := attacks.PawnAttacks(side, us.pawns)
	score := pawnStructure(us.pawns, them.pawns, protected, side == fianchetto.White)
	score += pawnValue*us.pawns.Len() + knightValue*us.knights.Len() + bishopValue*us.bishops.Len() +
		rookValue*us.rooks.Len() + queenValue*us.queens.Len()

	occupancy := us.all | them.all
	area := ^(us.all | attacks.PawnAttacks(side.Opponent(), them.pawns))
	attacked, mobility := protected, 0
	for b := us.knights; b != 0; {
		set := attacks.Knight(b.Pop())
		attacked, mobility = attacked|set, mobility+(set&area).Len()
	}
	for b := us.bishops; b != 0; {
		set := attacks.Bishop(b.Pop(), occupancy)
		attacked, mobility = attacked|set, mobility+(set&area).Len()
	}
	for b := us.rooks; b != 0; {
		set := attacks.Rook(b.Pop(), occupancy)
		attacked, mobility = attacked|set, mobility+(set&area).Len()
	}
	for b := us.queens; b != 0; {
		set := attacks.Queen(b.Pop(), occupancy)
		attacked, mobility = attacked|set, mobility+(set&area).Len()
	}
	return score + mobilityWeight*mobility + zoneWeight*(attacked&attacks.King(them.king)).Len() +
		shelterWeight*(attacks.King(us.king)&us.pawns).Len()
}

// pawnStructure scores pawns as White sees them.
func pawnStructure(pawns, theirs, protected bitboard.Bitboard, white bool) int {
	if !white {
		pawns, theirs, protected = pawns.FlipVertical(), theirs.FlipVertical(), protected.FlipVertical()
	}
	span := fillDown(theirs >> 8)
	isolated, passed := pawns&^beside(fillUp(fillDown(pawns))), pawns&^(span|beside(span))
	return doubledWeight*(pawns&fillUp(pawns<<8)).Len() + isolatedWeight*isolated.Len() +
		passedWeight*passed.Len() + backWeight*(pawns&protected).Len()
}

// beside returns the squares to the east and west of a set.
func beside(b bitboard.Bitboard) bitboard.Bitboard {
	return b&^bitboard.FileHMask<<1 | b&^bitboard.FileAMask>>1
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
