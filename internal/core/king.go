package core

import (
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// kingLookup is a row of 128 bytes that the generator looks up for our king. It always reads the
// first four words. The tables below contain a row for each square, and childContext one narrowed
// to a board. Board.Attackers uses the lines and leaps for any square.
type kingLookup struct {
	diagonals   Bitboard    // squares from which a bishop may check it or pin a piece to it
	orthogonals Bitboard    // the same for a rook
	knights     Bitboard    // squares from which a knight checks it
	pawns       [2]Bitboard // squares from which a pawn of each colour checks it: an enemy pawn is Black's
	attacks     Bitboard    // the squares next to the king
	square      Square
	zone        kingZone
	_           [5]Bitboard
}

// kingZone contains the squares from which an enemy piece may attack a target of the king, by
// piece. Pieces elsewhere are skipped.
type kingZone struct {
	kings, knights, diagonals, orthogonals Bitboard
}

var (
	kingLookups     [64]kingLookup // lines and zones of an empty board
	castlingLookups [8]kingLookup  // of a king that may castle: the zone includes every castling path
)

func init() {
	for s := bitboard.A1; s <= bitboard.H8; s++ {
		kingLookups[s] = kingLookup{
			diagonals:   attacks.Bishop(s, bitboard.Empty),
			orthogonals: attacks.Rook(s, bitboard.Empty),
			knights:     attacks.Knight(s),
			pawns:       [2]Bitboard{attacks.Pawn(bitboard.Black, s), attacks.Pawn(bitboard.White, s)},
			attacks:     attacks.King(s),
			square:      s,
		}
		kingLookups[s].zone.add(attacks.King(s), bitboard.Empty)
	}
}

// add adds the squares from which an enemy piece attacks one of the targets past blockers.
func (z *kingZone) add(targets, blockers Bitboard) {
	for x := targets; x != 0; x &= x - 1 {
		s := x.First()
		z.kings |= attacks.King(s)
		z.knights |= attacks.Knight(s)
		z.diagonals |= attacks.Bishop(s, blockers)
		z.orthogonals |= attacks.Rook(s, blockers)
	}
}

// Lines returns the squares that a bishop and a rook on s attack on an empty board.
func Lines(s Square) (diagonals, orthogonals Bitboard) {
	l := &kingLookups[s&63]
	return l.diagonals, l.orthogonals
}

func lookupOf(king Square, rooks Bitboard) *kingLookup {
	if rooks != 0 {
		return &castlingLookups[king&7]
	}
	return &kingLookups[king&63]
}

// safeKingTargets returns the targets that no enemy piece attacks. The occupancy must exclude our
// king, which does not hide the squares behind it.
func safeKingTargets(targets Bitboard, z *kingZone,
	them, pawns, knights, diagonals, orthogonals, occupancy Bitboard) Bitboard {
	attackers := pawns & them
	targets &^= (attackers&^FileAMask)>>9 | (attackers&^FileHMask)>>7
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

// The target squares of castling in standard chess and Chess960: g1 and f1 eastward, c1 and d1
// westward. Source: https://www.chessprogramming.org/Chess960
const (
	kingEastTarget = bitboard.G1
	kingWestTarget = bitboard.C1
	rookEastTarget = bitboard.F1
	rookWestTarget = bitboard.D1
)

// CastlingPath holds the conditions of one castling. All squares are on the first rank.
type CastlingPath struct {
	Rook  Bitboard
	King  Bitboard // squares that the king crosses and lands on, which must not be attacked
	Empty Bitboard // squares that must be empty, except for the king and the rook themselves
}

// CastlingPaths are the two castling moves of a king. Without a rook on a side, Empty contains all
// squares, so the king never castles there.
type CastlingPaths struct {
	East, West CastlingPath
}

// castlingTable holds the paths by the king's file and by the set of castling rooks on the first
// rank, a byte. Standard chess and Chess960 differ only in the row they read.
var castlingTable [8][256]CastlingPaths

func init() {
	for king := bitboard.A1; king <= bitboard.H1; king++ {
		for east := king; east <= bitboard.H1; east++ {
			for west := bitboard.A1; west <= king; west++ {
				rooks := (east.Bitboard() | west.Bitboard()).Without(king)
				castlingTable[king][rooks] = CastlingPaths{newCastlingPath(king, east), newCastlingPath(king, west)}
			}
		}
		paths := CastlingPathsOf(king, (bitboard.A1.Bitboard() | bitboard.H1.Bitboard()).Without(king))
		castlingLookups[king] = kingLookups[king]
		castlingLookups[king].zone.add(king.Bitboard()|paths.East.King|paths.West.King, bitboard.Empty)
	}
}

// newCastlingPath returns the conditions of castling with a rook. The king's own square means no
// rook.
func newCastlingPath(king, rook Square) CastlingPath {
	if rook == king {
		return CastlingPath{Empty: bitboard.Full}
	}
	kingTo, rookTo := CastlingTargets(king, rook)
	kingPath := bitboard.Between(king, kingTo).With(kingTo) // includes the target even if the king stays
	rookPath := bitboard.Between(rook, rookTo).With(rookTo)
	return CastlingPath{rook.Bitboard(), kingPath, (kingPath | rookPath).Without(king).Without(rook)}
}

// CastlingTargets returns the target squares of king and rook, on their rank.
func CastlingTargets(king, rook Square) (kingTo, rookTo Square) {
	rank := king &^ 7
	if rook > king {
		return rank | kingEastTarget, rank | rookEastTarget
	}
	return rank | kingWestTarget, rank | rookWestTarget
}

// CastlingPathsOf returns the paths of a king on the first rank, given its castling rooks.
func CastlingPathsOf(king Square, rooks Bitboard) *CastlingPaths {
	return &castlingTable[king&7][rooks&Rank1Mask]
}

func (p *CastlingPaths) toward(king, rook Square) *CastlingPath {
	if rook > king {
		return &p.East
	}
	return &p.West
}

// openCastlings returns the given rooks with which the occupancy lets our king castle, and the
// squares that the king crosses and lands on.
func openCastlings(king Square, rooks, occupancy Bitboard) (open, path Bitboard) {
	paths := CastlingPathsOf(king, rooks)
	if occupancy&paths.East.Empty == 0 {
		open, path = paths.East.Rook, paths.East.King
	}
	if occupancy&paths.West.Empty == 0 {
		open, path = open|paths.West.Rook, path|paths.West.King
	}
	return open, path
}

// castlings returns the given rooks with which our king may castle. The rooks must have the right
// and not be pinned, and the king must not be in check.
func (k *kingLookup) castlings(rooks, them, pawns, knights, diagonals, orthogonals, occupancy Bitboard) Bitboard {
	open, path := openCastlings(k.square, rooks, occupancy)
	if open == 0 {
		return bitboard.Empty
	}
	attacked := path &^ safeKingTargets(path, &k.zone, them, pawns, knights, diagonals, orthogonals,
		occupancy.Without(k.square))
	paths := CastlingPathsOf(k.square, rooks)
	if attacked&paths.East.King != 0 {
		open &^= paths.East.Rook
	}
	if attacked&paths.West.King != 0 {
		open &^= paths.West.Rook
	}
	return open
}
