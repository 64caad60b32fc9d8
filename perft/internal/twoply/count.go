package twoply

import (
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/core"
)

// Count returns the number of legal moves two plies deep from the board of s, as
// [core.Board.CountTwo] does.
func (s *Scratch) Count() int {
	if !s.IsBare() && s.analyze() {
		return s.sum()
	}
	return s.CountTwo(&s.targets)
}

// analyze finds our moves, their replies, and how our moves change these. It returns false if
// findKingMoves does.
func (s *Scratch) analyze() bool {
	kings := s.Kings()
	s.king, s.theirKing = (kings & s.Us).First(), (kings & s.Them).First()
	safety := s.KingSafety(s.king)
	s.occupancy, s.pinned, s.checkMask = s.Us|s.Them, safety.Pinned, safety.CheckMask
	if !s.findKingMoves() {
		return false
	}
	s.rest, s.corrections = 0, 0
	s.findLines()
	s.sourceEnd = 0
	s.addPieces()
	s.findKingReplies()
	s.countReplies()
	s.danger |= safety.Behind
	// madeOrigins contains the king if its moves are made. Then addKing lists it.
	s.corrected = s.madeOrigins | s.pinners | s.pinBlockers | s.attackedBySliders | s.attackedByPawns |
		s.blockingPawns
	s.special = s.interpositions | s.pinLines
	s.addSpecial()
	s.pieceEnd = s.sourceEnd
	s.addKing()
	s.addPawns()
	return true
}

// Scratch stores a board and the results of Count's stages. It takes about eight kilobytes, so
// allocate it once for all boards.
type Scratch struct {
	core.Board      // which the caller sets
	occupancy       Bitboard
	king, theirKing Square
	pinned          Bitboard // our pieces pinned to our king
	checkMask       Bitboard // the squares on which a move ends all checks

	kingMoves
	lines
	replies
	ourAttacks

	corrected Bitboard // our pieces whose leaving needs a correction
	special   Bitboard // the targets on which a move of any piece needs one
	sources   [maxSources]source
	pieceEnd  int // where the sources of knights and sliders end, promoted ones included
	sourceEnd int
	summed    counter     // the moves counted so far that land on each square, those of no source included
	attackers [8]Bitboard // by piece type: the squares from which a piece attacks some king targets

	rest        int // replies to the moves that are made and counted, and to checks
	corrections int // what moves change that the sums do not count

	targets core.TargetSets
}

// sum corrects each source, counts the other moves that land on each square, and weighs them bit by
// bit. It has one loop with few branches, because mispredicted branches take a third of all time on
// sparse boards. All numbers are in memory, because the calls would spill them. If at most two
// sources are knights and sliders, and no castling is open, it is faster to look up the attacks of
// each than those of all together.
//
// Sixteen pieces may arrive on a square, along eight lines and from eight knight's squares, one
// more than a counter holds. Our king and pawns come along at most three of the lines. So core
// counts a node with thirteen sources of pieces and eight knights.
func (s *Scratch) sum() int {
	fewEnd := 0 // where the sources of pieces end if they are few
	if s.pieceEnd <= 2 && s.open == 0 {
		fewEnd = s.pieceEnd
	} else if s.pieceEnd > 12 && (s.Knights&s.Us).Len() >= 8 {
		return s.CountTwo(&s.targets)
	}
	if s.madeOrigins != 0 {
		s.countMade()
	}
	for i := s.sourceEnd&sourceMask - 1; i >= 0; i-- {
		m := &s.sources[i]
		if m.targets&(s.special|s.sensitive[m.piece&7]) != 0 {
			s.correctArriving(m)
		}
		if s.corrected&m.mover != 0 {
			s.correctLeaving(m)
		}
		lost := s.attackedOnce & m.attacks
		squares := lost
		if i < fewEnd {
			squares |= s.safe
		}
		if squares != 0 {
			s.corrections += s.loseAttacks(m, lost, squares)
		}
		s.summed = s.summed.plus(m.targets, 0)
	}

	total := s.rest + s.corrections + s.weigh(s.summed.ones)
	if twos := s.summed.twos; twos != 0 {
		total += 2 * s.weigh(twos)
	}
	if fours := s.summed.fours; fours != 0 {
		total += 4 * s.weigh(fours)
	}
	if eights := s.summed.eights; eights != 0 {
		total += 8 * s.weigh(eights)
	}
	if s.pieceEnd > fewEnd && s.safe != 0 {
		total -= s.kingRepliesLost()
	}
	return total
}

// weigh returns the number of replies, without corrections, when one move of ours lands on each
// square of a set.
func (s *Scratch) weigh(set Bitboard) int {
	total := set.Len()*s.nullReplies + (set & s.attackWest).Len() + (set & s.attackEast).Len() -
		((set & s.loss.ones).Len() + 2*((set&s.loss.twos).Len()+2*(set&s.loss.fours).Len()))
	if set &= s.large; set != 0 {
		total += s.gain.sumOver(set) - 8*(set&s.loss.eights).Len() - 16*(set&s.lossSixteens).Len()
	}
	return total
}

// kingRepliesLost returns the number of king moves that our moved knights and sliders take by their
// attacks from their targets, and of castling moves that they stop.
func (s *Scratch) kingRepliesLost() (lost int) {
	for x := s.safe & s.kingAttacks; x != 0; x &= x - 1 {
		lost += s.arrivalsTaking(x&-x, 0)
	}
	for i, path := range s.castlings[:s.open] {
		if path&^s.safe == 0 {
			lost += s.arrivalsTaking(path, s.closing[i])
		}
	}
	return lost
}

// loseAttacks returns the number of king moves to squares that a piece of ours gives back by
// leaving, less those that it takes by its attacks from its targets. lost are the king targets that
// only this piece attacks before its move.
func (s *Scratch) loseAttacks(m *source, lost, squares Bitboard) int {
	if s.open != 0 {
		s.giveCastlings(m, lost)
	}
	targets, occupancy := m.targets, s.occupancy&^m.mover
	squares &= s.kingAttacks
	n := (lost & squares).Len() * targets.Len()
	if m.piece == bitboard.Knight {
		for x := targets & knightNear[s.theirKing&63]; x != 0; x &= x - 1 {
			n -= (attacks.Knight(x.First()) & squares).Len()
		}
		return n
	}
	if m.piece == bitboard.Bishop || m.piece == bitboard.Queen {
		for x := squares; x != 0; x &= x - 1 {
			n -= (targets & attacks.Bishop(x.First(), occupancy)).Len()
		}
	}
	if m.piece == bitboard.Rook || m.piece == bitboard.Queen {
		for x := squares; x != 0; x &= x - 1 {
			n -= (targets & attacks.Rook(x.First(), occupancy)).Len()
		}
	}
	return n
}

// arrivalsTaking returns the number of moves of our knights and sliders, promoted ones included,
// after which the moved piece attacks one of squares or is on one of closing.
func (s *Scratch) arrivalsTaking(squares, closing Bitboard) (n int) {
	knights, diagonals, orthogonals := closing, closing, closing
	for x := squares; x != 0; x &= x - 1 {
		z := x.First()
		knights |= attacks.Knight(z)
		diagonals |= attacks.Bishop(z, s.occupancy)
		orthogonals |= attacks.Rook(z, s.occupancy)
	}
	from := &s.attackers
	from[bitboard.Knight], from[bitboard.Bishop] = knights, diagonals
	from[bitboard.Rook], from[bitboard.Queen] = orthogonals, diagonals|orthogonals
	for i := range s.sources[:s.pieceEnd&sourceMask] {
		m := &s.sources[i]
		n += (m.targets & from[m.piece&7]).Len()
	}
	return n
}
