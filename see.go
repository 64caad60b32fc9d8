package fianchetto

import (
	"math"

	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
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
// After m each side in turn may stop, or recapture on the target with its least valuable piece that legally can; among
// equal pieces, with the one on the lowest square, as the side that plays m sees the board. Sliders join in when the
// pieces in front of them have left. Every capture is legal where it is made: a pinned piece takes no part while it is
// pinned, only the king recaptures out of a discovered check, and a king recaptures only what is not defended. A pawn
// that recaptures on the last rank becomes a queen. An en-passant capture counts as the first move, but not as a
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

// exchange returns the value of the exchange that m begins, limited to low..high.
//
// It finds the value as alpha-beta does along the one line of play: the bound of each side is the best that it could
// have had by stopping. Nothing is remembered, and a threshold is a narrow window.
// Source: https://www.chessprogramming.org/SEE_-_The_Swap_Algorithm
func (p *Position) exchange(m Move, values *PieceValues, low, high int) int {
	if debug.Enabled {
		p.mustBeLegal(m)
	}
	balance, standing := p.initialCapture(m, values)
	if balance <= low || standing == King { // a king that legally moved cannot be captured
		return max(low, min(balance, high))
	}
	promotion := 0
	if (bitboard.Rank1Mask | bitboard.Rank8Mask).Has(m.To()) {
		promotion = values[Queen] - values[Pawn]
	}
	if balance-values[standing]-promotion >= high { // the recapture cannot bring it below
		return high
	}
	var e exchange
	e.begin(p, m)
	for sign, side := -1, p.SideToMove().Opponent(); ; sign, side = -sign, side.Opponent() {
		// From here on all is as the side that may recapture sees it. It may stop: that is worth the balance.
		balance, low, high = -balance, -high, -low
		if balance >= high {
			return sign * high
		}
		low = max(low, balance)
		recapturing := e.recapture(side)
		if recapturing == NoPieceType {
			return sign * low
		}
		balance += values[standing]
		standing = recapturing
		if recapturing == Pawn && promotion != 0 {
			balance += promotion
			standing = Queen
		}
	}
}

// initialCapture returns what m wins at once, and what stands on its target afterwards: King for a castling, after
// which nothing can be captured either.
func (p *Position) initialCapture(m Move, values *PieceValues) (won int, standing PieceType) {
	standing = m.Piece()
	switch kind := m.Kind(); {
	case kind == Castling:
		return 0, King
	case kind == EnPassant:
		return values[Pawn], Pawn
	case kind >= PromoteKnight:
		standing = m.Promotion()
		won = values[standing] - values[Pawn]
	}
	if captured := p.typeAt(m.To()); captured != NoPieceType {
		won += values[captured]
	}
	return won, standing
}

// exchange is the state of the recaptures on one square.
type exchange struct {
	board                  *Position
	first                  Color // the side that began
	target                 Square
	diagonals, orthogonals Bitboard    // the sliders of both colours, by the lines that they move on
	occupancy              Bitboard    // of the pieces that are left; the target always
	attackers              Bitboard    // of the target, of both colours, that are left
	colors                 [2]Bitboard // the pieces of each colour before the recaptures
}

// begin makes e the exchange on p right after m.
func (e *exchange) begin(p *Position, m Move) {
	first, from, target := p.state&blackToMove, m.From().Bitboard(), m.To().Bitboard()
	e.board, e.first, e.target = p, Color(first), m.To()
	e.diagonals, e.orthogonals = p.pieces[bishops]|p.pieces[queens], p.pieces[rooks]|p.pieces[queens]
	e.occupancy = p.Occupancy()&^from | target
	e.colors[first], e.colors[first^1] = p.colors[first]&^from, p.colors[first^1]&^target
	if m.Kind() == EnPassant {
		e.occupancy = e.occupancy.Without(m.To() ^ 8)
	}
	white, black := p.pieces[pawns]&p.colors[White], p.pieces[pawns]&p.colors[Black]
	e.attackers = e.occupancy & (core.LeaperAttackers(e.target, White, black, p.pieces[knights]) |
		core.LeaperAttackers(e.target, Black, white, bitboard.Empty) | attacks.King(e.target)&p.pieces[kings] |
		core.DiagonalAttackers(e.target, e.diagonals, e.occupancy) |
		core.OrthogonalAttackers(e.target, e.orthogonals, e.occupancy))
}

// recapture captures with the least valuable piece of a side that may capture on the target, and returns its type,
// NoPieceType if there is none.
func (e *exchange) recapture(side Color) PieceType {
	able := e.attackers & e.colors[side&1]
	if able == 0 {
		return NoPieceType
	}
	able &^= e.pinned(side)
	switch b := e.board; {
	case able&b.pieces[pawns] != 0:
		e.leave(able & b.pieces[pawns])
		e.addSliders(e.diagonals, bitboard.Empty)
		return Pawn
	case able&b.pieces[knights] != 0:
		e.leave(able & b.pieces[knights])
		return Knight
	case able&b.pieces[bishops] != 0:
		e.leave(able & b.pieces[bishops])
		e.addSliders(e.diagonals, bitboard.Empty)
		return Bishop
	case able&b.pieces[rooks] != 0:
		e.leave(able & b.pieces[rooks])
		e.addSliders(bitboard.Empty, e.orthogonals)
		return Rook
	case able&b.pieces[queens] != 0:
		e.leave(able & b.pieces[queens])
		e.addSliders(e.diagonals, e.orthogonals)
		return Queen
	}
	return e.recaptureWithKing(side)
}

// recaptureWithKing captures with the king, if the target is not defended.
func (e *exchange) recaptureWithKing(side Color) PieceType {
	king, them := e.board.King(side), e.colors[side&1^1]
	if !e.attackers.Has(king) || e.attackers&them != 0 {
		return NoPieceType
	}
	e.leave(king.Bitboard())
	if e.addSliders(e.diagonals, e.orthogonals); e.attackers&them != 0 {
		return NoPieceType // a slider behind the king defends
	}
	return King
}

// leave takes one of some pieces off the board: the one on the lowest square, as the side that began sees the board.
func (e *exchange) leave(pieces Bitboard) {
	if e.first == Black {
		flipped := pieces.FlipVertical()
		pieces = (flipped & -flipped).FlipVertical()
	}
	e.occupancy ^= pieces & -pieces
	e.attackers &= e.occupancy
}

// addSliders adds the sliders that attack the target now that a piece has left.
func (e *exchange) addSliders(diagonals, orthogonals Bitboard) {
	e.attackers |= attacks.Bishop(e.target, e.occupancy) & diagonals & e.occupancy
	e.attackers |= attacks.Rook(e.target, e.occupancy) & orthogonals & e.occupancy
}

// pinned returns the pieces that may not leave a line to the king of a side. It returns all squares if a piece has left
// such a line already: then only the king may recapture.
func (e *exchange) pinned(side Color) (pinned Bitboard) {
	king := e.board.King(side)
	diagonals, orthogonals := core.Lines(king)
	snipers := (diagonals&e.diagonals | orthogonals&e.orthogonals) & e.colors[side&1^1]
	for x := snipers & e.occupancy; x != 0; x &= x - 1 {
		between := bitboard.Between(king, x.First()) & e.occupancy
		if between == 0 {
			return bitboard.Full
		}
		if between&(between-1) == 0 {
			pinned |= between
		}
	}
	return pinned
}
