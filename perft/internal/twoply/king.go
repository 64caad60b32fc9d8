package twoply

import (
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/core"
)

// kingMoves is where their king may go, as far as their own pieces allow it.
type kingMoves struct {
	kingAttacks Bitboard    // the squares that it attacks
	kingTargets Bitboard    // those of them without a piece of theirs, and all squares of castlings
	castlings   [2]Bitboard // of each open castling, the squares that must be safe; empty if it is closed
	ourKingZone Bitboard    // the squares from which our king would attack some of the targets

	madeOrigins Bitboard // our pieces whose moves are made and counted,
	madeTargets Bitboard // and the targets of such moves of any piece
}

// edgeRooks are the squares in the corners beyond which no slider can pin a castling rook along the rank.
const edgeRooks = Bitboard(1)<<bitboard.A8 | 1<<bitboard.H8

// findKingMoves finds where their king may go. It reports false if they have a castling open of the kind that
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
	eastKing, eastEmpty, westKing, westEmpty := core.CastlingPaths(s.theirKing, rooks>>up)
	east := s.findCastling(0, eastKing<<up, eastEmpty<<up, rooks&^(s.theirKing.Bitboard()-1))
	return s.findCastling(1, westKing<<up, westEmpty<<up, rooks&(s.theirKing.Bitboard()-1)) && east
}

// findCastling adds one castling, given the squares that their king crosses, those that must be empty, and the rook.
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
