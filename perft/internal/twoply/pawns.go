package twoply

import (
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/core"
)

// enPassantNeighbors are the squares next to their pawns on which a double push may be captured en passant.
type enPassantNeighbors struct {
	enPassantWest, enPassantEast Bitboard // towards the a-file and the h-file of such a pawn
	madeDoublePushes             Bitboard // those on which the double push is made, as the capture may be illegal
}

// findEnPassantNeighbors finds the squares on which double pushes allow a capture en passant. The capture is one more reply. It
// can be illegal only if the capturing pawn is pinned before the double push: this is so even if both pawns that leave the rank
// expose the king, as the other pawn was not on the rank then.
func (s *Scratch) findEnPassantNeighbors() {
	pawns := s.Pawns & s.Them & bitboard.Rank4Mask
	s.enPassantWest, s.enPassantEast = pawns&^bitboard.FileAMask>>1, pawns&^bitboard.FileHMask<<1
	s.madeDoublePushes = 0
	if pawns&s.theirPinned != 0 {
		s.madeDoublePushes = s.enPassantWest | s.enPassantEast
	}
}

// addPawns lists the moves of our pawns, those that need no correction together.
func (s *Scratch) addPawns() {
	s.findEnPassantNeighbors()
	them, occupancy := s.Them, s.occupancy
	pawns := s.Pawns & s.Us
	attackers := s.attackedOnce&^bitboard.FileHMask>>7 | s.attackedOnce&^bitboard.FileAMask>>9
	single := pawns & (s.corrected | s.pinned | attackers | bitboard.Rank7Mask)

	together := pawns &^ single
	push := together << 8 &^ occupancy
	double := push & bitboard.Rank3Mask << 8 &^ occupancy
	for x := double & s.madeDoublePushes; x != 0; x &= x - 1 {
		s.rest += s.countAfter(x.First()-16, x.First(), core.DoublePush)
	}
	s.next().set(push, 0, bitboard.NoSquare, 8, bitboard.Pawn, core.PawnMove)
	s.next().set(double&^s.madeDoublePushes, 0, bitboard.NoSquare, 16, bitboard.Pawn, core.DoublePush)
	s.next().set(together&^bitboard.FileAMask<<7&them, 0, bitboard.NoSquare, 7, bitboard.Pawn, core.PawnMove)
	s.next().set(together&^bitboard.FileHMask<<9&them, 0, bitboard.NoSquare, 9, bitboard.Pawn, core.PawnMove)

	movable := ^(occupancy >> 8) | them&^bitboard.FileHMask>>7 | them&^bitboard.FileAMask>>9
	for x := single & movable; x != 0; x &= x - 1 {
		s.addPawn(x.First())
	}
}

// addPawn lists the moves of one pawn.
func (s *Scratch) addPawn(from Square) {
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
	if double&s.madeDoublePushes != 0 {
		s.rest += s.countAfter(from, from+16, core.DoublePush)
	} else if double != 0 {
		s.next().set(double, attack, from, 0, bitboard.Pawn, core.DoublePush)
	}
}

// addPromotions lists the promotions of one pawn, a source for each piece type.
func (s *Scratch) addPromotions(from Square, targets, attack Bitboard) {
	// A new slider also attacks through the square that the pawn has left. The sums do not count that: such a move is made.
	var through Bitboard
	for x := targets; x != 0; x &= x - 1 {
		if bitboard.Line(from, x.First())&s.kingTargets.With(s.theirKing) != 0 {
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

// countSpecial makes our captures en passant and counts the replies, and lists our castlings.
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

// addCastling lists a castling as a move of its rook, if the move of our king changes nothing; else it makes the castling. In
// standard chess that is so if no king target of theirs is on our first rank and ours attacks none from either square: no piece of theirs
// attacks the squares that our king leaves, crosses and lands on, and theirs on the rank could not move through it.
func (s *Scratch) addCastling(rook Square) {
	kingTo, rookTo := core.CastlingTargets(s.king, rook)
	isStandard := s.king == bitboard.E1 && (rook == bitboard.A1 || rook == bitboard.H1)
	if !isStandard || (s.kingTargets|s.kingAttacks)&bitboard.Rank1Mask|s.ourKingZone&(s.king.Bitboard()|kingTo.Bitboard()) != 0 ||
		(s.madeOrigins|s.pinners|s.pinBlockers|s.attackBlockers)&(s.king.Bitboard()|rook.Bitboard()) != 0 ||
		s.checks[bitboard.Rook].Has(rookTo) {
		s.rest += s.countAfter(s.king, rook, core.Castling)
		return
	}
	s.next().set(rookTo.Bitboard(), attacks.Rook(rook, s.occupancy), rook, 0, bitboard.Rook, core.RookMove)
}
