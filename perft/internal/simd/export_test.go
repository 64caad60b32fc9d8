package simd

import (
	"fmt"
	"strings"

	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/core"
)

// Mismatch compares the counts of all children, each with the plain one of the child that core makes. It returns the
// empty string if they agree; if not, the board and what is wrong about which move.
//
// A kernel returns totals only. A child's count is by how much the total grows when the child is added to
// those before it: so each child is counted in batches of every size, in every lane from its own on.
func (k Kernel) Mismatch(b *core.Board, s *Scratch) string {
	plain := plainCounts(b)
	s.prepare(b)
	report := func(format string, args ...any) string {
		return fmt.Sprintf("%s: %s, on\n%s", k.Name, fmt.Sprintf(format, args...), drawing(b))
	}
	if s.moves.end != len(plain) {
		return report("%d moves listed, want %d", s.moves.end, len(plain))
	}
	before := 0
	for i, m := range s.moves.all() {
		child := placement(s.child(m))
		want, isMissing := plain[child]
		if !isMissing {
			return report("move %d, %v, leads to no child, or to one that another move leads to", i, m)
		}
		delete(plain, child)
		total := k.count(&s.siblings, s.moves.all()[:i+1])
		if got := total - before; got != want {
			return report("move %d, %v: %d replies, want %d", i, m, got, want)
		}
		before = total
	}
	got, want := k.CountTwo(b, s), b.CountTwo(&s.targets)
	if got != want {
		return report("%d replies in all, want %d: captures en passant are wrong", got, want)
	}
	return ""
}

// plainCounts returns the number of replies to each move, captures en passant after double pushes aside, by where the pieces stand
// after the move.
func plainCounts(b *core.Board) map[core.Board]int {
	counts := map[core.Board]int{}
	for _, child := range Children(b) {
		counts[placement(child)] = child.CountMoves() - child.EnPassantCapturers().Len()
	}
	return counts
}

// placement returns the pieces of a board, without its rights.
func placement(b core.Board) core.Board {
	b.CastlingAndEnPassant = bitboard.Empty
	return b
}

// Children returns the boards after all legal moves.
func Children(b *core.Board) []core.Board {
	var t core.TargetSets
	b.FindTargets(&t)
	var children []core.Board
	for _, m := range core.AppendMoves[uint16](nil, &t, b.EnPassant(), 0) {
		var child core.Board
		from, to, kind := core.Decode(m)
		b.Make(&child, from, to, kind)
		children = append(children, child)
	}
	return children
}

// String writes a move as the side that makes it sees the board, and all of its bits.
func (m move) String() string {
	return fmt.Sprintf("%v%v (%#x)", Square(m&63).FlipRank(), Square(m>>toShift&63).FlipRank(), uint32(m))
}

// drawing draws a board as its side to move sees it, which has the capital letters, and its rights.
func drawing(b *core.Board) string {
	var text strings.Builder
	for rank := 7; rank >= 0; rank-- {
		for file := range 8 {
			s := Square(8*rank + file)
			letter := "."
			switch {
			case b.Pawns.Has(s):
				letter = "p"
			case b.Knights.Has(s):
				letter = "n"
			case b.Diagonals.Has(s) && b.Orthogonals.Has(s):
				letter = "q"
			case b.Diagonals.Has(s):
				letter = "b"
			case b.Orthogonals.Has(s):
				letter = "r"
			case b.Kings().Has(s):
				letter = "k"
			}
			if b.Us.Has(s) {
				letter = strings.ToUpper(letter)
			}
			fmt.Fprintf(&text, " %s", letter)
		}
		text.WriteString("\n")
	}
	fmt.Fprintf(&text, "rights:")
	for s := range b.CastlingAndEnPassant.Squares() {
		fmt.Fprintf(&text, " %v", s)
	}
	return text.String()
}
