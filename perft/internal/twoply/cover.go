package twoply

import (
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// kingRepliesTo returns the moves of their king, castlings included, if these squares of the zone are open.
func (s *Scratch) kingRepliesTo(open Bitboard) int {
	total := (open & s.ring).Len()
	for _, path := range &s.castlings {
		if path != 0 && path.IsSubset(open) {
			total++
		}
	}
	return total
}

// kingRepliesTaken returns how many moves of their king an attack takes by itself.
func (s *Scratch) kingRepliesTaken(attack Bitboard) int {
	total := (s.open & s.ring & attack).Len()
	for _, path := range &s.castlings {
		if path&attack != 0 && path.IsSubset(s.open) {
			total++
		}
	}
	return total
}

// correctCover notes what moves change about the moves of their king by giving up cover, by cutting it, or by
// uncovering. What a newcomer covers by itself the sums know.
func (s *Scratch) correctCover(m *source, targets Bitboard) {
	switch {
	case s.uncoverers&m.alone() != 0:
		s.recountEach(m, targets)
		return
	case m.piece == bitboard.King:
		beside := targets & (s.screens | s.near)
		s.recountEach(m, beside)
		targets &^= beside
	default:
		for x := targets & s.screens; x != 0; x &= x - 1 {
			to := x.First()
			cut := s.coverCut(m, to)
			if cut&(s.castlings[0]|s.castlings[1]) != 0 {
				s.recountEach(m, x&-x)
				targets &^= x & -x
			} else if cut != 0 {
				s.corrections += s.openAfter(m, to, cut).Len()
			}
		}
	}
	if given := s.sole & m.attacks; given != 0 && m.alone() != 0 && targets != 0 {
		s.giveUp(m, given, targets)
	}
}

// recountEach counts the moves of their king after each of some moves.
func (s *Scratch) recountEach(m *source, targets Bitboard) {
	for x := targets; x != 0; x &= x - 1 {
		to := x.First()
		summed := s.kingReplies
		if m.piece != bitboard.King && s.open != 0 { // our king is not in the sums
			summed -= s.kingRepliesTaken(attacksOf(m.piece, to, s.occupancy))
		}
		s.corrections += s.kingRepliesTo(s.openAfter(m, to, s.zone|s.ring&to.Bitboard())) - summed
	}
}

// openAfter returns the squares of wanted that none of our men attacks after a move.
func (s *Scratch) openAfter(m *source, to Square, wanted Bitboard) Bitboard {
	origin := m.origin(to).Bitboard()
	occupancy := s.occupancy&^origin | to.Bitboard()
	us := s.Us &^ origin
	pawns, knights, diagonals, orthogonals := s.Pawns&us, s.Knights&us, s.Diagonals&us, s.Orthogonals&us
	king := s.king.Bitboard() & us
	wanted &^= attacksOf(m.piece, to, occupancy)
	for x := wanted; x != 0; x &= x - 1 {
		z := x.First()
		if attacks.Knight(z)&knights|attacks.Pawn(bitboard.Black, z)&pawns|attacks.King(z)&king != 0 ||
			attacks.Bishop(z, occupancy)&diagonals != 0 || attacks.Rook(z, occupancy)&orthogonals != 0 {
			wanted &^= x & -x
		}
	}
	return wanted
}

// coverCut returns the squares of the zone that a slider of ours no longer sees past the man that arrives on to,
// or to itself if that is a capture beside their king.
func (s *Scratch) coverCut(m *source, to Square) Bitboard {
	if s.Them.Has(to) {
		return to.Bitboard()
	}
	var cut Bitboard
	sliders := attacks.Bishop(to, s.occupancy)&s.Diagonals | attacks.Rook(to, s.occupancy)&s.Orthogonals
	for x := sliders & s.Us &^ m.origin(to).Bitboard(); x != 0; x &= x - 1 {
		for y := beyond[x.First()&63][to&63] & s.zone; y != 0; y &= y - 1 {
			if bitboard.Between(to, y.First())&s.occupancy == 0 {
				cut |= y & -y
			}
		}
	}
	return cut
}

// giveUp notes the squares of the zone that this man alone covers, and does not from its targets.
func (s *Scratch) giveUp(m *source, given, targets Bitboard) {
	occupancy := s.occupancy.Without(m.from)
	paths := s.castlings[0] | s.castlings[1]
	var stopped [2]Bitboard // from where it stops a castling
	for x := given | s.open&paths; x != 0; x &= x - 1 {
		z := x.First()
		from := attackersOf(m.piece, z, occupancy)
		if given&s.ring&x&-x != 0 {
			s.corrections += (targets &^ from).Len()
		}
		for wing, path := range &s.castlings {
			if path.Has(z) {
				stopped[wing] |= from
			}
		}
	}
	for wing, path := range &s.castlings {
		if path&given != 0 && path.IsSubset(given|s.open) {
			s.corrections += (targets &^ stopped[wing]).Len()
		}
	}
}

// attackersOf returns the squares from which a man of ours of any kind attacks a square.
func attackersOf(piece bitboard.PieceType, to Square, occupancy Bitboard) Bitboard {
	if piece == bitboard.Pawn {
		return attacks.Pawn(bitboard.Black, to)
	}
	return attacksOf(piece, to, occupancy)
}
