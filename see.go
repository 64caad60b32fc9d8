package fianchetto

import (
	"math"

	"github.com/fianchetto-chess/fianchetto/internal/core"
)

// PieceValues are what the men are worth, by PieceType, in any unit that leaves room to add some dozens of them: none
// less than nothing, and a queen no less than a pawn. NoPieceType is 0, and the king is never asked for.
type PieceValues [King + 1]int

// standardValues are the values of SEE.
var standardValues = PieceValues{Pawn: 100, Knight: 300, Bishop: 300, Rook: 500, Queen: 900}

// StandardValues returns the values in centipawns that SEE goes by: a pawn 100, knight and bishop 300, a rook 500,
// a queen 900.
func StandardValues() PieceValues { return standardValues }

// SEE returns the static exchange evaluation of m, which must be legal here, in centipawns by StandardValues: what
// the side to move wins by it, or loses, if both sides go on capturing on the target square as long as it pays.
//
// After m each side in turn may stop, or take back on the target with the least valuable of its men that legally
// can; of equal men the one on the lowest square goes first, as the side that plays m sees the board. Sliders join in when
// the men before them have gone. Every capture is legal where it is made: a pinned man takes no part while
// it is pinned, nobody but the king takes back out of a discovered check, and a king takes what nobody guards. A pawn that takes
// back on the last rank becomes a queen. An en-passant capture counts as the move that begins, but it is
// no way to take back a pawn, for it goes to another square. m may be a quiet move, which wins nothing at first;
// a castling is 0.
//
// Source: https://www.chessprogramming.org/Static_Exchange_Evaluation
func (p *Position) SEE(m Move) int { return standardValues.SEE(p, m) }

// SEEAtLeast reports whether SEE of m, which must be legal here, is threshold or more. It knows sooner than SEE.
func (p *Position) SEEAtLeast(m Move, threshold int) bool {
	return standardValues.SEEAtLeast(p, m, threshold)
}

// SEE is Position.SEE by values of the engine's own. Which man takes back first stays as it is: pawn, knight, bishop,
// rook, queen, king.
func (v *PieceValues) SEE(p *Position, m Move) int {
	return v.exchange(p, m, -math.MaxInt, math.MaxInt)
}

// SEEAtLeast is Position.SEEAtLeast by values of the engine's own.
func (v *PieceValues) SEEAtLeast(p *Position, m Move, threshold int) bool {
	return v.exchange(p, m, threshold-1, threshold) >= threshold
}

// exchange asks the core about m as the side to move sees it.
func (v *PieceValues) exchange(p *Position, m Move, low, high int) int {
	from, to, kind := core.Decode(uint16(m ^ flipMove[p.state&blackToMove]))
	return p.board.Exchange(from, to, kind, (*core.Values)(v), low, high)
}
