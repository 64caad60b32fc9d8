package fianchetto

import (
	"strconv"
	"strings"

	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

// Problem is the cause of a refused text or position. Problems are constants, so that nobody can
// reassign them; find one in an error with errors.Is.
type Problem = bitboard.Problem

// Problems of a position that is not playable.
const (
	ErrKingCount       Problem = "side without exactly one king"
	ErrPawnOnBackRank  Problem = "pawn on the first or last rank"
	ErrOpponentInCheck Problem = "king that can be captured"
	ErrCastlingRights  Problem = "castling right without its king and rook"
	ErrEnPassant       Problem = "en-passant square without a double push before it"
)

// Problems of a text that is not a legal move of a position.
const (
	ErrMoveSyntax    Problem = "invalid notation of a move"
	ErrIllegalMove   Problem = "illegal move"
	ErrAmbiguousMove Problem = "ambiguous move"
)

// Problems of a text that is not a FEN, of values in a Setup that no FEN has, and of bytes that AppendBinary does not write.
const (
	errFieldCount     Problem = "wrong number of fields (want 6, or 4 without the clocks)"
	errSpace          Problem = "empty field (want one space between two fields)"
	errPlacement      Problem = "invalid placement character"
	errFileCount      Problem = "rank with more or fewer than eight files"
	errRankCount      Problem = "board with more or fewer than eight ranks"
	errSideToMove     Problem = "invalid side to move (want w or b)"
	errCastlingLetter Problem = "invalid or repeated castling letter (want -, or some of KQkq, A-H and a-h)"
	errClock          Problem = "invalid clock (want 0 to 65535 in plain digits)"
	errPiece          Problem = "invalid piece"
	errPacked         Problem = "invalid packed position"
)

// Reasons of Position.Unreachable.
const (
	errTooManyPieces   Problem = "more than sixteen pieces on one side"
	errTooManyPawns    Problem = "more than eight pawns on one side"
	errTooManyPromoted Problem = "more promoted pieces than missing pawns"
	errImpossibleCheck Problem = "checks that no last move gives together"
	errPawnStructure   Problem = "pawns that had more to capture than is missing"
	errClockMismatch   Problem = "clocks that contradict each other or the en-passant square"
)

// PositionError reports why a FEN, a packed position or a Setup is refused. errors.Is finds the Problem of a position that is
// not playable, errors.As the first *PositionProblem.
type PositionError struct {
	Input    string             // the FEN, or the bytes of the packed position; empty for a Setup
	Problems []*PositionProblem // in the order of a FEN's fields: one if Input cannot be read, all if the position is not playable

	form       inputForm
	unplayable bool
}

// PositionProblem is one problem of a position, and where it is.
type PositionProblem struct {
	// Field is "placement", "side to move", "castling", "en passant", "halfmove clock" or "fullmove number"; for a FEN
	// also "end", for a packed position "size", "version" or "flags".
	Field  string
	Offset int    // the first byte of Input that shows the problem, 0..len(Input)
	Square Square // of the piece, the attacked king, the castling rook or en passant; NoSquare if the problem is not about one
	Err    error  // the cause; of a position that is not playable, errors.Is finds ErrKingCount to ErrEnPassant in it
}

// inputForm is what a PositionError is about.
type inputForm uint8

const (
	fenForm inputForm = iota
	packedForm
	setupForm
)

// IsUnplayable reports whether the input can be read, but the position cannot be played from.
func (e *PositionError) IsUnplayable() bool { return e.unplayable }

// Error names the input once and all problems, in one line.
func (e *PositionError) Error() string {
	var text strings.Builder
	switch e.form {
	case fenForm:
		text.WriteString("fianchetto: FEN " + quote.Text(e.Input, e.Problems[0].Offset))
	case packedForm:
		text.WriteString("fianchetto: packed position " + quote.Hex(e.Input, e.Problems[0].Offset))
	case setupForm:
		text.WriteString("fianchetto: setup")
	}
	separator := ": "
	if e.unplayable {
		separator = ": unplayable: "
	}
	for _, problem := range e.Problems {
		text.WriteString(separator + problem.Field)
		if e.form != setupForm {
			text.WriteString(" at offset " + strconv.Itoa(problem.Offset))
		}
		text.WriteString(": " + problem.Err.Error())
		separator = "; "
	}
	return text.String()
}

// Unwrap returns the problems.
func (e *PositionError) Unwrap() []error {
	causes := make([]error, len(e.Problems))
	for i, problem := range e.Problems {
		causes[i] = problem
	}
	return causes
}

// Error names the field and the cause, in one line.
func (p *PositionProblem) Error() string { return p.Field + ": " + p.Err.Error() }

// Unwrap returns the cause.
func (p *PositionProblem) Unwrap() error { return p.Err }

// MoveError reports why a text is not a legal move of a position.
type MoveError struct {
	Input  string // the text as given
	Offset int    // the first byte of Input that shows the problem, 0..len(Input)
	FEN    string // the position
	Err    error  // the cause, in which errors.Is finds ErrMoveSyntax, ErrIllegalMove or ErrAmbiguousMove

	Candidates []Move // the moves that an ambiguous text fits, at least two
}

// Error names the input, the offset, the cause, the candidates as Move.String writes them, and the position, in one line.
func (e *MoveError) Error() string {
	text := "fianchetto: move " + quote.Text(e.Input, e.Offset) + " at offset " + strconv.Itoa(e.Offset) + ": " + e.Err.Error()
	separator := ": "
	for _, m := range e.Candidates {
		text += separator + m.String()
		separator = ", "
	}
	return text + " (" + e.FEN + ")"
}

// Unwrap returns the cause.
func (e *MoveError) Unwrap() error { return e.Err }
