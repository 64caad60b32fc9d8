package fianchetto

import (
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

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

// Discoverers returns the men of colour c that discover a check when they leave the line: each is the only man
// between a slider of its own colour and the enemy king.
// Source: https://www.chessprogramming.org/Discovered_Check
func (p *Position) Discoverers(c Color) Bitboard {
	king, men, occupancy := p.King(c.Opponent()), p.ByColor(c), p.Occupancy()
	var discoverers Bitboard
	for sliders := p.lookThrough(king, c, men); sliders != 0; {
		discoverers |= bitboard.Between(king, sliders.Pop()) & occupancy
	}
	return discoverers
}

// lookThrough returns the sliders of colour c that look at s through exactly one man, and that one of men.
func (p *Position) lookThrough(s Square, c Color, men Bitboard) Bitboard {
	diagonals, orthogonals, occupancy := p.absolute(p.board.Diagonals), p.absolute(p.board.Orthogonals), p.Occupancy()
	return p.ByColor(c) &
		(attacks.XRayBishop(s, occupancy, men)&diagonals | attacks.XRayRook(s, occupancy, men)&orthogonals)
}
