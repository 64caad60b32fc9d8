package mutant

import (
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// step is a number of files to the right and of ranks up.
type step struct{ files, ranks int }

var (
	rookSteps   = []step{{0, 1}, {1, 0}, {0, -1}, {-1, 0}}
	bishopSteps = []step{{1, 1}, {1, -1}, {-1, -1}, {-1, 1}}
	royalSteps  = []step{{0, 1}, {1, 0}, {0, -1}, {-1, 0}, {1, 1}, {1, -1}, {-1, -1}, {-1, 1}}
	knightSteps = []step{{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}}
)

// from returns the square that the step leads to. A step that wraps crosses the edge of the board, like a sum of square
// numbers without a check.
func (d step) from(s bitboard.Square, wraps bool) (bitboard.Square, bool) {
	file, rank := int(s.File())+d.files, int(s.Rank())+d.ranks
	to := int(s) + d.files + 8*d.ranks
	onBoard := 0 <= file && file < 8 && 0 <= rank && rank < 8
	return bitboard.Square(to & 63), onBoard || wraps && 0 <= to && to < 64
}

// Moves returns the moves that are legal for the generator.
func (b *Board) Moves() []Move {
	var moves []Move
	for _, m := range b.pseudoLegal() {
		if b.isLegal(m) {
			moves = append(moves, m)
		}
	}
	return b.spoil(moves)
}

// pseudoLegal returns the pseudo-legal moves of all pieces.
func (b *Board) pseudoLegal() []Move {
	var moves []Move
	for s := bitboard.A1; s <= bitboard.H8; s++ {
		piece := b.pieces[s]
		if b.isEmpty(s) || piece.Color() != b.us && !(b.has(MovesEnemy) && piece.Type() == bitboard.Knight) {
			continue
		}
		switch piece.Type() {
		case bitboard.Pawn:
			moves = b.appendPawn(moves, s)
		case bitboard.Knight:
			moves = b.appendSteps(moves, s, knightSteps, b.has(KnightWraps), b.has(CapturesOwn))
		case bitboard.Bishop:
			moves = b.appendSlides(moves, s, bishopSteps, b.has(BishopJumps), true)
		case bitboard.Rook:
			moves = b.appendSlides(moves, s, rookSteps, false, !b.has(RookStopsShort))
		case bitboard.Queen:
			moves = b.appendSlides(moves, s, rookSteps, false, true)
			if !b.has(QueenNoDiagonals) {
				moves = b.appendSlides(moves, s, bishopSteps, false, true)
			}
		case bitboard.King:
			moves = b.appendSteps(moves, s, royalSteps, b.has(KingWraps), false)
			moves = b.appendCastlings(moves, s)
		}
	}
	return moves
}

func (b *Board) appendSteps(moves []Move, s bitboard.Square, steps []step, wraps, capturesOwn bool) []Move {
	for _, d := range steps {
		to, ok := d.from(s, wraps)
		if ok && (!b.holds(to, b.us) || capturesOwn && b.pieces[to].Type() != bitboard.King) {
			moves = append(moves, Move{From: s, To: to})
		}
	}
	return moves
}

func (b *Board) appendSlides(moves []Move, s bitboard.Square, steps []step, jumps, captures bool) []Move {
	for _, d := range steps {
		jumped := false
		for to, ok := d.from(s, false); ok; to, ok = d.from(to, false) {
			if b.isEmpty(to) || captures && b.holds(to, b.us.Opponent()) {
				moves = append(moves, Move{From: s, To: to})
			}
			if !b.isEmpty(to) {
				if !jumps || jumped {
					break
				}
				jumped = true
			}
		}
	}
	return moves
}

func (b *Board) forward() step { return step{0, 1 - 2*int(b.us)} }

func (b *Board) appendPawn(moves []Move, s bitboard.Square) []Move {
	ahead := b.forward()
	if one, ok := ahead.from(s, false); ok {
		if b.isEmpty(one) || b.has(PushCaptures) && b.holds(one, b.us.Opponent()) {
			moves = b.appendPawnMove(moves, s, one)
		}
		moves = b.appendDoublePush(moves, s, one)
	}
	for _, side := range []int{-1, 1} {
		if to, ok := (step{side, ahead.ranks}).from(s, b.has(PawnWraps)); ok && b.mayCapture(s, to) {
			moves = b.appendPawnMove(moves, s, to)
		}
	}
	if back, ok := (step{0, -ahead.ranks}).from(s, false); b.has(PawnBackwards) && ok && b.isEmpty(back) && relative(b.us, s.Rank()) > bitboard.Rank2 {
		moves = append(moves, Move{From: s, To: back})
	}
	return moves
}

func (b *Board) appendDoublePush(moves []Move, s, one bitboard.Square) []Move {
	rank := relative(b.us, s.Rank())
	if b.has(NoDoublePush) || rank != bitboard.Rank2 && !(b.has(DoublePushAnywhere) && rank == bitboard.Rank3) {
		return moves
	}
	two, _ := b.forward().from(one, false)
	free := b.isEmpty(one) || b.has(DoublePushJumps)
	if free && (b.isEmpty(two) || b.has(DoublePushCaptures) && b.holds(two, b.us.Opponent())) {
		moves = append(moves, Move{From: s, To: two})
	}
	return moves
}

func (b *Board) mayCapture(s, to bitboard.Square) bool {
	victim := bitboard.SquareAt(to.File(), s.Rank())
	lastRank := relative(b.us, to.Rank()) == bitboard.Rank8
	switch {
	case b.holds(to, b.us.Opponent()):
		return !(lastRank && b.has(NoCapturePromotion))
	case b.holds(to, b.us):
		return b.has(PawnCapturesOwn) && b.pieces[to].Type() != bitboard.King
	case b.has(PawnCapturesNothing):
		return true
	case b.has(EnPassantAnyPawn) && relative(b.us, s.Rank()) == bitboard.Rank5:
		return b.pieces[victim] == bitboard.PieceOf(b.us.Opponent(), bitboard.Pawn)
	}
	if to != b.enPassant || b.has(NoEnPassant) || relative(b.us, s.Rank()) != bitboard.Rank5 {
		return false
	}
	refused := b.has(EnPassantOneCapturer) && s.File() > to.File() || b.has(EnPassantOverCautious) && b.king(b.us).Rank() == s.Rank()
	return !refused
}

func (b *Board) appendPawnMove(moves []Move, s, to bitboard.Square) []Move {
	rank := relative(b.us, to.Rank())
	early := b.has(PromotionEarly) && rank == bitboard.Rank7
	if rank != bitboard.Rank8 || early {
		moves = append(moves, Move{From: s, To: to})
	}
	if rank != bitboard.Rank8 && !early {
		return moves
	}
	for kind := bitboard.Queen; kind >= bitboard.Knight; kind-- {
		if b.has(PromotionQueenOnly) && kind != bitboard.Queen || b.has(NoKnightPromotion) && kind == bitboard.Knight {
			continue
		}
		moves = append(moves, Move{From: s, To: to, Promotion: kind})
	}
	if b.has(PromotionOptional) {
		moves = append(moves, Move{From: s, To: to})
	}
	if b.has(PromotionToKing) {
		moves = append(moves, Move{From: s, To: to, Promotion: bitboard.King})
	}
	return moves
}
