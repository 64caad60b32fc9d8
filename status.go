package fianchetto

import (
	"strconv"

	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// Status says whether a game goes on, or how it has ended, or that it is a draw if a player asks for it.
type Status uint8

// What there is to a position and the game before it. The laws of chess (FIDE 5 and 9) end a game by themselves up to
// FivefoldRepetition; the last two a player may claim.
const (
	Ongoing              Status = iota
	Checkmate                   // the side to move has lost
	Stalemate                   // the side to move has no legal move and is not in check
	InsufficientMaterial        // no sequence of legal moves gives mate, for want of men
	SeventyFiveMoves            // 75 moves of each side without capture or pawn move
	FivefoldRepetition          // the position is there for the fifth time
	FiftyMoves                  // 50 moves of each side without capture or pawn move
	ThreefoldRepetition         // the position is there for the third time
)

// statusNames are indexed by Status.
var statusNames = [...]string{
	"ongoing", "checkmate", "stalemate", "insufficient material", "seventy-five moves", "fivefold repetition",
	"fifty moves", "threefold repetition",
}

// String returns the status in words, as "checkmate" or "threefold repetition".
func (s Status) String() string {
	if int(s) >= len(statusNames) {
		return "Status(" + strconv.Itoa(int(s)) + ")"
	}
	return statusNames[s]
}

// IsOver reports whether the game has ended by itself: nobody needs to claim anything.
func (s Status) IsOver() bool { return Checkmate <= s && s <= FivefoldRepetition }

// IsDraw reports whether the game is drawn, or is if a player claims it.
func (s Status) IsDraw() bool { return s >= Stalemate }

// The clocks, in plies, at which a draw may be claimed and at which the game is drawn.
const (
	fiftyMoves       = 100
	seventyFiveMoves = 150
)

// Status returns how the game stands: the first of the constants, in their order, that is true of the position. h has the
// positions before it, for the repetitions; without any, nil, none is looked for.
func (p *Position) Status(h *History) Status {
	repetitions := 0
	if h != nil {
		repetitions = h.Repetitions(p)
	}
	switch {
	case !p.HasLegalMove() && p.InCheck():
		return Checkmate
	case !p.HasLegalMove():
		return Stalemate
	case p.IsInsufficientMaterial():
		return InsufficientMaterial
	case p.HalfmoveClock() >= seventyFiveMoves:
		return SeventyFiveMoves
	case repetitions >= 4:
		return FivefoldRepetition
	case p.HalfmoveClock() >= fiftyMoves:
		return FiftyMoves
	case repetitions >= 2:
		return ThreefoldRepetition
	}
	return Ongoing
}

// IsFiftyMoveDraw reports whether a player may claim a draw because 50 moves of each side went by without capture or
// pawn move (FIDE 9.3). If the last of them was checkmate, the game was over before.
func (p *Position) IsFiftyMoveDraw() bool { return p.HalfmoveClock() >= fiftyMoves && !p.IsCheckmate() }

// IsSeventyFiveMoveDraw reports whether the game is drawn because 75 moves of each side went by without capture or
// pawn move (FIDE 9.6.2). If the last of them was checkmate, that stands.
func (p *Position) IsSeventyFiveMoveDraw() bool {
	return p.HalfmoveClock() >= seventyFiveMoves && !p.IsCheckmate()
}

// IsInsufficientMaterial reports whether neither side can mate by any sequence of legal moves, whatever the squares of the
// men: kings alone, with one knight, or with bishops that all go on squares of one colour. Where men block each other
// a position may be dead for other reasons; those are not looked for.
func (p *Position) IsInsufficientMaterial() bool {
	b := &p.board
	if b.Pawns|b.Orthogonals != 0 {
		return false
	}
	if b.Knights != 0 {
		return b.Occupancy().Len() == 3
	}
	return b.Diagonals.IsSubset(bitboard.LightSquares) || b.Diagonals.IsSubset(bitboard.DarkSquares)
}
