package twoply

import (
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/core"
)

// kingMoves describes where their own pieces let their king go.
type kingMoves struct {
	kingAttacks Bitboard    // the squares that it attacks
	kingTargets Bitboard    // those without a piece of theirs, and the squares that castling needs safe
	castlings   [2]Bitboard // of each open castling, the squares that must be safe

	open        int         // how many castling moves are open
	closing     [2]Bitboard // of each open castling, the squares on which a piece of ours closes it
	madeOrigins Bitboard    // our pieces whose moves are made and counted
}

// edgeRooks are the corners of rank 8, where no slider can pin a castling rook along the rank.
const edgeRooks = Bitboard(1)<<bitboard.A8 | 1<<bitboard.H8

// findKingMoves finds kingMoves. It returns false if a castling with a rook off the corners is
// open, as only Chess960 allows, because a pin of that rook would make the sums wrong.
func (s *Scratch) findKingMoves() bool {
	king := s.theirKing
	s.kingAttacks = attacks.King(king)
	s.kingTargets = s.kingAttacks &^ s.Them
	s.sensitive[bitboard.King] = near[king&63] // from where ours attacks some of the targets
	s.castlings, s.open = [2]Bitboard{}, 0
	s.madeOrigins = 0
	rooks := s.CastlingAndEnPassant & core.Rank8Mask
	if rooks == 0 {
		return true
	}
	const up = 56 // from the first rank to the eighth
	paths := core.CastlingPathsOf(king, rooks>>up)
	east := s.findCastling(paths.East.King<<up, paths.East.Empty<<up, paths.East.Rook<<up)
	return s.findCastling(paths.West.King<<up, paths.West.Empty<<up, paths.West.Rook<<up) && east
}

// findCastling adds one castling. path are the squares that must be safe.
func (s *Scratch) findCastling(path, empty, rook Bitboard) bool {
	switch {
	case rook == 0 || empty&s.Them != 0: // no move of ours opens it
	case empty&s.Us != 0:
		s.madeOrigins |= empty & s.Us // leaving may open it
	case rook&edgeRooks == 0:
		return false
	default:
		closing := path | empty | rook
		s.castlings[s.open&1], s.closing[s.open&1] = path, closing
		s.open++
		s.kingTargets |= path
		s.sensitive[bitboard.King] |= path>>7 | path>>8 | path>>9 | closing
	}
	return true
}

// lines describes how our sliders are aligned with their king, and from where a piece of ours would
// check it or pin a piece to it.
type lines struct {
	theirPinned Bitboard     // their pieces pinned to their king
	pinners     Bitboard     // our sliders that pin them
	pinLines    Bitboard     // the free squares between pinner and king
	pinBlockers Bitboard     // our pieces without which a slider of ours would pin a piece of theirs
	pinPiece    [64]Bitboard // of a pinner or pin blocker: the piece of theirs

	checks [8]Bitboard // by piece type: the squares from which it would check
	pins   [8]Bitboard // likewise, from which a slider would check or would pin a piece of theirs

	sensitive [8]Bitboard // by piece type: the targets on which its moves need a correction

	promoting                        Bitboard // our pawns that may promote
	diagonalMovers, orthogonalMovers Bitboard // our pieces that move so, and pawns that may promote to them
}

// findLines follows the lines from our sliders to their king.
func (s *Scratch) findLines() {
	us, them, occupancy, king := s.Us, s.Them, s.occupancy, s.theirKing
	diagonals, orthogonals := core.Lines(king)
	s.theirPinned, s.pinners, s.pinLines, s.pinBlockers = 0, 0, 0, 0
	s.checks[bitboard.Pawn], s.checks[bitboard.Knight] = attacks.Pawn(bitboard.Black, king), attacks.Knight(king)
	s.sensitive[bitboard.Pawn], s.sensitive[bitboard.Knight] = s.checks[bitboard.Pawn], s.checks[bitboard.Knight]
	s.promoting = s.Pawns & us & core.Rank7Mask
	s.diagonalMovers, s.orthogonalMovers = s.Diagonals&us|s.promoting, s.Orthogonals&us|s.promoting
	if s.diagonalMovers|s.orthogonalMovers == 0 {
		return
	}
	for x := (diagonals&s.diagonalMovers | orthogonals&s.orthogonalMovers) &^ s.promoting; x != 0; x &= x - 1 {
		between := bitboard.Between(king, x.First())
		blockers := between & occupancy
		rest := blockers & (blockers - 1)
		switch {
		case rest == 0 && blockers&us != 0: // a discovered-check candidate
			s.madeOrigins |= blockers
		case rest == 0:
			s.theirPinned |= blockers
			s.pinners |= x & -x
			s.pinPiece[x.First()&63] = blockers
			s.pinLines |= between &^ blockers
		case rest&(rest-1) == 0 && blockers&us != 0 && blockers&them != 0:
			s.pinBlockers |= blockers & us
			s.pinPiece[(blockers&us).First()&63] = blockers & them
		}
	}
	// The first piece on a line from the king, if theirs, can be pinned from the squares behind it.
	if s.diagonalMovers != 0 {
		checks := attacks.Bishop(king, occupancy)
		pins := attacks.Bishop(king, occupancy&^(checks&them))
		s.checks[bitboard.Bishop], s.pins[bitboard.Bishop], s.sensitive[bitboard.Bishop] = checks, pins, pins
	}
	if s.orthogonalMovers != 0 {
		checks := attacks.Rook(king, occupancy)
		pins := attacks.Rook(king, occupancy&^(checks&them))
		s.checks[bitboard.Rook], s.pins[bitboard.Rook], s.sensitive[bitboard.Rook] = checks, pins, pins
	}
	if s.diagonalMovers != 0 && s.orthogonalMovers != 0 {
		pins := s.pins[bitboard.Bishop] | s.pins[bitboard.Rook]
		s.checks[bitboard.Queen] = s.checks[bitboard.Bishop] | s.checks[bitboard.Rook]
		s.pins[bitboard.Queen], s.sensitive[bitboard.Queen] = pins, pins
	}
}

// replies describes their replies to a null move, and how an arriving piece of ours changes these.
type replies struct {
	nullReplies int // null in the package comment

	danger            Bitboard // the squares they attack
	attackedBySliders Bitboard // our pieces that an unpinned slider of theirs attacks, or a pinned one along its line

	// The moves that they lose by a piece of ours that arrives on each square: at most six along
	// each of four lines and two of a pawn, or the 27 of a queen.
	loss         counter
	lossSixteens Bitboard // where it is 16 more
	// The captures that their pieces gain by a capture of ours on each square. They come from at
	// most 15 squares, because a square is reached along eight lines and from eight knight's
	// squares, and our move comes from one of these. Captures by pawns are in attackWest and
	// attackEast, except that gain contains what a promotion counts more than one.
	gain  counter
	large Bitboard // where the loss is more than 7, or gain is not 0

	attackWest, attackEast Bitboard // what unpinned pawns attack, towards the a-file and the h-file
	attackedByPawns        Bitboard // our pieces that they attack
	blockingPawns          Bitboard // our pieces that block their pushes

	// By the square of a pinned pawn: where a piece of ours would change its moves, and their
	// number while it is pinned, and if it were free.
	pinnedPawns [64]struct {
		squares      Bitboard
		pinned, free int
	}
}

// countReplies fills replies. It finds loss and gain by captures only for pieces that we attack.
// The counters are in memory, because the loop needs all registers.
func (s *Scratch) countReplies() {
	s.countPawnReplies()
	them, occupancy, attacked := s.Them, s.occupancy, s.attacked&s.Them
	s.attackedBySliders, s.lossSixteens = 0, 0
	for x := (s.Diagonals | s.Orthogonals) & them; x != 0; x &= x - 1 {
		q, slider := x.First(), x&-x
		var attack Bitboard
		if s.Diagonals&slider != 0 {
			attack = attacks.Bishop(q, occupancy)
		}
		if s.Orthogonals&slider != 0 {
			attack |= attacks.Rook(q, occupancy)
		}
		s.danger |= attack
		if s.theirPinned&slider != 0 {
			attack &= bitboard.Line(s.theirKing, q)
		}
		s.attackedBySliders |= attack
		if defended := attack & attacked; defended != 0 {
			s.gain = s.gain.plus(defended, 0)
			s.large |= defended
		}
		free := attack &^ them
		mobility := free.Len()
		s.nullReplies += mobility
		if attacked&slider != 0 {
			s.loss = s.loss.with(q, mobility)
			if mobility > 15 {
				s.lossSixteens |= slider
			}
		}
		if free&s.arrivals == 0 { // our king cannot arrive there
			continue
		}
		var shadow threeBits
		if s.Diagonals&slider != 0 {
			shadow = shadow.withLine(bitboard.DiagonalLine, q, free).withLine(bitboard.AntiDiagonalLine, q, free)
		}
		if s.Orthogonals&slider != 0 {
			shadow = shadow.withLine(bitboard.RankLine, q, free).withLine(bitboard.FileLine, q, free)
		}
		var carry Bitboard
		s.loss, carry = s.loss.plusThreeBits(rotated(shadow.ones, q), rotated(shadow.twos, q), rotated(shadow.fours, q))
		s.lossSixteens |= carry
	}
	s.attackedBySliders &= s.Us
	for x := s.Knights & them; x != 0; x &= x - 1 {
		q := x.First()
		attack := attacks.Knight(q)
		s.danger |= attack
		if s.theirPinned.Has(q) {
			continue
		}
		mobility := (attack &^ them).Len()
		s.nullReplies += mobility
		if attacked.Has(q) {
			s.loss = s.loss.with(q, mobility)
		}
		if defended := attack & attacked; defended != 0 {
			s.gain = s.gain.plus(defended, 0)
			s.large |= defended
		}
	}
	s.large |= s.loss.eights | s.lossSixteens
}

// countPawnReplies starts replies with their pawns, and danger with their pawns and king.
func (s *Scratch) countPawnReplies() {
	us, occupancy := s.Us, s.occupancy
	theirs := s.Pawns & s.Them
	pawns := theirs &^ s.theirPinned
	push := pawns >> 8
	double := push &^ occupancy & core.Rank6Mask >> 8
	west, east := pawns&^core.FileAMask>>9, pawns&^core.FileHMask>>7
	s.danger = west | east | s.kingAttacks
	s.attackWest, s.attackEast = west, east
	s.attackedByPawns, s.blockingPawns = (west|east)&us, (push|double)&us

	// A piece of ours that arrives where a push ends takes that push and the double push behind it.
	// So does one that captures the pawn.
	push, double = push&^occupancy, double&^occupancy
	first := double << 8 // pushes with a double push behind them
	ones := push ^ first
	loss := counter{ones: ones | ones<<8 | double, twos: first | first<<8}
	s.nullReplies = s.kingReplies + (push | double<<24).Len() // no two share a square
	s.gain, s.large = counter{}, 0
	if s.attackedByPawns != 0 {
		toWest, toEast := west&us, east&us
		loss = loss.plus(toWest<<9, toEast<<7)
		s.nullReplies += toWest.Len() + toEast.Len()
	}
	s.loss = loss
	if pawns&core.Rank2Mask != 0 {
		// The planes write out core.MorePromotions, three: change them with it. On the first rank a
		// slider loses only squares of the rank, so the sums stay within 15.
		ahead, toWest, toEast := push&core.Rank1Mask, west&core.Rank1Mask, east&core.Rank1Mask
		s.gain, _ = s.gain.plusThreeBits(toWest^toEast, toWest|toEast, toWest&toEast)
		s.large = toWest | toEast
		toWest, toEast = toWest&us, toEast&us
		s.loss, _ = s.loss.plusThreeBits(ahead|ahead<<8, ahead|ahead<<8, 0)
		s.loss, _ = s.loss.plusThreeBits(toWest<<9^toEast<<7, toWest<<9|toEast<<7, toWest<<9&(toEast<<7))
		s.nullReplies += core.MorePromotions * (ahead.Len() + toWest.Len() + toEast.Len())
	}
	// The sums take a pinned pawn's moves as constant. repin and changePin correct them.
	for x := theirs ^ pawns; x != 0; x &= x - 1 {
		q := x.First()
		s.danger |= attacks.Pawn(bitboard.Black, q)
		targets, squares := pawnMovesFrom(q, occupancy, us)
		pawn := &s.pinnedPawns[q&63]
		pawn.squares, pawn.pinned, pawn.free = squares, 0, s.number(q, targets)
		if targets &= bitboard.Line(s.theirKing, q); targets != 0 {
			pawn.pinned = s.number(q, targets)
			s.nullReplies += pawn.pinned
			s.loss = s.loss.with(q, pawn.pinned)
		}
	}
}

// moves returns the squares that a piece of theirs other than the king can go to if nothing pins
// it, and the squares on which a piece of ours would change that.
func (s *Scratch) moves(q Square, occupancy, us Bitboard) (targets, squares Bitboard) {
	if s.Pawns.Has(q) {
		return pawnMovesFrom(q, occupancy, us)
	}
	attack := attacks.Knight(q)
	if !s.Knights.Has(q) {
		attack = 0
	}
	if s.Diagonals.Has(q) {
		attack = attacks.Bishop(q, occupancy)
	}
	if s.Orthogonals.Has(q) {
		attack |= attacks.Rook(q, occupancy)
	}
	return attack &^ (occupancy &^ us), attack
}

func pawnMovesFrom(q Square, occupancy, us Bitboard) (targets, squares Bitboard) {
	one, attack := q.Bitboard(), attacks.Pawn(bitboard.Black, q)
	push := one >> 8 &^ occupancy
	return push | push&core.Rank6Mask>>8&^occupancy | attack&us, one>>8 | one>>16 | attack
}

// number returns the number of moves of their piece to targets, four for each promotion.
func (s *Scratch) number(q Square, targets Bitboard) int {
	n := targets.Len()
	if promotions := targets & core.Rank1Mask; promotions != 0 && s.Pawns.Has(q) {
		n += core.MorePromotions * promotions.Len()
	}
	return n
}
