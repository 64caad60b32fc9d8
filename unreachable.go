package fianchetto

import (
	"fmt"
	"slices"

	"github.com/fianchetto-chess/fianchetto/bitboard"
)

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
