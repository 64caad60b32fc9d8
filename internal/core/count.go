package core

import (
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// CountMoves returns the number of legal moves. It is where perft spends its time, hence its length: it
// counts sets and lists nothing, and leaves out all work that cannot matter on this board.
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

	// The king. Danger is looked at only where it has somewhere to go.
	total := 0
	wanted := view.ring &^ us
	zones := &view.zones
	var castleEast, castleWest Bitboard
	if rooks := rights & bitboard.Rank1Mask &^ pinnedOrthogonal; rooks != 0 && checkers == 0 {
		paths := &castlings[king&7][rooks]
		if occupancy&paths.east.empty == 0 {
			castleEast = paths.east.king
			wanted |= castleEast
			zones = &castlingZones[king&7]
		}
		if occupancy&paths.west.empty == 0 {
			castleWest = paths.west.king
			wanted |= castleWest
			zones = &castlingZones[king&7]
		}
	}
	if wanted != 0 {
		wanted = safe(wanted, zones, them, pawns, knights, diagonals, orthogonals, occupancy^kingSet)
		if castleEast|castleWest != 0 {
			if castleEast != 0 && castleEast&^wanted == 0 {
				total++
			}
			if castleWest != 0 && castleWest&^wanted == 0 {
				total++
			}
			wanted &= view.ring &^ us
		}
		total += wanted.Len()
	}
	if checkers&(checkers-1) != 0 {
		return total
	}

	if checkers|pinnedDiagonal|pinnedOrthogonal == 0 {
		free := ^us
		for x := knights & us; x != 0; {
			s := x.First()
			x &= x - 1
			total += (attacks.Knight(s) & free).Len()
		}
		for x := diagonals & us; x != 0; {
			s := x.First()
			x &= x - 1
			total += (attacks.Bishop(s, occupancy) & free).Len()
		}
		for x := orthogonals & us; x != 0; {
			s := x.First()
			x &= x - 1
			total += (attacks.Rook(s, occupancy) & free).Len()
		}
		movers := pawns & us
		push := movers << 8 &^ occupancy
		double := (push & bitboard.Rank3Mask) << 8 &^ occupancy
		west := movers &^ bitboard.FileAMask << 7 & them
		east := movers &^ bitboard.FileHMask << 9 & them
		// Pushes and one side's captures never meet, nor do double pushes moved to the first rank.
		total += (push | west | double>>24).Len() + east.Len()
		if movers&bitboard.Rank7Mask != 0 {
			total += 3 * (((push | west) & bitboard.Rank8Mask).Len() + (east & bitboard.Rank8Mask).Len())
		}
		if rights&EnPassantRank != 0 {
			total += enPassantCount(us, them, pawns, knights, diagonals, orthogonals, rights)
		}
		return total
	}

	// In check or with pinned men: the same with masks.
	free := checkMask &^ us
	pinned := pinnedDiagonal | pinnedOrthogonal
	for x := knights & us &^ pinned; x != 0; {
		s := x.First()
		x &= x - 1
		total += (attacks.Knight(s) & free).Len()
	}
	for x := diagonals & us &^ pinned; x != 0; {
		s := x.First()
		x &= x - 1
		total += (attacks.Bishop(s, occupancy) & free).Len()
	}
	for x := orthogonals & us &^ pinned; x != 0; {
		s := x.First()
		x &= x - 1
		total += (attacks.Rook(s, occupancy) & free).Len()
	}
	movers := pawns & us
	if pinned != 0 {
		// A pinned slider that moves along its pin reaches no other pin line within it, so one mask for all serves.
		for x := diagonals & us & pinnedDiagonal; x != 0; {
			s := x.First()
			x &= x - 1
			total += (attacks.Bishop(s, occupancy) & free & pinnedDiagonal).Len()
		}
		for x := orthogonals & us & pinnedOrthogonal; x != 0; {
			s := x.First()
			x &= x - 1
			total += (attacks.Rook(s, occupancy) & free & pinnedOrthogonal).Len()
		}
		onDiagonal, onOrthogonal := movers&pinnedDiagonal, movers&pinnedOrthogonal
		movers &^= pinned
		if onDiagonal != 0 {
			captures := pinnedDiagonal & them & checkMask
			west := onDiagonal &^ bitboard.FileAMask << 7 & captures
			east := onDiagonal &^ bitboard.FileHMask << 9 & captures
			total += west.Len() + east.Len() + 3*((west|east)&bitboard.Rank8Mask).Len()
		}
		if onOrthogonal != 0 {
			push := onOrthogonal << 8 &^ occupancy & pinnedOrthogonal
			double := (push & bitboard.Rank3Mask) << 8 &^ occupancy
			total += (push & checkMask).Len() + (double & checkMask).Len()
		}
	}
	push := movers << 8 &^ occupancy
	double := (push & bitboard.Rank3Mask) << 8 &^ occupancy & checkMask
	push &= checkMask
	west := movers &^ bitboard.FileAMask << 7 & them & checkMask
	east := movers &^ bitboard.FileHMask << 9 & them & checkMask
	total += (push | west | double>>24).Len() + east.Len()
	if movers&bitboard.Rank7Mask != 0 {
		total += 3 * (((push | west) & bitboard.Rank8Mask).Len() + (east & bitboard.Rank8Mask).Len())
	}
	if rights&EnPassantRank != 0 {
		total += enPassantCount(us, them, pawns, knights, diagonals, orthogonals, rights)
	}
	return total
}

func enPassantCount(us, them, pawns, knights, diagonals, orthogonals, rights Bitboard) int {
	b := Board{us, them, pawns, knights, diagonals, orthogonals, rights}
	return b.enPassantCapturers().Len()
}

func (b *Board) CountMoves() int {
	return countMoves(b.Us, b.Them, b.Pawns, b.Knights, b.Diagonals, b.Orthogonals, b.Rights)
}
