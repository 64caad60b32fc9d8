package fianchetto

import (
	"fmt"
	"iter"
	"slices"

	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/core"
)

// draft is what a FEN, a Setup or packed bytes say, before anybody asks whether it makes sense.
type draft struct {
	byColor            [2]Bitboard
	byType             [King + 1]Bitboard
	side               Color
	rights             Bitboard // the rooks that have the right to castle
	enPassant          Square
	halfmove, fullmove uint16
	chess960           bool
}

// put puts a man on a square, which is empty.
func (d *draft) put(s Square, man Piece) {
	d.byColor[man.Color()] |= s.Bitboard()
	d.byType[man.Type()] |= s.Bitboard()
}

// onBackRank returns the men of a side and kind that stand where they may castle.
func (d *draft) onBackRank(c Color, t PieceType) Bitboard {
	return d.byColor[c] & d.byType[t] & backRank(c)
}

// isStandardRight reports whether standard chess has a right to castle: that of a king on the e-file with a
// rook in the corner.
func (d *draft) isStandardRight(c Color, rook Square) bool {
	corners := bitboard.FileAMask | bitboard.FileHMask
	return d.onBackRank(c, King).First().File() == bitboard.FileE && corners.Has(rook)
}

// backRank returns the rank of c's king and rooks before the game.
func backRank(c Color) Bitboard {
	if c == White {
		return bitboard.Rank1Mask
	}
	return bitboard.Rank8Mask
}

// eastOf and westOf return the rooks on either side of the king, all being on one rank.
func eastOf(king, rooks Bitboard) Bitboard { return rooks &^ (king - 1) }
func westOf(king, rooks Bitboard) Bitboard { return rooks & (king - 1) }

// position returns what the draft says, which must have no flaws.
func (d *draft) position() Position {
	p := Position{state: newState(d.side, d.halfmove, d.fullmove)}
	queens, rights := d.byType[Queen], d.rights
	if d.enPassant != NoSquare {
		rights = rights.With(d.enPassant)
	}
	p.board = core.Board{
		Us:                   p.absolute(d.byColor[d.side]),
		Them:                 p.absolute(d.byColor[d.side.Opponent()]),
		Pawns:                p.absolute(d.byType[Pawn]),
		Knights:              p.absolute(d.byType[Knight]),
		Diagonals:            p.absolute(d.byType[Bishop] | queens),
		Orthogonals:          p.absolute(d.byType[Rook] | queens),
		CastlingAndEnPassant: p.absolute(rights),
	}
	p.key = p.computeKey()
	return p.WithChess960(d.chess960)
}

// flaw is one thing that makes a draft unplayable. The error says more than its Problem does.
type flaw struct {
	field  int
	square Square // NoSquare if it is about none
	letter int    // of a FEN's castling field
	err    error
}

func newFlaw(field int, square Square, cause Problem, format string, args ...any) flaw {
	return flaw{field, square, 0, fmt.Errorf("%w: %s", cause, fmt.Sprintf(format, args...))}
}

// menFlaws returns what is wrong with the men and the side to move.
func (d *draft) menFlaws() []flaw {
	return d.appendCheckFlaw(d.appendPawnFlaws(d.appendKingFlaws(nil)))
}

func (d *draft) appendKingFlaws(found []flaw) []flaw {
	for color := White; color <= Black; color++ {
		kings := d.byColor[color] & d.byType[King]
		if kings == 0 {
			found = append(found, newFlaw(placementField, NoSquare, ErrKingCount, "%v has none", color))
		}
		nth := 0
		for king := range asWritten(kings) {
			if nth++; nth > 1 {
				found = append(found, newFlaw(placementField, king, ErrKingCount, "%v has another on %v", color, king))
			}
		}
	}
	return found
}

func (d *draft) appendPawnFlaws(found []flaw) []flaw {
	for pawn := range asWritten(d.byType[Pawn] & (bitboard.Rank1Mask | bitboard.Rank8Mask)) {
		found = append(found, newFlaw(placementField, pawn, ErrPawnOnBackRank, "one is on %v", pawn))
	}
	return found
}

// appendCheckFlaw asks whether the side to move could take the king. With more kings, or none, on a side
// that is another problem.
func (d *draft) appendCheckFlaw(found []flaw) []flaw {
	kings := d.byColor[d.side.Opponent()] & d.byType[King]
	if kings.Len() != 1 {
		return found
	}
	king := kings.First()
	attackers := d.attackers(king)
	if attackers == 0 {
		return found
	}
	return append(found, newFlaw(sideField, king, ErrOpponentInCheck,
		"the king on %v is attacked from %v, and it is %v to move", king, attackers.First(), d.side))
}

// attackers returns the men of the side to move that attack a square.
func (d *draft) attackers(square Square) Bitboard {
	occupancy := d.byColor[White] | d.byColor[Black]
	return d.byColor[d.side] & (attacks.Pawn(d.side.Opponent(), square)&d.byType[Pawn] |
		attacks.Knight(square)&d.byType[Knight] |
		attacks.Bishop(square, occupancy)&(d.byType[Bishop]|d.byType[Queen]) |
		attacks.Rook(square, occupancy)&(d.byType[Rook]|d.byType[Queen]) |
		attacks.King(square)&d.byType[King])
}

// refuseRight says why a side cannot have the right to castle with a rook besides the rights that are given,
// nothing if it can. NoSquare is no rook.
func (d *draft) refuseRight(c Color, rook Square) string {
	switch {
	case rook == NoSquare || d.onBackRank(c, King) == 0 || !d.onBackRank(c, Rook).Has(rook):
		return fmt.Sprintf("has no %v king and rook", c)
	case d.wing(c, rook)&d.rights != 0:
		return fmt.Sprintf("is the second on its side of the %v king", c)
	}
	return ""
}

// wing returns the squares of the back rank on the same side of the king as the rook.
func (d *draft) wing(c Color, rook Square) Bitboard {
	king, rank := d.onBackRank(c, King), backRank(c)
	if east := eastOf(king, rank); east.Has(rook) {
		return east
	}
	return westOf(king, rank)
}

// enPassantFlaws asks whether the last move may have been a double push over the en-passant square.
func (d *draft) enPassantFlaws() []flaw {
	if d.enPassant == NoSquare || d.doublePushFits() {
		return nil
	}
	return []flaw{newFlaw(enPassantField, d.enPassant, ErrEnPassant, "%v is none with %v to move", d.enPassant, d.side)}
}

// doublePushFits reports whether the last move may have been a double push over the en-passant square.
func (d *draft) doublePushFits() bool {
	pusher := d.side.Opponent()
	rank, forward := bitboard.Rank3, bitboard.North
	if pusher == Black {
		rank, forward = bitboard.Rank6, bitboard.South
	}
	passed := d.enPassant.Bitboard()
	origin, target := passed.Shift(-forward), passed.Shift(forward)
	occupancy := d.byColor[White] | d.byColor[Black]
	return d.enPassant.Rank() == rank && (origin | passed).IsDisjoint(occupancy) &&
		target.IsSubset(d.byColor[pusher]&d.byType[Pawn])
}

// asWritten yields squares in the order in which the placement field of a FEN names them: from a8 to h1.
func asWritten(squares Bitboard) iter.Seq[Square] {
	return func(yield func(Square) bool) {
		for flipped := range squares.FlipVertical().Squares() {
			if !yield(flipped.FlipRank()) {
				return
			}
		}
	}
}

// Unreachable returns the reasons it finds why no game of chess, Chess960 or double Chess960 leads to the
// position: too many men, pawns or promoted men on a side, pawns that would have had to capture more men than
// are gone, checks that no last move gives at once, clocks that contradict each other. errors.Is finds the Problem
// in each. Such positions are playable all the same: their moves and counts are exact.
//
// No reason is no proof: to tell what a game can reach takes retrograde analysis.
func (p *Position) Unreachable() []error {
	var reasons []error
	for color := White; color <= Black; color++ {
		reasons = append(reasons, p.menUnreachable(color)...)
	}
	if checkers := p.Checkers(); !p.canCheckAtOnce(checkers) {
		reasons = append(reasons, because(ErrImpossibleCheck, "%d of them", checkers.Len()))
	}
	return append(reasons, p.clocksUnreachable()...)
}

func because(cause Problem, format string, args ...any) error {
	return fmt.Errorf("%w: %s", cause, fmt.Sprintf(format, args...))
}

// menUnreachable counts the men of colour c.
func (p *Position) menUnreachable(c Color) (reasons []error) {
	men, pawns := p.ByColor(c).Len(), p.Pieces(c, Pawn).Len()
	if men > 16 {
		reasons = append(reasons, because(ErrTooManyMen, "%v has %d", c, men))
	}
	if pawns > 8 {
		return append(reasons, because(ErrTooManyPawns, "%v has %d", c, pawns))
	}
	if promoted := p.promoted(c); promoted > 8-pawns {
		reasons = append(reasons, because(ErrTooManyPromoted, "%v has %d, and %d pawns", c, promoted, pawns))
	}
	if gone := 16 - p.ByColor(c.Opponent()).Len(); p.pawnCaptures(c) > max(0, gone) {
		reasons = append(reasons, because(ErrPawnStructure, "%v's pawns had %d to capture", c, max(0, gone)))
	}
	return reasons
}

// promoted returns how many men of colour c, at the least, have been pawns. Of the first two bishops one is
// on light squares and one on dark, in Chess960 too.
func (p *Position) promoted(c Color) int {
	surplus := func(men Bitboard, atFirst int) int { return max(0, men.Len()-atFirst) }
	bishops := p.Pieces(c, Bishop)
	return surplus(p.Pieces(c, Knight), 2) + surplus(p.Pieces(c, Rook), 2) + surplus(p.Pieces(c, Queen), 1) +
		surplus(bishops&bitboard.LightSquares, 1) + surplus(bishops&bitboard.DarkSquares, 1)
}

// pawnCaptures returns how many captures, at the least, have brought the pawns of colour c, eight or fewer,
// to where they are, each from a file of its own; impossible if no number of captures has.
func (p *Position) pawnCaptures(c Color) int {
	const impossible = 64
	var fewest [256]int // by the set of files that the pawns looked at so far came from
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

// ranksPassed returns how many ranks a pawn of colour c has gone up from where it began.
func ranksPassed(c Color, pawn Square) int {
	if c == Black {
		pawn = pawn.FlipRank()
	}
	return int(pawn.Rank() - bitboard.Rank2)
}

// canCheckAtOnce reports whether one move may have given check by all these men, as far as their number, their
// kinds and their places tell: one may have moved, and sliders may have been discovered.
func (p *Position) canCheckAtOnce(checkers Bitboard) bool {
	sliders := checkers &^ (p.ByType(Pawn) | p.ByType(Knight))
	unmoved := bitboard.Rank2Mask
	if p.SideToMove() == White {
		unmoved = bitboard.Rank7Mask // of the pawns of Black, who moved last
	}
	switch {
	case checkers.Len() > 2 || checkers&p.ByType(Pawn)&unmoved != 0:
		return false
	case p.EnPassant() != NoSquare:
		return p.canCheckByDoublePush(checkers)
	case checkers.Len() == 2:
		king := p.King(p.SideToMove())
		return sliders != 0 && !bitboard.Aligned(checkers.First(), checkers.Last(), king)
	}
	return true
}

// canCheckByDoublePush reports whether the double push that has just been made gave all these checks: by the pawn
// itself, or by a slider that looked at the king through the square it left.
func (p *Position) canCheckByDoublePush(checkers Bitboard) bool {
	target, king := p.EnPassant().Bitboard(), p.King(p.SideToMove())
	pawn, origin := target<<8, target>>8
	if p.SideToMove() == White {
		pawn, origin = origin, pawn
	}
	for checker := range (checkers &^ pawn).Squares() {
		if bitboard.Between(checker, king).IsDisjoint(origin) {
			return false
		}
	}
	return true
}

// clocksUnreachable compares the clocks with each other and with the en-passant square. A clock at its end tells nothing.
func (p *Position) clocksUnreachable() (reasons []error) {
	plies := max(0, 2*(p.FullmoveNumber()-1)+int(p.SideToMove()))
	if p.HalfmoveClock() > plies && p.FullmoveNumber() < maxClock {
		reasons = append(reasons, because(ErrClockMismatch, "%d plies without capture or pawn move, of %d played", p.HalfmoveClock(), plies))
	}
	if p.EnPassant() != NoSquare && p.HalfmoveClock() != 0 {
		reasons = append(reasons, because(ErrClockMismatch, "the halfmove clock is %d after a double push", p.HalfmoveClock()))
	}
	return reasons
}
