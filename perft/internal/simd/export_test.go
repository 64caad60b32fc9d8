package simd

import (
	"fmt"

	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/core"
)

// WithoutInstructions calls f as on a machine without the instructions.
func WithoutInstructions(f func()) {
	defer func(was bool) { available = was }(available)
	available = false
	f()
}

// CountTwo is CountTwo by this kernel.
func (k *Kernel) CountTwo(b *core.Board, s *Scratch) int {
	s.prepare(b)
	k.prepare(s)
	return k.count(s) + b.EnPassantReplies(&s.targets)
}

// Mismatch compares the number of replies to each move with plain counting on the child that core
// makes. It returns "" if they agree, and otherwise names the move, as the side to move sees it,
// and the difference.
//
// The kernel returns totals only. The count of a child is the growth of the total when the child
// joins those before it. So each child is counted in batches of every size, in every lane from its
// own on.
func (k *Kernel) Mismatch(b *core.Board, s *Scratch) string {
	plain := plainCounts(b)
	s.prepare(b)
	k.prepare(s)
	summed, parts := s.freeMoves, s.parts
	s.free, s.change = 0, [8]int{}
	s.listAll()
	s.parts = parts // of all moves
	if s.moves.end-1 != len(plain) {
		return fmt.Sprintf("%d moves listed, want %d", s.moves.end-1, len(plain))
	}
	end, before := s.moves.end, 0
	for i := 1; i < end; i++ {
		child := placement(s.child(i))
		want, isListed := plain[child]
		if !isListed {
			return fmt.Sprintf("move %d, %v, leads to no child, or to one that another move leads to", i, s.moves.at(i))
		}
		delete(plain, child)
		s.moves.end = i + 1
		total := k.count(s)
		if got := total - before; got != want {
			return fmt.Sprintf("after move %d, %v, it counts %d replies, want %d", i, s.moves.at(i), got, want)
		}
		before = total
	}
	if got, want := k.CountTwo(b, s), b.CountTwo(&s.targets); got != want {
		return fmt.Sprintf("%d replies in all, want %d: free moves are wrong: %+v", got, want, summed)
	}
	return ""
}

// listAll lists all moves, none of them free.
func (s *Scratch) listAll() {
	s.listSpecial()
	t, i := &s.targets, 0
	pieces := func(pieces []core.PieceTargets, places origin) {
		for _, p := range pieces {
			if i++; i > inLanes {
				continue // listed as special
			}
			for to := range p.To.FlipVertical().Squares() {
				s.moves.add(p.From.FlipVertical(), to, places)
			}
		}
	}
	pieces(t.Knights(), placesKnight)
	pieces(t.Bishops(), placesDiagonal)
	pieces(t.Rooks(), placesOrthogonal)
	pieces(t.Queens(), placesDiagonal|placesOrthogonal)
	pieces([]core.PieceTargets{t.King()}, placesKing)
	pawns := func(targets Bitboard, step Square) {
		for to := range (targets.FlipVertical() &^ core.Rank1Mask).Squares() {
			s.moves.add(to+step, to, placesPawn)
		}
	}
	pawns(t.Push, 8)
	pawns(t.CaptureWest, 9)
	pawns(t.CaptureEast, 7)
	pawns(t.DoublePush, 16)
}

// child returns the board after move i of the list, seen by us.
func (s *Scratch) child(i int) core.Board {
	m := s.moves.origins[i]
	from, to := Square(m&63).Bitboard(), Square(s.moves.to[i]).Bitboard()
	placed := func(set Bitboard, in origin) Bitboard {
		if m&in != 0 {
			return set | to
		}
		return set
	}
	both := from | to
	child := core.Board{
		Us:          s.replier &^ to,
		Them:        s.mover&^from | to,
		Pawns:       s.pawns&^to | placed(s.moverPawns&^both, placesPawn),
		Knights:     s.knights&^to | placed(s.moverKnights&^both, placesKnight),
		Diagonals:   s.diagonals&^to | placed(s.moverDiagonals&^both, placesDiagonal),
		Orthogonals: s.orthogonals&^to | placed(s.moverOrthogonals&^both, placesOrthogonal),
	}
	for i, c := range s.castled {
		if m&(castlesFirst<<i) != 0 {
			child.Them ^= c.mover
			child.Orthogonals ^= c.orthogonals
		}
	}
	for _, c := range s.castlings {
		child.CastlingAndEnPassant |= c.rook & child.Us & core.Rank1Mask
	}
	return child
}

// plainCounts returns the number of replies to each move, captures en passant in either ply aside,
// by where the pieces stand after the move.
func plainCounts(b *core.Board) map[core.Board]int {
	counts, withoutTarget := map[core.Board]int{}, *b
	withoutTarget.CastlingAndEnPassant &^= core.EnPassantRank
	for _, child := range Children(&withoutTarget) {
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
	for _, m := range core.AppendMoves(nil, &t, b.EnPassant(), 0) {
		var child core.Board
		from, to, kind := core.Decode(m)
		b.Make(&child, from, to, kind)
		children = append(children, child)
	}
	return children
}

// at writes a move as the side that makes it sees the board, and all bits of its origin.
func (l *moveList) at(i int) string {
	m := l.origins[i]
	return fmt.Sprintf("%v%v (%#x)", Square(m&63).FlipVertical(), Square(l.to[i]).FlipVertical(), uint16(m))
}
