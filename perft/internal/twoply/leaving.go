package twoply

import (
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// correctLeaving corrects what changes because a piece leaves its square, for all its targets except those of moves that are made.
// It returns these, with the ones that it adds.
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

// unpin returns how many moves the piece gains that the pinner on from pins, the targets from which it still pins it, and the
// targets of moves that are made.
func (s *Scratch) unpin(from Square, targets Bitboard) (gained int, still, made Bitboard) {
	origin := from.Bitboard()
	line := bitboard.Line(s.theirKing, from)
	pinned := (bitboard.Between(s.theirKing, from) & s.occupancy).First()
	before, _ := s.mobility(pinned, s.occupancy, s.Us, line)
	after, squares := s.mobility(pinned, s.occupancy&^origin, s.Us&^origin, bitboard.Full)
	// Along the line it keeps the pin, and may change the pinned piece's moves on the line.
	still = targets & line
	made = targets & squares &^ line
	if (s.Diagonals | s.Orthogonals).Has(pinned) ||
		s.Pawns.Has(pinned) && (attacks.Pawn(bitboard.Black, pinned)&origin != 0 || pinned.File() == s.theirKing.File()) {
		made |= still
	}
	return after - before, still, made
}

// unblockPin returns the change, mostly a loss, in the moves of the piece that a slider of ours pins when the pin blocker on from
// leaves, and the targets of moves that are made.
func (s *Scratch) unblockPin(from Square, targets Bitboard) (change int, made Bitboard) {
	origin := from.Bitboard()
	slider := s.slider[from&63]
	line := bitboard.Line(s.theirKing, slider)
	pinned := (bitboard.Between(s.theirKing, slider) & s.Them).First()
	after, _ := s.mobility(pinned, s.occupancy&^origin, s.Us&^origin, line)
	before, squares := s.mobility(pinned, s.occupancy&^origin, s.Us&^origin, bitboard.Full)
	return after - before, targets & (squares | line)
}

// clearLines returns what their sliders gain that attack a piece of ours on from: for every move the squares behind
// it, and for single moves along the line what these take of it again.
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

// unblockPawn returns what their pawn gains that a piece of ours blocks: for every move its pushes, and for single moves what these
// take of it again.
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
