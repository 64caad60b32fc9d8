package core

import (
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// Targets is the set of legal moves in the shape the generator finds them: a set of target squares for
// each piece, four sets for the pawns. Lists, counts and children are all made from it.
type Targets struct {
	pieces [64]PieceTargets
	ends   [5]uint8 // where the knights, bishops, rooks, queens and the king end in pieces

	Push, DoublePush         Bitboard // the squares pawns arrive on, promotions included
	CaptureWest, CaptureEast Bitboard // the squares pawns capture on, towards the a-file and the h-file
	EnPassant                Bitboard // the pawns that may capture en passant
	Castling                 Bitboard // the rooks the king may castle with
}

// PieceTargets is the square of a piece and the squares it may go to.
type PieceTargets struct {
	To   Bitboard
	From Square
}

// Knights returns the targets of each knight.
func (t *Targets) Knights() []PieceTargets { return t.pieces[:t.ends[0]&63] }

// Bishops returns the targets of each bishop.
func (t *Targets) Bishops() []PieceTargets { return t.pieces[t.ends[0]&63 : t.ends[1]&63] }

// Rooks returns the targets of each rook.
func (t *Targets) Rooks() []PieceTargets { return t.pieces[t.ends[1]&63 : t.ends[2]&63] }

// Queens returns the targets of each queen.
func (t *Targets) Queens() []PieceTargets { return t.pieces[t.ends[2]&63 : t.ends[3]&63] }

// King returns the targets of the king, castling aside.
func (t *Targets) King() PieceTargets { return t.pieces[t.ends[3]&63] }

// Pieces returns the targets of all pieces but the pawns: in order knights, bishops, rooks, queens, the king.
func (t *Targets) Pieces() []PieceTargets { return t.pieces[:(t.ends[3]&63)+1] }

// Targets finds all legal moves of b and puts them into t. What t had is lost.
func (b *Board) Targets(t *Targets) {
	us, them := b.Us, b.Them
	pawns, knights, diagonals, orthogonals := b.Pawns, b.Knights, b.Diagonals, b.Orthogonals
	occupancy := us | them
	kingSet := us &^ (pawns | knights | diagonals | orthogonals)
	king := kingSet.First()
	view := &kingViews[king&63]

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

	wanted := view.ring &^ us
	zones := &view.zones
	var castleEast, castleWest Bitboard
	rooks := b.Rights & bitboard.Rank1Mask &^ pinnedOrthogonal
	if rooks != 0 && checkers == 0 {
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
	}
	t.Castling = 0
	if castleEast != 0 && castleEast&^wanted == 0 {
		t.Castling |= rooks &^ (kingSet - 1)
	}
	if castleWest != 0 && castleWest&^wanted == 0 {
		t.Castling |= rooks & (kingSet - 1)
	}
	wanted &= view.ring &^ us

	t.EnPassant = 0
	if checkers&(checkers-1) != 0 { // double check: only the king moves
		t.Push, t.DoublePush, t.CaptureWest, t.CaptureEast = 0, 0, 0, 0
		t.ends = [5]uint8{}
		t.pieces[0] = PieceTargets{wanted, king}
		return
	}

	n := t.findPieces(b, checkMask&^us, pinnedDiagonal, pinnedOrthogonal)
	t.pieces[n&63] = PieceTargets{wanted, king}

	push, west, east := pawnTargets(pawns&us, occupancy, pinnedDiagonal, pinnedOrthogonal)
	t.DoublePush = (push & bitboard.Rank3Mask) << 8 &^ occupancy & checkMask
	t.Push = push & checkMask
	t.CaptureWest = west & them & checkMask
	t.CaptureEast = east & them & checkMask
	if b.Rights&EnPassantRank != 0 {
		t.EnPassant = b.EnPassantCapturers()
	}
}

// findPieces finds the moves of our knights, bishops, rooks and queens onto the squares that are allowed, and returns
// how many such pieces there are.
func (t *Targets) findPieces(b *Board, allowed, pinnedDiagonal, pinnedOrthogonal Bitboard) int {
	occupancy := b.Us | b.Them
	pinned := pinnedDiagonal | pinnedOrthogonal
	n := 0
	for x := b.Knights & b.Us &^ pinned; x != 0; n++ {
		s := x.First()
		x &= x - 1
		t.pieces[n&63] = PieceTargets{attacks.Knight(s) & allowed, s}
	}
	t.ends[0] = uint8(n)
	for x := b.Diagonals & b.Us &^ b.Orthogonals &^ pinnedOrthogonal; x != 0; n++ {
		s := x.First()
		x &= x - 1
		to := attacks.Bishop(s, occupancy) & allowed
		if pinnedDiagonal.Has(s) {
			to &= pinnedDiagonal
		}
		t.pieces[n&63] = PieceTargets{to, s}
	}
	t.ends[1] = uint8(n)
	for x := b.Orthogonals & b.Us &^ b.Diagonals &^ pinnedDiagonal; x != 0; n++ {
		s := x.First()
		x &= x - 1
		to := attacks.Rook(s, occupancy) & allowed
		if pinnedOrthogonal.Has(s) {
			to &= pinnedOrthogonal
		}
		t.pieces[n&63] = PieceTargets{to, s}
	}
	t.ends[2] = uint8(n)
	for x := b.Diagonals & b.Orthogonals & b.Us; x != 0; n++ {
		s := x.First()
		x &= x - 1
		var to Bitboard
		switch {
		case pinnedDiagonal.Has(s):
			to = attacks.Bishop(s, occupancy) & pinnedDiagonal
		case pinnedOrthogonal.Has(s):
			to = attacks.Rook(s, occupancy) & pinnedOrthogonal
		default:
			to = attacks.Queen(s, occupancy)
		}
		t.pieces[n&63] = PieceTargets{to & allowed, s}
	}
	t.ends[3] = uint8(n)
	return n
}
