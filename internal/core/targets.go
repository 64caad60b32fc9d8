package core

import (
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// TargetSets is the set of legal moves in the shape the generator finds them: a set of target squares for
// each piece, four sets for the pawns. Lists, counts and children are all made from it.
type TargetSets struct {
	pieces [64]PieceTargets
	union  Bitboard // of the targets of all pieces but king and pawns
	ends   [5]uint8 // where the knights, bishops, rooks, queens and the king end in pieces

	outline
}

// outline is the moves of king and pawns, which are found together with what gives check and what is pinned.
type outline struct {
	king     PieceTargets
	Castling Bitboard // the rooks the king may castle with
	PawnTargets
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
	kind Kind
}

// Knights returns the targets of each knight.
func (t *TargetSets) Knights() []PieceTargets { return t.pieces[:t.ends[0]&63] }

// Bishops returns the targets of each bishop.
func (t *TargetSets) Bishops() []PieceTargets { return t.pieces[t.ends[0]&63 : t.ends[1]&63] }

// Rooks returns the targets of each rook.
func (t *TargetSets) Rooks() []PieceTargets { return t.pieces[t.ends[1]&63 : t.ends[2]&63] }

// Queens returns the targets of each queen.
func (t *TargetSets) Queens() []PieceTargets { return t.pieces[t.ends[2]&63 : t.ends[3]&63] }

// King returns the targets of the king, castling aside.
func (t *TargetSets) King() PieceTargets { return t.pieces[t.ends[3]&63] }

// Pieces returns the targets of all pieces but the pawns: in order knights, bishops, rooks, queens, the king.
func (t *TargetSets) Pieces() []PieceTargets { return t.pieces[:(t.ends[3]&63)+1] }

// Squares returns the squares of all targets, given the en-passant target of the board; those of castlings are the
// squares of the rooks.
func (t *TargetSets) Squares(enPassant Bitboard) Bitboard {
	squares := t.Castling | t.Push | t.DoublePush | t.CaptureWest | t.CaptureEast
	if t.EnPassant != 0 {
		squares |= enPassant
	}
	for _, p := range t.Pieces() {
		squares |= p.To
	}
	return squares
}

// FindTargets finds all legal moves of b and puts them into t. What t had is lost. It returns what restricts them.
func (b *Board) FindTargets(t *TargetSets) safety { return b.FindMasked(t, &everything) }

// FindMasked finds the legal moves of b that a mask selects and puts them into t. What t had is lost. It returns what
// restricts them.
func (b *Board) FindMasked(t *TargetSets, mask *MoveMask) safety {
	s := t.outline.find(b, mask)
	if s.isDouble() {
		t.ends, t.union = [5]uint8{}, 0
		t.pieces[0] = t.king
		return s
	}
	t.pieces[t.findPieces(b, mask, s)&63] = t.king
	return s
}

// find finds what o is made of, on b, and returns what checkers and snipers leave open to the others. What o had is lost.
func (o *outline) find(b *Board, mask *MoveMask) safety {
	us, them := b.Us, b.Them
	pawns, knights, diagonals, orthogonals := b.Pawns, b.Knights, b.Diagonals, b.Orthogonals
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
	ring, rooks := view.ring&mask.Pieces[KingMove]&^us, b.CastlingAndEnPassant&bitboard.Rank1Mask&mask.Castling&^pinnedOrthogonal
	if kingSet&mask.From == 0 {
		ring, rooks = 0, 0
	}
	wanted, zones := ring, &view.zones
	var castleEast, castleWest Bitboard
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
	o.Castling = 0
	if castleEast != 0 && castleEast&^wanted == 0 {
		o.Castling |= rooks &^ (kingSet - 1)
	}
	if castleWest != 0 && castleWest&^wanted == 0 {
		o.Castling |= rooks & (kingSet - 1)
	}
	o.king = PieceTargets{wanted & ring, king, KingMove}

	o.EnPassant = 0
	if checkers&(checkers-1) != 0 { // double check: only the king moves
		o.Push, o.DoublePush, o.CaptureWest, o.CaptureEast = 0, 0, 0, 0
		return safety{checkers, checkMask, pinnedDiagonal, pinnedOrthogonal}
	}
	push, west, east := pawnTargets(pawns&us&mask.From, occupancy, pinnedDiagonal, pinnedOrthogonal)
	o.DoublePush = (push & bitboard.Rank3Mask) << 8 &^ occupancy & checkMask & mask.Push
	o.Push = push & checkMask & mask.Push
	o.CaptureWest = west & them & checkMask & mask.Capture
	o.CaptureEast = east & them & checkMask & mask.Capture
	if b.CastlingAndEnPassant&mask.Capture&EnPassantRank != 0 {
		o.EnPassant = b.EnPassantCapturers() & mask.From
	}
	return safety{checkers, checkMask, pinnedDiagonal, pinnedOrthogonal}
}

// any returns a set that is empty if there is no move in p.
func (p *PawnTargets) any() Bitboard {
	return p.Push | p.DoublePush | p.CaptureWest | p.CaptureEast | p.EnPassant
}

// findPieces finds the moves of our knights, bishops, rooks and queens, and returns how many such pieces there are.
func (t *TargetSets) findPieces(b *Board, mask *MoveMask, s safety) int {
	occupancy, movers, open := b.Us|b.Them, b.Us&mask.From, s.checkMask&^b.Us
	pinnedDiagonal, pinnedOrthogonal := s.pinnedDiagonal, s.pinnedOrthogonal
	n, union := 0, bitboard.Empty
	allowed := open & mask.Pieces[KnightMove]
	for x := b.Knights & movers &^ (pinnedDiagonal | pinnedOrthogonal); x != 0; n++ {
		s := x.First()
		x &= x - 1
		to := attacks.Knight(s) & allowed
		union |= to
		t.pieces[n&63] = PieceTargets{to, s, KnightMove}
	}
	t.ends[0] = uint8(n)
	allowed = open & mask.Pieces[BishopMove]
	for x := b.Diagonals & movers &^ b.Orthogonals &^ pinnedOrthogonal; x != 0; n++ {
		s := x.First()
		x &= x - 1
		to := attacks.Bishop(s, occupancy) & allowed
		if pinnedDiagonal.Has(s) {
			to &= pinnedDiagonal
		}
		union |= to
		t.pieces[n&63] = PieceTargets{to, s, BishopMove}
	}
	t.ends[1] = uint8(n)
	allowed = open & mask.Pieces[RookMove]
	for x := b.Orthogonals & movers &^ b.Diagonals &^ pinnedDiagonal; x != 0; n++ {
		s := x.First()
		x &= x - 1
		to := attacks.Rook(s, occupancy) & allowed
		if pinnedOrthogonal.Has(s) {
			to &= pinnedOrthogonal
		}
		union |= to
		t.pieces[n&63] = PieceTargets{to, s, RookMove}
	}
	t.ends[2] = uint8(n)
	allowed = open & mask.Pieces[QueenMove]
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
		to &= allowed
		union |= to
		t.pieces[n&63] = PieceTargets{to, s, QueenMove}
	}
	t.ends[3] = uint8(n)
	t.union = union
	return n
}

// HasLegalMove reports whether there is a legal move. Mostly king and pawns have one; only if not, the pieces are looked at.
func (b *Board) HasLegalMove() bool {
	var o outline
	s := o.find(b, &everything)
	return o.king.To|o.Castling|o.any() != 0 || !s.isDouble() && b.hasPieceMove(s)
}

// hasPieceMove reports whether a knight, bishop, rook or queen of ours has a legal move.
func (b *Board) hasPieceMove(s safety) bool {
	var t TargetSets
	for _, p := range t.pieces[:t.findPieces(b, &everything, s)&63] {
		if p.To != 0 {
			return true
		}
	}
	return false
}
