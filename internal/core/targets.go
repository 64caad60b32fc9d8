package core

import (
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// TargetSets holds the legal moves: a set of target squares for each piece, and four sets for the
// pawns.
//
// The layout is an interface: the assembly of perft/internal/simd reads the fields at offsets that
// tools/asm takes from this type. Run make generate after a change.
type TargetSets struct {
	pieces [64]PieceTargets
	union  Bitboard // the targets of all pieces but king and pawns
	ends   [4]uint8 // where knights, bishops, rooks and queens end in pieces, before the king

	kingAndPawnTargets
}

type kingAndPawnTargets struct {
	king     PieceTargets
	Castling Bitboard // the rooks the king may castle with
	PawnTargets
}

// PawnTargets holds the moves of all pawns.
type PawnTargets struct {
	Push, DoublePush         Bitboard // target squares, including promotions
	CaptureWest, CaptureEast Bitboard // target squares of captures towards the a-file and the h-file
	EnPassant                Bitboard // the pawns that may capture en passant
}

// PieceTargets is the square of a piece and its target squares.
type PieceTargets struct {
	To     Bitboard
	From   Square
	origin uint16 // the move without its target
}

// Knights returns the targets of each knight with a move.
func (t *TargetSets) Knights() []PieceTargets { return t.pieces[:t.ends[0]&63] }

// Bishops returns the targets of each bishop with a move.
func (t *TargetSets) Bishops() []PieceTargets { return t.pieces[t.ends[0]&63 : t.ends[1]&63] }

// Rooks returns the targets of each rook with a move.
func (t *TargetSets) Rooks() []PieceTargets { return t.pieces[t.ends[1]&63 : t.ends[2]&63] }

// Queens returns the targets of each queen with a move.
func (t *TargetSets) Queens() []PieceTargets { return t.pieces[t.ends[2]&63 : t.ends[3]&63] }

// King returns the targets of the king, without castling.
func (t *TargetSets) King() PieceTargets { return t.pieces[t.ends[3]&63] }

// Pieces returns the targets of knights, bishops, rooks and queens with a move, in this order, and
// of the king.
func (t *TargetSets) Pieces() []PieceTargets { return t.pieces[:(t.ends[3]&63)+1] }

// FindTargets writes the legal moves of b to t.
func (b *Board) FindTargets(t *TargetSets) {
	c := t.kingAndPawnTargets.find(b)
	n := 0
	if c.isDoubleCheck() {
		t.ends, t.union = [4]uint8{}, 0
	} else {
		n = t.findPieces(b, c)
	}
	t.pieces[n&63] = PieceTargets{t.king.To, t.king.From, t.king.origin}
}

// find writes the moves of b's king and pawns to o. It returns the checks and pins, which restrict
// the other pieces.
func (o *kingAndPawnTargets) find(b *Board) checksAndPins {
	us, them := b.Us, b.Them
	pawns, knights, diagonals, orthogonals := b.Pawns, b.Knights, b.Diagonals, b.Orthogonals
	occupancy := us | them
	kingSet := us &^ (pawns | knights | diagonals | orthogonals)
	king := kingSet.First()
	rooks := b.CastlingAndEnPassant & Rank1Mask
	k := lookupOf(king, rooks)
	c := k.checksAndPins(us, them, pawns, knights, diagonals, orthogonals)

	kingTargets := k.attacks &^ us
	rooks &^= c.pinnedOrthogonal
	if kingTargets != 0 {
		kingTargets = safeKingTargets(kingTargets, &k.zone, them, pawns, knights, diagonals, orthogonals,
			occupancy^kingSet)
	}
	o.king = PieceTargets{kingTargets, king, Encode(king, 0, KingMove)}
	o.Castling = 0
	if rooks != 0 && c.checkers == 0 {
		o.Castling = k.castlings(rooks, them, pawns, knights, diagonals, orthogonals, occupancy)
	}

	o.EnPassant = 0
	if c.isDoubleCheck() { // only the king moves
		o.Push, o.DoublePush, o.CaptureWest, o.CaptureEast = 0, 0, 0, 0
		return c
	}
	push, west, east := pawnReach(pawns&us, occupancy, c.pinnedDiagonal, c.pinnedOrthogonal)
	o.DoublePush = (push & Rank3Mask) << 8 &^ occupancy & c.checkMask
	o.Push = push & c.checkMask
	o.CaptureWest = west & them & c.checkMask
	o.CaptureEast = east & them & c.checkMask
	if b.CastlingAndEnPassant&EnPassantRank != 0 {
		o.EnPassant = b.EnPassantCapturers()
	}
	return c
}

// findPieces finds the moves of our knights, bishops, rooks and queens, and returns the number of
// pieces with a move. The package comment lists similar loops.
func (t *TargetSets) findPieces(b *Board, c checksAndPins) int {
	occupancy, movers, allowed := b.Us|b.Them, b.Us, c.checkMask&^b.Us
	n, union := 0, bitboard.Empty
	for x := b.Knights & movers &^ (c.pinnedDiagonal | c.pinnedOrthogonal); x != 0; {
		s := x.First()
		x &= x - 1
		to := attacks.Knight(s) & allowed
		union |= to
		t.pieces[n&63] = PieceTargets{to, s, Encode(s, 0, KnightMove)}
		if to != 0 {
			n++
		}
	}
	t.ends[0] = uint8(n)
	for x := b.Diagonals & movers &^ b.Orthogonals &^ c.pinnedOrthogonal; x != 0; {
		s := x.First()
		x &= x - 1
		to := c.bishopTargets(s, occupancy) & allowed
		union |= to
		t.pieces[n&63] = PieceTargets{to, s, Encode(s, 0, BishopMove)}
		if to != 0 {
			n++
		}
	}
	t.ends[1] = uint8(n)
	for x := b.Orthogonals & movers &^ b.Diagonals &^ c.pinnedDiagonal; x != 0; {
		s := x.First()
		x &= x - 1
		to := c.rookTargets(s, occupancy) & allowed
		union |= to
		t.pieces[n&63] = PieceTargets{to, s, Encode(s, 0, RookMove)}
		if to != 0 {
			n++
		}
	}
	t.ends[2] = uint8(n)
	for x := b.Diagonals & b.Orthogonals & movers; x != 0; {
		s := x.First()
		x &= x - 1
		to := c.queenTargets(s, occupancy) & allowed
		union |= to
		t.pieces[n&63] = PieceTargets{to, s, Encode(s, 0, QueenMove)}
		if to != 0 {
			n++
		}
	}
	t.ends[3] = uint8(n)
	t.union = union
	return n
}

// HasLegalMove reports whether there is a legal move. It examines king and pawns first.
func (b *Board) HasLegalMove() bool {
	var o kingAndPawnTargets
	s := o.find(b)
	return o.king.To|o.Castling|o.Push|o.DoublePush|o.CaptureWest|o.CaptureEast|o.EnPassant != 0 ||
		!s.isDoubleCheck() && b.hasPieceMove(s)
}

func (b *Board) hasPieceMove(s checksAndPins) bool {
	var t TargetSets
	return t.findPieces(b, s) > 0
}

// pawnReach returns the squares to which pawns may be pushed, and the squares they attack on
// either side, respecting pins.
func pawnReach(movers, occupancy, pinnedDiagonal, pinnedOrthogonal Bitboard) (push, west, east Bitboard) {
	free := movers &^ (pinnedDiagonal | pinnedOrthogonal)
	push = free << 8 &^ occupancy
	west = free &^ FileAMask << 7
	east = free &^ FileHMask << 9
	if free != movers {
		along, across := movers&pinnedOrthogonal, movers&pinnedDiagonal
		push |= along << 8 &^ occupancy & pinnedOrthogonal
		west |= across &^ FileAMask << 7 & pinnedDiagonal
		east |= across &^ FileHMask << 9 & pinnedDiagonal
	}
	return push, west, east
}
