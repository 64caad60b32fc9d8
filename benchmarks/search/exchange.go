package search

import (
	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

type (
	set    = bitboard.Bitboard
	square = bitboard.Square
)

// Sets are the pieces of a board.
type Sets struct {
	Colors [2]set // by colour
	Types  [7]set // of both colours, by fianchetto.PieceType
}

// Occupancy returns the squares of all pieces.
func (s *Sets) Occupancy() set { return s.Colors[0] | s.Colors[1] }

// King returns the square of the king of a colour.
func (s *Sets) King(c fianchetto.Color) square {
	return (s.Types[fianchetto.King] & s.Colors[c&1]).First()
}

var diagonals, orthogonals = func() (d, o [64]set) {
	for s := range square(64) {
		d[s], o[s] = attacks.Bishop(s, 0), attacks.Rook(s, 0)
	}
	return d, o
}()

// Attackers returns the pieces of a colour, without its king, that attack a square.
func (s *Sets) Attackers(by fianchetto.Color, to square, occupancy set) set {
	own := s.Colors[by&1]
	found := attacks.Pawn(by^1, to)&s.Types[fianchetto.Pawn]&own | attacks.Knight(to)&s.Types[fianchetto.Knight]&own
	if x := (s.Types[fianchetto.Bishop] | s.Types[fianchetto.Queen]) & own & diagonals[to&63]; x != 0 {
		found |= attacks.Bishop(to, occupancy) & x
	}
	if x := (s.Types[fianchetto.Rook] | s.Types[fianchetto.Queen]) & own & orthogonals[to&63]; x != 0 {
		found |= attacks.Rook(to, occupancy) & x
	}
	return found
}

// ChecksAndPins returns the pieces that give check to the king of a colour, and the pieces of that
// colour pinned to it.
func (s *Sets) ChecksAndPins(c fianchetto.Color) (checkers, pinned set) {
	king, own, them, occupancy := s.King(c), s.Colors[c&1], s.Colors[c&1^1], s.Occupancy()
	checkers = (attacks.Pawn(c, king)&s.Types[fianchetto.Pawn] | attacks.Knight(king)&s.Types[fianchetto.Knight]) & them
	snipers := diagonals[king&63]&(s.Types[fianchetto.Bishop]|s.Types[fianchetto.Queen]) |
		orthogonals[king&63]&(s.Types[fianchetto.Rook]|s.Types[fianchetto.Queen])
	for x := snipers & them; x != 0; x &= x - 1 {
		between := bitboard.Between(king, x.First()) & occupancy
		if between == 0 {
			checkers |= x & -x
		} else if between&(between-1) == 0 {
			pinned |= between & own
		}
	}
	return checkers, pinned
}

var values = [7]int{0, 100, 300, 300, 500, 900, 0}

// Exchange is a capture or promotion to judge.
type Exchange struct {
	Side      fianchetto.Color
	From, To  square
	Piece     fianchetto.PieceType // on the target afterwards
	Captured  fianchetto.PieceType
	EnPassant bool
}

// AtLeast reports whether Position.SEE of e is a threshold or more. Pinned pieces take no part.
// Source: https://www.chessprogramming.org/SEE_-_The_Swap_Algorithm
func (s *Sets) AtLeast(e Exchange, threshold int) bool {
	balance, standing := values[e.Captured], e.Piece
	occupancy := s.Occupancy()&^(1<<e.From) | 1<<e.To
	if e.EnPassant {
		occupancy &^= 1 << (e.To ^ 8)
	}
	promotion := 0
	if (bitboard.Rank1.Mask() | bitboard.Rank8.Mask()).Has(e.To) {
		promotion = values[fianchetto.Queen] - values[fianchetto.Pawn]
		if s.Types[fianchetto.Pawn].Has(e.From) {
			balance += promotion
		}
	}
	// The balance and its threshold are those of the side that has just captured: it needs the
	// threshold, and the other side one more than the negative.
	for side, reached := e.Side, true; ; reached = !reached {
		if balance < threshold {
			return !reached
		}
		if standing == fianchetto.King || balance-values[standing]-promotion >= threshold {
			return reached
		}
		side ^= 1
		next, from := s.recapture(side, e.To, occupancy)
		if next == fianchetto.NoPieceType {
			return reached
		}
		balance, threshold = values[standing]-balance, 1-threshold
		standing = next
		if next == fianchetto.Pawn && promotion != 0 {
			balance, standing = balance+promotion, fianchetto.Queen
		}
		occupancy ^= e.lowest(from)
	}
}

// lowest returns the piece on the lowest square as the mover sees the board.
func (e *Exchange) lowest(pieces set) set {
	if e.Side == fianchetto.Black {
		pieces = pieces.FlipVertical()
		return (pieces & -pieces).FlipVertical()
	}
	return pieces & -pieces
}

// recapture returns the least valuable type that may recapture, and its pieces.
func (s *Sets) recapture(side fianchetto.Color, to square, occupancy set) (fianchetto.PieceType, set) {
	own := s.Colors[side&1] & occupancy
	attackers := s.Attackers(side, to, occupancy) & own
	if attackers != 0 {
		attackers = s.unpinned(attackers, side, to, occupancy)
		for t := fianchetto.Pawn; attackers != 0; t++ {
			if x := attackers & s.Types[t]; x != 0 {
				return t, x
			}
		}
	}
	king := s.Types[fianchetto.King] & own
	if attacks.King(to)&king == 0 || attacks.King(to)&s.Types[fianchetto.King]&s.Colors[side&1^1] != 0 ||
		s.Attackers(side^1, to, occupancy^king)&occupancy != 0 {
		return fianchetto.NoPieceType, 0
	}
	return fianchetto.King, king
}

// unpinned returns the pieces of a side that may leave their squares; none if a line to its king is
// open.
func (s *Sets) unpinned(pieces set, side fianchetto.Color, to square, occupancy set) set {
	king := s.King(side)
	snipers := diagonals[king&63]&(s.Types[fianchetto.Bishop]|s.Types[fianchetto.Queen]) |
		orthogonals[king&63]&(s.Types[fianchetto.Rook]|s.Types[fianchetto.Queen])
	for x := snipers & s.Colors[side&1^1] & occupancy &^ (1 << to); x != 0; x &= x - 1 {
		between := bitboard.Between(king, x.First()) & occupancy
		if between == 0 {
			return 0
		}
		if between&(between-1) == 0 {
			pieces &^= between
		}
	}
	return pieces
}
