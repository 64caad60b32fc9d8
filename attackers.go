package fianchetto

import (
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/core"
)

// InCheck reports whether the king of the side to move is attacked.
func (p *Position) InCheck() bool { return p.Checkers() != 0 }

// Checkers returns the pieces that give check to the side to move: none, one or two in a position that a
// game can reach.
func (p *Position) Checkers() Bitboard {
	side := p.SideToMove()
	king := p.King(side)
	return p.ByColor(side.Opponent()) &
		(attacks.Knight(king)&p.pieces[knights] | attacks.Pawn(side, king)&p.pieces[pawns] | p.sliderAttackers(king, p.Occupancy()))
}

// sliderAttackers returns the bishops, rooks and queens of both colours that attack s when the board is occupied as given.
func (p *Position) sliderAttackers(s Square, occupancy Bitboard) Bitboard {
	return attacks.Bishop(s, occupancy)&(p.pieces[bishops]|p.pieces[queens]) |
		attacks.Rook(s, occupancy)&(p.pieces[rooks]|p.pieces[queens])
}

// Pinned returns the pieces of colour c that are pinned to their own king: each is the only piece between it and
// an enemy slider that would attack it.
// Source: https://www.chessprogramming.org/Pin
func (p *Position) Pinned(c Color) Bitboard {
	return p.blockers(p.King(c), p.Pinners(c))
}

// AttackersTo returns the pieces of both colours that attack s, 0..63, when the board is occupied as given. With
// another occupancy than Occupancy it sees through pieces that are left out of it.
func (p *Position) AttackersTo(s Square, occupancy Bitboard) Bitboard {
	return attacks.Pawn(Black, s)&p.pieces[pawns]&p.colors[White] |
		attacks.Pawn(White, s)&p.pieces[pawns]&p.colors[Black] |
		attacks.Knight(s)&p.pieces[knights] |
		attacks.King(s)&p.pieces[kings] |
		p.sliderAttackers(s, occupancy)
}

// CheckSquares returns the squares from which a man of kind t of the side to move would attack the enemy
// king as the board stands; none for a king. The squares may be occupied.
// Source: chessprogramming wiki, Checks and Pinned Pieces (Bitboards)
func (p *Position) CheckSquares(t PieceType) Bitboard {
	king, occupancy := p.King(p.SideToMove().Opponent()), p.Occupancy()
	switch t {
	case Pawn:
		return attacks.Pawn(p.SideToMove().Opponent(), king)
	case Knight:
		return attacks.Knight(king)
	case Bishop:
		return attacks.Bishop(king, occupancy)
	case Rook:
		return attacks.Rook(king, occupancy)
	case Queen:
		return attacks.Queen(king, occupancy)
	}
	return bitboard.Empty
}

// SliderChecks returns the squares to which the bishop, rook or queen of the side to move on s can go, pins
// aside, to give check there itself; none if no such piece stands on s. Whether a line through s meets a
// line through the king at all is settled by arithmetic, the intersection squares; the men on the board decide the rest.
// Source: https://www.chessprogramming.org/Intersection_Squares
func (p *Position) SliderChecks(s Square) Bitboard {
	piece := p.PieceAt(s)
	if piece == NoPiece || piece.Color() != p.SideToMove() {
		return bitboard.Empty
	}
	king, occupancy := p.King(p.SideToMove().Opponent()), p.Occupancy()
	var checks Bitboard
	switch piece.Type() {
	case Bishop:
		if attacks.BishopIntersections(s, king) != 0 {
			checks = attacks.BishopCheckSquares(s, king, occupancy)
		}
	case Rook:
		if attacks.RookIntersections(s, king) != 0 {
			checks = attacks.RookCheckSquares(s, king, occupancy)
		}
	case Queen:
		if attacks.QueenIntersections(s, king) != 0 {
			checks = attacks.QueenCheckSquares(s, king, occupancy)
		}
	}
	return checks &^ p.ByColor(p.SideToMove())
}

// GivesCheck reports whether m, which must be legal here, gives check: directly, by discovery, by a
// promoted piece, by the rook of a castling, or by what an en-passant capture opens. Nothing is made.
func (p *Position) GivesCheck(m Move) bool {
	var b core.Board
	p.coreBoard(&b)
	return b.GivesCheck(p.coreMove(m))
}

// XRayAttackersTo returns the sliders of both colours that attack s through exactly one piece when the board is
// occupied as given.
// Source: https://www.chessprogramming.org/X-ray_Attacks_(Bitboards)
func (p *Position) XRayAttackersTo(s Square, occupancy Bitboard) Bitboard {
	return p.throughOne(s, occupancy, occupancy)
}

// Pinners returns the pieces that pin a piece of colour c to its king: sliders of the other colour that would attack
// the king without that one piece.
// Source: https://www.chessprogramming.org/Pin
func (p *Position) Pinners(c Color) Bitboard {
	return p.throughOne(p.King(c), p.Occupancy(), p.ByColor(c)) & p.ByColor(c.Opponent())
}

// DiscoveredCheckCandidates returns the pieces of colour c that discover a check when they leave the line: each is the
// only piece between a slider of its own colour and the enemy king.
// Source: https://www.chessprogramming.org/Discovered_Check
func (p *Position) DiscoveredCheckCandidates(c Color) Bitboard {
	king := p.King(c.Opponent())
	return p.blockers(king, p.throughOne(king, p.Occupancy(), p.ByColor(c))&p.ByColor(c))
}

// throughOne returns the sliders of both colours that attack s through exactly one piece, which is one of blockers.
func (p *Position) throughOne(s Square, occupancy, blockers Bitboard) Bitboard {
	return attacks.XRayBishop(s, occupancy, blockers)&(p.pieces[bishops]|p.pieces[queens]) |
		attacks.XRayRook(s, occupancy, blockers)&(p.pieces[rooks]|p.pieces[queens])
}

// blockers returns the pieces between a king and sliders.
func (p *Position) blockers(king Square, sliders Bitboard) (blockers Bitboard) {
	for ; sliders != 0; sliders &= sliders - 1 {
		blockers |= bitboard.Between(king, sliders.First()) & p.Occupancy()
	}
	return blockers
}
