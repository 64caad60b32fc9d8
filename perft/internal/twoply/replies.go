package twoply

import (
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/core"
)

// kingMoves says where their king may go, as far as their own pieces allow it.
type kingMoves struct {
	kingAttacks Bitboard    // the squares that it attacks
	kingTargets Bitboard    // those of them without a piece of theirs, and all squares of castlings
	castlings   [2]Bitboard // of each open castling, the squares that must be safe; empty if it is closed
	ourKingZone Bitboard    // the squares from which our king would attack some of the targets

	madeOrigins Bitboard // our pieces whose moves are made and counted,
	madeTargets Bitboard // and the targets of such moves of any piece
}

// edgeRooks are the corners of rank 8. Behind a castling rook in the corner no slider can stand
// that pins it along the rank.
const edgeRooks = Bitboard(1)<<bitboard.A8 | 1<<bitboard.H8

// findKingMoves finds where their king may go. It returns false if they have a castling open that
// only Chess960 has and that the sums would get wrong.
func (s *Scratch) findKingMoves() bool {
	s.kingAttacks = attacks.King(s.theirKing)
	s.kingTargets = s.kingAttacks &^ s.Them
	s.ourKingZone = near[s.theirKing&63]
	s.castlings = [2]Bitboard{}
	s.madeOrigins, s.madeTargets = 0, 0
	rooks := s.CastlingAndEnPassant & bitboard.Rank8Mask
	if rooks == 0 {
		return true
	}
	const up = 56 // from the first rank to the eighth
	paths := core.CastlingPathsOf(s.theirKing, rooks>>up)
	east := s.findCastling(0, paths.East.King<<up, paths.East.Empty<<up, paths.East.Rook<<up)
	return s.findCastling(1, paths.West.King<<up, paths.West.Empty<<up, paths.West.Rook<<up) && east
}

// findCastling adds one castling, given the squares that their king crosses, those that must be
// empty, and the rook.
func (s *Scratch) findCastling(side int, path, empty, rook Bitboard) bool {
	switch {
	case rook == 0 || empty&s.Them != 0: // no move of ours opens it
	case empty&s.Us != 0:
		s.madeOrigins |= empty & s.Us // leaving may open it
	case rook&edgeRooks == 0:
		return false
	default:
		s.castlings[side] = path
		s.kingTargets |= path
		s.ourKingZone |= path>>7 | path>>8 | path>>9
		s.madeTargets |= path | empty | rook
	}
	return true
}

// lines says how our sliders are aligned with their king, and from which squares a piece of ours
// would check it or pin a piece to it.
type lines struct {
	theirPinned Bitboard   // their pieces pinned to their king
	pinners     Bitboard   // our sliders that pin them
	pinLines    Bitboard   // the free squares between pinner and king
	pinBlockers Bitboard   // our pieces without which a slider of ours would pin a piece of theirs
	slider      [64]Square // of a pin blocker: that slider

	checks [8]Bitboard // by piece type: the squares from which it would check
	pins   [8]Bitboard // likewise, from which a slider would check or would pin a piece of theirs

	sensitive [8]Bitboard // by piece type: the targets on which a move needs a correction, for its type

	diagonalMovers, orthogonalMovers Bitboard // our pieces that move so, and pawns that may promote to such
}

// findLines follows the lines from our sliders to their king.
func (s *Scratch) findLines() {
	us, them, occupancy, king := s.Us, s.Them, s.occupancy, s.theirKing
	diagonals, orthogonals := core.Lines(king)
	var pinned, pinners, pinLines, pinBlockers Bitboard
	for x := (diagonals&s.Diagonals | orthogonals&s.Orthogonals) & us; x != 0; x &= x - 1 {
		between := bitboard.Between(king, x.First())
		blockers := between & occupancy
		rest := blockers & (blockers - 1)
		switch {
		case rest == 0 && blockers&us != 0: // a discovered-check candidate
			s.madeOrigins |= blockers
		case rest == 0:
			pinned |= blockers
			pinners |= x & -x
			pinLines |= between &^ blockers
		case rest&(rest-1) == 0 && blockers&us != 0 && blockers&them != 0:
			pinBlockers |= blockers & us
			s.slider[(blockers&us).First()&63] = x.First()
		}
	}
	s.theirPinned, s.pinners, s.pinLines, s.pinBlockers = pinned, pinners, pinLines, pinBlockers

	s.checks[bitboard.Pawn], s.checks[bitboard.Knight] = attacks.Pawn(bitboard.Black, king), attacks.Knight(king)
	s.sensitive[bitboard.Knight], s.sensitive[bitboard.King] = s.checks[bitboard.Knight], s.ourKingZone
	promoting := s.Pawns & us & bitboard.Rank7Mask
	s.diagonalMovers, s.orthogonalMovers = s.Diagonals&us|promoting, s.Orthogonals&us|promoting
	diagonals, orthogonals = 0, 0
	var pinDiagonals, pinOrthogonals Bitboard
	// A piece of theirs that is first on a line from the king can be pinned from the squares
	// behind it.
	if s.diagonalMovers != 0 {
		diagonals = attacks.Bishop(king, occupancy)
		pinDiagonals = attacks.Bishop(king, occupancy&^(diagonals&them))
	}
	if s.orthogonalMovers != 0 {
		orthogonals = attacks.Rook(king, occupancy)
		pinOrthogonals = attacks.Rook(king, occupancy&^(orthogonals&them))
	}
	s.checks[bitboard.Bishop], s.checks[bitboard.Rook] = diagonals, orthogonals
	s.checks[bitboard.Queen] = diagonals | orthogonals
	s.pins[bitboard.Bishop], s.pins[bitboard.Rook] = pinDiagonals, pinOrthogonals
	s.pins[bitboard.Queen] = pinDiagonals | pinOrthogonals
	s.sensitive[bitboard.Bishop], s.sensitive[bitboard.Rook] = pinDiagonals, pinOrthogonals
	s.sensitive[bitboard.Queen] = pinDiagonals | pinOrthogonals
}

// replies describes their replies to a null move, and how a piece of ours that arrives on a square
// changes these.
type replies struct {
	nullReplies int // the number of their replies to a null move; addPieces adds those of the king

	danger            Bitboard // the squares they attack
	attackedBySliders Bitboard // our pieces that an unpinned slider of theirs attacks, or a pinned one along its line

	// The moves that they lose by a piece of ours on each square, those beyond 15 in sixteens, and
	// the moves that they gain. A square is reached along eight lines and from eight knight's
	// squares. If a move of ours comes from one of these 16, at most 15 captures are gained. The
	// gain of other squares is not used.
	loss, lossSixteens, gain counter

	freePawns              Bitboard // their pawns that are not pinned, and what these attack, towards
	attackWest, attackEast Bitboard // the a-file and the h-file
	attackedByPawns        Bitboard // our pieces that they attack
	blockingPawns          Bitboard // our pieces that block their pushes
}

// reached is a slider of theirs and the squares that it attacks, along its line if it is pinned.
type reached struct {
	squares Bitboard
	from    Square
}

// reachedMask bounds the index of their sliders: 63 at most, queens twice.
const reachedMask = 127

// countReplies counts the moves of their pieces, one by one except for the pawns. Each of its loops
// carries a few numbers only, which stay in registers.
func (s *Scratch) countReplies() {
	them, occupancy := s.Them, s.occupancy
	var danger, attackedBySliders Bitboard
	n := 0
	for x := s.Diagonals & them; x != 0; n++ {
		q := x.First()
		x &= x - 1
		attack := attacks.Bishop(q, occupancy)
		danger |= attack
		if s.theirPinned.Has(q) {
			attack &= bitboard.Line(s.theirKing, q)
		}
		attackedBySliders |= attack
		s.reached[n&reachedMask] = reached{attack, q}
	}
	diagonals := n
	for x := s.Orthogonals & them; x != 0; n++ {
		q := x.First()
		x &= x - 1
		attack := attacks.Rook(q, occupancy)
		danger |= attack
		if s.theirPinned.Has(q) {
			attack &= bitboard.Line(s.theirKing, q)
		}
		attackedBySliders |= attack
		s.reached[n&reachedMask] = reached{attack, q}
	}
	s.attackedBySliders = attackedBySliders & s.Us

	var loss, gain counter
	nullReplies := 0
	s.lossSixteens = counter{}
	for i := range s.reached[:diagonals&reachedMask] {
		r := &s.reached[i]
		if free := r.squares &^ them; free != 0 {
			nullReplies += free.Len()
			var carry, more Bitboard
			loss, carry = loss.plusThreeBits(shadow(bitboard.DiagonalLine, r.from, free))
			loss, more = loss.plusThreeBits(shadow(bitboard.AntiDiagonalLine, r.from, free))
			if carry|more != 0 {
				s.lossSixteens, _ = s.lossSixteens.plusThreeBits(carry^more, carry&more, 0)
			}
		}
	}
	for i := diagonals; i < n; i++ {
		r := &s.reached[i&reachedMask]
		if free := r.squares &^ them; free != 0 {
			nullReplies += free.Len()
			var carry, more Bitboard
			loss, carry = loss.plusThreeBits(shadow(bitboard.RankLine, r.from, free))
			loss, more = loss.plusThreeBits(shadow(bitboard.FileLine, r.from, free))
			if carry|more != 0 {
				s.lossSixteens, _ = s.lossSixteens.plusThreeBits(carry^more, carry&more, 0)
			}
		}
	}
	for i := range s.reached[:n&reachedMask] {
		gain, _ = gain.plus(s.reached[i].squares & them)
	}
	for x := s.Knights & them; x != 0; {
		q := x.First()
		x &= x - 1
		attack := attacks.Knight(q)
		danger |= attack
		if s.theirPinned.Has(q) {
			continue
		}
		mobility := (attack &^ them).Len()
		nullReplies += mobility
		loss = loss.with(q, mobility)
		gain, _ = gain.plus(attack & them)
	}
	s.danger, s.nullReplies = danger, nullReplies
	s.countPawnReplies(loss, gain)
}

// countPawnReplies counts the moves of their pawns, adds what they lose and gain, and the squares
// that their pawns and king attack.
func (s *Scratch) countPawnReplies(loss, gain counter) {
	us, occupancy := s.Us, s.occupancy
	pawns := s.Pawns & s.Them
	s.danger |= pawns&^bitboard.FileAMask>>9 | pawns&^bitboard.FileHMask>>7 | s.kingAttacks

	// The sums take a pinned pawn's moves as constant. repin and unpin correct changes, or the move
	// is made.
	for x := pawns & s.theirPinned; x != 0; x &= x - 1 {
		q := x.First()
		targets, _ := s.moves(q, occupancy, us)
		mobility := s.number(q, targets&bitboard.Line(s.theirKing, q))
		s.nullReplies += mobility
		loss = loss.with(q, mobility)
	}
	pawns &^= s.theirPinned

	const promotion = bitboard.Rank1Mask // there a pawn's move counts four times
	push := pawns >> 8
	double := push &^ occupancy & bitboard.Rank6Mask >> 8
	west, east := pawns&^bitboard.FileAMask>>9, pawns&^bitboard.FileHMask>>7
	s.freePawns, s.attackWest, s.attackEast = pawns, west, east
	s.attackedByPawns, s.blockingPawns = (west|east)&us, (push|double)&us

	// A piece of ours that arrives where a push ends takes that push and the double push behind it.
	// So does one that captures the pawn.
	push, double = push&^occupancy, double&^occupancy
	first := double << 8 // pushes with a double push behind them
	ones, twos, fours := push&^promotion&^first, first, push&promotion
	loss, carry := loss.plusThreeBits(ones|ones<<8|double, twos|twos<<8, fours|fours<<8)
	if carry != 0 {
		s.lossSixteens, _ = s.lossSixteens.plus(carry)
	}
	gain, _ = gain.plusThreeBits(west&^promotion, 0, west&promotion)
	gain, _ = gain.plusThreeBits(east&^promotion, 0, east&promotion)
	west, east = west&us, east&us
	if west|east != 0 {
		loss, _ = loss.plusThreeBits(west&^promotion<<9, 0, west&promotion<<9)
		loss, _ = loss.plusThreeBits(east&^promotion<<7, 0, east&promotion<<7)
	}
	s.loss, s.gain = loss, gain

	// Pushes, captures to one side and double pushes moved three ranks share no square, so one
	// population count covers them.
	s.nullReplies += (push | west | double<<24).Len() + east.Len()
	if (push|west|east)&promotion != 0 {
		s.nullReplies += 3 * (((push | west) & promotion).Len() + (east & promotion).Len())
	}
}

// moves returns the squares that a piece of theirs, which is not the king, can go to if nothing
// pins it, and the squares on which a piece of ours would change that.
func (s *Scratch) moves(q Square, occupancy, us Bitboard) (targets, squares Bitboard) {
	if s.Pawns.Has(q) {
		one, attack := q.Bitboard(), attacks.Pawn(bitboard.Black, q)
		push := one >> 8 &^ occupancy
		return push | push&bitboard.Rank6Mask>>8&^occupancy | attack&us, one>>8 | one>>16 | attack
	}
	attack := attacks.Knight(q)
	if !s.Knights.Has(q) {
		attack = s.sliderAttacks(q, occupancy)
	}
	return attack &^ (occupancy &^ us), attack
}

// number returns how many moves a piece of theirs has to some targets: a pawn promotes to four
// piece types.
func (s *Scratch) number(q Square, targets Bitboard) int {
	n := targets.Len()
	if s.Pawns.Has(q) {
		n += 3 * (targets & bitboard.Rank1Mask).Len()
	}
	return n
}

// sliderAttacks returns the squares that the slider on q attacks; a knight, a pawn or a king has
// none.
func (s *Scratch) sliderAttacks(q Square, occupancy Bitboard) Bitboard {
	var attack Bitboard
	if s.Diagonals.Has(q) {
		attack = attacks.Bishop(q, occupancy)
	}
	if s.Orthogonals.Has(q) {
		attack |= attacks.Rook(q, occupancy)
	}
	return attack
}
