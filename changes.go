package fianchetto

import (
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/debug"
)

// IsCapture reports whether m, which must be legal here, captures a piece, en passant included. The obvious test, whether there
// is a piece on m.To(), is wrong for en passant, and for castling, which goes to the square of its own rook.
func (p *Position) IsCapture(m Move) bool {
	if debug.Enabled {
		p.mustBeLegal(m)
	}
	return p.colors[^p.state&blackToMove].Has(m.To()) || m.Kind() == EnPassant
}

// Captured returns the type of the piece that m, which must be legal here, captures, NoPieceType if there is none.
func (p *Position) Captured(m Move) PieceType {
	if debug.Enabled {
		p.mustBeLegal(m)
	}
	switch m.Kind() {
	case EnPassant:
		return Pawn
	case Castling:
		return NoPieceType
	}
	return p.typeAt(m.To())
}

// IsQuiet reports whether m, which must be legal here, neither captures nor promotes: AppendQuiets appends these moves.
func (p *Position) IsQuiet(m Move) bool { return !p.IsCapture(m) && !m.IsPromotion() }

// Change is a piece that a move takes from one square to another, puts on the board or removes.
type Change struct {
	Piece Piece  // with its colour
	From  Square // where it was, NoSquare if it is put
	To    Square // where it is, NoSquare if it is removed
}

// Changes returns what m, which must be legal here, changes on the board: the first n of changes, from one to three. That is
// what an engine needs to update sums over pieces and squares, accumulators of a network, or keys of its own:
//
//	changes, n := pos.Changes(m)
//	for _, c := range changes[:n] {
//		score += value(c.Piece, c.To) - value(c.Piece, c.From)
//	}
//
// The piece that moves comes first; then, for a castling, its rook; for a promotion, where the pawn is removed, the piece
// that is put; at last the captured piece. In Chess960 a castling may leave king or rook where it is, and put
// one on the square that the other leaves.
func (p *Position) Changes(m Move) (changes [3]Change, n int) {
	side := p.SideToMove()
	if m.Kind() > DoublePush {
		changes, n = m.specialChanges(side)
	} else {
		changes[0], n = Change{bitboard.PieceOf(side, m.Piece()), m.From(), m.To()}, 1
	}
	if captured := p.Captured(m); captured != NoPieceType && m.Kind() != EnPassant {
		changes[n] = Change{bitboard.PieceOf(side.Opponent(), captured), m.To(), NoSquare}
		n++
	}
	return changes, n
}

// specialChanges returns what an en-passant capture, a castling or a promotion of a side changes, but for what is captured on
// the target.
func (m Move) specialChanges(side Color) (changes [3]Change, n int) {
	from, to := m.From(), m.To()
	switch m.Kind() {
	case EnPassant:
		changes[0] = Change{bitboard.PieceOf(side, Pawn), from, to}
		changes[1] = Change{bitboard.PieceOf(side.Opponent(), Pawn), to ^ 8, NoSquare}
	case Castling:
		kingTo, rookTo := m.CastlingTargets()
		changes[0] = Change{bitboard.PieceOf(side, King), from, kingTo}
		changes[1] = Change{bitboard.PieceOf(side, Rook), to, rookTo}
	default:
		changes[0] = Change{bitboard.PieceOf(side, Pawn), from, NoSquare}
		changes[1] = Change{bitboard.PieceOf(side, m.Promotion()), NoSquare, to}
	}
	return changes, 2
}
