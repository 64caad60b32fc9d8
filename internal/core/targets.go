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

// Squares returns the squares of all targets, given the en-passant target of the board; those of castlings are the
// squares of the rooks.
func (t *Targets) Squares(enPassant Bitboard) Bitboard {
	squares := t.Push | t.DoublePush | t.CaptureWest | t.CaptureEast | t.Castling
	if t.EnPassant != 0 {
		squares |= enPassant
	}
	for _, p := range t.Pieces() {
		squares |= p.To
	}
	return squares
}

// Targets finds all legal moves of b and puts them into t. What t had is lost.
func (b *Board) Targets(t *Targets) { b.Select(t, &everything) }

// Select finds the legal moves of b that are wanted and puts them into t. What t had is lost.
func (b *Board) Select(t *Targets, want *Selection) {
	s := b.safety()
	t.find(b, want, &s)
}

// find puts the wanted moves into t, given what the enemy sliders and checkers leave open.
func (t *Targets) find(b *Board, want *Selection, s *safety) {
	king := t.findKing(b, want, s)
	if s.checkers&(s.checkers-1) != 0 { // double check: only the king moves
		t.Push, t.DoublePush, t.CaptureWest, t.CaptureEast, t.EnPassant = 0, 0, 0, 0, 0
		t.ends = [5]uint8{}
		t.pieces[0] = king
		return
	}
	n := t.findPieces(b, want, s)
	t.pieces[n&63] = king
	t.findPawns(b, want, s)
}

// findKing finds the castlings, and returns where else the king may go. Danger is looked for only where it wants to.
func (t *Targets) findKing(b *Board, want *Selection, s *safety) PieceTargets {
	occupancy := b.Us | b.Them
	kingSet := b.Us &^ (b.Pawns | b.Knights | b.Diagonals | b.Orthogonals)
	king := kingSet.First()
	t.Castling = 0
	if kingSet&want.From == 0 {
		return PieceTargets{0, king}
	}
	view := &kingViews[king&63]
	ring := view.ring & want.To &^ b.Us
	wanted, zones := ring, &view.zones
	var castleEast, castleWest Bitboard
	rooks := b.Rights & bitboard.Rank1Mask & want.Castling &^ s.pinnedOrthogonal
	if rooks != 0 && s.checkers == 0 {
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
		wanted = safe(wanted, zones, b.Them, b.Pawns, b.Knights, b.Diagonals, b.Orthogonals, occupancy^kingSet)
	}
	if castleEast != 0 && castleEast&^wanted == 0 {
		t.Castling |= rooks &^ (kingSet - 1)
	}
	if castleWest != 0 && castleWest&^wanted == 0 {
		t.Castling |= rooks & (kingSet - 1)
	}
	return PieceTargets{wanted & ring, king}
}

// findPawns finds the moves of our pawns.
func (t *Targets) findPawns(b *Board, want *Selection, s *safety) {
	occupancy := b.Us | b.Them
	push, west, east := pawnTargets(b.Pawns&b.Us&want.From, occupancy, s.pinnedDiagonal, s.pinnedOrthogonal)
	pushes, captures := want.Push&s.checkMask, want.Capture&b.Them&s.checkMask
	t.DoublePush = (push & bitboard.Rank3Mask) << 8 &^ occupancy & pushes
	t.Push = push & pushes
	t.CaptureWest = west & captures
	t.CaptureEast = east & captures
	t.EnPassant = 0
	if b.Rights&want.Capture&EnPassantRank != 0 {
		t.EnPassant = b.EnPassantCapturers() & want.From
	}
}

// findPieces finds the moves of our knights, bishops, rooks and queens, and returns how many such pieces there are.
func (t *Targets) findPieces(b *Board, want *Selection, s *safety) int {
	occupancy, movers := b.Us|b.Them, b.Us&want.From
	allowed := want.To & s.checkMask &^ b.Us
	pinnedDiagonal, pinnedOrthogonal := s.pinnedDiagonal, s.pinnedOrthogonal
	n := 0
	for x := b.Knights & movers &^ (pinnedDiagonal | pinnedOrthogonal); x != 0; n++ {
		s := x.First()
		x &= x - 1
		t.pieces[n&63] = PieceTargets{attacks.Knight(s) & allowed, s}
	}
	t.ends[0] = uint8(n)
	for x := b.Diagonals & movers &^ b.Orthogonals &^ pinnedOrthogonal; x != 0; n++ {
		s := x.First()
		x &= x - 1
		to := attacks.Bishop(s, occupancy) & allowed
		if pinnedDiagonal.Has(s) {
			to &= pinnedDiagonal
		}
		t.pieces[n&63] = PieceTargets{to, s}
	}
	t.ends[1] = uint8(n)
	for x := b.Orthogonals & movers &^ b.Diagonals &^ pinnedDiagonal; x != 0; n++ {
		s := x.First()
		x &= x - 1
		to := attacks.Rook(s, occupancy) & allowed
		if pinnedOrthogonal.Has(s) {
			to &= pinnedOrthogonal
		}
		t.pieces[n&63] = PieceTargets{to, s}
	}
	t.ends[2] = uint8(n)
	for x := b.Diagonals & b.Orthogonals & movers; x != 0; n++ {
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
