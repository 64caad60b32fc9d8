package twoply

import (
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// correctLeaving notes what the leaving of a man changes, for all its targets that are not slow. It returns the slow ones,
// among them those that it finds to be so.
func (s *Scratch) correctLeaving(from Square, targets, slow Bitboard) Bitboard {
	man := from.Bitboard()
	each, sum := 0, 0 // corrections: what every move changes, and what single moves change besides
	if s.openers&man != 0 {
		n, more := s.openPin(from, targets)
		slow |= more
		each += n
	}
	if s.pinners&man != 0 {
		n, still, more := s.unpin(from, targets)
		slow |= more
		each += n
		sum -= n * (still &^ slow).Len()
	}
	targets &^= slow

	if s.seen&man != 0 {
		n, single := s.clearLines(from, targets)
		each += n
		sum += single
	}
	if s.blocking&man != 0 {
		n, single := s.unblockPawn(man, targets)
		each += n
		sum += single
	}
	if s.attacked&man != 0 { // their pawn has nothing to capture, unless it is captured itself
		captures := 1
		if man&bitboard.Rank1Mask != 0 {
			captures = 4
		}
		if s.attackWest&man != 0 {
			each -= captures
			sum += captures * (targets & (man << 9)).Len()
		}
		if s.attackEast&man != 0 {
			each -= captures
			sum += captures * (targets & (man << 7)).Len()
		}
	}
	s.corrections += each*targets.Len() + sum
	return slow
}

// unpin returns how many moves the man gains that the pinner on from has pinned, the targets from which it is
// pinned still, and those that are slow.
func (s *Scratch) unpin(from Square, targets Bitboard) (gained int, still, slow Bitboard) {
	man := from.Bitboard()
	line := bitboard.Line(s.theirKing, from)
	pinned := (bitboard.Between(s.theirKing, from) & s.occupancy).First()
	before, _ := s.mobility(pinned, s.occupancy, s.Us, line)
	after, squares := s.mobility(pinned, s.occupancy&^man, s.Us&^man, bitboard.Full)
	// Along the line it keeps the pin, and may change what the pinned man can do on the line.
	still = targets & line
	slow = targets & squares &^ line
	if (s.Diagonals | s.Orthogonals).Has(pinned) ||
		s.Pawns.Has(pinned) && (attacks.Pawn(bitboard.Black, pinned)&man != 0 || pinned.File() == s.theirKing.File()) {
		slow |= still
	}
	return after - before, still, slow
}

// openPin returns the change, mostly a loss, in the moves of the man that a slider of ours pins once the opener on from
// has left, and the targets that are slow.
func (s *Scratch) openPin(from Square, targets Bitboard) (change int, slow Bitboard) {
	man := from.Bitboard()
	slider := s.slider[from&63]
	line := bitboard.Line(s.theirKing, slider)
	pinned := (bitboard.Between(s.theirKing, slider) & s.Them).First()
	after, _ := s.mobility(pinned, s.occupancy&^man, s.Us&^man, line)
	before, squares := s.mobility(pinned, s.occupancy&^man, s.Us&^man, bitboard.Full)
	return after - before, targets & (squares | line)
}

// clearLines returns what their sliders gain that attack a man of ours on from: for every move the squares behind
// it, less what single moves along the line keep from them.
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
		sum -= n * (along &^ behind).Len()     // towards the slider, or capturing it: nothing is cleared
		sum += (along & behind & s.Them).Len() // captures at the end: there it can be captured now
		if away := along & cleared; away == cleared {
			sum -= n * (n - 1) / 2
		} else {
			for ; away != 0; away &= away - 1 { // further away: no further than it goes
				sum -= (cleared & beyond[from&63][away.First()&63]).Len()
			}
		}
	}
	return each, sum
}

// unblockPawn returns what their pawn gains that cannot be pushed for a man of ours: for every move its pushes,
// less what single moves keep from it.
func (s *Scratch) unblockPawn(man, targets Bitboard) (each, sum int) {
	pawn := man << 8
	if pawn&s.freePawns == 0 { // the man is in the way of a double push
		return 1, -(targets & (man<<8 | man<<16)).Len()
	}
	pushes := 1
	switch {
	case pawn&bitboard.Rank7Mask != 0 && man>>8&^s.occupancy != 0:
		pushes = 2
		sum -= (targets & (man >> 8)).Len()
	case man&bitboard.Rank1Mask != 0:
		pushes = 4
	}
	return pushes, sum - pushes*(targets&pawn).Len()
}
