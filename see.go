package fianchetto

import (
	"math"

	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/core"
)

var standardValues = [King + 1]int{Pawn: 100, Knight: 300, Bishop: 300, Rook: 500, Queen: 900}

// SEE returns the static exchange evaluation of m, which must be legal here, in centipawns: a pawn
// is 100, a knight or bishop 300, a rook 500, a queen 900. It is the gain of the side to move if
// both sides capture on the target square as long as that pays.
//
// Each side stops or recaptures with its least valuable piece that legally can. Of equal pieces,
// that is the one on the lowest square as the mover of m sees the board. Sliders join in when the
// pieces in front have left. A pinned piece takes no part, only the king recaptures out of a
// discovered check, and a king recaptures only undefended pieces. A pawn that recaptures on the
// last rank becomes a queen. Only m can be en passant. m may be a quiet move. A castling is 0.
//
// Source: https://www.chessprogramming.org/Static_Exchange_Evaluation
func (p *Position) SEE(m Move) int {
	return p.exchange(m, &standardValues, -math.MaxInt, math.MaxInt)
}

// SEEAtLeast reports whether SEE of m, which must be legal here, is threshold or more.
func (p *Position) SEEAtLeast(m Move, threshold int) bool {
	return p.SEEAtLeastWith(m, threshold, &standardValues)
}

// SEEAtLeastWith is SEEAtLeast by your own values of the piece types, in any unit. They must not be
// negative, Queen must be at least Pawn, and the sum of a few dozen must fit in an int. They do not
// change the order of recaptures: pawn, knight, bishop, rook, queen, king.
func (p *Position) SEEAtLeastWith(m Move, threshold int, values *[King + 1]int) bool {
	return p.exchange(m, values, threshold-1, threshold) >= threshold
}

// exchange returns the value of the exchange that m begins, limited to low..high.
//
// It is alpha-beta along one line of play: each side's bound is the best that it could have had by
// stopping. The exchange ends as soon as the piece that has just captured may be lost and the bound
// still holds.
// Source: https://www.chessprogramming.org/SEE_-_The_Swap_Algorithm
func (p *Position) exchange(m Move, values *[King + 1]int, low, high int) int {
	p.mustBeLegal(m)
	balance, standing, occupancy := 0, m.Piece(), p.Occupancy().Without(m.From()).With(m.To())
	if captured := p.typeAt(m.To()); captured != NoPieceType {
		balance = values[captured]
	}
	switch {
	case m.Kind() == Castling: // no capture follows
		balance, standing = 0, King
	case m.Kind() == EnPassant:
		balance, occupancy = values[Pawn], occupancy.Without(m.To()^8)
	case m.IsPromotion():
		standing = m.Promotion()
		balance += values[standing] - values[Pawn]
	}
	promotion := 0 // the extra gain of a pawn that recaptures
	if (core.Rank1Mask | core.Rank8Mask).Has(m.To()) {
		promotion = values[Queen] - values[Pawn]
	}
	// Values are those of the side that has just captured. The other side may stop at the balance.
	for sign, side := 1, p.SideToMove(); ; sign = -sign {
		if balance <= low {
			return sign * low
		}
		high = min(high, balance)
		if standing == King || balance-values[standing]-promotion >= high { // no recapture brings it below
			return sign * high
		}
		side = side.Opponent()
		recapturing, left := p.recapture(side, m.To(), occupancy)
		if recapturing == NoPieceType {
			return sign * high
		}
		occupancy ^= p.lowest(left)
		balance, low, high = values[standing]-balance, -high, -low
		standing = recapturing
		if recapturing == Pawn && promotion != 0 {
			balance += promotion
			standing = Queen
		}
	}
}

// recapture returns the least valuable type of piece with which a side may recapture on the target,
// or NoPieceType, and the pieces of this type that may.
func (p *Position) recapture(side Color, target Square, occupancy Bitboard) (PieceType, Bitboard) {
	own := p.colors[side&1] & occupancy
	if x := attacks.Pawn(side.Opponent(), target) & p.pieces[pawns] & own; x != 0 {
		if x = p.unpinned(x, side, target, occupancy); x != 0 {
			return Pawn, x
		}
	}
	if x := attacks.Knight(target) & p.pieces[knights] & own; x != 0 {
		if x = p.unpinned(x, side, target, occupancy); x != 0 {
			return Knight, x
		}
	}
	diagonals := core.DiagonalAttackers(target, (p.pieces[bishops]|p.pieces[queens])&own, occupancy)
	if x := diagonals & p.pieces[bishops]; x != 0 {
		if x = p.unpinned(x, side, target, occupancy); x != 0 {
			return Bishop, x
		}
	}
	orthogonals := core.OrthogonalAttackers(target, (p.pieces[rooks]|p.pieces[queens])&own, occupancy)
	if x := orthogonals & p.pieces[rooks]; x != 0 {
		if x = p.unpinned(x, side, target, occupancy); x != 0 {
			return Rook, x
		}
	}
	if x := (diagonals | orthogonals) & p.pieces[queens]; x != 0 {
		if x = p.unpinned(x, side, target, occupancy); x != 0 {
			return Queen, x
		}
	}
	king := p.pieces[kings] & own
	if attacks.King(target)&king == 0 || p.AttackersTo(target, occupancy^king)&p.colors[side&1^1]&occupancy != 0 {
		return NoPieceType, bitboard.Empty
	}
	return King, king
}

func (p *Position) lowest(pieces Bitboard) Bitboard {
	pieces = p.absolute(pieces)
	return p.absolute(pieces & -pieces)
}

// unpinned returns the pieces of a side that may leave their squares during an exchange without
// exposing their king. If a line to it is already open, only the king may recapture.
func (p *Position) unpinned(pieces Bitboard, side Color, target Square, occupancy Bitboard) Bitboard {
	king := p.King(side)
	diagonals, orthogonals := core.Lines(king)
	snipers := diagonals&(p.pieces[bishops]|p.pieces[queens]) | orthogonals&(p.pieces[rooks]|p.pieces[queens])
	for x := snipers & p.colors[side&1^1] & occupancy.Without(target); x != 0; x &= x - 1 {
		between := bitboard.Between(king, x.First()) & occupancy
		if between == 0 {
			return bitboard.Empty
		}
		if between&(between-1) == 0 {
			pieces &^= between
		}
	}
	return pieces
}
