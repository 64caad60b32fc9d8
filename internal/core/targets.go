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

	PawnTargets
	Castling Bitboard // the rooks the king may castle with
}

// PawnTargets is the moves of all pawns.
type PawnTargets struct {
	Push, DoublePush         Bitboard // the squares pawns arrive on, promotions included
	CaptureWest, CaptureEast Bitboard // the squares pawns capture on, towards the a-file and the h-file
	EnPassant                Bitboard // the pawns that may capture en passant
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
	squares := t.Castling | t.Push | t.DoublePush | t.CaptureWest | t.CaptureEast
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

// find puts the wanted moves into t, given what checkers and snipers leave open.
func (t *Targets) find(b *Board, want *Selection, s *safety) {
	to, castling := b.kingTargets(want, s)
	king := PieceTargets{to, (b.Kings() & b.Us).First()}
	t.Castling = castling
	if s.isDouble() {
		t.PawnTargets = PawnTargets{}
		t.ends = [5]uint8{}
		t.pieces[0] = king
		return
	}
	n := t.findPieces(b, want, s)
	t.pieces[n&63] = king
	t.PawnTargets.find(b, want, s)
}

// kingTargets returns where the king may go, and the rooks that it may castle with. Danger is looked for only where it
// wants to go.
func (b *Board) kingTargets(want *Selection, s *safety) (to, castling Bitboard) {
	occupancy, kingSet := b.Us|b.Them, b.Kings()&b.Us
	if kingSet&want.From == 0 {
		return bitboard.Empty, bitboard.Empty
	}
	king := kingSet.First()
	view := &kingViews[king&63]
	ring := view.ring & want.King &^ b.Us
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
		castling |= rooks &^ (kingSet - 1)
	}
	if castleWest != 0 && castleWest&^wanted == 0 {
		castling |= rooks & (kingSet - 1)
	}
	return wanted & ring, castling
}

// find puts the wanted moves of our pawns into p.
func (p *PawnTargets) find(b *Board, want *Selection, s *safety) {
	occupancy := b.Us | b.Them
	push, west, east := pawnTargets(b.Pawns&b.Us&want.From, occupancy, s.pinnedDiagonal, s.pinnedOrthogonal)
	pushes, captures := want.Push&s.checkMask, want.Capture&b.Them&s.checkMask
	p.DoublePush = (push & bitboard.Rank3Mask) << 8 &^ occupancy & pushes
	p.Push = push & pushes
	p.CaptureWest = west & captures
	p.CaptureEast = east & captures
	p.EnPassant = 0
	if b.Rights&want.Capture&EnPassantRank != 0 {
		p.EnPassant = b.EnPassantCapturers() & want.From
	}
}

// any returns a set that is empty if there is no move in p.
func (p *PawnTargets) any() Bitboard {
	return p.Push | p.DoublePush | p.CaptureWest | p.CaptureEast | p.EnPassant
}

// findPieces finds the moves of our knights, bishops, rooks and queens, and returns how many such pieces there are.
func (t *Targets) findPieces(b *Board, want *Selection, s *safety) int {
	occupancy, movers, open := b.Us|b.Them, b.Us&want.From, s.checkMask&^b.Us
	n := 0
	for x := b.Knights & movers &^ (s.pinnedDiagonal | s.pinnedOrthogonal); x != 0; n++ {
		from := x.First()
		x &= x - 1
		t.pieces[n&63] = PieceTargets{attacks.Knight(from) & open & want.Knights, from}
	}
	t.ends[0] = uint8(n)
	for x := b.Diagonals & movers &^ b.Orthogonals &^ s.pinnedOrthogonal; x != 0; n++ {
		from := x.First()
		x &= x - 1
		t.pieces[n&63] = PieceTargets{s.bishopTargets(from, occupancy) & open & want.Bishops, from}
	}
	t.ends[1] = uint8(n)
	for x := b.Orthogonals & movers &^ b.Diagonals &^ s.pinnedDiagonal; x != 0; n++ {
		from := x.First()
		x &= x - 1
		t.pieces[n&63] = PieceTargets{s.rookTargets(from, occupancy) & open & want.Rooks, from}
	}
	t.ends[2] = uint8(n)
	for x := b.Diagonals & b.Orthogonals & movers; x != 0; n++ {
		from := x.First()
		x &= x - 1
		t.pieces[n&63] = PieceTargets{s.queenTargets(from, occupancy) & open & want.Queens, from}
	}
	t.ends[3] = uint8(n)
	return n
}
