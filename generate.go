package fianchetto

import (
	"iter"

	"github.com/fianchetto-chess/fianchetto/internal/core"
)

// AppendLegal appends the legal moves to moves and returns the extended slice, in no order to rely on.
// With room for them it allocates nothing: no position that a game can reach has more than 218, but a
// position that is accepted may; then the slice grows.
func (p *Position) AppendLegal(moves []Move) []Move {
	var t core.Targets
	p.board.Targets(&t)
	return core.AppendMoves(moves, &t, p.board.EnPassant(), p.flip())
}

// flip is what a move as the side to move sees it is xored with to be as White sees it, and back.
func (p *Position) flip() Move { return flipMove[p.state&blackToMove] }

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
func (p *Position) CountLegal() int { return p.board.CountMoves() }

// IsLegal reports whether m is a legal move here. Any value may be asked for, such as a move from a hash
// table that another position left there.
func (p *Position) IsLegal(m Move) bool {
	return p.board.IsLegal(core.Decode(uint16(m ^ p.flip())))
}

// IsPseudoLegal reports whether a man of the side to move makes such a move here, without asking what becomes of its
// king, which may be left or put in check. Any value may be asked for; nothing but the rules of how the men move is: a pawn
// captures en passant onto the en-passant square, exposed line or not; a king castles if it and the rook have the
// right and nobody stands between and where they end, though it be in check or cross an attacked square.
// Source: https://www.chessprogramming.org/Pseudo-Legal_Move
func (p *Position) IsPseudoLegal(m Move) bool {
	return p.board.IsPseudoLegal(core.Decode(uint16(m ^ p.flip())))
}

// IsCheckmate reports whether the side to move is in check and has no legal move.
func (p *Position) IsCheckmate() bool { return p.InCheck() && !p.HasLegalMove() }

// IsStalemate reports whether the side to move is not in check and has no legal move.
func (p *Position) IsStalemate() bool { return !p.InCheck() && !p.HasLegalMove() }
