package main

import (
	"runtime"

	"github.com/dylhunn/dragontoothmg"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// An evaluation as engines have it: material, mobility, attacks on the king's zone, its shelter and the pawn structure, of both
// sides. It is written twice, in the same shape: with the sets and lookups of Fianchetto, and with the fields and lookups of
// dragontoothmg, whose users bring their own tables for knights, kings and pawns. A test compares the two.

// Weights of what an evaluation counts.
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
	score := pawnStructure(uint64(pawns), uint64(theirPawns), uint64(protected), us == fianchetto.White)

	score += pawnValue*pawns.Len() + knightValue*p.Pieces(us, fianchetto.Knight).Len() + bishopValue*p.Pieces(us, fianchetto.Bishop).Len() +
		rookValue*p.Pieces(us, fianchetto.Rook).Len() + queenValue*p.Pieces(us, fianchetto.Queen).Len()

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
	return evaluateReferenceSide(b, &b.White, &b.Black, true) - evaluateReferenceSide(b, &b.Black, &b.White, false)
}

func evaluateReferenceSide(b *dragontoothmg.Board, us, them *dragontoothmg.Bitboards, white bool) int {
	side, opponent := fianchetto.White, fianchetto.Black
	if !white {
		side, opponent = opponent, side
	}
	protected := attacks.PawnAttacks(side, bitboard.Bitboard(us.Pawns))
	score := pawnStructure(us.Pawns, them.Pawns, uint64(protected), white)

	score += pawnValue*length(us.Pawns) + knightValue*length(us.Knights) + bishopValue*length(us.Bishops) +
		rookValue*length(us.Rooks) + queenValue*length(us.Queens)

	occupancy := b.White.All | b.Black.All
	area := ^(us.All | uint64(attacks.PawnAttacks(opponent, bitboard.Bitboard(them.Pawns))))
	attacked, mobility := uint64(protected), 0
	for s := us.Knights; s != 0; s &= s - 1 {
		set := uint64(attacks.Knight(first(s)))
		attacked, mobility = attacked|set, mobility+length(set&area)
	}
	for s := us.Bishops; s != 0; s &= s - 1 {
		set := dragontoothmg.CalculateBishopMoveBitboard(uint8(first(s)), occupancy)
		attacked, mobility = attacked|set, mobility+length(set&area)
	}
	for s := us.Rooks; s != 0; s &= s - 1 {
		set := dragontoothmg.CalculateRookMoveBitboard(uint8(first(s)), occupancy)
		attacked, mobility = attacked|set, mobility+length(set&area)
	}
	for s := us.Queens; s != 0; s &= s - 1 {
		set := dragontoothmg.CalculateBishopMoveBitboard(uint8(first(s)), occupancy) | dragontoothmg.CalculateRookMoveBitboard(uint8(first(s)), occupancy)
		attacked, mobility = attacked|set, mobility+length(set&area)
	}
	return score + mobilityWeight*mobility + zoneWeight*length(attacked&uint64(attacks.King(first(them.Kings)))) +
		shelterWeight*length(uint64(attacks.King(first(us.Kings)))&us.Pawns)
}

// pawnStructure is common to both evaluations: it sees pawns alone.
func pawnStructure(pawns, theirs, protected uint64, white bool) int {
	if !white {
		pawns, theirs, protected = flip(pawns), flip(theirs), flip(protected)
	}
	files := fillUp(fillDown(pawns))
	beside := toEast(files) | toWest(files)
	span := fillDown(theirs >> 8)
	stopped := span | toEast(span) | toWest(span)
	return doubledWeight*length(pawns&fillUp(pawns<<8)) + isolatedWeight*length(pawns&^beside) +
		passedWeight*length(pawns&^stopped) + backWeight*length(pawns&protected)
}

func first(b uint64) bitboard.Square { return bitboard.Bitboard(b).First() }
func flip(b uint64) uint64           { return uint64(bitboard.Bitboard(b).FlipVertical()) }
func length(b uint64) int            { return bitboard.Bitboard(b).Len() }
func toEast(b uint64) uint64         { return b << 1 &^ 0x0101010101010101 }
func toWest(b uint64) uint64         { return b >> 1 &^ 0x8080808080808080 }

func fillUp(b uint64) uint64 {
	b |= b << 8
	b |= b << 16
	return b | b<<32
}

func fillDown(b uint64) uint64 {
	b |= b >> 8
	b |= b >> 16
	return b | b>>32
}

// Evaluation alone: a walk evaluates all positions at its end, which were made when it was opened.

func evaluateAlone() contender {
	return contender{
		name:   ourName + "evaluation",
		remark: "the sets by Position.Pieces, ByColor, Occupancy and King, lookups by package attacks",
		open: func(fen string) (walk, error) {
			pos, err := fianchetto.ParseFEN(fen)
			if err != nil {
				return nil, err
			}
			positions := leavesOf([]fianchetto.Position{pos}, evaluatedPlies)
			return timed(func(int) (uint64, error) {
				for i := range positions {
					runtime.KeepAlive(evaluate(&positions[i])) // or a compiler could drop it
				}
				return uint64(len(positions)), nil
			}), nil
		},
	}
}

// leavesOf returns the positions some plies below others.
func leavesOf(positions []fianchetto.Position, plies int) []fianchetto.Position {
	for ; plies > 0; plies-- {
		var next []fianchetto.Position
		for i := range positions {
			for _, m := range positions[i].AppendLegal(nil) {
				next = append(next, positions[i].After(m))
			}
		}
		positions = next
	}
	return positions
}

func evaluateReferenceAlone() contender {
	return contender{
		name:   referenceName,
		remark: "the sets as fields of its Board, its lookups of bishops and rooks",
		open: func(fen string) (walk, error) {
			boards := referenceLeavesOf([]dragontoothmg.Board{dragontoothmg.ParseFen(fen)}, evaluatedPlies)
			return timed(func(int) (uint64, error) {
				for i := range boards {
					runtime.KeepAlive(evaluateReference(&boards[i]))
				}
				return uint64(len(boards)), nil
			}), nil
		},
	}
}

func referenceLeavesOf(boards []dragontoothmg.Board, plies int) []dragontoothmg.Board {
	for ; plies > 0; plies-- {
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
	return boards
}
