package core

import (
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// CountMoves returns the number of legal moves.
func (b *Board) CountMoves() int {
	rooks := b.CastlingAndEnPassant & bitboard.Rank1Mask
	k := lookupOf((b.Kings() & b.Us).First(), rooks)
	total := countMoves(b.Us, b.Them, b.Pawns, b.Knights, b.Diagonals, b.Orthogonals, rooks, k, &unknownCounts)
	if b.EnPassant() != 0 {
		total += b.EnPassantCapturers().Len()
	}
	return total
}

// countMoves counts the legal moves, but not the captures en passant, which are rare. perft spends its time here: it counts
// sets and lists nothing, skips what cannot matter on this board, and takes from before the counts that the last move has not
// changed. Its parameters are the words of a Board, the last one the rooks that the king may castle with, because the compiler
// passes words in registers, but not a struct of seven: a tenth of perft's time.
//
// It shares its analysis with the lists (checks and pins, the targets of king and pawns, castlings), but not the loops over
// the pieces: in a function of their own, called from here, they cost plain counting 8% of its speed, and 2% with GOAMD64=v3.
func countMoves(us, them, pawns, knights, diagonals, orthogonals, rooks Bitboard, k *kingLookup, before *countsBefore) int {
	occupancy, moved := us|them, them^before.them
	total := 0

	// Mostly no enemy piece stands where it could check the king or pin a piece to it.
	if (k.knights&knights|k.pawns&pawns|k.diagonals&diagonals|k.orthogonals&orthogonals)&them != 0 {
		c := k.checksAndPins(us, them, pawns, knights, diagonals, orthogonals)
		if c.checkers != 0 {
			return countEvasions(us, them, pawns, knights, diagonals, orthogonals, k, &c)
		}
		if c.pinnedDiagonal|c.pinnedOrthogonal != 0 {
			total -= countForbidden(us, them, pawns, knights, diagonals, orthogonals, c.pinnedDiagonal, c.pinnedOrthogonal)
			rooks &^= c.pinnedOrthogonal
		}
	}

	if moved&before.king.dependsOn == 0 {
		total += before.king.total
	} else if targets := k.attacks &^ us; targets != 0 {
		total += safeKingTargets(targets, &k.zone, them, pawns, knights, diagonals, orthogonals, occupancy.Without(k.square)).Len()
	}
	if rooks != 0 {
		total += k.castlings(rooks, them, pawns, knights, diagonals, orthogonals, occupancy).Len()
	}

	if moved&before.pieces.dependsOn == 0 {
		total += before.pieces.total
	} else {
		for x := knights & us; x != 0; {
			s := x.First()
			x &= x - 1
			total += (attacks.Knight(s) &^ us).Len()
		}
		for x := diagonals & us &^ orthogonals; x != 0; {
			s := x.First()
			x &= x - 1
			total += (attacks.Bishop(s, occupancy) &^ us).Len()
		}
		for x := orthogonals & us &^ diagonals; x != 0; {
			s := x.First()
			x &= x - 1
			total += (attacks.Rook(s, occupancy) &^ us).Len()
		}
		for x := orthogonals & diagonals & us; x != 0; {
			s := x.First()
			x &= x - 1
			total += (attacks.Queen(s, occupancy) &^ us).Len()
		}
	}

	push, west, east := pawnTargets(pawns&us, occupancy, bitboard.Empty, bitboard.Empty)
	double := push & bitboard.Rank3Mask << 8 &^ occupancy
	return total + countPawnMoves(push, double, west&them, east&them)
}

// countPawnMoves counts pawn moves by the squares they arrive on. Pushes and the captures of one side never
// meet, nor do they meet double pushes moved down to the first rank: one count does for the three.
func countPawnMoves(push, double, west, east Bitboard) int {
	total := (push | west | double>>24).Len() + east.Len()
	if (push|west|east)&bitboard.Rank8Mask != 0 {
		total += 3 * (((push | west) & bitboard.Rank8Mask).Len() + (east & bitboard.Rank8Mask).Len())
	}
	return total
}

// countForbidden counts the moves that pinned pieces would have, were they not pinned: those off their lines.
func countForbidden(us, them, pawns, knights, diagonals, orthogonals, pinnedDiagonal, pinnedOrthogonal Bitboard) int {
	occupancy, pinned := us|them, us&(pinnedDiagonal|pinnedOrthogonal)
	total := 0
	for x := knights & pinned; x != 0; {
		s := x.First()
		x &= x - 1
		total += (attacks.Knight(s) &^ us).Len()
	}
	for x := diagonals & pinned; x != 0; {
		s := x.First()
		x &= x - 1
		moves := attacks.Bishop(s, occupancy) &^ us
		if pinnedDiagonal.Has(s) {
			moves &^= pinnedDiagonal
		}
		total += moves.Len()
	}
	for x := orthogonals & pinned; x != 0; {
		s := x.First()
		x &= x - 1
		moves := attacks.Rook(s, occupancy) &^ us
		if pinnedOrthogonal.Has(s) {
			moves &^= pinnedOrthogonal
		}
		total += moves.Len()
	}
	if along, across := pawns&us&pinnedOrthogonal, pawns&us&pinnedDiagonal; along|across != 0 {
		push := (across<<8 | along<<8&^pinnedOrthogonal) &^ occupancy
		double := (push & bitboard.Rank3Mask) << 8 &^ occupancy
		west := (across&^bitboard.FileAMask<<7&^pinnedDiagonal | along&^bitboard.FileAMask<<7) & them
		east := (across&^bitboard.FileHMask<<9&^pinnedDiagonal | along&^bitboard.FileHMask<<9) & them
		total += countPawnMoves(push, double, west, east)
	}
	return total
}

// countEvasions counts the legal moves in check, but not the captures en passant. A pinned piece has none: its line and
// that of the check meet on the king's square alone.
func countEvasions(us, them, pawns, knights, diagonals, orthogonals Bitboard, k *kingLookup, c *checksAndPins) int {
	occupancy := us | them
	total := safeKingTargets(k.attacks&^us, &k.zone, them, pawns, knights, diagonals, orthogonals, occupancy.Without(k.square)).Len()
	if c.isDoubleCheck() {
		return total
	}
	movable := us &^ (c.pinnedDiagonal | c.pinnedOrthogonal)
	for x := knights & movable; x != 0; {
		s := x.First()
		x &= x - 1
		total += (attacks.Knight(s) & c.checkMask).Len()
	}
	for x := diagonals & movable; x != 0; {
		s := x.First()
		x &= x - 1
		total += (attacks.Bishop(s, occupancy) & c.checkMask).Len()
	}
	for x := orthogonals & movable; x != 0; {
		s := x.First()
		x &= x - 1
		total += (attacks.Rook(s, occupancy) & c.checkMask).Len()
	}
	push, west, east := pawnTargets(pawns&movable, occupancy, bitboard.Empty, bitboard.Empty)
	double := push & bitboard.Rank3Mask << 8 &^ occupancy
	return total + countPawnMoves(push&c.checkMask, double&c.checkMask, west&them&c.checkMask, east&them&c.checkMask)
}
