package fianchetto

import (
	"slices"

	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

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
