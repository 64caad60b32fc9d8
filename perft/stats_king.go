package perft

import (
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/core"
)

// kingInSight is what the enemy king's square says of all moves at once: which of them check, and which might
// stalemate.
type kingInSight struct {
	core.CheckSquares

	// stifling are the squares to one of which an ordinary move, no check, must go to leave the enemy without a
	// reply.
	stifling bitboard.Bitboard
}

// sightKing looks at b from the square of the enemy king.
func sightKing(b *core.Board) kingInSight {
	var k kingInSight
	b.FindCheckSquares(&k.CheckSquares)
	k.stifling = stiflingSquares(b, k.King)
	return k
}

// stiflingSquares returns the squares to one of which an ordinary move of ours, no check, must go to stalemate.
//
// An enemy piece that shares no line with its king can never be pinned. If it can move now, then one move of ours
// hinders it only by capturing it or, a pawn, by standing before it; two such pieces are never hindered at once.
// Sliders count if they can make a single step, as the square of that can only be entered by a piece they capture.
func stiflingSquares(b *core.Board, king bitboard.Square) bitboard.Bitboard {
	occupancy := b.Occupancy()
	lines := attacks.Bishop(king, 0) | attacks.Rook(king, 0)
	free := b.Them &^ lines
	pushes := (free & b.Pawns) >> 8 &^ occupancy
	if pushes&(pushes-1) != 0 {
		return bitboard.Empty
	}
	stifling := bitboard.Full
	if pushes != 0 {
		stifling = pushes | pushes<<8
	}
	for x := free &^ b.Pawns &^ b.Kings(); x != 0; x &= x - 1 {
		if stepsOf(b, x.First())&^b.Them == 0 {
			continue
		}
		if stifling != bitboard.Full {
			return bitboard.Empty
		}
		stifling = x & -x
	}
	return stifling
}

// stepsOf returns the squares that the enemy piece on s reaches whatever stands between: a knight's, or a
// slider's next ones.
func stepsOf(b *core.Board, s bitboard.Square) bitboard.Bitboard {
	var steps bitboard.Bitboard
	if b.Knights.Has(s) {
		return attacks.Knight(s)
	}
	if b.Diagonals.Has(s) {
		steps = attacks.Bishop(s, bitboard.Full)
	}
	if b.Orthogonals.Has(s) {
		steps |= attacks.Rook(s, bitboard.Full)
	}
	return steps
}

// kingLines are a king's lines on a board, each as far as its first piece.
type kingLines struct{ diagonals, orthogonals bitboard.Bitboard }

// linesAfter returns the lines of the enemy king on a board occupied so.
func (k *kingInSight) linesAfter(occupancy bitboard.Bitboard) kingLines {
	return kingLines{attacks.Bishop(k.King, occupancy), attacks.Rook(k.King, occupancy)}
}

// sliders returns the sliders that stand on a line of their kind.
func (l kingLines) sliders(diagonals, orthogonals bitboard.Bitboard) bitboard.Bitboard {
	return l.diagonals&diagonals | l.orthogonals&orthogonals
}

// checkersAfter tells who attacks the enemy king after a castling or a capture en passant: whether the castling
// rook or the pawn does, and which pieces that have not moved. The move is not made.
func (k *kingInSight) checkersAfter(b *core.Board, from, to bitboard.Square, kind core.Kind) (direct bool, discovered bitboard.Bitboard) {
	diagonals, orthogonals := b.Diagonals&b.Us, b.Orthogonals&b.Us
	if kind == core.EnPassant {
		occupancy := b.Occupancy().Without(from).Without(to - 8).With(to)
		return k.ByKind[core.PawnMove].Has(to), k.linesAfter(occupancy).sliders(diagonals, orthogonals)
	}
	kingTo, rookTo := core.CastlingTargets(from, to)
	lines := k.linesAfter(b.Occupancy().Without(from).Without(to).With(kingTo).With(rookTo))
	return lines.orthogonals.Has(rookTo), lines.sliders(diagonals, orthogonals.Without(to))
}
