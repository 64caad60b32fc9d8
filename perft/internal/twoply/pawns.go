package twoply

import (
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/core"
)

// besides are the squares beside their pawns on which a double push may be captured en passant.
type besides struct {
	besideWest, besideEast Bitboard // towards the a-file and the h-file of such a pawn
	slowDoubles            Bitboard // where the capture takes a closer look
}

// findBesides finds the squares on which double pushes allow a capture en passant. The capture is one
// more reply, unless it may be illegal, and then its pawn is pinned: if taking both pawns off the rank bares the king, it
// alone was in the way before the push.
func (s *Scratch) findBesides() {
	pawns := s.Pawns & s.Them & bitboard.Rank4Mask
	s.besideWest, s.besideEast = pawns&^bitboard.FileAMask>>1, pawns&^bitboard.FileHMask<<1
	s.slowDoubles = 0
	if pawns&s.theirPinned != 0 {
		s.slowDoubles = s.besideWest | s.besideEast
	}
}

// addPawns lists the moves of our pawns, those with nothing odd about them together.
func (s *Scratch) addPawns() {
	s.findBesides()
	them, occupancy := s.Them, s.occupancy
	pawns := s.Pawns & s.Us
	covering := s.sole&^bitboard.FileHMask>>7 | s.sole&^bitboard.FileAMask>>9
	odd := pawns & (s.odd | s.pinned | covering | bitboard.Rank7Mask)

	plain := pawns &^ odd
	push := plain << 8 &^ occupancy
	double := push & bitboard.Rank3Mask << 8 &^ occupancy
	for x := double & s.slowDoubles; x != 0; x &= x - 1 {
		s.rest += s.countAfter(x.First()-16, x.First(), core.DoublePush)
	}
	s.next().set(push, 0, bitboard.NoSquare, 8, bitboard.Pawn, core.PawnMove)
	s.next().set(double&^s.slowDoubles, 0, bitboard.NoSquare, 16, bitboard.Pawn, core.DoublePush)
	s.next().set(plain&^bitboard.FileAMask<<7&them, 0, bitboard.NoSquare, 7, bitboard.Pawn, core.PawnMove)
	s.next().set(plain&^bitboard.FileHMask<<9&them, 0, bitboard.NoSquare, 9, bitboard.Pawn, core.PawnMove)

	movable := ^(occupancy >> 8) | them&^bitboard.FileHMask>>7 | them&^bitboard.FileAMask>>9
	for x := odd & movable; x != 0; x &= x - 1 {
		s.addOddPawn(x.First())
	}
}

// addOddPawn lists the moves of one pawn.
func (s *Scratch) addOddPawn(from Square) {
	allowed := bitboard.Full
	if s.pinned.Has(from) {
		allowed = bitboard.Line(s.king, from)
	}
	attack := attacks.Pawn(bitboard.White, from)
	push := from.Bitboard() << 8 &^ s.occupancy
	double := push & bitboard.Rank3Mask << 8 &^ s.occupancy & allowed
	targets := (push | attack&s.Them) & allowed
	if bitboard.Rank7Mask.Has(from) {
		s.addPromotions(from, targets, attack)
		return
	}
	s.next().set(targets, attack, from, 0, bitboard.Pawn, core.PawnMove)
	if double&s.slowDoubles != 0 {
		s.rest += s.countAfter(from, from+16, core.DoublePush)
	} else if double != 0 {
		s.next().set(double, attack, from, 0, bitboard.Pawn, core.DoublePush)
	}
}

// addPromotions lists the promotions of one pawn, a source for each kind of piece it may become.
func (s *Scratch) addPromotions(from Square, targets, attack Bitboard) {
	// A new slider also sees through the square that the pawn has left, of which the sums know nothing.
	var through Bitboard
	for x := targets; x != 0; x &= x - 1 {
		if bitboard.Line(from, x.First())&s.zone.With(s.theirKing) != 0 {
			through |= x & -x
		}
	}
	s.next().set(targets, attack, from, 0, bitboard.Knight, core.PromoteKnight)
	for piece := bitboard.Bishop; piece <= bitboard.Queen; piece++ {
		kind := core.PromoteKnight + core.Kind(piece-bitboard.Knight)
		s.next().set(targets&^through, attack, from, 0, piece, kind)
		for x := through; x != 0; x &= x - 1 {
			s.rest += s.countAfter(from, x.First(), kind)
		}
	}
}

// countSpecial counts the replies to our en-passant captures and castlings, one by one.
func (s *Scratch) countSpecial() {
	if s.EnPassant() != 0 {
		for x := s.EnPassantCapturers(); x != 0; x &= x - 1 {
			s.rest += s.countAfter(x.First(), s.EnPassant().First(), core.EnPassant)
		}
	}
	rooks := s.CastlingAndEnPassant & bitboard.Rank1Mask &^ s.pinned
	if rooks == 0 {
		return
	}
	eastKing, eastEmpty, westKing, westEmpty := core.CastlingPaths(s.king, rooks)
	if s.occupancy&eastEmpty|s.danger&eastKing == 0 {
		s.addCastling(rooks.Last())
	}
	if s.occupancy&westEmpty|s.danger&westKing == 0 {
		s.addCastling(rooks.First())
	}
}

// addCastling lists a castling with a rook as the move of that rook, if the king has no part in what it changes. In standard chess
// that needs their king to be away from our first rank and ours to be away from its zone: nothing of theirs attacks
// the squares that our king leaves, crosses and lands on, and their pieces on the rank could not move through it.
func (s *Scratch) addCastling(rook Square) {
	kingTo, rookTo := core.CastlingTargets(s.king, rook)
	isStandard := s.king == bitboard.E1 && (rook == bitboard.A1 || rook == bitboard.H1)
	if !isStandard || (s.zone|s.ring)&bitboard.Rank1Mask|s.near&(s.king.Bitboard()|kingTo.Bitboard()) != 0 ||
		(s.slowOrigins|s.pinners|s.openers|s.uncoverers)&(s.king.Bitboard()|rook.Bitboard()) != 0 ||
		s.checks[bitboard.Rook].Has(rookTo) {
		s.rest += s.countAfter(s.king, rook, core.Castling)
		return
	}
	s.next().set(rookTo.Bitboard(), attacks.Rook(rook, s.occupancy), rook, 0, bitboard.Rook, core.RookMove)
}
