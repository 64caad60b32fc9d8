package core

import (
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

type checksAndPins struct {
	checkers         Bitboard // pieces that give check
	checkMask        Bitboard // squares where a move ends all checks, or all without a check
	pinnedDiagonal   Bitboard // lines from the king to a pinning slider, including the slider,
	pinnedOrthogonal Bitboard // by the kind of line
}

// checksAndPins finds the checkers and the pins. A sniper is an enemy slider in line with our king.
// It gives check if no piece is between, and pins a piece of ours that is the only one between.
func (k *kingLookup) checksAndPins(us, them, pawns, knights, diagonals, orthogonals Bitboard) checksAndPins {
	occupancy := us | them
	c := checksAndPins{checkers: (k.knights&knights | k.pawns[bitboard.Black]&pawns) & them, checkMask: bitboard.Full}
	if c.checkers != 0 {
		c.checkMask = c.checkers
	}
	for x := k.diagonals & diagonals & them; x != 0; x &= x - 1 {
		between := bitboard.Between(k.square, x.First())
		switch blockers := between & occupancy; {
		case blockers == 0:
			c.checkers |= x & -x
			c.checkMask &= between | x&-x
		case blockers&us != 0 && blockers&(blockers-1) == 0:
			c.pinnedDiagonal |= between | x&-x
		}
	}
	for x := k.orthogonals & orthogonals & them; x != 0; x &= x - 1 {
		between := bitboard.Between(k.square, x.First())
		switch blockers := between & occupancy; {
		case blockers == 0:
			c.checkers |= x & -x
			c.checkMask &= between | x&-x
		case blockers&us != 0 && blockers&(blockers-1) == 0:
			c.pinnedOrthogonal |= between | x&-x
		}
	}
	return c
}

func (c *checksAndPins) isDoubleCheck() bool { return c.checkers&(c.checkers-1) != 0 }

// bishopTargets returns the squares our bishop attacks, only those on its line if it is pinned. The
// bishop must not be pinned on a rank or file.
func (c *checksAndPins) bishopTargets(from Square, occupancy Bitboard) Bitboard {
	to := attacks.Bishop(from, occupancy)
	if c.pinnedDiagonal.Has(from) {
		to &= c.pinnedDiagonal
	}
	return to
}

// rookTargets returns the squares our rook attacks, only those on its line if it is pinned. The
// rook must not be pinned on a diagonal.
func (c *checksAndPins) rookTargets(from Square, occupancy Bitboard) Bitboard {
	to := attacks.Rook(from, occupancy)
	if c.pinnedOrthogonal.Has(from) {
		to &= c.pinnedOrthogonal
	}
	return to
}

// queenTargets returns the squares our queen attacks, only those on its line if it is pinned.
func (c *checksAndPins) queenTargets(from Square, occupancy Bitboard) Bitboard {
	switch {
	case c.pinnedDiagonal.Has(from):
		return attacks.Bishop(from, occupancy) & c.pinnedDiagonal
	case c.pinnedOrthogonal.Has(from):
		return attacks.Rook(from, occupancy) & c.pinnedOrthogonal
	}
	return attacks.Queen(from, occupancy)
}

// LeaperAttackers returns the given knights, and pawns of the colour by, that attack a square.
func LeaperAttackers(s Square, by bitboard.Color, pawns, knights Bitboard) Bitboard {
	of := &kingLookups[s&63]
	return of.pawns[by&1]&pawns | of.knights&knights
}

// DiagonalAttackers returns the given bishops and queens that attack a square for an occupancy. It
// looks up the occupancy only if one is in line with the square, which is rare.
func DiagonalAttackers(s Square, diagonals, occupancy Bitboard) Bitboard {
	if diagonals &= kingLookups[s&63].diagonals; diagonals != 0 {
		diagonals &= attacks.Bishop(s, occupancy)
	}
	return diagonals
}

// OrthogonalAttackers is DiagonalAttackers for rooks and queens.
func OrthogonalAttackers(s Square, orthogonals, occupancy Bitboard) Bitboard {
	if orthogonals &= kingLookups[s&63].orthogonals; orthogonals != 0 {
		orthogonals &= attacks.Rook(s, occupancy)
	}
	return orthogonals
}

// Attackers returns the given pieces that attack a square for an occupancy, kings excepted. by is
// the colour of their pawns, White for ours, because we move up the board.
func (b *Board) Attackers(s Square, by bitboard.Color, pieces, occupancy Bitboard) Bitboard {
	return LeaperAttackers(s, by, b.Pawns, b.Knights)&pieces |
		DiagonalAttackers(s, b.Diagonals&pieces, occupancy) | OrthogonalAttackers(s, b.Orthogonals&pieces, occupancy)
}

// Checkers returns the enemy pieces that attack our king.
func (b *Board) Checkers() Bitboard {
	return b.Attackers((b.Kings() & b.Us).First(), bitboard.Black, b.Them, b.Us|b.Them)
}

// KingSafety says how their checks and pins restrict our moves. Two-ply counting needs no more.
type KingSafety struct {
	Pinned    Bitboard // our pieces pinned to our king
	CheckMask Bitboard // as in checksAndPins
	Behind    Bitboard // the lines of checking sliders, which our king does not leave by stepping back
}

// KingSafety finds the checks and pins of our king.
func (b *Board) KingSafety(king Square) (k KingSafety) {
	l := &kingLookups[king&63]
	k.CheckMask = bitboard.Full
	if checkers := (l.knights&b.Knights | l.pawns[bitboard.Black]&b.Pawns) & b.Them; checkers != 0 {
		k.CheckMask = checkers
		if checkers&(checkers-1) != 0 { // which no game reaches
			k.CheckMask = bitboard.Empty
		}
	}
	for x := (l.diagonals&b.Diagonals | l.orthogonals&b.Orthogonals) & b.Them; x != 0; x &= x - 1 {
		between := bitboard.Between(king, x.First())
		blockers := between & (b.Us | b.Them)
		if blockers == 0 {
			k.CheckMask &= between | x&-x
			k.Behind |= bitboard.Line(king, x.First()) &^ (x & -x)
		} else if blockers&(blockers-1) == 0 {
			k.Pinned |= blockers & b.Us
		}
	}
	return k
}

// GivesCheck reports whether a legal move gives check, by making it. For common kinds of moves,
// [CheckSquares] is faster.
func (b *Board) GivesCheck(from, to Square, kind Kind) bool {
	var next Board
	b.Make(&next, from, to, kind)
	return next.Checkers() != 0
}

// CheckSquares reports which of our moves give check. It leaves out promotions, castling moves and
// en-passant captures, because they change the piece or empty two squares. Source:
// https://www.chessprogramming.org/Checks_and_Pinned_Pieces_(Bitboards)
type CheckSquares struct {
	ByKind     [8]Bitboard // the squares of direct checks, by the kind of move
	Candidates Bitboard    // our pieces that give discovered check by leaving a line
	King       Square      // of the enemy
}

// FindCheckSquares writes the check squares of b to c.
func (b *Board) FindCheckSquares(c *CheckSquares) {
	c.King = (b.Kings() & b.Them).First()
	diagonals, orthogonals := attacks.Bishop(c.King, b.Us|b.Them), attacks.Rook(c.King, b.Us|b.Them)
	pawns := attacks.Pawn(bitboard.Black, c.King)
	c.ByKind = [8]Bitboard{
		PawnMove: pawns, DoublePush: pawns, KnightMove: attacks.Knight(c.King),
		BishopMove: diagonals, RookMove: orthogonals, QueenMove: diagonals | orthogonals,
	}
	c.Candidates = b.discoveredCheckCandidates(c.King, diagonals, orthogonals)
}

// discoveredCheckCandidates returns our pieces that open a line from our slider to the enemy king
// by leaving it. diagonals and orthogonals are the squares that a bishop and a rook attack from
// that king.
func (b *Board) discoveredCheckCandidates(king Square, diagonals, orthogonals Bitboard) (candidates Bitboard) {
	occupancy := b.Us | b.Them
	if blockers := diagonals & b.Us; blockers != 0 {
		for x := attacks.Bishop(king, occupancy&^blockers) & b.Diagonals & b.Us &^ diagonals; x != 0; x &= x - 1 {
			candidates |= bitboard.Between(king, x.First()) & blockers
		}
	}
	if blockers := orthogonals & b.Us; blockers != 0 {
		for x := attacks.Rook(king, occupancy&^blockers) & b.Orthogonals & b.Us &^ orthogonals; x != 0; x &= x - 1 {
			candidates |= bitboard.Between(king, x.First()) & blockers
		}
	}
	return candidates
}

// AppendQuietChecks appends the quiet moves that give check, each xored with flip. It makes only
// castling moves: each piece goes to its check squares, and a discovered-check candidate also to
// all squares off its line.
func AppendQuietChecks(list []uint16, b *Board, t *TargetSets, c *CheckSquares, flip uint16) []uint16 {
	empty := ^(b.Us | b.Them)
	pieces := t.Pieces()
	for i := range pieces {
		p := &pieces[i]
		checks := c.ByKind[p.origin>>kindShift&7]
		if c.Candidates.Has(p.From) {
			checks |= ^bitboard.Line(c.King, p.From)
		}
		list = appendTargets(list, p.origin^flip, p.To&empty&checks)
	}
	push, doublePush := c.ByKind[PawnMove], c.ByKind[DoublePush]
	for x := c.Candidates & b.Pawns; x != 0; x &= x - 1 {
		offLine := ^bitboard.Line(c.King, x.First())
		push |= x & -x << 8 & offLine
		doublePush |= x & -x << 16 & offLine
	}
	list = appendPushes(list, t.Push&push, t.DoublePush&doublePush, flip)
	return appendCastlings(list, t.king.From, b.checkingCastlings(t), flip)
}

func (b *Board) checkingCastlings(t *TargetSets) (rooks Bitboard) {
	for x := t.Castling; x != 0; x &= x - 1 {
		if b.GivesCheck(t.king.From, x.First(), Castling) {
			rooks |= x & -x
		}
	}
	return rooks
}
