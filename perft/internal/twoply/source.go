package twoply

import (
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/core"
)

// source is legal moves of ours that are counted together: those of one man, or one kind of move of all the pawns
// that have nothing odd about them.
type source struct {
	targets Bitboard
	attacks Bitboard           // what it covers from where it stands; of pawns together, nothing that matters
	from    Square             // NoSquare for pawns together
	step    Square             // of pawns together: how far ahead of them their targets are
	piece   bitboard.PieceType // what arrives
	kind    core.Kind
}

// set stores field by field. A literal of six fields would be built elsewhere and then copied, and the copy
// would have to wait for the small stores: an eighth of all time.
func (m *source) set(targets, attacks Bitboard, from, step Square, piece bitboard.PieceType, kind core.Kind) {
	m.targets, m.attacks, m.from, m.step, m.piece, m.kind = targets, attacks, from, step, piece, kind
}

// alone returns the square of the man whose moves they are, the empty set for pawns together.
func (m *source) alone() Bitboard { return 1 << m.from }

// origin returns where the man comes from that arrives on to.
func (m *source) origin(to Square) Square {
	if m.from == bitboard.NoSquare {
		return to - m.step
	}
	return m.from
}

// At most 63 men of ours, of which eight may be about to promote, to four kinds each, or to push twice; and four
// sources of pawns together.
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
