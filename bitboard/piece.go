package bitboard

// Color is a side: White or Black.
type Color uint8

// The two sides.
const (
	White Color = iota
	Black
)

// Opponent returns the other side.
func (c Color) Opponent() Color { return c ^ 1 }

// PieceType is a kind of man without its colour. The zero value is NoPieceType.
type PieceType uint8

// The kinds of men.
const (
	NoPieceType PieceType = iota
	Pawn
	Knight
	Bishop
	Rook
	Queen
	King
)

// Piece is a man with its colour. The zero value is NoPiece, an empty square.
type Piece uint8

// The twelve men, and NoPiece for an empty square.
const (
	NoPiece     Piece = 0
	WhitePawn         = Piece(Pawn)
	WhiteKnight       = Piece(Knight)
	WhiteBishop       = Piece(Bishop)
	WhiteRook         = Piece(Rook)
	WhiteQueen        = Piece(Queen)
	WhiteKing         = Piece(King)
	BlackPawn         = 8 | Piece(Pawn)
	BlackKnight       = 8 | Piece(Knight)
	BlackBishop       = 8 | Piece(Bishop)
	BlackRook         = 8 | Piece(Rook)
	BlackQueen        = 8 | Piece(Queen)
	BlackKing         = 8 | Piece(King)
)

// PieceOf returns the man of kind t and colour c; NoPiece if t is NoPieceType.
func PieceOf(c Color, t PieceType) Piece {
	if t == NoPieceType {
		return NoPiece
	}
	return Piece(c)<<3 | Piece(t)
}

// Type returns the kind of p, NoPieceType for NoPiece.
func (p Piece) Type() PieceType { return PieceType(p & 7) }

// Color returns the colour of p; it means nothing for NoPiece.
func (p Piece) Color() Color { return Color(p >> 3) }
