package twoply

import (
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/core"
)

// correct corrects what the sums miss about the moves of a source. It makes the moves that it
// cannot correct, and returns the targets of the others.
func (s *Scratch) correct(m *source) Bitboard {
	mover := m.mover
	if s.madeOrigins&mover != 0 {
		s.countEach(m, m.targets)
		return 0
	}
	checks := s.checks[m.piece&7]
	made := m.targets & (s.madeTargets | checks)
	if s.corrected&mover != 0 {
		made |= s.correctLeaving(m.from, m.targets, made)
	}
	targets := m.targets &^ made
	interpositions := s.interpositions
	if s.diagonalMovers|s.orthogonalMovers == mover { // they are all on its own lines
		interpositions = s.kingAttacks & s.Them
	}

	if made != 0 {
		// A check that changes no line and no pin is pure: the evasions are found without making
		// it.
		if m.kind <= core.QueenMove && mover&(s.pinBlockers|s.attackBlockers) == 0 {
			pure := made & checks &^ (s.madeTargets | s.pinLines | interpositions&^s.Them)
			if s.pinners&mover != 0 { // unless the pinner captures the piece that it pins
				pure &= s.theirPinned & bitboard.Line(s.theirKing, m.from)
			}
			made &^= pure
			for x := pure; x != 0; x &= x - 1 {
				s.rest += s.evasions(m, x.First())
			}
		}
		s.countEach(m, made)
	}

	if m.kind == core.DoublePush {
		s.corrections += (targets & s.enPassantWest).Len() + (targets & s.enPassantEast).Len()
	}
	for x := targets & (s.pins[m.piece&7] | s.pinLines); x != 0; x &= x - 1 {
		s.corrections += s.repin(m, x.First())
	}
	if s.attackBlockers&mover|interpositions&targets|s.attackedOnce&m.attacks != 0 || m.piece == bitboard.King {
		s.correctKingReplies(m, targets, interpositions)
	}
	return targets
}

// countEach makes some moves of a source one by one and counts the replies.
func (s *Scratch) countEach(m *source, targets Bitboard) {
	for x := targets; x != 0; x &= x - 1 {
		s.rest += s.countAfter(m.origin(x.First()), x.First(), m.kind)
	}
}

// repin returns how a move onto a line to their king changes their replies by pinning or unpinning
// a piece of theirs.
func (s *Scratch) repin(m *source, to Square) int {
	origin, target := m.origin(to).Bitboard(), to.Bitboard()
	occupancy, us := s.occupancy&^origin|target, s.Us&^origin|target
	line := bitboard.Line(s.theirKing, to)
	pins := s.pins[m.piece&7].Has(to)
	if !s.pinLines.Has(to) {
		piece := (bitboard.Between(s.theirKing, to) & occupancy).First()
		targets, _ := s.moves(piece, occupancy, us)
		return -s.number(piece, targets&^line)
	}
	// The moved piece stands between a pinner and their king. That unpins the pinned piece, unless
	// the moved piece pins it, too.
	piece := (line & s.theirPinned & (bitboard.Between(s.theirKing, to) | beyond[s.theirKing&63][to&63])).First()
	after, _ := s.moves(piece, occupancy, us)
	before := after
	if s.Pawns.Has(piece) { // the sums take its moves for a constant
		before, _ = s.moves(piece, s.occupancy, s.Us)
	}
	if pins {
		after &= line
	}
	return s.number(piece, after) - s.number(piece, before&line)
}

// evasions returns the number of replies to a pure check by the piece that arrives on to.
func (s *Scratch) evasions(m *source, to Square) int {
	target := to.Bitboard()
	occupancy := s.occupancy&^m.origin(to).Bitboard() | target

	attacked := s.attacked&^(s.attackedOnce&m.attacks) | attacksOf(m.piece, to, occupancy.Without(s.theirKing))
	total := (s.kingTargets & s.kingAttacks &^ attacked).Len()
	if s.kingAttacks&s.Them&target != 0 && s.safeAfter(m, to, target) != 0 {
		total++ // their king captures
	}

	// Other pieces capture or interpose.
	others, between := s.Them&^(target|s.theirPinned), bitboard.Between(s.theirKing, to)
	for x := s.Knights & others; x != 0; x &= x - 1 {
		total += (attacks.Knight(x.First()) & (between | target)).Len()
	}
	for x := s.Diagonals & others; x != 0; x &= x - 1 {
		total += (attacks.Bishop(x.First(), occupancy) & (between | target)).Len()
	}
	for x := s.Orthogonals & others; x != 0; x &= x - 1 {
		total += (attacks.Rook(x.First(), occupancy) & (between | target)).Len()
	}
	captures := (attacks.Pawn(bitboard.White, to) & s.Pawns & others).Len()
	if bitboard.Rank1Mask.Has(to) {
		captures *= 4
	}
	push := s.Pawns & others >> 8 &^ occupancy
	double := push & bitboard.Rank6Mask >> 8 & between
	push &= between
	return total + captures + push.Len() + double.Len() + 3*(push&bitboard.Rank1Mask).Len()
}

// attacksOf returns what a piece of ours attacks from a square.
func attacksOf(piece bitboard.PieceType, from Square, occupancy Bitboard) Bitboard {
	return attacks.Of(bitboard.PieceOf(bitboard.White, piece), from, occupancy)
}

// correctLeaving corrects what changes because a piece leaves its square, for all targets except
// those of moves that are made. It returns the targets of made moves, and adds some to them.
func (s *Scratch) correctLeaving(from Square, targets, made Bitboard) Bitboard {
	origin := from.Bitboard()
	each, sum := 0, 0 // corrections: of every move, and of single moves
	if s.pinBlockers&origin != 0 {
		n, more := s.unblockPin(from, targets)
		made |= more
		each += n
	}
	if s.pinners&origin != 0 {
		n, still, more := s.unpin(from, targets)
		made |= more
		each += n
		sum -= n * (still &^ made).Len()
	}
	targets &^= made

	if s.attackedBySliders&origin != 0 {
		n, single := s.clearLines(from, targets)
		each += n
		sum += single
	}
	if s.blockingPawns&origin != 0 {
		n, single := s.unblockPawn(origin, targets)
		each += n
		sum += single
	}
	if s.attackedByPawns&origin != 0 { // their pawn has nothing to capture, unless our piece captures that pawn
		captures := 1
		if origin&bitboard.Rank1Mask != 0 {
			captures = 4
		}
		if s.attackWest&origin != 0 {
			each -= captures
			sum += captures * (targets & (origin << 9)).Len()
		}
		if s.attackEast&origin != 0 {
			each -= captures
			sum += captures * (targets & (origin << 7)).Len()
		}
	}
	s.corrections += each*targets.Len() + sum
	return made
}

// unpin handles a pinner that leaves from. It returns the number of moves that the pinned piece
// gains, the targets from which it stays pinned, and the targets of moves that are made.
func (s *Scratch) unpin(from Square, targets Bitboard) (gained int, still, made Bitboard) {
	origin := from.Bitboard()
	line := bitboard.Line(s.theirKing, from)
	pinned := (bitboard.Between(s.theirKing, from) & s.occupancy).First()
	before, _ := s.moves(pinned, s.occupancy, s.Us)
	after, squares := s.moves(pinned, s.occupancy&^origin, s.Us&^origin)
	// Along the line it keeps the pin, and may change the pinned piece's moves on the line.
	still = targets & line
	made = targets & squares &^ line
	if (s.Diagonals | s.Orthogonals).Has(pinned) ||
		s.Pawns.Has(pinned) &&
			(attacks.Pawn(bitboard.Black, pinned)&origin != 0 || pinned.File() == s.theirKing.File()) {
		made |= still
	}
	return s.number(pinned, after) - s.number(pinned, before&line), still, made
}

// unblockPin is for a pin blocker that leaves from: a slider of ours behind it then pins a piece of
// theirs. It returns the change in that piece's number of moves, mostly a loss, and the targets of
// moves that are made.
func (s *Scratch) unblockPin(from Square, targets Bitboard) (change int, made Bitboard) {
	origin := from.Bitboard()
	slider := s.slider[from&63]
	line := bitboard.Line(s.theirKing, slider)
	pinned := (bitboard.Between(s.theirKing, slider) & s.Them).First()
	free, squares := s.moves(pinned, s.occupancy&^origin, s.Us&^origin)
	return -s.number(pinned, free&^line), targets & (squares | line)
}

// clearLines returns what sliders that attack our piece on from gain when it leaves: each is the
// gain of every move, the squares behind the piece. sum corrects single moves along the line, which
// take some of these squares again.
func (s *Scratch) clearLines(from Square, targets Bitboard) (each, sum int) {
	diagonals, orthogonals := attacks.Bishop(from, s.occupancy), attacks.Rook(from, s.occupancy)
	sliders := (diagonals&s.Diagonals | orthogonals&s.Orthogonals) & s.Them &^ s.theirPinned
	for x := sliders; x != 0; x &= x - 1 {
		slider := x.First()
		behind := (diagonals | orthogonals) & beyond[slider&63][from&63]
		cleared := behind &^ s.Them
		n := cleared.Len()
		each += n
		along := targets & bitboard.Line(slider, from)
		if along == 0 {
			continue
		}
		sum -= n * (along &^ behind).Len()     // towards the slider, or capturing it: it gains nothing
		sum += (along & behind & s.Them).Len() // captures at the end of the line: the slider captures there
		if away := along & cleared; away == cleared {
			sum -= n * (n - 1) / 2
		} else {
			for ; away != 0; away &= away - 1 { // further away: it gains the squares up to the target
				sum -= (cleared & beyond[from&63][away.First()&63]).Len()
			}
		}
	}
	return each, sum
}

// unblockPawn returns what their pawn gains when our blocking piece leaves: each is the gain of
// every move, its pushes. sum corrects single moves that take a push again.
func (s *Scratch) unblockPawn(origin, targets Bitboard) (each, sum int) {
	pawn := origin << 8
	if pawn&s.freePawns == 0 { // it blocks a double push
		return 1, -(targets & (origin<<8 | origin<<16)).Len()
	}
	pushes := 1
	switch {
	case pawn&bitboard.Rank7Mask != 0 && origin>>8&^s.occupancy != 0:
		pushes = 2
		sum -= (targets & (origin >> 8)).Len()
	case origin&bitboard.Rank1Mask != 0:
		pushes = 4
	}
	return pushes, sum - pushes*(targets&pawn).Len()
}

// kingRepliesTo returns the number of moves of their king, castlings included, if these of its
// targets are safe.
func (s *Scratch) kingRepliesTo(safe Bitboard) int {
	total := (safe & s.kingAttacks).Len()
	for _, path := range &s.castlings {
		if path != 0 && path.IsSubset(safe) {
			total++
		}
	}
	return total
}

// kingRepliesTaken returns the number of moves of their king that an attack takes.
func (s *Scratch) kingRepliesTaken(attack Bitboard) int {
	total := (s.safe & s.kingAttacks & attack).Len()
	for _, path := range &s.castlings {
		if path&attack != 0 && path.IsSubset(s.safe) {
			total++
		}
	}
	return total
}

// correctKingReplies corrects the number of their king's moves. The sums count only the moved
// piece's attacks from its target, but a move may block or unblock another piece's attack, and
// gives up the attacks from its old square.
func (s *Scratch) correctKingReplies(m *source, targets, interpositions Bitboard) {
	switch {
	case s.attackBlockers&m.mover != 0:
		s.recountEach(m, targets)
		return
	case m.piece == bitboard.King:
		near := targets & (interpositions | s.ourKingZone)
		s.recountEach(m, near)
		targets &^= near
	default:
		for x := targets & interpositions; x != 0; x &= x - 1 {
			to := x.First()
			cut := s.attacksCut(m, to)
			if cut&(s.castlings[0]|s.castlings[1]) != 0 {
				s.recountEach(m, x&-x)
				targets &^= x & -x
			} else if cut != 0 {
				s.corrections += s.safeAfter(m, to, cut).Len()
			}
		}
	}
	if lost := s.attackedOnce & m.attacks; lost != 0 && m.mover != 0 && targets != 0 {
		s.loseAttacks(m, lost, targets)
	}
}

// recountEach counts the moves of their king after each of some moves.
func (s *Scratch) recountEach(m *source, targets Bitboard) {
	for x := targets; x != 0; x &= x - 1 {
		to := x.First()
		summed := s.kingReplies
		if m.piece != bitboard.King && s.safe != 0 { // the sums do not count what our king attacks
			summed -= s.kingRepliesTaken(attacksOf(m.piece, to, s.occupancy))
		}
		s.corrections += s.kingRepliesTo(s.safeAfter(m, to, s.kingTargets|s.kingAttacks&to.Bitboard())) - summed
	}
}

// safeAfter returns which of some king targets are safe for their king after a move. Calling
// Attackers makes counting 1% slower.
func (s *Scratch) safeAfter(m *source, to Square, targets Bitboard) Bitboard {
	origin := m.origin(to).Bitboard()
	occupancy := s.occupancy&^origin | to.Bitboard()
	us := s.Us &^ origin
	pawns, knights, diagonals, orthogonals := s.Pawns&us, s.Knights&us, s.Diagonals&us, s.Orthogonals&us
	king := s.king.Bitboard() & us
	targets &^= attacksOf(m.piece, to, occupancy)
	for x := targets; x != 0; x &= x - 1 {
		z := x.First()
		if attacks.Knight(z)&knights|attacks.Pawn(bitboard.Black, z)&pawns|attacks.King(z)&king != 0 ||
			attacks.Bishop(z, occupancy)&diagonals != 0 || attacks.Rook(z, occupancy)&orthogonals != 0 {
			targets &^= x & -x
		}
	}
	return targets
}

// attacksCut returns the king targets that a slider of ours no longer attacks because a piece of
// ours arrives on to. After a capture next to their king that is to itself.
func (s *Scratch) attacksCut(m *source, to Square) Bitboard {
	if s.Them.Has(to) {
		return to.Bitboard()
	}
	var cut Bitboard
	sliders := attacks.Bishop(to, s.occupancy)&s.Diagonals | attacks.Rook(to, s.occupancy)&s.Orthogonals
	for x := sliders & s.Us &^ m.origin(to).Bitboard(); x != 0; x &= x - 1 {
		for y := beyond[x.First()&63][to&63] & s.kingTargets; y != 0; y &= y - 1 {
			if bitboard.Between(to, y.First())&s.occupancy == 0 {
				cut |= y & -y
			}
		}
	}
	return cut
}

// loseAttacks corrects the number of moves of their king for the targets that only the moving piece
// attacks before its move.
func (s *Scratch) loseAttacks(m *source, lost, targets Bitboard) {
	occupancy := s.occupancy.Without(m.from)
	for x := lost & s.kingAttacks; x != 0; x &= x - 1 {
		s.corrections += (targets &^ attackersOf(m.piece, x.First(), occupancy)).Len()
	}
	for _, path := range &s.castlings {
		if path&lost != 0 && path.IsSubset(lost|s.safe) {
			var stopped Bitboard // from where it still stops the castling
			for x := path; x != 0; x &= x - 1 {
				stopped |= attackersOf(m.piece, x.First(), occupancy)
			}
			s.corrections += (targets &^ stopped).Len()
		}
	}
}

// attackersOf returns the squares from which a piece of ours attacks a square.
func attackersOf(piece bitboard.PieceType, to Square, occupancy Bitboard) Bitboard {
	return attacks.Of(bitboard.PieceOf(bitboard.Black, piece), to, occupancy)
}
