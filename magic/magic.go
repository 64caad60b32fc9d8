package magic

import "github.com/fianchetto-chess/fianchetto/bitboard"

// Magic is one magic number together with what it is for.
type Magic struct {
	Piece  bitboard.PieceType // Bishop or Rook
	Square bitboard.Square    // 0..63
	Mask   bitboard.Bitboard  // relevant occupancy, see [Mask]
	Factor uint64             // the magic number
	Shift  uint8              // 64 minus the bits of an index, 52..59 for rooks and bishops
}

// Index returns where the attacks under an occupancy are, 0..1<<(64-Shift)-1.
func (m Magic) Index(occupancy bitboard.Bitboard) int {
	return int(uint64(occupancy&m.Mask) * m.Factor >> m.Shift)
}
