package fianchetto

import (
	"fmt"
	"iter"

	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// problems returns all that makes the setup unplayable, in order of the fields.
func (s *setup) problems() []*FENError {
	var found []*FENError
	found = s.appendKingProblems(found)
	found = s.appendPawnProblems(found)
	found = s.appendCheckProblem(found)
	found = s.appendCastlingProblems(found)
	return s.appendEnPassantProblem(found)
}

// problem returns a finding at an offset of a field. The details say more than cause does.
func (s *setup) problem(field, offset int, cause Problem, details string) *FENError {
	return &FENError{s.fen, fieldNames[field], s.starts[field] + offset, fmt.Errorf("%w: %s", cause, details)}
}

func (s *setup) appendKingProblems(found []*FENError) []*FENError {
	for color := White; color <= Black; color++ {
		kings := s.byColor[color] & s.byType[King]
		if kings == 0 {
			found = append(found, s.problem(placementField, 0, ErrKingCount, color.String()+" has none"))
		}
		nth := 0
		for king := range asWritten(kings) {
			if nth++; nth > 1 {
				details := fmt.Sprintf("%v has another on %v", color, king)
				found = append(found, s.problem(placementField, s.placementOffset(king), ErrKingCount, details))
			}
		}
	}
	return found
}

func (s *setup) appendPawnProblems(found []*FENError) []*FENError {
	for pawn := range asWritten(s.byType[Pawn] & (bitboard.Rank1Mask | bitboard.Rank8Mask)) {
		details := "one is on " + pawn.String()
		found = append(found, s.problem(placementField, s.placementOffset(pawn), ErrPawnOnBackRank, details))
	}
	return found
}

// appendCheckProblem asks whether the side to move could take the king. With more kings, or none, on a side
// that is another problem.
func (s *setup) appendCheckProblem(found []*FENError) []*FENError {
	kings := s.byColor[s.side.Opponent()] & s.byType[King]
	if kings.Len() != 1 {
		return found
	}
	attackers := s.attackers(kings.First())
	if attackers == 0 {
		return found
	}
	details := fmt.Sprintf("the king on %v is attacked from %v, and it is %v to move", kings.First(), attackers.First(), s.side)
	return append(found, s.problem(sideField, 0, ErrOpponentInCheck, details))
}

// attackers returns the men of the side to move that attack a square.
func (s *setup) attackers(square Square) Bitboard {
	occupancy := s.byColor[White] | s.byColor[Black]
	return s.byColor[s.side] & (attacks.Pawn(s.side.Opponent(), square)&s.byType[Pawn] |
		attacks.Knight(square)&s.byType[Knight] |
		attacks.Bishop(square, occupancy)&(s.byType[Bishop]|s.byType[Queen]) |
		attacks.Rook(square, occupancy)&(s.byType[Rook]|s.byType[Queen]) |
		attacks.King(square)&s.byType[King])
}

func (s *setup) appendCastlingProblems(found []*FENError) []*FENError {
	var holders Bitboard // the rooks that have a right by the letters read so far
	for i := range len(s.castling) {
		letter := s.castling[i]
		rook := s.castlingRook(letter)
		color, _ := letterColor(letter)
		switch {
		case rook == NoSquare:
			details := fmt.Sprintf("%c has no %v king and rook", letter, color)
			found = append(found, s.problem(castlingField, i, ErrCastlingRights, details))
		case s.wing(color, rook)&holders != 0:
			details := fmt.Sprintf("%c is the second on its side of the %v king", letter, color)
			found = append(found, s.problem(castlingField, i, ErrCastlingRights, details))
		default:
			holders = holders.With(rook)
		}
	}
	return found
}

// wing returns the squares of the back rank on the same side of the king as the rook.
func (s *setup) wing(color Color, rook Square) Bitboard {
	rank := backRank(color)
	king := s.byColor[color] & s.byType[King] & rank
	if east := eastOf(king, rank); east.Has(rook) {
		return east
	}
	return westOf(king, rank)
}

func (s *setup) appendEnPassantProblem(found []*FENError) []*FENError {
	if s.enPassant == NoSquare || s.doublePushFits() {
		return found
	}
	details := fmt.Sprintf("%v is none with %v to move", s.enPassant, s.side)
	return append(found, s.problem(enPassantField, 0, ErrEnPassant, details))
}

// doublePushFits reports whether the last move may have been a double push over the en-passant square.
func (s *setup) doublePushFits() bool {
	pusher := s.side.Opponent()
	rank, forward := bitboard.Rank3, bitboard.North
	if pusher == Black {
		rank, forward = bitboard.Rank6, bitboard.South
	}
	passed := s.enPassant.Bitboard()
	origin, target := passed.Shift(-forward), passed.Shift(forward)
	occupancy := s.byColor[White] | s.byColor[Black]
	return s.enPassant.Rank() == rank && (origin | passed).IsDisjoint(occupancy) &&
		target.IsSubset(s.byColor[pusher]&s.byType[Pawn])
}

// asWritten yields squares in the order in which the placement field names them: from a8 to h1.
func asWritten(squares Bitboard) iter.Seq[Square] {
	return func(yield func(Square) bool) {
		for flipped := range squares.FlipVertical().Squares() {
			if !yield(flipped.FlipRank()) {
				return
			}
		}
	}
}

// placementOffset returns where in the placement field the man on a square is written.
func (s *setup) placementOffset(square Square) int {
	placement := s.fen[s.starts[placementField]:]
	offset, passed := 0, Square(0) // squares passed from a8 on
	for passed < square.FlipRank() {
		switch letter := placement[offset]; {
		case letter == '/':
		case '1' <= letter && letter <= '8':
			passed += Square(letter - '0')
		default:
			passed++
		}
		offset++
	}
	if placement[offset] == '/' {
		offset++
	}
	return offset
}
