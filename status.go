package fianchetto

import (
	"strconv"

	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// Status is the state of a game: it goes on, it has ended, or a player may claim a draw.
type Status uint8

// The states of a game. By the laws of chess (FIDE 5 and 9) those up to FivefoldRepetition end it; the last two
// a player may claim.
const (
	Ongoing              Status = iota
	Checkmate                   // the side to move has lost
	Stalemate                   // the side to move has no legal move and is not in check
	InsufficientMaterial        // no sequence of legal moves gives mate with the pieces left
	SeventyFiveMoves            // 75 moves of each side without capture or pawn move
	FivefoldRepetition          // the position occurs for the fifth time
	FiftyMoves                  // 50 moves of each side without capture or pawn move
	ThreefoldRepetition         // the position occurs for the third time
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

// IsOver reports whether the game has ended, without a claim.
func (s Status) IsOver() bool { return Checkmate <= s && s <= FivefoldRepetition }

// IsDraw reports whether the game is drawn, or is if a player claims it.
func (s Status) IsDraw() bool { return s >= Stalemate }

// The clocks, in plies, at which a draw may be claimed and at which the game is drawn.
const (
	fiftyMoves       = 100
	seventyFiveMoves = 150
)

// Status returns the state of the game: the first of the constants, in their order, that is true of the position. h has
// the positions before it, for repetitions; nil means that there are none.
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

// IsFiftyMoveDraw reports whether a player may claim a draw because both sides have made 50 moves without capture or
// pawn move (FIDE 9.3), and the last of them is not checkmate.
func (p *Position) IsFiftyMoveDraw() bool { return p.HalfmoveClock() >= fiftyMoves && !p.IsCheckmate() }

// IsInsufficientMaterial reports whether neither side can mate by any sequence of legal moves, wherever the pieces
// stand: kings alone, with one knight, or with bishops that are all on squares of one colour. Other dead positions, such as
// those with blocked pawns, are not detected.
func (p *Position) IsInsufficientMaterial() bool {
	if p.pieces[pawns]|p.pieces[rooks]|p.pieces[queens] != 0 {
		return false
	}
	if p.pieces[knights] != 0 {
		return p.Occupancy().Len() == 3
	}
	return p.pieces[bishops].IsSubset(bitboard.LightSquares) || p.pieces[bishops].IsSubset(bitboard.DarkSquares)
}
