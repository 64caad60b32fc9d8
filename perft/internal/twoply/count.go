package twoply

import (
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/core"
)

// Count returns the number of legal moves two plies deep, exactly as [core.Board.CountTwo] does, which is its
// specification. s is scratch space: what it had is lost.
func Count(b *core.Board, s *Scratch) int {
	if !fewMoves(b) {
		if total, ok := s.count(b); ok {
			return total
		}
	}
	return b.CountTwo(&s.targets)
}

// fewMoves reports whether to make and count our moves costs less than to count by differences: with pawns and at most one
// minor piece and the king we have a dozen moves; and if they have more than twice our pieces, the analysis of theirs costs
// more than our moves.
func fewMoves(b *core.Board) bool {
	pieces := b.Knights | b.Diagonals | b.Orthogonals
	ours := pieces & b.Us
	return b.Orthogonals&b.Us == 0 && ours&(ours-1) == 0 || (pieces&b.Them).Len() > 2*ours.Len()
}

// count counts by differences. It reports false where that is not possible: in check, and if they may still castle in a way that
// only Chess960 has.
func (s *Scratch) count(b *core.Board) (total int, ok bool) {
	if s.inCheck(b) {
		return 0, false
	}
	s.Board = *b
	s.occupancy = b.Us | b.Them
	s.theirKing = (b.Kings() & b.Them).First()
	if !s.findKingMoves() {
		return 0, false
	}
	s.rest, s.corrections = 0, 0
	s.findLines()
	s.countReplies()
	s.addPieces()
	s.corrected = s.madeOrigins | s.pinners | s.pinBlockers | s.attackBlockers | s.attackedBySliders | s.attackedByPawns | s.blockingPawns
	s.addPawns()
	s.countSpecial()
	return s.sum(), true
}

// Scratch is what Count finds about a node, stage by stage. The zero value is ready for use, by one
// Count at a time. It takes about nine kilobytes: allocate it once.
type Scratch struct {
	core.Board
	occupancy       Bitboard
	king, theirKing Square
	pinned          Bitboard // our pieces pinned to our king

	kingMoves
	lines
	replies
	ourAttacks
	enPassantNeighbors

	corrected Bitboard // our pieces whose leaving needs a correction
	sources   [maxSources]source
	sourceEnd int
	arrivals  [8]counter // by piece type: how many moves of such pieces the sums count to each square

	rest        int // replies to the moves that are made and counted, and to pure checks
	corrections int // what moves change that the sums do not count

	targets core.TargetSets
	child   core.Board
}

// inCheck reports whether our king is in check, and finds our pinned pieces if it is not.
func (s *Scratch) inCheck(b *core.Board) bool {
	king := (b.Kings() & b.Us).First()
	if attacks.Knight(king)&b.Knights&b.Them|attacks.Pawn(bitboard.White, king)&b.Pawns&b.Them != 0 {
		return true
	}
	var pinned Bitboard
	empty := &emptyBoard[king&63]
	for x := (empty.diagonals&b.Diagonals | empty.orthogonals&b.Orthogonals) & b.Them; x != 0; x &= x - 1 {
		blockers := bitboard.Between(king, x.First()) & (b.Us | b.Them)
		if blockers == 0 {
			return true
		}
		if blockers&(blockers-1) == 0 {
			pinned |= blockers & b.Us
		}
	}
	s.king, s.pinned = king, pinned
	return false
}
