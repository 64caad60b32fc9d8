package twoply

import (
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/core"
)

// source is legal moves of ours that are counted together: those of one piece, or one kind of move of all pawns that need
// no correction.
type source struct {
	targets Bitboard
	attacks Bitboard           // what the piece attacks before it moves; of pawns together nothing, as none attacks a king target that nothing else attacks
	from    Square             // NoSquare for pawns together
	step    Square             // of pawns together: how far ahead of them their targets are
	piece   bitboard.PieceType // what arrives
	kind    core.Kind
}

// set stores field by field. The compiler builds a literal of six fields elsewhere and copies it, and the copy waits for the
// small stores: an eighth of all time.
func (m *source) set(targets, attacks Bitboard, from, step Square, piece bitboard.PieceType, kind core.Kind) {
	m.targets, m.attacks, m.from, m.step, m.piece, m.kind = targets, attacks, from, step, piece, kind
}

// mover returns the square of the piece whose moves they are, the empty set for pawns together.
func (m *source) mover() Bitboard { return 1 << m.from }

// origin returns where the piece comes from that arrives on to.
func (m *source) origin(to Square) Square {
	if m.from == bitboard.NoSquare {
		return to - m.step
	}
	return m.from
}

// At most 63 pieces of ours, of which eight may promote, to four piece types each, or make double pushes; and four sources of
// pawns together.
const (
	maxSources = 128
	sourceMask = maxSources - 1
)

// next returns the next free source.
func (s *Scratch) next() *source {
	m := &s.sources[s.sourceEnd&sourceMask]
	s.sourceEnd++
	return m
}

// countAfter counts the replies to one move by making it.
func (s *Scratch) countAfter(from, to Square, kind core.Kind) int {
	s.Make(&s.child, from, to, kind)
	return s.child.CountMoves()
}
