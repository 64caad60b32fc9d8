package bitboard

import "strings"

// PieceType is a type of piece, without its colour. The zero value is NoPieceType.
type PieceType uint8

// The piece types.
const (
	NoPieceType PieceType = iota
	Pawn
	Knight
	Bishop
	Rook
	Queen
	King
)

// IsValid reports whether t is one of the six piece types; NoPieceType is not.
func (t PieceType) IsValid() bool { return Pawn <= t && t <= King }

// pieceTypeNames are indexed by PieceType.
var pieceTypeNames = [...]string{"none", "pawn", "knight", "bishop", "rook", "queen", "king"}

// String returns the name of t, "pawn" to "king", and "none" for NoPieceType.
func (t PieceType) String() string {
	if t > King {
		return nameless("PieceType", uint8(t))
	}
	return pieceTypeNames[t]
}

// Letter returns the lower-case letter of t, one of "pnbrqk", as UCI writes a promotion; '.' for a
// value that is not a piece type. White's pieces have the upper-case letters.
func (t PieceType) Letter() byte { return ".pnbrqk."[min(t, 7)] }

// ParsePieceType reads a name "pawn" to "king", or one of the letters "pnbrqk" in either case.
// Anything else is a *ParseError.
func ParsePieceType(text string) (PieceType, error) {
	if p, err := ParsePiece(text); err == nil {
		return p.Type(), nil
	}
	return parseName("piece type", text, Pawn, King, errPieceType)
}

// MarshalText returns the name of t, "none" for NoPieceType. It implements encoding.TextMarshaler.
func (t PieceType) MarshalText() ([]byte, error) { return appendOptional(nil, t, NoPieceType) }

// UnmarshalText reads what ParsePieceType reads, and "none" as NoPieceType. It implements
// encoding.TextUnmarshaler.
func (t *PieceType) UnmarshalText(text []byte) error {
	return unmarshalOptional(t, text, NoPieceType, ParsePieceType)
}

// Piece is a piece with its colour. The zero value is NoPiece, an empty square.
type Piece uint8

// The twelve pieces, and NoPiece for an empty square.
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

// PieceOf returns the piece of type t and colour c; NoPiece if t is NoPieceType.
func PieceOf(c Color, t PieceType) Piece {
	if t == NoPieceType {
		return NoPiece
	}
	return Piece(c)<<3 | Piece(t)
}

// Type returns the type of p, NoPieceType for NoPiece.
func (p Piece) Type() PieceType { return PieceType(p & 7) }

// Color returns the colour of p; it means nothing for NoPiece.
func (p Piece) Color() Color { return Color(p >> 3) }

// IsValid reports whether p is one of the twelve pieces; NoPiece is not.
func (p Piece) IsValid() bool { return p < 16 && p.Type().IsValid() }

// pieceLetters are FEN's letters, indexed by Piece.
const pieceLetters = ".PNBRQK..pnbrqk."

// Letter returns FEN's letter of p, upper case for White; '.' for a value that is not a piece.
func (p Piece) Letter() byte { return pieceLetters[min(p, 15)] }

// String returns FEN's letter of p, upper case for White, and "." for NoPiece.
func (p Piece) String() string {
	if !p.IsValid() && p != NoPiece {
		return nameless("Piece", uint8(p))
	}
	return pieceLetters[p : p+1]
}

// ParsePiece reads one of FEN's letters "PNBRQKpnbrqk". Anything else, "." too, is a *ParseError
// with NoPiece.
func ParsePiece(text string) (Piece, error) {
	refuse := func(offset int, cause Problem) (Piece, error) {
		return NoPiece, &ParseError{"piece", text, offset, cause}
	}
	if len(text) == 0 {
		return refuse(0, ErrShort)
	}
	p := Piece(strings.IndexByte(pieceLetters, text[0]))
	if !p.IsValid() {
		return refuse(0, ErrPiece)
	}
	if len(text) > 1 {
		return refuse(1, ErrLong)
	}
	return p, nil
}

// MarshalText returns the letter of p, "." for NoPiece. It implements encoding.TextMarshaler.
func (p Piece) MarshalText() ([]byte, error) { return appendOptional(nil, p, NoPiece) }

// UnmarshalText reads what ParsePiece reads, and "." as NoPiece. It implements
// encoding.TextUnmarshaler.
func (p *Piece) UnmarshalText(text []byte) error {
	return unmarshalOptional(p, text, NoPiece, ParsePiece)
}
