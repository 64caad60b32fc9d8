package fianchetto

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/core"
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

// draft is a position before validation, read from a FEN, a Setup or a packed position, and its
// problems.
type draft struct {
	Position
	problems []*PositionProblem
}

func (d *draft) put(s Square, piece Piece) { d.toggle(changes(0).and(piece, s)) }

func (p *Position) onBackRank(c Color, t PieceType) Bitboard { return p.Pieces(c, t) & backRank(c) }

func (p *Position) isStandardRight(c Color, rook Square) bool {
	corners := bitboard.FileA.Mask() | bitboard.FileH.Mask()
	return rook != NoSquare && p.onBackRank(c, King).First().File() == bitboard.FileE && corners.Has(rook)
}

// position returns the draft with its key.
func (d *draft) position() Position {
	d.key = d.computeKey()
	return d.Position
}

// refuse adds a problem. The caller sets Offset.
func (d *draft) refuse(field string, square Square, cause Problem, format string, args ...any) {
	d.problems = append(d.problems, &PositionProblem{field, 0, square, because(cause, format, args...)})
}

func malformed(form inputForm, input, field string, offset int, cause error) error {
	return &PositionError{Input: input, Problems: []*PositionProblem{{field, offset, NoSquare, cause}}, form: form}
}

func because(cause Problem, format string, args ...any) error {
	return fmt.Errorf("%w: %s", cause, fmt.Sprintf(format, args...))
}

func (d *draft) checkPlacement() {
	for color := White; color <= Black; color++ {
		kings := d.Pieces(color, King)
		if kings == 0 {
			d.refuse(placementField, NoSquare, ErrKingCount, "%v has none", color)
		}
		for king := range (kings & (kings - 1)).Squares() {
			d.refuse(placementField, king, ErrKingCount, "%v has another on %v", color, king)
		}
	}
	for pawn := range (d.pieces[pawns] & (core.Rank1Mask | core.Rank8Mask)).Squares() {
		d.refuse(placementField, pawn, ErrPawnOnBackRank, "%v", pawn)
	}
	side := d.SideToMove()
	theirs := d.Pieces(side.Opponent(), King)
	if theirs.Len() != 1 {
		return // reported above
	}
	king := theirs.First()
	attackers := d.attackersBy(side, king, d.Occupancy()) | attacks.King(king)&d.Pieces(side, King)
	if attackers != 0 {
		d.refuse(sideField, king, ErrOpponentInCheck, "%v is to move and attacks the king on %v from %v", side, king,
			attackers.First())
	}
}

// grantRight adds the right of colour c to castle with a rook, or the problem that prevents it.
// NoSquare means a missing rook. name is the rook's square, or a letter at an offset in FEN's
// field.
func (d *draft) grantRight(name string, offset int, c Color, rook Square) {
	switch {
	case rook == NoSquare || d.onBackRank(c, King) == 0 || !d.onBackRank(c, Rook).Has(rook):
		d.refuse(castlingField, rook, ErrCastlingRights, "%s has no %v king and rook", name, c)
	case d.castlingSide(c, rook)&d.state.castlingRooks() != 0:
		d.refuse(castlingField, rook, ErrCastlingRights, "%s is the second on its side of the %v king", name, c)
	default:
		d.state |= castlingRooksState(rook.Bitboard())
		d.setChess960(!d.isStandardRight(c, rook))
		return
	}
	d.problems[len(d.problems)-1].Offset = offset
}

// castlingSide returns the squares of the back rank on the rook's side of the king.
func (d *draft) castlingSide(c Color, rook Square) Bitboard {
	king, rank := d.onBackRank(c, King), backRank(c)
	if east := eastOf(king, rank); east.Has(rook) {
		return east
	}
	return westOf(king, rank)
}

func (d *draft) grantRights(rooks Bitboard) {
	for rook := range rooks.Squares() {
		half := Color(rook.Rank() / bitboard.Rank5) // of the board
		d.grantRight(rook.String(), 0, half, rook)
	}
}

func (d *draft) checkEnPassant() {
	if d.EnPassant() != NoSquare && !d.isBehindDoublePush() {
		d.refuse(enPassantField, d.EnPassant(), ErrEnPassant, "%v with %v to move", d.EnPassant(), d.SideToMove())
	}
}

// isBehindDoublePush reports whether the last move may have been a double push over the en-passant
// square.
func (p *Position) isBehindDoublePush() bool {
	us, pusher, passed := p.SideToMove(), p.SideToMove().Opponent(), p.EnPassant().Bitboard()
	origin := attacks.PawnPushes(us, passed, secondRank(pusher))
	target := attacks.PawnPushes(pusher, passed, p.Pieces(pusher, Pawn))
	return origin != 0 && target != 0 && (origin|passed)&p.Occupancy() == 0
}

func secondRank(c Color) Bitboard { return attacks.PawnPushes(c, backRank(c), bitboard.Full) }

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
	hasLastMove := false
	for range p.lastMoves {
		hasLastMove = true
		break
	}
	if !hasLastMove {
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

// lastMoves takes back each possible last move, and yields it with the position before it, which may
// itself be unreachable. If the move can have captured, that position may have a knight on its target.
// Source: https://www.chessprogramming.org/Retrograde_Analysis
func (p *Position) lastMoves(yield func(Move, Position) bool) {
	if passed := p.EnPassant(); passed != NoSquare {
		p.takeBack(NewMove(passed^24, passed^8, DoublePush), yield)
		return
	}
	them, empty := p.SideToMove().Opponent(), ^p.Occupancy()
	moved, rank := p.ByColor(them), backRank(them)
	if rooks := p.CastlingRooks(them); rooks != 0 {
		moved, rank = moved&^rooks&^p.Pieces(them, King), bitboard.Empty
	}
	for to := range moved.Squares() {
		for from := range empty.Squares() {
			for kind := range MoveKind(16) {
				m := NewMove(from, to, kind)
				if kind != Castling && p.typeAt(to) == max(m.Piece(), m.Promotion()) && !p.takeBack(m, yield) {
					return
				}
			}
		}
	}
	for king := range rank.Squares() {
		for rook := range rank.Without(king).Squares() {
			m := NewMove(king, rook, Castling)
			kingTo, rookTo := m.CastlingTargets()
			others := p.Occupancy().Without(kingTo).Without(rookTo)
			if kingTo == p.King(them) && p.Pieces(them, Rook).Has(rookTo) && !others.Has(king) && !others.Has(rook) &&
				!p.takeBack(m, yield) {
				return
			}
		}
	}
}

// takeBack yields m and the position before it if it was legal, first without a capture and then with
// one. It reports whether to go on.
func (p *Position) takeBack(m Move, yield func(Move, Position) bool) bool {
	us, them, kind := p.SideToMove(), p.SideToMove().Opponent(), m.Kind()
	isFull := p.ByColor(us).Len() >= 16 // so that nothing was captured
	before, made := draft{Position: *p}, m.specialChanges(them)
	before.state = before.state&^enPassantMask ^ blackToMove
	switch {
	case kind == EnPassant && (isFull || p.Occupancy().Has(m.To()^8)), m.IsPromotion() && p.Pieces(them, Pawn).Len() >= 8:
		return true
	case kind == EnPassant:
		before.state |= enPassantState(m >> 6 & 63)
	case kind == Castling:
		before.state |= castlingRooksState(m.To().Bitboard())
	case kind <= DoublePush:
		piece := bitboard.PieceOf(them, m.Piece())
		made = changes(0).and(piece, m.From()).and(piece, m.To())
	}
	before.toggle(made)
	if !before.wasLegal(m, yield) {
		return false
	}
	before.put(m.To(), bitboard.PieceOf(us, Knight))
	mayCapture := !isFull && (kind < DoublePush || m.IsPromotion())
	return !mayCapture || before.wasLegal(m, yield)
}

// wasLegal yields m and the position if m is legal in it. It reports whether to go on.
func (d *draft) wasLegal(m Move, yield func(Move, Position) bool) bool {
	if !d.IsLegal(m) {
		return true
	}
	d.problems = nil
	d.checkPlacement()
	d.checkEnPassant()
	return d.problems != nil || yield(m, d.position())
}
