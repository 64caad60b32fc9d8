package twoply

import (
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/core"
)

// kingZone is where their king may go, as far as their own men let it.
type kingZone struct {
	ring      Bitboard    // the squares next to it
	zone      Bitboard    // those of the ring without a man of theirs, and all squares of castlings
	castlings [2]Bitboard // of each open castling, the squares that must be safe; empty if it is closed
	near      Bitboard    // squares from which our king would cover some of the zone

	slowOrigins Bitboard // our men whose moves are counted one by one,
	slowTargets Bitboard // and the squares on which arrivals are
}

// edgeRooks are the squares in the corners beyond which nothing can look along the rank at a castling rook.
const edgeRooks = Bitboard(1)<<bitboard.A8 | 1<<bitboard.H8

// findZone finds the zone of their king. It reports false if they have a castling open of the kind that
// only Chess960 knows and that the sums would get wrong.
func (s *Scratch) findZone() bool {
	s.ring = attacks.King(s.theirKing)
	s.zone = s.ring &^ s.Them
	s.near = near[s.theirKing&63]
	s.castlings = [2]Bitboard{}
	s.slowOrigins, s.slowTargets = 0, 0
	rooks := s.CastlingAndEnPassant & bitboard.Rank8Mask
	if rooks == 0 {
		return true
	}
	const up = 56 // from the first rank to the eighth
	eastKing, eastEmpty, westKing, westEmpty := core.CastlingPaths(s.theirKing, rooks>>up)
	east := s.findCastling(0, eastKing<<up, eastEmpty<<up, rooks&^(s.theirKing.Bitboard()-1))
	return s.findCastling(1, westKing<<up, westEmpty<<up, rooks&(s.theirKing.Bitboard()-1)) && east
}

// findCastling looks at one castling: the squares their king crosses, those that must be empty, and the rook.
func (s *Scratch) findCastling(wing int, path, empty, rook Bitboard) bool {
	switch {
	case rook == 0 || empty&s.Them != 0: // whatever we do, it stays closed
	case empty&s.Us != 0:
		s.slowOrigins |= empty & s.Us // opens it, perhaps
	case rook&edgeRooks == 0:
		return false
	default:
		s.castlings[wing] = path
		s.zone |= path
		s.near |= path>>7 | path>>8 | path>>9
		s.slowTargets |= path | empty | rook
	}
	return true
}
