package fianchetto

import (
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/core"
)

// InCheck reports whether the king of the side to move is attacked.
func (p *Position) InCheck() bool { return p.board.Checkers() != 0 }

// Checkers returns the men that give check to the side to move: none, one or two in a position that a
// game can reach.
func (p *Position) Checkers() Bitboard { return p.absolute(p.board.Checkers()) }

// Pinned returns the men of colour c that are pinned to their own king: each is the only man between it and
// an enemy slider that would attack it.
// Source: https://www.chessprogramming.org/Pin
func (p *Position) Pinned(c Color) Bitboard {
	if c == p.SideToMove() {
		return p.absolute(p.board.Pinned())
	}
	other := p.board.Flip()
	return p.absolute(other.Pinned().FlipVertical())
}

// AttackersTo returns the men of both colours that attack s, 0..63, when the board is occupied as given. With
// another occupancy than Occupancy it sees through men that are taken away.
func (p *Position) AttackersTo(s Square, occupancy Bitboard) Bitboard {
	diagonals, orthogonals := p.absolute(p.board.Diagonals), p.absolute(p.board.Orthogonals)
	white, black := p.ByColor(White), p.ByColor(Black)
	pawns := p.ByType(Pawn)
	return attacks.Pawn(Black, s)&pawns&white |
		attacks.Pawn(White, s)&pawns&black |
		attacks.Knight(s)&p.ByType(Knight) |
		attacks.King(s)&p.ByType(King) |
		attacks.Bishop(s, occupancy)&diagonals |
		attacks.Rook(s, occupancy)&orthogonals
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
	return p.board.GivesCheck(core.Decode(uint16(m ^ flipMove[p.state&blackToMove])))
}

// XRayAttackersTo returns the sliders of both colours that attack s through exactly one man when the board is
// occupied as given: take the first man on their way off, and they would attack it.
// Source: https://www.chessprogramming.org/X-ray_Attacks_(Bitboards)
func (p *Position) XRayAttackersTo(s Square, occupancy Bitboard) Bitboard {
	diagonals, orthogonals := p.absolute(p.board.Diagonals), p.absolute(p.board.Orthogonals)
	return attacks.XRayBishop(s, occupancy, occupancy)&diagonals | attacks.XRayRook(s, occupancy, occupancy)&orthogonals
}

// Pinners returns the men that pin a man of colour c to its king: sliders of the other colour that would attack
// the king if that one man were not there.
// Source: https://www.chessprogramming.org/Pin
func (p *Position) Pinners(c Color) Bitboard {
	return p.lookThrough(p.King(c), c.Opponent(), p.ByColor(c))
}

// DiscoveredCheckCandidates returns the pieces of colour c that discover a check when they leave the line: each is the only piece
// between a slider of its own colour and the enemy king.
// Source: https://www.chessprogramming.org/Discovered_Check
func (p *Position) DiscoveredCheckCandidates(c Color) Bitboard {
	king, men, occupancy := p.King(c.Opponent()), p.ByColor(c), p.Occupancy()
	var candidates Bitboard
	for sliders := p.lookThrough(king, c, men); sliders != 0; {
		candidates |= bitboard.Between(king, sliders.Pop()) & occupancy
	}
	return candidates
}

// lookThrough returns the sliders of colour c that look at s through exactly one man, and that one of men.
func (p *Position) lookThrough(s Square, c Color, men Bitboard) Bitboard {
	diagonals, orthogonals, occupancy := p.absolute(p.board.Diagonals), p.absolute(p.board.Orthogonals), p.Occupancy()
	return p.ByColor(c) &
		(attacks.XRayBishop(s, occupancy, men)&diagonals | attacks.XRayRook(s, occupancy, men)&orthogonals)
}
