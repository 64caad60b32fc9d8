package fianchetto

import (
	"cmp"
	"fmt"
	"slices"
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

// Reasons of Position.Unreachable.
const (
	errTooManyPieces   Problem = "more than sixteen pieces on one side"
	errTooManyPawns    Problem = "more than eight pawns on one side"
	errTooManyPromoted Problem = "more promoted pieces than missing pawns"
	errImpossibleCheck Problem = "impossible check: no legal last move gives it"
	errNoLastMove      Problem = "no legal last move"
	errPawnStructure   Problem = "pawn structure needs more captures than pieces are missing"
	errClockMismatch   Problem = "clocks contradict each other or the en-passant square"
)

// Unreachable reports why the position cannot arise in a game of chess, Chess960 or double
// Chess960: too many pieces, pawns or promoted pieces on a side, a pawn structure that needs more
// captures than pieces are missing, no legal last move (for example, an impossible check), clocks
// that contradict each other. Such positions are playable, and their moves and counts are exact.
//
// A position without a reason may still be unreachable: only retrograde analysis proves that a game
// reaches it.
func (p *Position) Unreachable() []error {
	if p.isNone() {
		return nil
	}
	var reasons []error
	for color := White; color <= Black; color++ {
		reasons = append(reasons, p.piecesUnreachable(color)...)
	}
	if !p.hasLastMove() {
		if checkers := p.Checkers(); checkers != 0 {
			reasons = append(reasons, because(errImpossibleCheck, "from %s", enumerate(checkers, Square.String)))
		} else {
			reasons = append(reasons, because(errNoLastMove, "%v", p.SideToMove().Opponent()))
		}
	}
	return append(reasons, p.clocksUnreachable()...)
}

func (p *Position) piecesUnreachable(c Color) (reasons []error) {
	pieces, pawns := p.ByColor(c).Len(), p.Pieces(c, Pawn).Len()
	if pieces > 16 {
		reasons = append(reasons, because(errTooManyPieces, "%v has %d", c, pieces))
	}
	if pawns > 8 {
		return append(reasons, because(errTooManyPawns, "%v has %d", c, pawns))
	}
	if promoted := p.promoted(c); promoted > 8-pawns {
		reasons = append(reasons, because(errTooManyPromoted, "%v has %d, and %d pawns", c, promoted, pawns))
	}
	if missing := max(0, 16-p.ByColor(c.Opponent()).Len()); p.pawnCaptures(c) > missing {
		reasons = append(reasons, because(errPawnStructure, "%v's pawns had %d to capture", c, missing))
	}
	return reasons
}

// promoted returns the least number of pieces of colour c that must have been pawns. The first two
// bishops are on different colours, also in Chess960.
func (p *Position) promoted(c Color) int {
	surplus := func(pieces Bitboard, atFirst int) int { return max(0, pieces.Len()-atFirst) }
	bishops := p.Pieces(c, Bishop)
	return surplus(p.Pieces(c, Knight), 2) + surplus(p.Pieces(c, Rook), 2) + surplus(p.Pieces(c, Queen), 1) +
		surplus(bishops&bitboard.LightSquares, 1) + surplus(bishops&bitboard.DarkSquares, 1)
}

// pawnCaptures returns the least number of captures that brings the pawns of colour c, each from
// its own file, to their squares, or impossible.
func (p *Position) pawnCaptures(c Color) int {
	const impossible = 64
	var fewest [256]int // by the set of files from which the pawns considered so far started
	for origins := 1; origins < len(fewest); origins++ {
		fewest[origins] = impossible
	}
	for pawn := range p.Pieces(c, Pawn).Squares() {
		before := fewest
		for origins := range fewest {
			fewest[origins] = impossible
			for file := range 8 {
				captures := max(file-int(pawn.File()), int(pawn.File())-file)
				if origins>>file&1 == 1 && captures <= ranksPassed(c, pawn) {
					fewest[origins] = min(fewest[origins], before[origins^1<<file]+captures)
				}
			}
		}
	}
	return slices.Min(fewest[:])
}

func ranksPassed(c Color, pawn Square) int {
	if c == Black {
		pawn = pawn.FlipVertical()
	}
	return int(pawn.Rank() - bitboard.Rank2)
}

// clocksUnreachable ignores a clock at its maximum.
func (p *Position) clocksUnreachable() (reasons []error) {
	plies := max(0, 2*(p.FullmoveNumber()-1)+int(p.SideToMove()))
	if p.HalfmoveClock() > plies && p.FullmoveNumber() < maxClock {
		reasons = append(reasons, because(errClockMismatch,
			"%d plies without capture or pawn move, of %d played", p.HalfmoveClock(), plies))
	}
	if p.EnPassant() != NoSquare && p.HalfmoveClock() != 0 {
		reasons = append(reasons, because(errClockMismatch,
			"the halfmove clock is %d after a double push", p.HalfmoveClock()))
	}
	return reasons
}

// hasLastMove takes back each possible last move: before it, the king of the side to move must not
// have been attacked. The earlier position may itself be unreachable.
// Source: https://www.chessprogramming.org/Retrograde_Analysis
func (p *Position) hasLastMove() bool {
	us, them := p.SideToMove(), p.SideToMove().Opponent()
	if p.EnPassant() != NoSquare {
		passed := p.EnPassant().Bitboard()
		pawn := attacks.PawnPushes(them, passed, bitboard.Full).First()
		return p.stoodOn(attacks.PawnPushes(us, passed, bitboard.Full), pawn, Pawn, bitboard.Empty)
	}
	unmoved := p.CastlingRooks(them)
	if unmoved != 0 {
		unmoved |= p.Pieces(them, King)
	}
	for to := range (p.ByColor(them) &^ unmoved).Squares() {
		if p.canHaveMovedTo(to) {
			return true
		}
	}
	return unmoved == 0 && p.canHaveCastled()
}

// canHaveMovedTo reports whether the last move, castling aside, can have ended on to.
func (p *Position) canHaveMovedTo(to Square) bool {
	us, them := p.SideToMove(), p.SideToMove().Opponent()
	empty, target, piece := ^p.Occupancy(), to.Bitboard(), p.PieceAt(to)
	if t := piece.Type(); t != Pawn {
		origins := attacks.Of(piece, to, ^empty) & empty
		if p.stoodOn(origins, to, t, bitboard.Empty) || p.stoodOn(origins, to, t, target) {
			return true
		}
		if t == King || target&backRank(us) == 0 || p.Pieces(them, Pawn).Len() >= 8 {
			return false // nor has it been a promotion
		}
	}
	first, last := secondRank(them), secondRank(us)
	empty &^= backRank(them)
	step := attacks.PawnPushes(us, target, empty)
	pushes := step | attacks.PawnPushes(us, step, empty)&first
	captures := attacks.Pawn(us, to) & empty
	if p.stoodOn(pushes, to, Pawn, bitboard.Empty) || p.stoodOn(captures, to, Pawn, target) {
		return true
	}
	enPassant := step != 0 && attacks.PawnPushes(them, target, empty)&last != 0
	return enPassant && p.stoodOn(captures, to, Pawn, step)
}

// stoodOn reports whether the piece on to, as a piece of type was, can have come from one of the
// origins and captured a piece on the given square, if any.
func (p *Position) stoodOn(origins Bitboard, to Square, was PieceType, captured Bitboard) bool {
	us, them := p.SideToMove(), p.SideToMove().Opponent()
	if captured != 0 && p.ByColor(us).Len() >= 16 {
		return false
	}
	for from := range origins.Squares() {
		before := *p
		before.colors[them] ^= from.Bitboard() | to.Bitboard()
		before.pieces[p.typeAt(to)-Pawn] ^= to.Bitboard()
		before.pieces[was-Pawn] ^= from.Bitboard()
		if !before.IsAttacked(p.King(us), them, before.Occupancy()|captured) {
			return true
		}
	}
	return false
}

func (p *Position) canHaveCastled() bool {
	rank := backRank(p.SideToMove().Opponent())
	for king := range rank.Squares() {
		for rook := range rank.Without(king).Squares() {
			if p.canHaveCastledFrom(king, rook) {
				return true
			}
		}
	}
	return false
}

// canHaveCastledFrom takes a castling back and reports whether it was legal.
func (p *Position) canHaveCastledFrom(king, rook Square) bool {
	them, castling := p.SideToMove().Opponent(), NewMove(king, rook, Castling)
	kingTo, rookTo := castling.CastlingTargets()
	origins, targets := king.Bitboard()|rook.Bitboard(), kingTo.Bitboard()|rookTo.Bitboard()
	if kingTo != p.King(them) || !p.Pieces(them, Rook).Has(rookTo) || origins&p.Occupancy()&^targets != 0 {
		return false
	}
	before := p.unchecked()
	before.side, before.rights = them, rook.Bitboard()
	before.byColor[them] ^= origins ^ targets
	before.byType[kings] ^= king.Bitboard() ^ kingTo.Bitboard()
	before.byType[rooks] ^= rook.Bitboard() ^ rookTo.Bitboard()
	if before.checkPlacement(); before.problems != nil {
		return false
	}
	position := before.position()
	return position.IsLegal(castling)
}
