package fianchetto

import (
	"fmt"

	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/core"
	"github.com/fianchetto-chess/fianchetto/internal/debug"
)

// Generator answers all that a search asks of the moves of one position: whether the hash move is legal, the captures and then
// the quiet moves, which of them give check. Each of Position's methods of the same names analyses the position anew; a
// Generator analyses it once, when it is first needed, so that a node that ends with the hash move pays
// nothing for it.
//
//	g := &plies[ply].generator
//	g.Reset(&pos)
//	if g.IsLegal(hashMove) { ... }
//	moves = g.AppendNoisy(moves[:0])
//	...
//	moves = g.AppendQuiets(moves)
//
// A Generator has 1.3 kilobytes and no pointers. Keep one for each ply of the search and reset it: as a local variable it
// would be zeroed in each call. The zero value is ready for Reset. It does not keep the position, which may change
// afterwards.
type Generator struct {
	core core.Generator
	flip Move // what a move is xored with to convert it between White's view of the board and that of the side to move
}

// Reset makes g the generator of p.
func (g *Generator) Reset(p *Position) {
	p.coreBoard(&g.core.Board)
	g.core.Reset()
	g.flip = p.flip()
}

// absolute converts a set between White's view of the board and that of the side to move.
func (g *Generator) absolute(b Bitboard) Bitboard {
	if g.flip != 0 {
		return b.FlipVertical()
	}
	return b
}

// IsLegal reports whether m is a legal move. m may be any value.
func (g *Generator) IsLegal(m Move) bool {
	return g.core.Board.IsLegal(core.Decode(uint16(m ^ g.flip)))
}

// GivesCheck reports whether m, which must be legal, gives check.
func (g *Generator) GivesCheck(m Move) bool {
	if debug.Enabled && !g.IsLegal(m) {
		panic(fmt.Sprintf("fianchetto: %v (%v, %#04x) is not a legal move of the generator's position", m, m.Kind(), uint16(m)))
	}
	return g.core.GivesCheck(uint16(m ^ g.flip))
}

// Checkers returns the pieces that give check to the side to move.
func (g *Generator) Checkers() Bitboard { return g.absolute(g.core.Checkers()) }

// CheckSquares returns the squares from which a piece of type t of the side to move would attack the enemy
// king as the board stands; none for a king. The squares may be occupied.
func (g *Generator) CheckSquares(t PieceType) Bitboard {
	if !t.IsValid() || t == King {
		return bitboard.Empty
	}
	return g.absolute(g.core.CheckSquares().ByKind[t])
}

// InCheck reports whether the side to move is in check.
func (g *Generator) InCheck() bool { return g.core.Checkers() != 0 }

// AppendLegal appends the legal moves to moves and returns the extended slice, in unspecified order: in check, the evasions. Room
// and order of all lists are as for Position.AppendLegal.
func (g *Generator) AppendLegal(moves []Move) []Move {
	return core.AppendMoves(moves, g.core.Targets(), g.core.Board.EnPassant(), g.flip)
}

// AppendCaptures appends the legal captures, as Position.AppendCaptures does.
func (g *Generator) AppendCaptures(moves []Move) []Move {
	return g.appendMasked(moves, g.core.Board.Captures())
}

// AppendNoisy appends the legal captures and promotions, as Position.AppendNoisy does.
func (g *Generator) AppendNoisy(moves []Move) []Move {
	b := &g.core.Board
	return core.AppendNoisy(moves, g.core.Targets(), b.Them, b.EnPassant(), g.flip)
}

// AppendQuiets appends the moves that AppendNoisy leaves out.
func (g *Generator) AppendQuiets(moves []Move) []Move {
	return core.AppendQuiets(moves, g.core.Targets(), g.core.Board.Them, g.flip)
}

// AppendQuietChecks appends the moves of AppendQuiets that give check: direct checks, discovered ones, and castlings that give
// check. No move is tried: the targets of each piece meet the squares from which it checks, and those of a discovered-check
// candidate the squares off its line.
func (g *Generator) AppendQuietChecks(moves []Move) []Move {
	return core.AppendQuietChecks(moves, &g.core.Board, g.core.Targets(), g.core.CheckSquares(), g.flip)
}

// AppendMoves appends the legal moves that leave a square of from for a square of to. A castling leaves the king's square for that
// of its rook, not for the one where the king ends; an en-passant capture goes to the en-passant square, not to that of the pawn it
// captures.
func (g *Generator) AppendMoves(moves []Move, from, to Bitboard) []Move {
	return g.appendMasked(moves, core.MaskOf(g.absolute(from), g.absolute(to)))
}

// appendMasked appends the moves that a mask selects.
func (g *Generator) appendMasked(moves []Move, mask core.MoveMask) []Move {
	return core.AppendSelected(moves, g.core.Targets(), &mask, g.core.Board.EnPassant(), g.flip)
}
