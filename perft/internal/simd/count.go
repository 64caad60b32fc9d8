package simd

import (
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/core"
)

type (
	// Bitboard is the set of squares of package bitboard.
	Bitboard = bitboard.Bitboard
	// Square is the square of package bitboard.
	Square = bitboard.Square
)

// Scratch is what CountTwo works in. The zero value is ready for use, for one CountTwo at a time; it is
// about six kilobytes and best made once.
type Scratch struct {
	targets core.TargetSets
	siblings
	moves moveList
}

// CountTwo returns the number of legal moves two plies deep, exactly as [core.Board.CountTwo] does, which is its
// specification. It is correct everywhere, but fast only if Available returns true. It overwrites s.
func CountTwo(b *core.Board, s *Scratch) int {
	s.prepare(b)
	return countChildren(&s.siblings, s.moves.all()) + b.EnPassantReplies(&s.targets)
}

// prepare does the work that all children share.
func (s *Scratch) prepare(b *core.Board) {
	b.FindTargets(&s.targets)
	s.setBoard(b)
	s.list(b)
	s.plan()
}

// Kernel is one of the functions that count children, with its name, so that tests can compare each.
type Kernel struct {
	Name  string
	count func(s *siblings, moves []move) int
}

// Kernels returns all kernels that this machine can run, the one in Go first.
func Kernels() []Kernel {
	kernels := []Kernel{{"go", countEach}}
	if Available() {
		kernels = append(kernels, Kernel{"avx512", countChildren})
	}
	return kernels
}

// CountTwo is the package's CountTwo by this kernel.
func (k Kernel) CountTwo(b *core.Board, s *Scratch) int {
	s.prepare(b)
	return k.count(&s.siblings, s.moves.all()) + b.EnPassantReplies(&s.targets)
}

// countEach is the kernel in plain Go, one child after the other: the number of replies to moves, except captures en
// passant. The generated kernel must agree with it. It counts where there is none.
func countEach(s *siblings, moves []move) int {
	total := 0
	for _, m := range moves {
		child := s.child(m)
		total += child.CountMoves()
	}
	return total
}

// child returns the board after a move, seen by us.
func (s *siblings) child(m move) core.Board {
	from, to := Square(m&63).Bitboard(), Square(m>>toShift&63).Bitboard()
	placed := func(set Bitboard, in move) Bitboard {
		if m&in != 0 {
			return set | to
		}
		return set
	}
	both := from | to
	child := core.Board{
		Us:          s.us &^ to,
		Them:        s.them&^from | to,
		Pawns:       s.pawns&^to | placed(s.theirPawns&^both, placesPawn),
		Knights:     s.knights&^to | placed(s.theirKnights&^both, placesKnight),
		Diagonals:   s.diagonals&^to | placed(s.theirDiagonals&^both, placesDiagonal),
		Orthogonals: s.orthogonals&^to | placed(s.theirOrthogonals&^both, placesOrthogonal),
	}
	if m&capturesEnPassant != 0 {
		child.Us &^= to << 8
		child.Pawns &^= to << 8
	}
	for i, c := range s.castled {
		if m&(castlesFirst<<i) != 0 {
			child.Them ^= c.them
			child.Orthogonals ^= c.orthogonals
		}
	}
	for _, c := range s.castlings {
		child.CastlingAndEnPassant |= c.rook & child.Us & bitboard.Rank1Mask
	}
	return child
}
