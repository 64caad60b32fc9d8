package fianchetto

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

// Problem is the cause of a refused text or position. Find one in an error with errors.Is.
type Problem = bitboard.Problem

// Problems of an unplayable position.
const (
	ErrKingCount       Problem = "each side needs exactly one king"
	ErrPawnOnBackRank  Problem = "pawn on the first or last rank"
	ErrOpponentInCheck Problem = "the side not to move is in check"
	ErrCastlingRights  Problem = "castling right without its king and rook"
	ErrEnPassant       Problem = "en-passant square without a double push before it"
)

// Problems of a text that is not a legal move of a position.
const (
	ErrMoveSyntax    Problem = "invalid notation of a move"
	ErrIllegalMove   Problem = "illegal move"
	ErrAmbiguousMove Problem = "ambiguous move"
)

// Problems of unreadable FENs and packed positions, and of values in a Setup.
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

// PositionError reports why a FEN, a packed position or a Setup is refused. errors.Is finds the
// Problem of an unplayable position, errors.As the first *PositionProblem.
type PositionError struct {
	Input    string             // the FEN or packed position; empty for a Setup
	Problems []*PositionProblem // one if Input is unreadable, else all, in the order of a FEN's fields

	form       inputForm
	unplayable bool
}

// PositionProblem is one problem of a position and its place.
type PositionProblem struct {
	// Field is "placement", "side to move", "castling", "en passant", "halfmove clock" or "fullmove
	// number"; for a FEN also "end", for a packed position "size", "version" or "flags".
	Field  string
	Offset int    // the first byte of Input that shows the problem, 0..len(Input)
	Square Square // the square of the piece, king, castling rook or en passant concerned, or NoSquare
	Err    error  // the cause, which for an unplayable position wraps one of ErrKingCount to ErrEnPassant
}

type inputForm uint8

const (
	fenForm inputForm = iota
	packedForm
	setupForm
)

// Error names the input and all problems, in one line.
func (e *PositionError) Error() string {
	text := "fianchetto: setup: "
	switch first := e.Problems[0].Offset; e.form {
	case fenForm:
		text = "fianchetto: FEN " + quote.Text(e.Input, first) + ": "
	case packedForm:
		text = "fianchetto: packed position " + quote.Hex(e.Input, first) + ": "
	}
	if e.unplayable {
		text += "unplayable: "
	}
	var problems []string
	for _, problem := range e.Problems {
		where := problem.Field
		if e.form != setupForm {
			where += " at offset " + strconv.Itoa(problem.Offset)
		}
		problems = append(problems, where+": "+problem.Err.Error())
	}
	return text + strings.Join(problems, "; ")
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
	Err    error  // the cause, which wraps ErrMoveSyntax, ErrIllegalMove or ErrAmbiguousMove

	Candidates []Move        // at least two moves that an ambiguous text fits
	Reasons    []Explanation // the reason against each possible move of an illegal text
}

// Error names the input, the offset, the cause, the candidates or the reasons, and the position, in
// one line.
func (e *MoveError) Error() string {
	text, separator := e.Err.Error(), ": "
	for _, m := range e.Candidates {
		text += separator + m.String()
		separator = ", "
	}
	for _, why := range e.Reasons {
		text += separator + why.String()
		separator = "; "
	}
	return fmt.Sprintf("fianchetto: move %s at offset %d: %s (%s)", quote.Text(e.Input, e.Offset), e.Offset, text,
		cmp.Or(e.FEN, "no position"))
}

// Unwrap returns the cause.
func (e *MoveError) Unwrap() error { return e.Err }

// uncheckedPosition is a FEN, a Setup or a packed position before validation, and its problems.
type uncheckedPosition struct {
	byColor            [2]Bitboard
	byType             [6]Bitboard // by piece type, as in Position
	side               Color
	rights             Bitboard // the castling rooks
	enPassant          Square
	halfmove, fullmove uint16
	chess960           bool
	problems           []*PositionProblem
}

func (u *uncheckedPosition) put(s Square, piece Piece) {
	u.byColor[piece.Color()] |= s.Bitboard()
	u.byType[piece.Type()-Pawn] |= s.Bitboard()
}

func (u *uncheckedPosition) onBackRank(c Color, t PieceType) Bitboard {
	return u.byColor[c] & u.byType[t-Pawn] & backRank(c)
}

func secondRank(c Color) Bitboard { return attacks.PawnPushes(c, backRank(c), bitboard.Full) }

func (u *uncheckedPosition) isStandardRight(c Color, rook Square) bool {
	corners := bitboard.FileA.Mask() | bitboard.FileH.Mask()
	return rook != NoSquare && u.onBackRank(c, King).First().File() == bitboard.FileE && corners.Has(rook)
}

func (p *Position) unchecked() uncheckedPosition {
	return uncheckedPosition{
		byColor: p.colors, byType: p.pieces,
		side: p.SideToMove(), rights: p.state.castlingRooks(), enPassant: p.EnPassant(),
		halfmove: uint16(p.HalfmoveClock()), fullmove: uint16(p.FullmoveNumber()), chess960: p.IsChess960(),
	}
}

func (u *uncheckedPosition) mapped(squares func(Bitboard) Bitboard) Position {
	if u.byType[kings] == 0 {
		return Position{}
	}
	for _, set := range []*Bitboard{&u.byColor[White], &u.byColor[Black], &u.rights} {
		*set = squares(*set)
	}
	for i := range u.byType {
		u.byType[i] = squares(u.byType[i])
	}
	if u.enPassant != NoSquare {
		u.enPassant = squares(u.enPassant.Bitboard()).First()
	}
	return u.position()
}

func (u *uncheckedPosition) position() Position {
	p := Position{colors: u.byColor, pieces: u.byType}
	p.state = state(u.side) | state(u.enPassant^NoSquare)<<enPassantShift | castlingRooksState(u.rights) |
		state(u.halfmove)<<halfmoveShift | state(u.fullmove)<<fullmoveShift
	if u.chess960 {
		p.state |= isChess960
	}
	p.key = p.computeKey()
	return p
}

// refuse adds a problem. The caller sets Offset.
func (u *uncheckedPosition) refuse(field string, square Square, cause Problem, format string, args ...any) {
	u.problems = append(u.problems, &PositionProblem{field, 0, square, because(cause, format, args...)})
}

func malformed(form inputForm, input, field string, offset int, cause error) error {
	return &PositionError{Input: input, Problems: []*PositionProblem{{field, offset, NoSquare, cause}}, form: form}
}

func because(cause Problem, format string, args ...any) error {
	return fmt.Errorf("%w: %s", cause, fmt.Sprintf(format, args...))
}

func (u *uncheckedPosition) checkPlacement() {
	for color := White; color <= Black; color++ {
		kings := u.byColor[color] & u.byType[kings]
		if kings == 0 {
			u.refuse(placementField, NoSquare, ErrKingCount, "%v has none", color)
		}
		for king := range (kings & (kings - 1)).Squares() {
			u.refuse(placementField, king, ErrKingCount, "%v has another on %v", color, king)
		}
	}
	for pawn := range (u.byType[pawns] & (bitboard.Rank1.Mask() | bitboard.Rank8.Mask())).Squares() {
		u.refuse(placementField, pawn, ErrPawnOnBackRank, "%v", pawn)
	}
	theirs := u.byColor[u.side.Opponent()] & u.byType[kings]
	if theirs.Len() != 1 {
		return // reported above
	}
	king := theirs.First()
	p := Position{colors: u.byColor, pieces: u.byType}
	attackers := p.attackersBy(u.side, king, p.Occupancy()) | attacks.King(king)&p.Pieces(u.side, King)
	if attackers != 0 {
		u.refuse(sideField, king, ErrOpponentInCheck, "%v is to move and attacks the king on %v from %v", u.side, king,
			attackers.First())
	}
}

// grantRight adds the right of colour c to castle with a rook, or the problem that prevents it.
// NoSquare means a missing rook. name is the rook's square, or a letter at an offset in FEN's
// field.
func (u *uncheckedPosition) grantRight(name string, offset int, c Color, rook Square) {
	switch {
	case rook == NoSquare || u.onBackRank(c, King) == 0 || !u.onBackRank(c, Rook).Has(rook):
		u.refuse(castlingField, rook, ErrCastlingRights, "%s has no %v king and rook", name, c)
	case u.castlingSide(c, rook)&u.rights != 0:
		u.refuse(castlingField, rook, ErrCastlingRights, "%s is the second on its side of the %v king", name, c)
	default:
		u.rights = u.rights.With(rook)
		u.chess960 = u.chess960 || !u.isStandardRight(c, rook)
		return
	}
	u.problems[len(u.problems)-1].Offset = offset
}

// castlingSide returns the squares of the back rank on the rook's side of the king.
func (u *uncheckedPosition) castlingSide(c Color, rook Square) Bitboard {
	king, rank := u.onBackRank(c, King), backRank(c)
	if east := eastOf(king, rank); east.Has(rook) {
		return east
	}
	return westOf(king, rank)
}

func (u *uncheckedPosition) grantRights(rooks Bitboard) {
	for rook := range rooks.Squares() {
		half := Color(rook.Rank() / bitboard.Rank5) // of the board
		u.grantRight(rook.String(), 0, half, rook)
	}
}

func (u *uncheckedPosition) checkEnPassant() {
	if u.enPassant != NoSquare && !u.isBehindDoublePush() {
		u.refuse(enPassantField, u.enPassant, ErrEnPassant, "%v with %v to move", u.enPassant, u.side)
	}
}

// isBehindDoublePush reports whether the last move may have been a double push over enPassant.
func (u *uncheckedPosition) isBehindDoublePush() bool {
	pusher, passed := u.side.Opponent(), u.enPassant.Bitboard()
	origin := attacks.PawnPushes(u.side, passed, secondRank(pusher))
	target := attacks.PawnPushes(pusher, passed, u.byColor[pusher]&u.byType[pawns])
	occupancy := u.byColor[White] | u.byColor[Black]
	return origin != 0 && target != 0 && (origin|passed)&occupancy == 0
}
