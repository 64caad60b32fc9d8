package core

import (
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// CountMoves returns the number of legal moves.
func (b *Board) CountMoves() int {
	return countMoves(b.Us, b.Them, b.Pawns, b.Knights, b.Diagonals, b.Orthogonals, b.CastlingAndEnPassant)
}

// countMoves is where perft spends its time, hence its length. It counts sets and lists nothing, and
// leaves out all work that cannot matter on this board. It takes the seven words of a Board apart because the
// compiler passes words, but not a struct of seven, in registers: a tenth of perft's time.
func countMoves(us, them, pawns, knights, diagonals, orthogonals, rights Bitboard) int {
	occupancy := us | them
	kingSet := us &^ (pawns | knights | diagonals | orthogonals)
	king := kingSet.First()
	view := &kingViews[king&63]

	// Who gives check, what is pinned? Mostly nobody and nothing, which the lines of an empty board show.
	checkers := view.knights&knights&them | view.pawns&pawns&them
	checkMask := bitboard.Full
	if checkers != 0 {
		checkMask = checkers
	}
	var pinnedDiagonal, pinnedOrthogonal Bitboard
	diagonalSnipers, orthogonalSnipers := view.diagonals&diagonals&them, view.orthogonals&orthogonals&them
	if diagonalSnipers != 0 {
		diagonalSnipers &= attacks.Bishop(king, them)
	}
	if orthogonalSnipers != 0 {
		orthogonalSnipers &= attacks.Rook(king, them)
	}
	if diagonalSnipers|orthogonalSnipers != 0 {
		s := alongLines(king, us, diagonalSnipers, orthogonalSnipers)
		checkers |= s.checkers
		checkMask &= s.checkMask
		pinnedDiagonal, pinnedOrthogonal = s.pinnedDiagonal, s.pinnedOrthogonal
	}

	// The king. Danger is looked for only where it may want to go.
	total := 0
	wanted := view.ring &^ us
	zones := &view.zones
	var castleEast, castleWest Bitboard
	if rooks := rights & bitboard.Rank1Mask &^ pinnedOrthogonal; rooks != 0 && checkers == 0 {
		paths := &castlings[king&7][rooks]
		if occupancy&paths.east.empty == 0 {
			castleEast = paths.east.king
			zones = &castlingZones[king&7]
		}
		if occupancy&paths.west.empty == 0 {
			castleWest = paths.west.king
			zones = &castlingZones[king&7]
		}
		wanted |= castleEast | castleWest
	}
	if wanted != 0 {
		wanted = safe(wanted, zones, them, pawns, knights, diagonals, orthogonals, occupancy^kingSet)
		if castleEast|castleWest != 0 {
			if castleEast != 0 && castleEast.IsSubset(wanted) {
				total++
			}
			if castleWest != 0 && castleWest.IsSubset(wanted) {
				total++
			}
			wanted &= view.ring &^ us
		}
		total += wanted.Len()
	}

	if checkers|pinnedDiagonal|pinnedOrthogonal != 0 {
		if checkers&(checkers-1) != 0 {
			return total // in double check only the king moves
		}
		total += countRestricted(us, them, pawns, knights, diagonals, orthogonals, checkMask, pinnedDiagonal, pinnedOrthogonal)
	} else {
		// Everything moves freely.
		for x := knights & us; x != 0; {
			s := x.First()
			x &= x - 1
			total += (attacks.Knight(s) &^ us).Len()
		}
		for x := diagonals & us; x != 0; {
			s := x.First()
			x &= x - 1
			total += (attacks.Bishop(s, occupancy) &^ us).Len()
		}
		for x := orthogonals & us; x != 0; {
			s := x.First()
			x &= x - 1
			total += (attacks.Rook(s, occupancy) &^ us).Len()
		}
		movers := pawns & us
		push := movers << 8 &^ occupancy
		double := (push & bitboard.Rank3Mask) << 8 &^ occupancy
		west := movers &^ bitboard.FileAMask << 7 & them
		east := movers &^ bitboard.FileHMask << 9 & them
		total += countPawnMoves(push, double, west, east)
	}
	if rights&EnPassantRank != 0 {
		b := Board{us, them, pawns, knights, diagonals, orthogonals, rights}
		total += b.EnPassantCapturers().Len()
	}
	return total
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

// countRestricted counts the moves of all men but the king, under check or with men pinned.
func countRestricted(us, them, pawns, knights, diagonals, orthogonals, checkMask, pinnedDiagonal, pinnedOrthogonal Bitboard) int {
	occupancy := us | them
	allowed := checkMask &^ us
	pinned := pinnedDiagonal | pinnedOrthogonal
	total := 0
	for x := knights & us &^ pinned; x != 0; {
		s := x.First()
		x &= x - 1
		total += (attacks.Knight(s) & allowed).Len()
	}
	for x := diagonals & us &^ pinned; x != 0; {
		s := x.First()
		x &= x - 1
		total += (attacks.Bishop(s, occupancy) & allowed).Len()
	}
	for x := orthogonals & us &^ pinned; x != 0; {
		s := x.First()
		x &= x - 1
		total += (attacks.Rook(s, occupancy) & allowed).Len()
	}
	// A pinned slider's attacks meet the pin lines of its kind on its own line only: one mask serves all.
	for x := diagonals & us & pinnedDiagonal; x != 0; {
		s := x.First()
		x &= x - 1
		total += (attacks.Bishop(s, occupancy) & allowed & pinnedDiagonal).Len()
	}
	for x := orthogonals & us & pinnedOrthogonal; x != 0; {
		s := x.First()
		x &= x - 1
		total += (attacks.Rook(s, occupancy) & allowed & pinnedOrthogonal).Len()
	}
	push, west, east := pawnTargets(pawns&us, occupancy, pinnedDiagonal, pinnedOrthogonal)
	double := (push & bitboard.Rank3Mask) << 8 &^ occupancy
	return total + countPawnMoves(push&checkMask, double&checkMask, west&them&checkMask, east&them&checkMask)
}

// pawnTargets returns where pawns may be pushed, and where they attack, with their pins regarded.
func pawnTargets(movers, occupancy, pinnedDiagonal, pinnedOrthogonal Bitboard) (push, west, east Bitboard) {
	free := movers &^ (pinnedDiagonal | pinnedOrthogonal)
	push = free << 8 &^ occupancy
	west = free &^ bitboard.FileAMask << 7
	east = free &^ bitboard.FileHMask << 9
	if free != movers {
		along, across := movers&pinnedOrthogonal, movers&pinnedDiagonal
		push |= along << 8 &^ occupancy & pinnedOrthogonal
		west |= across &^ bitboard.FileAMask << 7 & pinnedDiagonal
		east |= across &^ bitboard.FileHMask << 9 & pinnedDiagonal
	}
	return push, west, east
}
