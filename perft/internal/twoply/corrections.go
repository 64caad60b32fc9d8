package twoply

import (
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/core"
)

// correctArriving corrects what the sums miss because a piece arrives on its targets. It moves
// checks from the source to the rest.
func (s *Scratch) correctArriving(m *source) {
	interpositions := s.interpositions
	if s.diagonalMovers|s.orthogonalMovers == m.mover { // they are all on its own lines
		interpositions = s.kingAttacks & s.Them
	}
	if m.piece == bitboard.King {
		s.countEach(m, m.targets&interpositions)
	}
	cutting, checks := m.targets&interpositions, m.targets&s.checks[m.piece&7]
	if checks != 0 {
		s.rest += s.evasions(m, checks)
		m.targets &^= checks
	}
	// The sums ignore pins created by the moved piece.
	pins := m.targets & (s.pins[m.piece&7] | s.pinLines)
	if s.pinners&m.mover != 0 { // changePin corrects its moves along its line
		pins &^= bitboard.Line(s.theirKing, m.from)
	}
	for x := pins; x != 0; x &= x - 1 {
		s.corrections += s.repin(m, x.First())
	}
	if m.piece == bitboard.King {
		s.followKing(m.targets)
		m.attacks = 0 // followKing corrected what it gives up
		return
	}

	// The sums do not know that the moved piece may cut the attack of another piece.
	for x := cutting; x != 0; x &= x - 1 {
		cut := s.attacksCut(m, x.First())
		if cut&(s.castlings[0]|s.castlings[1]) != 0 && checks&x&-x == 0 {
			s.recount(m, x.First())
		} else if cut &= s.kingAttacks; cut != 0 {
			s.corrections += s.safeAfter(m, x.First(), cut).Len()
		}
	}
}

// countMade applies countEach to the sources of madeOrigins.
func (s *Scratch) countMade() {
	for i := range s.sources[:s.sourceEnd&sourceMask] {
		if m := &s.sources[i]; s.madeOrigins&m.mover != 0 {
			s.countEach(m, m.targets)
		}
	}
}

// countEach makes moves of a piece, counts the replies, and takes the moves out of the source.
func (s *Scratch) countEach(m *source, targets Bitboard) {
	for x := targets; x != 0; x &= x - 1 {
		s.rest += s.CountAfter(m.from, x.First(), m.kind)
	}
	m.targets &^= targets
}

// repin returns the change of their replies by a move onto a line to their king, which pins or
// unpins a piece of theirs.
func (s *Scratch) repin(m *source, to Square) int {
	origin, target := m.origin(to).Bitboard(), to.Bitboard()
	between, line := bitboard.Between(s.theirKing, to), bitboard.Line(s.theirKing, to)
	pins := s.pins[m.piece&7].Has(to)
	if !s.pinLines.Has(to) {
		occupancy := s.occupancy&^origin | target
		piece := (between & occupancy).First()
		targets, _ := s.moves(piece, occupancy, s.Us&^origin|target)
		return -s.number(piece, targets&^line)
	}
	// The moved piece is between a pinner and their king. That unpins the pinned piece, unless the
	// moved piece also pins it.
	piece := (line & s.theirPinned & (between | beyond[s.theirKing&63][to&63])).First()
	pawn, isPawn := &s.pinnedPawns[piece&63], s.Pawns.Has(piece)
	if isPawn && pawn.squares&(origin|target) == 0 {
		if pins {
			return 0
		}
		return pawn.free - pawn.pinned
	}
	targets, _ := s.moves(piece, s.occupancy&^origin|target, s.Us&^origin|target)
	before := pawn.pinned // the sums take a pawn's moves as constant
	if !isPawn {
		before = s.number(piece, targets&line)
	}
	if pins {
		targets &= line
	}
	return s.number(piece, targets) - before
}

// evasions returns the number of replies to the checks of a source. It ignores that the checking
// piece blocks lines. correctArriving adds the king moves that this misses. Checks are counted
// together if no reply stops two of them and arriving changes no other piece's moves.
func (s *Scratch) evasions(m *source, checks Bitboard) (total int) {
	free, given := s.kingAttacks&^(s.Them|s.attacked), s.kingAttacks&s.attackedOnce
	for x := checks; x != 0; x &= x - 1 {
		to, left := x.First(), m.attacks
		if m.piece == bitboard.Pawn { // one of several
			left = attacks.Pawn(bitboard.White, m.origin(to))
		}
		// Next to their king, a checking piece attacks the same squares as on an empty board,
		// unless it is a queen next to the king.
		attack := onEmptyBoard[m.piece&7][to&63]
		if m.piece == bitboard.Queen && s.kingAttacks&x&-x != 0 {
			attack = attacks.Queen(to, s.occupancy&^(m.mover|s.theirKing.Bitboard()))
		}
		total += ((free | given&left) &^ attack).Len()
	}

	unpinned := s.Them &^ s.theirPinned
	if s.pinners&m.mover != s.pinBlockers&m.mover { // behind a pinner that is both, another pins
		unpinned ^= s.pinPiece[m.from&63]
	}
	var together Bitboard
	if checks&(checks-1) != 0 && m.mover != 0 {
		quiet := checks &^ (s.pinLines | s.Pawns&s.Them>>8) // arriving there changes no other piece's moves
		together = quiet & s.kingAttacks
		stops, sliders := together, (s.Diagonals|s.Orthogonals)&s.Them
		for x := quiet &^ (s.kingAttacks | s.Them); x != 0; x &= x - 1 {
			line := bitboard.Between(s.theirKing, x.First()) | x&-x
			if line&stops|beyond[s.theirKing&63][x.First()&63]&sliders == 0 {
				together |= x & -x
				stops |= line
			}
		}
		total += s.stops(unpinned, together, stops&^together, s.occupancy&^m.mover)
	}
	for x := checks &^ together; x != 0; x &= x - 1 {
		to, target := x.First(), x&-x
		pieces := unpinned&^target | s.theirPinned&beyond[s.theirKing&63][to&63]
		total += s.stops(pieces, target, bitboard.Between(s.theirKing, to), s.occupancy.Without(m.origin(to))|target)
	}
	return total
}

// stops returns the number of captures and interpositions by which pieces of theirs stop checks.
// between are the squares between the checking pieces and their king.
func (s *Scratch) stops(pieces, checks, between, occupancy Bitboard) (total int) {
	stops := checks | between
	for x := s.Knights & pieces; x != 0; x &= x - 1 {
		total += (attacks.Knight(x.First()) & stops).Len()
	}
	for x := s.Diagonals & pieces; x != 0; x &= x - 1 {
		total += (attacks.Bishop(x.First(), occupancy) & stops).Len()
	}
	for x := s.Orthogonals & pieces; x != 0; x &= x - 1 {
		total += (attacks.Rook(x.First(), occupancy) & stops).Len()
	}
	if pawns := s.Pawns & pieces; pawns != 0 {
		west, east := pawns&^core.FileAMask>>9&checks, pawns&^core.FileHMask>>7&checks
		push := pawns >> 8 &^ occupancy
		push = (push | push&core.Rank6Mask>>8) & between // squares that are empty
		total += west.Len() + east.Len() + push.Len()
		total += core.MorePromotions * ((west & core.Rank1Mask).Len() + ((east | push) & core.Rank1Mask).Len())
	}
	return total
}

func (s *Scratch) correctLeaving(m *source) {
	origin := m.mover
	if s.attackedBySliders&origin != 0 {
		s.clearLines(m.from, m.targets)
	}
	if s.blockingPawns&origin != 0 {
		s.unblockPawn(origin, m.targets)
	}
	if s.attackedByPawns&origin != 0 { // their pawn loses the capture, unless our piece captures the pawn
		captures := 1 + core.MorePromotions*(origin&core.Rank1Mask).Len()
		s.corrections -= captures * ((origin&s.attackWest).Len()*(m.targets&^(origin<<9)).Len() +
			(origin&s.attackEast).Len()*(m.targets&^(origin<<7)).Len())
	}
	if (s.pinners|s.pinBlockers)&origin != 0 {
		s.changePin(m.from, m.targets)
	}
}

// correctPawns corrects the moves of pawns together, for leaving and for arriving. given are the
// king targets that one of our pawns attacks, and no other piece of ours.
func (s *Scratch) correctPawns(p pawnMoves, given Bitboard) {
	if first := p.push | p.double | p.west; (first|p.east)&s.sensitive[bitboard.King] != 0 {
		s.correctPawnArrivals(first, p.east)
	}
	for x := given; x != 0; x &= x - 1 {
		s.corrections += p.of(attacks.Pawn(bitboard.Black, x.First())).Len()
	}
	if pawns := s.Pawns & (s.attackedBySliders | s.pinBlockers); pawns != 0 {
		for x := pawns & (p.push>>8 | p.double>>16 | p.west>>7 | p.east>>9); x != 0; x &= x - 1 {
			targets := p.of(x & -x)
			if s.attackedBySliders&x&-x != 0 {
				s.clearLines(x.First(), targets)
			}
			if s.pinBlockers&x&-x != 0 {
				s.changePin(x.First(), targets)
			}
		}
	}
	if s.Pawns&s.attackedByPawns != 0 { // their pawn loses the capture
		push, double := p.push>>8, p.double>>16
		s.corrections -= (push & s.attackWest).Len() + (push & s.attackEast).Len() +
			(double & s.attackWest).Len() + (double & s.attackEast).Len()
	}
	// Likewise here, unless ours captures it. The pawn that ours blocked gains its pushes.
	if west, east := p.west>>7, p.east>>9; west|east != 0 {
		s.corrections += (west & s.blockingPawns).Len() - (west & s.attackWest).Len() +
			(east & s.blockingPawns).Len() - (east & s.attackEast).Len()
		double := s.blockingPawns & core.Rank6Mask &^ (s.occupancy << 8)
		s.corrections += (west & double).Len() + (east & double).Len()
	}
}

// correctDoublePushes adds the captures en passant that double pushes allow. A capture is illegal
// only if the capturing pawn is pinned before the double push and leaves its line, because the
// captured pawn was not on the rank then.
func (s *Scratch) correctDoublePushes(targets Bitboard) {
	theirs := s.Pawns & s.Them
	for x := targets & (theirs>>1 | theirs<<1); x != 0; x &= x - 1 {
		behind := x.First() - 8
		pinned := s.theirPinned &^ bitboard.Line(s.theirKing, behind)
		s.corrections += (theirs & attacks.Pawn(bitboard.White, behind) &^ pinned).Len()
	}
}

// correctPawnArrivals takes from their king the squares that pawns attack from their targets. There
// are two sets of targets, because two pawns may capture on one square.
func (s *Scratch) correctPawnArrivals(first, second Bitboard) {
	// Pawns attack the safe squares from these.
	west, east := s.safe&^core.FileHMask>>7, s.safe&^core.FileAMask>>9
	if (first|second)&(west|east) == 0 {
		return
	}
	for _, path := range s.castlings[:s.open] {
		if path&^s.safe == 0 {
			from := path>>7 | path>>9 // a path has no square on the a- or h-file
			s.corrections -= (first & from).Len() + (second & from).Len()
		}
	}
	west, east = west&(s.kingAttacks>>7), east&(s.kingAttacks>>9)
	s.corrections -= (first & west).Len() + (first & east).Len() + (second & west).Len() + (second & east).Len()
}

// changePin corrects the moves of their piece on the line of a pinner or pin blocker that leaves
// from: after moves along the line, after others, and one by one after arrivals where that piece
// would go.
func (s *Scratch) changePin(from Square, targets Bitboard) {
	origin := from.Bitboard()
	line := bitboard.Line(s.theirKing, from)
	piece := s.pinPiece[from&63].First()
	pawn := &s.pinnedPawns[piece&63]
	if s.Pawns.Has(piece) && s.pinBlockers&origin == 0 && pawn.squares&(origin|targets) == 0 {
		s.corrections += (pawn.free - pawn.pinned) * (targets &^ line).Len()
		return
	}
	free, squares := s.moves(piece, s.occupancy&^origin, s.Us&^origin)
	summed := free                             // the summed moves
	along, off := bitboard.Full, bitboard.Full // where it may go after moves along the line, and off it
	wasPinned := s.pinners&origin != 0
	if wasPinned {
		summed, _ = s.moves(piece, s.occupancy, s.Us)
		summed &= line
		along = line
	}
	if s.pinBlockers&origin != 0 {
		off = line
	}
	n, others := s.number(piece, summed), targets&^squares
	s.corrections += (s.number(piece, free&along)-n)*(others&line).Len() +
		(s.number(piece, free&off)-n)*(others&^line).Len()
	for x := targets & squares; x != 0; x &= x - 1 {
		to := x.First()
		shadow := beyond[piece&63][to&63]
		moves := free&^shadow | x&-x
		if s.Pawns.Has(piece) {
			shadow = 0 // the sums take its moves for a constant
			if to.File() == piece.File() {
				moves &^= x & -x
			}
		}
		before := moves
		if wasPinned {
			before = summed &^ shadow
		}
		if line.Has(to) {
			moves &= along
		} else {
			moves &= off
		}
		s.corrections += s.number(piece, moves) - s.number(piece, before)
	}
}

// clearLines adds the squares behind our piece on from, which sliders that attack it gain when it
// leaves. Moves along the line take some of these squares again.
func (s *Scratch) clearLines(from Square, targets Bitboard) {
	diagonals, orthogonals := attacks.Bishop(from, s.occupancy), attacks.Rook(from, s.occupancy)
	sliders := (diagonals&s.Diagonals | orthogonals&s.Orthogonals) & s.Them &^ s.theirPinned
	for x := sliders; x != 0; x &= x - 1 {
		slider := x.First()
		behind := (diagonals | orthogonals) & beyond[slider&63][from&63]
		cleared := behind &^ s.Them
		n := cleared.Len()
		along := targets & bitboard.Line(slider, from)
		sum := n * (targets&^along | along&behind).Len()           // towards the slider, or capturing it: it gains nothing
		sum += (along & behind & s.Them).Len()                     // captures at the end of the line: the slider captures there
		for away := along & cleared; away != 0; away &= away - 1 { // it gains the squares up to the target
			sum -= (cleared & beyond[from&63][away.First()&63]).Len()
		}
		s.corrections += sum
	}
}

// unblockPawn adds what their pawn gains when our blocking piece leaves: its pushes, unless the
// move takes a push again or captures the pawn.
func (s *Scratch) unblockPawn(origin, targets Bitboard) {
	pawn := origin << 8
	if pawn&s.Pawns == 0 { // it blocks a double push
		s.corrections += (targets &^ (origin<<8 | origin<<16)).Len()
		return
	}
	double := pawn & core.Rank7Mask >> 16 &^ s.occupancy
	pushes := 1 + double.Len() + core.MorePromotions*(origin&core.Rank1Mask).Len()
	s.corrections += pushes*(targets&^pawn).Len() - (targets & double).Len()
}

// kingRepliesTo returns the number of moves of their king, castling moves included, given its safe
// targets and the square on which a piece of ours arrives.
func (s *Scratch) kingRepliesTo(safe, arrival Bitboard) int {
	total := (safe & s.kingAttacks).Len()
	for i, path := range s.castlings[:s.open] {
		if path&^safe == 0 && s.closing[i]&arrival == 0 {
			total++
		}
	}
	return total
}

// followKing corrects the number of their king's moves for moves of our king that cut and open no
// other attack.
func (s *Scratch) followKing(targets Bitboard) {
	safe := s.safe | s.attackedOnce&attacks.King(s.king) // from our other pieces
	for x := targets; x != 0; x &= x - 1 {
		s.corrections += s.kingRepliesTo(safe&^attacks.King(x.First()), x&-x) - s.kingReplies
	}
}

// recount corrects the number of their king's moves, castling moves included, after a move.
func (s *Scratch) recount(m *source, to Square) {
	arrival, given := to.Bitboard(), m.attacks
	if m.piece == bitboard.Pawn { // one of several
		given = attacks.Pawn(bitboard.White, m.origin(to))
	}
	attack := attacks.Of(bitboard.PieceOf(bitboard.White, m.piece), to, s.occupancy.Without(m.origin(to)))
	safe := s.safeAfter(m, to, s.kingTargets|s.kingAttacks&arrival)
	s.corrections += s.kingRepliesTo(safe, arrival) - s.kingRepliesTo((s.safe|s.attackedOnce&given)&^attack, arrival)
}

// safeAfter returns the targets that are safe for their king after a move. Calling Attackers makes
// counting 1% slower.
func (s *Scratch) safeAfter(m *source, to Square, targets Bitboard) Bitboard {
	origin := m.origin(to).Bitboard()
	occupancy := (s.occupancy&^origin | to.Bitboard()) &^ s.theirKing.Bitboard()
	us := s.Us &^ origin
	pawns, knights, diagonals, orthogonals := s.Pawns&us, s.Knights&us, s.Diagonals&us, s.Orthogonals&us
	targets &^= attacks.Of(bitboard.PieceOf(bitboard.White, m.piece), to, occupancy) | attacks.King(s.king)
	for x := targets; x != 0; x &= x - 1 {
		z := x.First()
		if attacks.Knight(z)&knights|attacks.Pawn(bitboard.Black, z)&pawns != 0 ||
			attacks.Bishop(z, occupancy)&diagonals != 0 || attacks.Rook(z, occupancy)&orthogonals != 0 {
			targets &^= x & -x
		}
	}
	return targets
}

// attacksCut returns the king targets that a slider of ours no longer attacks because a piece of
// ours arrives on to, or to itself after a capture next to their king.
func (s *Scratch) attacksCut(m *source, to Square) Bitboard {
	if s.Them.Has(to) {
		return to.Bitboard() &^ s.attackedTwice // another piece of ours protects it
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

// giveCastlings adds the castling moves over lost, the squares that only the moving piece attacks
// before its move.
func (s *Scratch) giveCastlings(m *source, lost Bitboard) {
	occupancy := s.occupancy.Without(m.from)
	for i, path := range s.castlings[:s.open] {
		if path&lost != 0 && path&^(lost|s.safe) == 0 {
			stopped := s.closing[i] // from where it still stops the castling
			for x := path; x != 0; x &= x - 1 {
				stopped |= attacks.Of(bitboard.PieceOf(bitboard.Black, m.piece), x.First(), occupancy)
			}
			s.corrections += (m.targets &^ stopped).Len()
		}
	}
}
