package perft

import (
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/core"
)

// kingChecks are the squares around the enemy king that determine which moves give check and which could stalemate.
type kingChecks struct {
	core.CheckSquares

	// stalemating has all target squares of regular moves that do not give check and could stalemate.
	stalemating bitboard.Bitboard
}

// newKingChecks returns the squares for the enemy king of b.
func newKingChecks(b *core.Board) kingChecks {
	var k kingChecks
	b.FindCheckSquares(&k.CheckSquares)
	k.stalemating = stalematingSquares(b, k.King)
	return k
}

// stalematingSquares returns a superset of the target squares of our regular moves that do not give check and stalemate.
//
// An enemy piece that is not on a line with its king cannot be pinned. If it can move now, then one move of ours can prevent that
// only by capturing it or, if it is a pawn, by blocking it. One move cannot do so for two pieces: with two the set is empty. A slider
// that can make a single step can still do so after our move, since it can capture a piece that goes to the square of the step.
func stalematingSquares(b *core.Board, king bitboard.Square) bitboard.Bitboard {
	occupancy := b.Occupancy()
	lines := attacks.Bishop(king, 0) | attacks.Rook(king, 0)
	free := b.Them &^ lines
	pushes := (free & b.Pawns) >> 8 &^ occupancy
	if pushes&(pushes-1) != 0 {
		return bitboard.Empty
	}
	stalemating := bitboard.Full
	if pushes != 0 {
		stalemating = pushes | pushes<<8
	}
	for x := free &^ b.Pawns &^ b.Kings(); x != 0; x &= x - 1 {
		if stepsOf(b, x.First())&^b.Them == 0 {
			continue
		}
		if stalemating != bitboard.Full {
			return bitboard.Empty
		}
		stalemating = x & -x
	}
	return stalemating
}

// stepsOf returns the targets of the enemy piece on s that other pieces cannot block: those of a knight, or the squares next to a
// slider.
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

// kingLines are the squares that a bishop and a rook on the square of the king attack.
type kingLines struct{ diagonals, orthogonals bitboard.Bitboard }

// linesAfter returns the lines of the enemy king for an occupancy.
func (k *kingChecks) linesAfter(occupancy bitboard.Bitboard) kingLines {
	return kingLines{attacks.Bishop(k.King, occupancy), attacks.Rook(k.King, occupancy)}
}

// sliders returns those of the given sliders that attack the king.
func (l kingLines) sliders(diagonals, orthogonals bitboard.Bitboard) bitboard.Bitboard {
	return l.diagonals&diagonals | l.orthogonals&orthogonals
}

// checkersAfter returns what attacks the enemy king after a castling or a capture en passant: whether the castling rook or the
// pawn does, and the pieces that did not move. The move is not made.
func (k *kingChecks) checkersAfter(b *core.Board, from, to bitboard.Square, kind core.Kind) (direct bool, discovered bitboard.Bitboard) {
	diagonals, orthogonals := b.Diagonals&b.Us, b.Orthogonals&b.Us
	if kind == core.EnPassant {
		occupancy := b.Occupancy().Without(from).Without(to - 8).With(to)
		return k.ByKind[core.PawnMove].Has(to), k.linesAfter(occupancy).sliders(diagonals, orthogonals)
	}
	kingTo, rookTo := core.CastlingTargets(from, to)
	lines := k.linesAfter(b.Occupancy().Without(from).Without(to).With(kingTo).With(rookTo))
	return lines.orthogonals.Has(rookTo), lines.sliders(diagonals, orthogonals.Without(to))
}
