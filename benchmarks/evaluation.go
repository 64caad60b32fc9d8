package main

import (
	"runtime"

	"github.com/dylhunn/dragontoothmg"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// An evaluation as engines have it: material, mobility, attacks on the king's zone, its shelter and the pawn structure,
// of both sides. It is written twice, in the same shape: with the sets and lookups of Fianchetto, and with the fields
// and lookups of dragontoothmg, whose users bring their own tables for knights, kings and pawns. A test compares them.

// The weights of the evaluation's terms.
const (
	pawnValue, knightValue, bishopValue, rookValue, queenValue = 100, 320, 330, 500, 950

	mobilityWeight, zoneWeight, shelterWeight               = 4, 9, 7
	doubledWeight, isolatedWeight, passedWeight, backWeight = -11, -13, 23, 5
)

// evaluate returns the score of p for White.
func evaluate(p *fianchetto.Position) int {
	return evaluateSide(p, fianchetto.White) - evaluateSide(p, fianchetto.Black)
}

func evaluateSide(p *fianchetto.Position, us fianchetto.Color) int {
	them := us.Opponent()
	pawns, theirPawns := p.Pieces(us, fianchetto.Pawn), p.Pieces(them, fianchetto.Pawn)
	protected := attacks.PawnAttacks(us, pawns)
	score := pawnStructure(pawns, theirPawns, protected, us == fianchetto.White)

	score += pawnValue*pawns.Len() + knightValue*p.Pieces(us, fianchetto.Knight).Len() +
		bishopValue*p.Pieces(us, fianchetto.Bishop).Len() + rookValue*p.Pieces(us, fianchetto.Rook).Len() +
		queenValue*p.Pieces(us, fianchetto.Queen).Len()

	area := ^(p.ByColor(us) | attacks.PawnAttacks(them, theirPawns))
	attacked, mobility := protected, 0
	for b := p.Pieces(us, fianchetto.Knight); b != 0; {
		set := attacks.Knight(b.Pop())
		attacked, mobility = attacked|set, mobility+(set&area).Len()
	}
	for b := p.Pieces(us, fianchetto.Bishop); b != 0; {
		set := attacks.Bishop(b.Pop(), p.Occupancy())
		attacked, mobility = attacked|set, mobility+(set&area).Len()
	}
	for b := p.Pieces(us, fianchetto.Rook); b != 0; {
		set := attacks.Rook(b.Pop(), p.Occupancy())
		attacked, mobility = attacked|set, mobility+(set&area).Len()
	}
	for b := p.Pieces(us, fianchetto.Queen); b != 0; {
		set := attacks.Queen(b.Pop(), p.Occupancy())
		attacked, mobility = attacked|set, mobility+(set&area).Len()
	}
	return score + mobilityWeight*mobility + zoneWeight*(attacked&attacks.King(p.King(them))).Len() +
		shelterWeight*(attacks.King(p.King(us))&pawns).Len()
}

// evaluateReference is evaluate for dragontoothmg.
func evaluateReference(b *dragontoothmg.Board) int {
	return evaluateReferenceSide(b, &b.White, &b.Black, fianchetto.White) -
		evaluateReferenceSide(b, &b.Black, &b.White, fianchetto.Black)
}

func evaluateReferenceSide(b *dragontoothmg.Board, us, them *dragontoothmg.Bitboards, side fianchetto.Color) int {
	type set = bitboard.Bitboard
	pawns, theirPawns := set(us.Pawns), set(them.Pawns)
	protected := attacks.PawnAttacks(side, pawns)
	score := pawnStructure(pawns, theirPawns, protected, side == fianchetto.White)

	score += pawnValue*pawns.Len() + knightValue*set(us.Knights).Len() + bishopValue*set(us.Bishops).Len() +
		rookValue*set(us.Rooks).Len() + queenValue*set(us.Queens).Len()

	occupancy := b.White.All | b.Black.All
	area := ^(set(us.All) | attacks.PawnAttacks(side.Opponent(), theirPawns))
	attacked, mobility := protected, 0
	for b := set(us.Knights); b != 0; {
		set := attacks.Knight(b.Pop())
		attacked, mobility = attacked|set, mobility+(set&area).Len()
	}
	for b := set(us.Bishops); b != 0; {
		set := set(dragontoothmg.CalculateBishopMoveBitboard(uint8(b.Pop()), occupancy))
		attacked, mobility = attacked|set, mobility+(set&area).Len()
	}
	for b := set(us.Rooks); b != 0; {
		set := set(dragontoothmg.CalculateRookMoveBitboard(uint8(b.Pop()), occupancy))
		attacked, mobility = attacked|set, mobility+(set&area).Len()
	}
	for b := set(us.Queens); b != 0; {
		s := uint8(b.Pop())
		set := set(dragontoothmg.CalculateBishopMoveBitboard(s, occupancy) |
			dragontoothmg.CalculateRookMoveBitboard(s, occupancy))
		attacked, mobility = attacked|set, mobility+(set&area).Len()
	}
	zone, shelter := attacks.King(set(them.Kings).First()), attacks.King(set(us.Kings).First())
	return score + mobilityWeight*mobility + zoneWeight*(attacked&zone).Len() + shelterWeight*(shelter&pawns).Len()
}

// pawnStructure is common to both evaluations: it sees pawns alone.
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

// Evaluation alone: a walk evaluates all positions at its end, which were made when it was opened.

func evaluateAlone() contender {
	const remark = "the sets by Position.Pieces, ByColor, Occupancy and King, lookups by package attacks"
	return ours("evaluation", remark, func(pos fianchetto.Position) func(int) uint64 {
		positions := []fianchetto.Position{pos}
		for range evaluatedPlies {
			var next []fianchetto.Position
			for i := range positions {
				for _, m := range positions[i].AppendLegal(nil) {
					next = append(next, positions[i].After(m))
				}
			}
			positions = next
		}
		return func(int) uint64 {
			for i := range positions {
				runtime.KeepAlive(evaluate(&positions[i])) // or a compiler could drop it
			}
			return uint64(len(positions))
		}
	})
}

func evaluateReferenceAlone() contender {
	const remark = "the sets as fields of its Board, its lookups of bishops and rooks"
	return reference(remark, func(b *dragontoothmg.Board) func(int) uint64 {
		boards := []dragontoothmg.Board{*b}
		for range evaluatedPlies {
			var next []dragontoothmg.Board
			for _, b := range boards {
				for _, m := range b.GenerateLegalMoves() {
					undo := b.Apply(m)
					next = append(next, b)
					undo()
				}
			}
			boards = next
		}
		return func(int) uint64 {
			for i := range boards {
				runtime.KeepAlive(evaluateReference(&boards[i]))
			}
			return uint64(len(boards))
		}
	})
}
