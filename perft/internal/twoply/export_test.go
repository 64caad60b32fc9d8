package twoply

import (
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/core"
)

// at returns the number of one square.
func (c counter) at(s Square) int { return c.sumOver(s.Bitboard()) }

// Count counts two plies from a board.
func Count(b *core.Board, s *Scratch) int {
	s.Board = *b
	return s.Count()
}

// Differences is Count where Count would prefer to count plainly, too. It reports false where
// differences cannot be counted.
func (s *Scratch) Differences(b *core.Board) (total int, ok bool) {
	s.Board = *b
	if !s.analyze() {
		return 0, false
	}
	return s.sum(), true
}

// plainly returns the number of replies to a move.
func plainly(b *core.Board, move uint16) int {
	var next core.Board
	from, to, kind := core.Decode(move)
	b.Make(&next, from, to, kind)
	return next.CountMoves()
}

// Attributed returns the replies that counting by differences attributes to a single move, by
// taking all others out of the sources. A move in no source was made and counted, or was missed:
// then only the totals differ.
func (s *Scratch) Attributed(b *core.Board, move uint16) int {
	s.Board = *b
	if !s.analyze() {
		return plainly(b, move)
	}
	m := sourceOf(s, move)
	if m == nil {
		return plainly(b, move)
	}
	_, to, _ := core.Decode(move)
	single := *m
	single.targets = to.Bitboard()
	s.sources, s.sourceEnd, s.pieceEnd = [maxSources]source{single}, 1, 1
	if single.piece == bitboard.Pawn || single.piece == bitboard.King {
		s.pieceEnd = 0
	}
	s.rest, s.corrections, s.summed = 0, 0, counter{}
	s.correctListing(&single)
	return s.sum()
}

// correctListing repeats what is corrected where pawns are listed.
func (s *Scratch) correctListing(m *source) {
	if m.kind == core.DoublePush && m.mover == 0 {
		s.correctDoublePushes(m.targets)
	}
	if m.mover != 0 || m.targets&s.checks[bitboard.Pawn] != 0 {
		return
	}
	var p pawnMoves
	switch m.from {
	case bitboard.NoSquare + 8:
		p.push = m.targets
	case bitboard.NoSquare + 16:
		p.double = m.targets
	case bitboard.NoSquare + 7:
		p.west = m.targets
	case bitboard.NoSquare + 9:
		p.east = m.targets
	}
	from := m.origin(m.targets.First())
	s.correctPawns(p, attacks.Pawn(bitboard.White, from)&s.attackedOnce&s.kingAttacks)
}

// sourceOf returns the source of a move, or nil. For a move that needs no correction it makes one.
func sourceOf(s *Scratch, move uint16) *source {
	from, to, kind := core.Decode(move)
	for i := range s.sources[:s.sourceEnd] {
		if m := &s.sources[i]; m.targets.Has(to) && m.kind == kind && m.origin(to) == from {
			return m
		}
	}
	switch single := (source{targets: to.Bitboard(), mover: from.Bitboard(), from: from, kind: kind}); {
	case s.summed.at(to) == 0 || kind >= core.PromoteKnight: // which is made
		return nil
	case kind == core.KingMove:
		single.piece = bitboard.King
		return &single
	default:
		single.piece, single.mover, single.from = bitboard.Pawn, 0, bitboard.NoSquare+(to-from)
		return &single
	}
}
