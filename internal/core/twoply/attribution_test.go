package twoply

import (
	"fmt"
	"strings"

	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/core"
)

// Mismatch compares Count with plain counting. It returns the empty string if they agree; if not, both totals, the
// board, and each move for which they differ, with both values.
func Mismatch(b *core.Board, s *Scratch) string {
	twoPly, plain := Count(b, s), b.CountTwo(&s.targets)
	if twoPly == plain {
		return ""
	}
	var report strings.Builder
	fmt.Fprintf(&report, "two-ply %d, plain %d on\n%s%#x\n", twoPly, plain, drawing(b), *b)
	for _, move := range Moves(b) {
		if twoPly, plain := attributed(b, s, move), plainly(b, move); twoPly != plain {
			from, to, kind := core.Decode(move)
			fmt.Fprintf(&report, "%v%v (kind %d): two-ply %d, plain %d\n", from, to, kind, twoPly, plain)
		}
	}
	return report.String()
}

// Moves returns the legal moves.
func Moves(b *core.Board) []uint16 {
	var t core.Targets
	b.Targets(&t)
	return core.AppendMoves[uint16](nil, &t, b.EnPassant(), 0)
}

// plainly returns the number of replies to a move.
func plainly(b *core.Board, move uint16) int {
	var next core.Board
	from, to, kind := core.Decode(move)
	b.Make(&next, from, to, kind)
	return next.CountMoves()
}

// attributed returns what Count makes of a single move, by taking all others out of its sources. A move that is in no
// source was counted plainly, or was missed: then it is the totals that tell.
func attributed(b *core.Board, s *Scratch, move uint16) int {
	Count(b, s)
	m := sourceOf(s, move)
	if m == nil {
		return plainly(b, move)
	}
	_, to, _ := core.Decode(move)
	alone := *m
	alone.targets = to.Bitboard()
	s.sources[0], s.sourceEnd = alone, 1
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

// drawing draws a board as the side to move sees it, its own men in capitals.
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
