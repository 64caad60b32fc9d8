package fianchetto

import (
	"iter"

	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/core"
)

// AppendLegal appends the legal moves to moves and returns the extended slice, in no order to rely on.
// With room for them it allocates nothing: no position that a game can reach has more than 218, but a
// position that is accepted may; then the slice grows.
func (p *Position) AppendLegal(moves []Move) []Move {
	var b core.Board
	var t core.TargetSets
	p.coreBoard(&b)
	b.FindTargets(&t)
	return core.AppendMoves(moves, &t, b.EnPassant(), p.flip())
}

// LegalMoves yields the legal moves, in no order to rely on. It is there for people; engines, which care
// for the nanoseconds, call AppendLegal.
func (p *Position) LegalMoves() iter.Seq[Move] {
	return func(yield func(Move) bool) {
		for _, m := range p.AppendLegal(make([]Move, 0, 256)) {
			if !yield(m) {
				return
			}
		}
	}
}

// CountLegal returns the number of legal moves, without listing them.
func (p *Position) CountLegal() int {
	var b core.Board
	p.coreBoard(&b)
	return b.CountMoves()
}

// IsLegal reports whether m is a legal move here. Any value may be asked for, such as a move from a hash
// table that another position left there.
func (p *Position) IsLegal(m Move) bool {
	var b core.Board
	p.coreBoard(&b)
	return b.IsLegal(p.coreMove(m))
}

// IsPseudoLegal reports whether a man of the side to move makes such a move here, without asking what becomes of its
// king, which may be left or put in check. Any value may be asked for; nothing but the rules of how the men move is: a pawn
// captures en passant onto the en-passant square, exposed line or not; a king castles if it and the rook have the
// right and nobody stands between and where they end, though it be in check or cross an attacked square.
// Source: https://www.chessprogramming.org/Pseudo-Legal_Move
func (p *Position) IsPseudoLegal(m Move) bool {
	var b core.Board
	p.coreBoard(&b)
	return b.IsPseudoLegal(p.coreMove(m))
}

// IsCheckmate reports whether the side to move is in check and has no legal move.
func (p *Position) IsCheckmate() bool { return p.InCheck() && !p.HasLegalMove() }

// IsStalemate reports whether the side to move is not in check and has no legal move.
func (p *Position) IsStalemate() bool { return !p.InCheck() && !p.HasLegalMove() }

// A search seldom wants all moves at once: it stops at the first that is good enough, so it generates them in stages,
// the most promising first, and in quiescence it wants a few of them only. Each stage is the list of AppendLegal with
// the moves left out that it does not name, found without finding those. Like AppendLegal, all of them append to the
// caller's slice, allocate nothing as long as it has room, and promise no order. What that room held is not kept, not even
// beyond the last move.
// Source: https://www.chessprogramming.org/Move_Generation#Staged_Move_Generation

// AppendCaptures appends the legal captures to moves and returns the extended slice: en passant and capturing
// promotions are among them, other promotions are not.
func (p *Position) AppendCaptures(moves []Move) []Move {
	var b core.Board
	p.coreBoard(&b)
	return p.appendMasked(moves, &b, b.Captures())
}

// AppendNoisy appends the legal captures and all legal promotions to moves and returns the extended slice. They
// change the material, and are what a quiescence search looks at.
// Source: https://www.chessprogramming.org/Quiescence_Search
func (p *Position) AppendNoisy(moves []Move) []Move {
	var b core.Board
	p.coreBoard(&b)
	return p.appendMasked(moves, &b, b.Noisy())
}

// AppendQuiets appends the legal moves that AppendNoisy leaves out to moves and returns the extended slice: those that
// neither capture nor promote, castlings among them.
// Source: https://www.chessprogramming.org/Quiet_Moves
func (p *Position) AppendQuiets(moves []Move) []Move {
	var t core.TargetSets
	var b core.Board
	p.coreBoard(&b)
	want := b.Quiets()
	b.FindMasked(&t, &want)
	return core.AppendMoves(moves, &t, bitboard.Empty, p.flip())
}

// AppendMoves appends the legal moves that leave a square of from for a square of to, and returns the extended slice.
// As everywhere, a castling leaves the king's square for that of its rook, not for the one where the king ends; an
// en-passant capture goes to the en-passant square, not to that of the pawn it captures.
func (p *Position) AppendMoves(moves []Move, from, to Bitboard) []Move {
	var b core.Board
	p.coreBoard(&b)
	return p.appendMasked(moves, &b, core.MaskOf(p.absolute(from), p.absolute(to)))
}

// appendMasked appends the moves of a mask.
func (p *Position) appendMasked(moves []Move, b *core.Board, mask core.MoveMask) []Move {
	return core.AppendMasked(moves, b, &mask, p.flip())
}

// AppendEvasions appends the legal moves to moves if the side to move is in check, none if it is not, and returns the
// extended slice.
// Source: https://www.chessprogramming.org/Check#Check_Evasion
//
//go:noinline
func (p *Position) AppendEvasions(moves []Move) []Move { // inlined, a generic call would move the caller's buffer to the heap
	var b core.Board
	p.coreBoard(&b)
	return core.AppendEvasions(moves, &b, p.flip())
}

// AppendQuietChecks appends the moves of AppendQuiets that give check to moves and returns the extended slice:
// direct checks, discovered ones, and castlings whose rook gives check or whose king opens a line. No move is tried for it: a
// man's targets meet the squares of CheckSquares, and those of a man that hides a slider meet what is off the line.
//
//go:noinline
func (p *Position) AppendQuietChecks(moves []Move) []Move { // as above
	var b core.Board
	p.coreBoard(&b)
	return core.AppendQuietChecks(moves, &b, p.flip())
}

// Targets returns the squares to which the man on s may legally go: none if there is no man of the side to move. A
// castling counts by the square of its rook, en passant by the en-passant square.
func (p *Position) Targets(s Square) Bitboard {
	if !s.IsValid() {
		return bitboard.Empty
	}
	var b core.Board
	var t core.TargetSets
	p.coreBoard(&b)
	want := core.MaskOf(p.absolute(s.Bitboard()), bitboard.Full)
	b.FindMasked(&t, &want)
	return p.absolute(t.Squares(b.EnPassant()))
}

// HasLegalMove reports whether there is a legal move; it stops looking at the first.
func (p *Position) HasLegalMove() bool {
	var b core.Board
	p.coreBoard(&b)
	return b.HasLegalMove()
}
