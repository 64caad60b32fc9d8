package twoply

import (
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/core"
)

// Count returns the number of legal moves two plies deep, exactly as [core.Board.CountTwo] does,
// which is its specification. s is scratch space; its contents are overwritten.
func Count(b *core.Board, s *Scratch) int {
	if !fewMoves(b) && s.analyze(b) {
		return s.sum()
	}
	return b.CountTwo(&s.targets)
}

// fewMoves reports whether making our moves and counting costs less than counting by differences.
// With pawns, the king and at most one minor piece we have a dozen moves. If they have more than
// twice as many pieces as we have, analysing their pieces costs more than our moves.
func fewMoves(b *core.Board) bool {
	pieces := b.Knights | b.Diagonals | b.Orthogonals
	ours := pieces & b.Us
	return b.Orthogonals&b.Us == 0 && ours&(ours-1) == 0 || (pieces&b.Them).Len() > 2*ours.Len()
}

// analyze finds our moves, their replies and how our moves change them. It returns false where
// replies cannot be counted by differences: in check, and if they may still castle in a way that
// only Chess960 has.
func (s *Scratch) analyze(b *core.Board) bool {
	pinned, ok := b.Pinned()
	if !ok {
		return false
	}
	s.Board = *b
	s.occupancy, s.pinned = b.Us|b.Them, pinned
	s.king = (b.Kings() & b.Us).First()
	s.theirKing = (b.Kings() & b.Them).First()
	if !s.findKingMoves() {
		return false
	}
	s.rest, s.corrections = 0, 0
	s.findLines()
	s.countReplies()
	s.addPieces()
	s.corrected = s.madeOrigins | s.pinners | s.pinBlockers | s.attackBlockers |
		s.attackedBySliders | s.attackedByPawns | s.blockingPawns
	s.addPawns()
	s.countSpecial()
	return true
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

// correctSources corrects what the sums would get wrong, and leaves to them the targets that they
// count.
func (s *Scratch) correctSources() {
	special := s.madeTargets | s.interpositions | s.pinLines
	unusual := [8]Bitboard{ // by piece type: the targets on which a move needs a correction
		bitboard.Pawn:   special | s.checks[bitboard.Pawn] | s.enPassantWest | s.enPassantEast,
		bitboard.Knight: special | s.checks[bitboard.Knight],
		bitboard.Bishop: special | s.pins[bitboard.Bishop],
		bitboard.Rook:   special | s.pins[bitboard.Rook],
		bitboard.Queen:  special | s.pins[bitboard.Queen],
		bitboard.King:   special | s.ourKingZone,
	}
	corrected, attackedOnce := s.corrected, s.attackedOnce
	for i := range s.sources[:s.sourceEnd] {
		m := &s.sources[i]
		if m.targets&unusual[m.piece&7]|corrected&m.mover|attackedOnce&m.attacks != 0 {
			m.targets = s.correct(m)
		}
	}
}

// sum counts the moves that land on each square, and weighs them.
func (s *Scratch) sum() int {
	s.correctSources()
	// This loop calls nothing, so that the counter stays in registers.
	var moves counter
	var carry, sixteens Bitboard
	for i := range s.sources[:s.sourceEnd] {
		moves, carry = moves.plus(s.sources[i].targets)
		sixteens |= carry
	}

	total := s.rest + s.corrections + s.weigh(moves)
	if sixteens != 0 {
		total += 16 * s.weigh(counter{ones: sixteens})
	}
	if s.safe != 0 {
		total -= s.kingRepliesLost()
	}
	return total
}

// weigh returns the number of replies when moves is the number of our moves to each square, without
// corrections.
func (s *Scratch) weigh(moves counter) int {
	total := moves.sumOver(bitboard.Full)*s.nullReplies + moves.dot(s.gain) - moves.dot(s.loss)
	if s.lossSixteens.nonzero() != 0 {
		total -= 16 * moves.dot(s.lossSixteens)
	}
	return total
}

// kingRepliesLost returns the number of moves of their king that our moved pieces take by what they
// attack from their targets.
func (s *Scratch) kingRepliesLost() int {
	s.arrivals = [8]counter{}
	for i := range s.sources[:s.sourceEnd] {
		m := &s.sources[i]
		c := &s.arrivals[m.piece&7]
		*c, _ = c.plus(m.targets)
	}
	knights, pawns, queens := s.arrivals[bitboard.Knight], s.arrivals[bitboard.Pawn], s.arrivals[bitboard.Queen]
	diagonals := s.arrivals[bitboard.Bishop].plusCounter(queens)
	orthogonals := s.arrivals[bitboard.Rook].plusCounter(queens)
	many := knights.fours | diagonals.fours | orthogonals.fours | knights.eights | diagonals.eights | orthogonals.eights
	lost := 0
	for x := s.safe & s.kingAttacks; x != 0; x &= x - 1 {
		z := x.First()
		n, p := attacks.Knight(z), attacks.Pawn(bitboard.Black, z)
		d, o := attacks.Bishop(z, s.occupancy), attacks.Rook(z, s.occupancy)
		// The three sets of non-pawn pieces share no square: one population count is enough. At
		// most three pawns arrive on a square.
		lost += (knights.ones&n | diagonals.ones&d | orthogonals.ones&o).Len() + (pawns.ones & p).Len() +
			2*((knights.twos&n|diagonals.twos&d|orthogonals.twos&o).Len()+(pawns.twos&p).Len())
		if many != 0 {
			lost += 4*(knights.fours&n|diagonals.fours&d|orthogonals.fours&o).Len() +
				8*(knights.eights&n|diagonals.eights&d|orthogonals.eights&o).Len()
		}
	}
	for _, path := range &s.castlings {
		if path != 0 && path.IsSubset(s.safe) {
			lost += s.castlingLost(path)
		}
	}
	return lost
}

// castlingLost returns the number of our moves that stop a castling because the moved piece attacks
// its path.
func (s *Scratch) castlingLost(path Bitboard) int {
	var knights, diagonals, orthogonals, pawns Bitboard
	for x := path; x != 0; x &= x - 1 {
		z := x.First()
		knights |= attacks.Knight(z)
		diagonals |= attacks.Bishop(z, s.occupancy)
		orthogonals |= attacks.Rook(z, s.occupancy)
		pawns |= attacks.Pawn(bitboard.Black, z)
	}
	return s.arrivals[bitboard.Knight].sumOver(knights) +
		s.arrivals[bitboard.Bishop].sumOver(diagonals) +
		s.arrivals[bitboard.Rook].sumOver(orthogonals) +
		s.arrivals[bitboard.Queen].sumOver(diagonals|orthogonals) +
		s.arrivals[bitboard.Pawn].sumOver(pawns)
}
