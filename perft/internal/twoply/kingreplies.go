package twoply

import (
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// kingRepliesTo returns the moves of their king, castlings included, if these of its targets are safe.
func (s *Scratch) kingRepliesTo(safe Bitboard) int {
	total := (safe & s.kingAttacks).Len()
	for _, path := range &s.castlings {
		if path != 0 && path.IsSubset(safe) {
			total++
		}
	}
	return total
}

// kingRepliesTaken returns how many moves of their king an attack takes.
func (s *Scratch) kingRepliesTaken(attack Bitboard) int {
	total := (s.safe & s.kingAttacks & attack).Len()
	for _, path := range &s.castlings {
		if path&attack != 0 && path.IsSubset(s.safe) {
			total++
		}
	}
	return total
}

// correctKingReplies corrects the moves of their king for moves that block or unblock an attack of another piece or take the mover's
// own attack off a square. The sums count what the moved piece attacks from its target.
func (s *Scratch) correctKingReplies(m *source, targets Bitboard) {
	switch {
	case s.attackBlockers&m.mover() != 0:
		s.recountEach(m, targets)
		return
	case m.piece == bitboard.King:
		near := targets & (s.interpositions | s.ourKingZone)
		s.recountEach(m, near)
		targets &^= near
	default:
		for x := targets & s.interpositions; x != 0; x &= x - 1 {
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
	if lost := s.attackedOnce & m.attacks; lost != 0 && m.mover() != 0 && targets != 0 {
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

// safeAfter returns the targets that none of our pieces attacks after a move.
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

// attacksCut returns the king targets that a slider of ours no longer attacks because a piece of ours arrives on to, or to itself
// if that is a capture next to their king.
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

// loseAttacks corrects the moves of their king for the targets that only this piece attacks before it moves.
func (s *Scratch) loseAttacks(m *source, lost, targets Bitboard) {
	occupancy := s.occupancy.Without(m.from)
	paths := s.castlings[0] | s.castlings[1]
	var stopped [2]Bitboard // from where it still stops a castling
	for x := lost | s.safe&paths; x != 0; x &= x - 1 {
		z := x.First()
		from := attackersOf(m.piece, z, occupancy)
		if lost&s.kingAttacks&x&-x != 0 {
			s.corrections += (targets &^ from).Len()
		}
		for side, path := range &s.castlings {
			if path.Has(z) {
				stopped[side] |= from
			}
		}
	}
	for side, path := range &s.castlings {
		if path&lost != 0 && path.IsSubset(lost|s.safe) {
			s.corrections += (targets &^ stopped[side]).Len()
		}
	}
}

// attackersOf returns the squares from which a piece of ours attacks a square.
func attackersOf(piece bitboard.PieceType, to Square, occupancy Bitboard) Bitboard {
	if piece == bitboard.Pawn {
		return attacks.Pawn(bitboard.Black, to)
	}
	return attacksOf(piece, to, occupancy)
}
