package fianchetto

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// Problem is the cause of a refused text or position. The problems are constants, so that nobody can
// reassign them; find one in an error with errors.Is.
type Problem = bitboard.Problem

// What makes a text no FEN. A square that is none is a problem of package bitboard's: ErrFile, ErrRank,
// ErrShort or ErrLong.
const (
	ErrFieldCount     Problem = "a FEN has six fields, or four if it leaves out both clocks"
	ErrSpace          Problem = "one space, and nothing else, stands between two fields"
	ErrPlacement      Problem = "the men are the letters PNBRQKpnbrqk, empty squares the digits 1 to 8"
	ErrFileCount      Problem = "a rank has eight files"
	ErrRankCount      Problem = "a board has eight ranks with a slash between two"
	ErrSideToMove     Problem = "the side to move is w or b"
	ErrCastlingLetter Problem = "castling rights are - or letters KQkq, A to H and a to h, none of them twice"
	ErrClock          Problem = "a clock is a number from 0 to 65535 in plain digits"
)

// What makes a position unplayable.
const (
	ErrKingCount       Problem = "each side has one king"
	ErrPawnOnBackRank  Problem = "no pawn stands on the first or the eighth rank"
	ErrOpponentInCheck Problem = "the side that has just moved may not be in check"
	ErrCastlingRights  Problem = "a castling right needs king and rook on the back rank, and is one per side of the king"
	ErrEnPassant       Problem = "an en-passant square is behind a pawn that has just made a double push over empty squares"
)

// What makes a playable position one that no game reaches; see Position.Unreachable.
const (
	ErrTooManyMen      Problem = "a side has at most sixteen men"
	ErrTooManyPawns    Problem = "a side has at most eight pawns"
	ErrTooManyPromoted Problem = "every promoted man costs a pawn"
	ErrImpossibleCheck Problem = "no last move gives these checks at once"
	ErrPawnStructure   Problem = "pawns change files by capturing, and there are not enough captured men"
	ErrClockMismatch   Problem = "the clocks contradict each other or the en-passant square"
)

// What makes a text no move of a position.
const (
	ErrMoveSyntax    Problem = "the text is not spelled as a move"
	ErrIllegalMove   Problem = "the move is not legal here"
	ErrAmbiguousMove Problem = "the text fits several legal moves"
)

// What makes bytes no position and no move.
const (
	ErrPackedSize    Problem = "a packed position has 38 bytes"
	ErrPackedVersion Problem = "a packed position begins with the version of its form, 1"
	ErrPackedFlags   Problem = "the flags of a packed position are 1 and 2"
	ErrPackedMove    Problem = "a packed move is two bytes: two different squares and a kind of move, or zeros"
)

// FENError says what is wrong with a FEN, and where.
type FENError struct {
	Input  string // the whole text given
	Field  string // "placement", "side to move", "castling", "en passant", "halfmove clock", "fullmove number" or "end"
	Offset int    // byte of Input where the trouble begins, 0..len(Input)
	Err    error  // the cause: errors.Is finds a Problem in it
}

// Error names the input, the field, the offset and the cause, in one line.
func (e *FENError) Error() string { return refusedFEN(e.Input) + e.finding() }

// Unwrap returns the cause.
func (e *FENError) Unwrap() error { return e.Err }

// finding is the message without the input.
func (e *FENError) finding() string {
	return e.Field + " at offset " + strconv.Itoa(e.Offset) + ": " + e.Err.Error()
}

func refusedFEN(fen string) string { return "fianchetto: FEN " + strconv.Quote(fen) + ": " }

// UnplayableError says everything that is wrong with a position whose FEN can be read but not be played from.
// errors.Is finds each of its problems, errors.As the first *FENError.
type UnplayableError struct {
	Input    string      // the FEN
	Problems []*FENError // in order of the fields, at least one
}

// Error names the input once and all problems, in one line.
func (e *UnplayableError) Error() string {
	findings := make([]string, len(e.Problems))
	for i, problem := range e.Problems {
		findings[i] = problem.finding()
	}
	return refusedFEN(e.Input) + "unplayable: " + strings.Join(findings, "; ")
}

// Unwrap returns the problems.
func (e *UnplayableError) Unwrap() []error {
	causes := make([]error, len(e.Problems))
	for i, problem := range e.Problems {
		causes[i] = problem
	}
	return causes
}

// MoveError says why a text is no move of a position.
type MoveError struct {
	Input  string // the whole text given
	Offset int    // byte of Input where the trouble begins, 0..len(Input)
	FEN    string // the position in which the move was to be played
	Err    error  // the cause: ErrMoveSyntax, ErrIllegalMove or ErrAmbiguousMove, as errors.Is finds
}

// Error names the input, the offset, the cause and the position, in one line.
func (e *MoveError) Error() string {
	return "fianchetto: move " + strconv.Quote(e.Input) + " at offset " + strconv.Itoa(e.Offset) + ": " +
		e.Err.Error() + " (" + e.FEN + ")"
}

// Unwrap returns the cause.
func (e *MoveError) Unwrap() error { return e.Err }

// AmbiguityError says which legal moves a text fits; it is the cause of a *MoveError, in which errors.As finds it.
type AmbiguityError struct {
	Candidates []Move // at least two, each of which some longer text spells
}

// Error names the candidates as Move.String spells them, in one line.
func (e *AmbiguityError) Error() string {
	names := make([]string, len(e.Candidates))
	for i, m := range e.Candidates {
		names[i] = m.String()
	}
	return ErrAmbiguousMove.Error() + ": " + strings.Join(names, ", ")
}

// Unwrap returns ErrAmbiguousMove.
func (e *AmbiguityError) Unwrap() error { return ErrAmbiguousMove }

// PackedError says what is wrong with bytes that should be a position or a move, and where.
type PackedError struct {
	Input  []byte // a copy of all that was given
	Field  string // as in FENError, or "size", "version", "flags" or "move"
	Offset int    // the first byte of Input that has to do with it, 0..len(Input)
	Err    error  // the cause: errors.Is finds a Problem in it; a *SetupError with all problems if the position is unplayable
}

// Error names the field, the offset, the cause and the input, in one line.
func (e *PackedError) Error() string {
	return fmt.Sprintf("fianchetto: packed %s at offset %d: %v (%x)", e.Field, e.Offset, e.Err, e.Input)
}

// Unwrap returns the cause.
func (e *PackedError) Unwrap() error { return e.Err }

// SetupError says everything that is wrong with a Setup. errors.Is finds each of its problems, errors.As the first
// *SetupProblem.
type SetupError struct {
	Problems []*SetupProblem // in the order of a FEN's fields, at least one
}

// SetupProblem is one thing that is wrong with a Setup, and where.
type SetupProblem struct {
	Field  string // as in FENError: "placement", "side to move", "castling", "en passant", "halfmove clock" or "fullmove number"
	Square Square // of the man, the attacked king, the rook or the en-passant square; NoSquare if it is about none
	Err    error  // the cause: errors.Is finds a Problem in it
}

// Error names the field and the cause, in one line.
func (e *SetupProblem) Error() string { return e.Field + ": " + e.Err.Error() }

// Unwrap returns the cause.
func (e *SetupProblem) Unwrap() error { return e.Err }

// Error names all problems, in one line.
func (e *SetupError) Error() string {
	text := "fianchetto: setup is unplayable: "
	for i, problem := range e.Problems {
		if i > 0 {
			text += "; "
		}
		text += problem.Error()
	}
	return text
}

// Unwrap returns the problems.
func (e *SetupError) Unwrap() []error {
	causes := make([]error, len(e.Problems))
	for i, problem := range e.Problems {
		causes[i] = problem
	}
	return causes
}
