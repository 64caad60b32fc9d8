package core

import (
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// kingLookup is what the generator looks up for our king: 128 bytes, two cache lines. The tables below have one for
// each square; [siblings] has one that is narrowed to a board.
type kingLookup struct {
	square      Square
	attacks     Bitboard // the squares next to the king
	knights     Bitboard // squares from which a knight checks it
	pawns       Bitboard // squares from which an enemy pawn, coming down the board, checks it
	diagonals   Bitboard // squares from which a bishop may check it or pin a piece to it
	orthogonals Bitboard // squares from which a rook may
	_           [2]Bitboard
	zone        kingZone
	_           [4]Bitboard
}

// kingZone is the squares from which an enemy piece may attack a square that the king may go to. A piece outside its
// zone is skipped.
type kingZone struct {
	kings, knights, diagonals, orthogonals Bitboard
}

var (
	kingLookups     [64]kingLookup // the lines and the zones are those of an empty board
	castlingLookups [8]kingLookup  // of a king on the first rank that may castle: the zone has every castling path
)

func init() {
	for s := bitboard.A1; s <= bitboard.H8; s++ {
		kingLookups[s] = kingLookup{
			square:      s,
			attacks:     attacks.King(s),
			knights:     attacks.Knight(s),
			pawns:       attacks.Pawn(bitboard.White, s),
			diagonals:   attacks.Bishop(s, bitboard.Empty),
			orthogonals: attacks.Rook(s, bitboard.Empty),
		}
		kingLookups[s].zone.add(attacks.King(s), bitboard.Empty)
	}
	for s := bitboard.A1; s <= bitboard.H1; s++ {
		castlingLookups[s] = kingLookups[s]
		castlingLookups[s].zone.add(s.Bitboard()|span(s, kingEastTarget)|span(s, kingWestTarget), bitboard.Empty)
	}
}

// add adds the squares from which an enemy piece attacks one of the targets, if only the blockers are in its way.
func (z *kingZone) add(targets, blockers Bitboard) {
	for x := targets; x != 0; {
		s := x.First()
		x &= x - 1
		z.kings |= attacks.King(s)
		z.knights |= attacks.Knight(s)
		z.diagonals |= attacks.Bishop(s, blockers)
		z.orthogonals |= attacks.Rook(s, blockers)
	}
}

// lookupOf returns the lookup for our king on a square, given the rooks that it may castle with.
func lookupOf(king Square, rooks Bitboard) *kingLookup {
	if rooks != 0 {
		return &castlingLookups[king&7]
	}
	return &kingLookups[king&63]
}

// safeKingTargets returns the targets that no enemy piece attacks. The occupancy is without our king, which does not
// hide the squares behind it; only the pieces in their zones are examined.
func safeKingTargets(targets Bitboard, z *kingZone, them, pawns, knights, diagonals, orthogonals, occupancy Bitboard) Bitboard {
	attackers := pawns & them
	targets &^= (attackers&^bitboard.FileAMask)>>9 | (attackers&^bitboard.FileHMask)>>7
	if king := them &^ (pawns | knights | diagonals | orthogonals); king&z.kings != 0 {
		targets &^= attacks.King(king.First())
	}
	for x := knights & them & z.knights; x != 0; {
		s := x.First()
		x &= x - 1
		targets &^= attacks.Knight(s)
	}
	for x := diagonals & them & z.diagonals; x != 0; {
		s := x.First()
		x &= x - 1
		targets &^= attacks.Bishop(s, occupancy)
	}
	for x := orthogonals & them & z.orthogonals; x != 0; {
		s := x.First()
		x &= x - 1
		targets &^= attacks.Rook(s, occupancy)
	}
	return targets
}
