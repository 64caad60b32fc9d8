package twoply

import (
	"fmt"
	"strings"

	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/core"
)

// Mismatch compares counting by differences with plain counting, also where Count prefers to count plainly. It returns the
// empty string if they agree; if not, both totals, the board, and each move for which they differ, with both values.
func Mismatch(b *core.Board, s *Scratch) string {
	plain := b.CountTwo(&s.targets)
	if total := Count(b, s); total != plain {
		return fmt.Sprintf("Count gives %d, plain counting %d on\n%s%#x\n%s", total, plain, drawing(b), *b, mismatches(b, s))
	}
	if total, ok := s.count(b); ok && total != plain {
		return fmt.Sprintf("by differences %d, plainly %d on\n%s%#x\n%s", total, plain, drawing(b), *b, mismatches(b, s))
	}
	return ""
}

// mismatches reports each move for which the replies differ, with both values.
func mismatches(b *core.Board, s *Scratch) string {
	var report strings.Builder
	for _, move := range Moves(b) {
		if total, plain := attributed(b, s, move), plainly(b, move); total != plain {
			from, to, kind := core.Decode(move)
			fmt.Fprintf(&report, "%v%v (kind %d): by differences %d, plainly %d\n", from, to, kind, total, plain)
		}
	}
	return report.String()
}

// Moves returns the legal moves.
func Moves(b *core.Board) []uint16 {
	var t core.TargetSets
	b.FindTargets(&t)
	return core.AppendMoves[uint16](nil, &t, b.EnPassant(), 0)
}

// plainly returns the number of replies to a move.
func plainly(b *core.Board, move uint16) int {
	var next core.Board
	from, to, kind := core.Decode(move)
	b.Make(&next, from, to, kind)
	return next.CountMoves()
}

// attributed returns what counting by differences makes of a single move, by taking all others out of the sources.
// A move that is in no source was made and counted, or was missed: then only the totals differ.
func attributed(b *core.Board, s *Scratch, move uint16) int {
	_, ok := s.count(b)
	m := sourceOf(s, move)
	if !ok || m == nil {
		return plainly(b, move)
	}
	_, to, _ := core.Decode(move)
	single := *m
	single.targets = to.Bitboard()
	s.sources[0], s.sourceEnd = single, 1
	s.rest, s.corrections = 0, 0
	return s.sum()
}

func sourceOf(s *Scratch, move uint16) *source {
	from, to, kind := core.Decode(move)
	for i := range s.sources[:s.sourceEnd] {
		if m := &s.sources[i]; m.targets.Has(to) && m.kind == kind && m.origin(to) == from {
			return m
		}
	}
	return nil
}

// drawing draws a board as the side to move sees it, its own pieces in capitals.
func drawing(b *core.Board) string {
	var text strings.Builder
	for rank := 7; rank >= 0; rank-- {
		for file := range 8 {
			s := bitboard.SquareAt(bitboard.File(file), bitboard.Rank(rank))
			letter := pieceOn(b, s).Letter()
			if b.Us.Has(s) {
				letter -= 'a' - 'A'
			}
			text.WriteByte(letter)
			text.WriteByte(' ')
		}
		text.WriteString("\n")
	}
	return text.String()
}

func pieceOn(b *core.Board, s Square) bitboard.PieceType {
	switch {
	case !b.Occupancy().Has(s):
		return bitboard.NoPieceType
	case b.Pawns.Has(s):
		return bitboard.Pawn
	case b.Knights.Has(s):
		return bitboard.Knight
	case (b.Diagonals & b.Orthogonals).Has(s):
		return bitboard.Queen
	case b.Diagonals.Has(s):
		return bitboard.Bishop
	case b.Orthogonals.Has(s):
		return bitboard.Rook
	}
	return bitboard.King
}
