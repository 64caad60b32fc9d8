package fianchetto

import (
	"math"

	"github.com/fianchetto-chess/fianchetto/internal/core"
	"github.com/fianchetto-chess/fianchetto/internal/debug"
)

// PieceValues are the values of the piece types, by PieceType, in any unit: not negative, a queen's no less than a
// pawn's, and small enough that some dozens add up in an int. Those of NoPieceType and King are not used.
type PieceValues [King + 1]int

// standardValues are the values of SEE.
var standardValues = PieceValues{Pawn: 100, Knight: 300, Bishop: 300, Rook: 500, Queen: 900}

// StandardValues returns the values of SEE, in centipawns: pawn 100, knight and bishop 300, rook 500, queen 900.
func StandardValues() PieceValues { return standardValues }

// SEE returns the static exchange evaluation of m, which must be legal here, in centipawns by StandardValues: what
// the side to move wins by it, or loses, if both sides continue to capture on the target square as long as it pays.
//
// After m each side in turn may stop, or recapture on the target with its least valuable piece that legally
// can; among equal pieces, with the one on the lowest square, as the side that plays m sees the board. Sliders join in
// when the pieces in front of them have left. Every capture is legal where it is made: a pinned piece takes no part while
// it is pinned, only the king recaptures out of a discovered check, and a king recaptures only what is not defended. A
// pawn that recaptures on the last rank becomes a queen. An en-passant capture counts as the first move, but not as a
// recapture, since it goes to another square. m may be a quiet move, which wins nothing at first; a castling is 0.
//
// Source: https://www.chessprogramming.org/Static_Exchange_Evaluation
func (p *Position) SEE(m Move) int { return p.SEEWith(m, &standardValues) }

// SEEAtLeast reports whether SEE of m, which must be legal here, is threshold or more. It is faster than SEE.
func (p *Position) SEEAtLeast(m Move, threshold int) bool {
	return p.SEEAtLeastWith(m, threshold, &standardValues)
}

// SEEWith is SEE by the engine's own values. They do not change the order of recaptures: pawn, knight, bishop, rook,
// queen, king.
func (p *Position) SEEWith(m Move, values *PieceValues) int {
	return p.exchange(m, values, -math.MaxInt, math.MaxInt)
}

// SEEAtLeastWith is SEEAtLeast by the engine's own values.
func (p *Position) SEEAtLeastWith(m Move, threshold int, values *PieceValues) bool {
	return p.exchange(m, values, threshold-1, threshold) >= threshold
}

// exchange returns the value of the exchange that m begins, clamped to low..high.
func (p *Position) exchange(m Move, values *PieceValues, low, high int) int {
	if debug.Enabled {
		p.mustBeLegal(m)
	}
	var b core.Board
	p.coreBoard(&b)
	from, to, kind := p.coreMove(m)
	return b.Exchange(from, to, kind, (*core.Values)(values), low, high)
}
