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

// The squares castling ends on, whether in standard chess or Chess960: it goes east to g1 and f1,
// west to c1 and d1. Source: https://www.chessprogramming.org/Chess960
const (
	kingEastTarget = bitboard.G1
	kingWestTarget = bitboard.C1
	rookEastTarget = bitboard.F1
	rookWestTarget = bitboard.D1
)

// castlingPath is what one castling requires of the board.
type castlingPath struct {
	rook  Bitboard
	king  Bitboard // squares the king crosses and lands on: none may be attacked
	empty Bitboard // squares that must be empty, but for the king and the rook themselves
}

// castlingPaths are the two castlings of a king, by the rooks that have the right.
// Without a rook on that side, every square would have to be empty, and so it never may.
type castlingPaths struct {
	east, west castlingPath
}

// castlingTable has the paths by the king's file on the first rank and by the set of rooks with the right,
// which is a byte: standard chess and Chess960 differ in the row they read, and in nothing else.
var castlingTable [8][256]castlingPaths

func init() {
	never := castlingPath{empty: bitboard.Full}
	for king := bitboard.A1; king <= bitboard.H1; king++ {
		east, west := []castlingPath{never}, []castlingPath{never}
		eastRooks, westRooks := []Bitboard{0}, []Bitboard{0}
		for rook := bitboard.A1; rook <= bitboard.H1; rook++ {
			switch {
			case rook < king:
				west, westRooks = append(west, newCastlingPath(king, rook)), append(westRooks, rook.Bitboard())
			case rook > king:
				east, eastRooks = append(east, newCastlingPath(king, rook)), append(eastRooks, rook.Bitboard())
			}
		}
		for e := range east {
			for w := range west {
				castlingTable[king][eastRooks[e]|westRooks[w]] = castlingPaths{east[e], west[w]}
			}
		}
	}
}

func newCastlingPath(king, rook Square) castlingPath {
	kingTo, rookTo := CastlingTargets(king, rook)
	return castlingPath{
		rook:  rook.Bitboard(),
		king:  span(king, kingTo).With(kingTo), // not empty, even if the king stays where it is
		empty: (span(king, kingTo) | span(rook, rookTo)).Without(king).Without(rook),
	}
}

// CastlingTargets returns where king and rook end when the king castles with the rook; all four squares
// are on the first rank of the side that castles.
func CastlingTargets(king, rook Square) (kingTo, rookTo Square) {
	if rook > king {
		return kingEastTarget, rookEastTarget
	}
	return kingWestTarget, rookWestTarget
}

// span returns the squares of the first rank passed on the way from a to b, b included.
func span(a, b Square) Bitboard {
	if a == b {
		return bitboard.Empty
	}
	return bitboard.Between(a, b).With(b)
}

// CastlingPaths returns what the two castlings of a king on the first rank require of the board, given the rooks of
// that rank that have the right: the squares the king crosses and lands on, none of which may be attacked, and
// those that must be empty. Without a rook on that side, every square would have to be empty.
func CastlingPaths(king Square, rooks Bitboard) (eastKing, eastEmpty, westKing, westEmpty Bitboard) {
	paths := &castlingTable[king&7][rooks&bitboard.Rank1Mask]
	return paths.east.king, paths.east.empty, paths.west.king, paths.west.empty
}

// openCastlings returns those of some rooks on the first rank that our king may castle with if nothing but occupancy is in
// the way, and the squares that it crosses and lands on.
func openCastlings(king Square, rooks, occupancy Bitboard) (open, path Bitboard) {
	paths := &castlingTable[king&7][rooks&bitboard.Rank1Mask]
	if occupancy&paths.east.empty == 0 {
		open, path = paths.east.rook, paths.east.king
	}
	if occupancy&paths.west.empty == 0 {
		open, path = open|paths.west.rook, path|paths.west.king
	}
	return open, path
}

// castlings returns those of some rooks that have the right and are not pinned with which our king may castle, which is not
// in check.
func (k *kingLookup) castlings(rooks, them, pawns, knights, diagonals, orthogonals, occupancy Bitboard) Bitboard {
	open, path := openCastlings(k.square, rooks, occupancy)
	if open == 0 {
		return bitboard.Empty
	}
	attacked := path &^ safeKingTargets(path, &k.zone, them, pawns, knights, diagonals, orthogonals, occupancy.Without(k.square))
	paths := &castlingTable[k.square&7][rooks&bitboard.Rank1Mask]
	if attacked&paths.east.king != 0 {
		open &^= paths.east.rook
	}
	if attacked&paths.west.king != 0 {
		open &^= paths.west.rook
	}
	return open
}
