package simd

import (
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/core"
)

// compass has the directions clockwise from north, so that a direction and the opposite differ by four, even
// ones are a rook's and odd ones a bishop's.
var compass = [8]bitboard.Direction{
	bitboard.North, bitboard.NorthEast, bitboard.East, bitboard.SouthEast,
	bitboard.South, bitboard.SouthWest, bitboard.West, bitboard.NorthWest,
}

// kingLookup is what the kernel reads apart from siblings, for the king of the side to reply. That king stands on the same square in
// all siblings, because the other side moves.
type kingLookup struct {
	rays    [8]Bitboard // the lines of an empty board from the king, by compass
	square  Bitboard    // the king itself
	attacks Bitboard    // the squares next to it
	knights Bitboard    // squares from which a knight checks it
	pawns   Bitboard    // squares from which a pawn, coming down the board, checks it
}

// kingZone has the squares from which a piece attacks, on an empty board, a square that matters to the king:
// its own, those next to it, and those it castles over. A piece that is outside its zone in all siblings is skipped.
type kingZone struct {
	sliders [8]Bitboard // by the direction, of the compass, in which the slider attacks
	knights Bitboard
	kings   Bitboard
}

var (
	kingLookups   [64]kingLookup
	kingZones     [64]kingZone
	castlingZones [8]kingZone // for a king that may castle, by its file on the first rank
)

func init() {
	for s := bitboard.A1; s <= bitboard.H8; s++ {
		l := &kingLookups[s]
		for i, d := range compass {
			l.rays[i] = bitboard.Walk(s, d, bitboard.Empty)
		}
		l.square = s.Bitboard()
		l.attacks = attacks.King(s)
		l.knights = attacks.Knight(s)
		l.pawns = attacks.Pawn(bitboard.White, s)
		kingZones[s] = zoneAround(l.square | l.attacks)
	}
	for king := bitboard.A1; king <= bitboard.H1; king++ {
		matter := kingLookups[king].square | kingLookups[king].attacks
		for rook := range castlings[king] {
			matter |= castlings[king][rook].unattacked
		}
		castlingZones[king] = zoneAround(matter)
	}
}

// zoneAround returns the zone of the squares that matter to a king.
func zoneAround(matter Bitboard) kingZone {
	var z kingZone
	for s := range matter.Squares() {
		for i := range compass {
			z.sliders[i] |= bitboard.Walk(s, compass[(i+4)%8], bitboard.Empty)
		}
		z.knights |= attacks.Knight(s)
		z.kings |= attacks.King(s)
	}
	return z
}

// castling is what castling with one rook requires of the board. Without a rook there is none.
type castling struct {
	rook       Bitboard // must still be there, and not be pinned
	empty      Bitboard // squares that must be empty, but for the king and the rook themselves
	unattacked Bitboard // squares the king stands on, crosses and lands on
}

// castlings are all castlings of the side that plays up the board, by the files of the king and the rook.
var castlings = func() (all [8][8]castling) {
	for king := bitboard.A1; king <= bitboard.H1; king++ {
		for rook := bitboard.A1; rook <= bitboard.H1; rook++ {
			if rook == king {
				continue
			}
			kingTo, rookTo := core.CastlingTargets(king, rook)
			path := bitboard.Between(king, kingTo).With(kingTo)
			passed := bitboard.Between(rook, rookTo).With(rookTo)
			all[king][rook] = castling{
				rook:       rook.Bitboard(),
				empty:      (path | passed).Without(king).Without(rook),
				unattacked: path.With(king),
			}
		}
	}
	return all
}()
