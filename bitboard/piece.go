package bitboard

import (
	"strings"

	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

// Color is a side, White or Black. As the colour of a square, White is light and Black is dark.
type Color uint8

// The two sides.
const (
	White Color = iota
	Black
)

// Opponent returns the other side.
func (c Color) Opponent() Color { return c ^ 1 }

// String returns "white" or "black".
func (c Color) String() string { return colorNames.String(c) }

var colorNames = quote.Names[Color]{Type: "Color", List: []string{"white", "black"}}

// MarshalText returns "white" or "black", or an error for another value.
func (c Color) MarshalText() ([]byte, error) { return colorNames.Text(c) }

// UnmarshalText reads "white" or "black". An error leaves c unchanged.
func (c *Color) UnmarshalText(text []byte) error { return colorNames.ReadText(c, text) }

// PieceType is a type of piece without a colour.
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

var pieceTypeNames = quote.Names[PieceType]{Type: "PieceType", List: []string{
	"none", "pawn", "knight", "bishop", "rook", "queen", "king",
}}

// String returns the name of t, "pawn" to "king", or "none" for NoPieceType.
func (t PieceType) String() string { return pieceTypeNames.String(t) }

// MarshalText returns the text of String, or an error for another value.
func (t PieceType) MarshalText() ([]byte, error) { return pieceTypeNames.Text(t) }

// UnmarshalText reads the name of a piece type. An error leaves t unchanged.
func (t *PieceType) UnmarshalText(text []byte) error { return pieceTypeNames.ReadText(t, text) }

// Letter returns the lower-case letter of t, one of "pnbrqk", as in UCI's promotions, or '.' for an
// invalid type.
func (t PieceType) Letter() byte { return PieceOf(Black, min(t, 7)).Letter() }

// ParsePieceType reads a name, "pawn" to "king", or one of the letters "pnbrqk" in either case.
func ParsePieceType(text string) (PieceType, error) {
	if p, err := ParsePiece(text); err == nil {
		return p.Type(), nil
	}
	var t PieceType
	if err := t.UnmarshalText([]byte(text)); err != nil || t == NoPieceType {
		return NoPieceType, unreadable("piece type", text, 0, errPieceType)
	}
	return t, nil
}

// Piece is a piece with its colour.
type Piece uint8

// NoPiece is the piece of an empty square. PieceOf names the twelve others.
const NoPiece Piece = 0

// PieceOf returns the piece of type t and colour c, or NoPiece if t is NoPieceType.
func PieceOf(c Color, t PieceType) Piece {
	if t == NoPieceType {
		return NoPiece
	}
	return Piece(c)<<3 | Piece(t)
}

// Type returns the type of p, or NoPieceType for NoPiece.
func (p Piece) Type() PieceType { return PieceType(p & 7) }

// Color returns the colour of p. It is meaningless for NoPiece.
func (p Piece) Color() Color { return Color(p >> 3) }

// Index returns the index of p among the twelve pieces: 0 to 5 for White's pawn to king, 6 to 11
// for Black's, -1 for NoPiece.
func (p Piece) Index() int { return int(p) - 1 - int(p>>3)<<1 }

// IsValid reports whether p is one of the twelve pieces.
func (p Piece) IsValid() bool { return p < 16 && (p&7-1) < 6 }

const pieceLetters = ".PNBRQK..pnbrqk."

// Letter returns FEN's letter of p, upper case for White, or '.' for an invalid piece.
func (p Piece) Letter() byte { return pieceLetters[min(p, 15)] }

// String returns Letter as a string, or text such as "Piece(7)".
func (p Piece) String() string { return pieceNames.String(p) }

var pieceNames = quote.Names[Piece]{Type: "Piece", List: []string{
	".", "P", "N", "B", "R", "Q", "K",
	9: "p", "n", "b", "r", "q", "k",
}}

// MarshalText returns FEN's letter of p, or an error for another value.
func (p Piece) MarshalText() ([]byte, error) { return pieceNames.Text(p) }

// UnmarshalText reads FEN's letter of a piece. An error leaves p unchanged.
func (p *Piece) UnmarshalText(text []byte) error { return pieceNames.ReadText(p, text) }

// ParsePiece reads one of FEN's letters "PNBRQKpnbrqk".
func ParsePiece(text string) (Piece, error) {
	refuse := func(offset int, cause Problem) (Piece, error) {
		return NoPiece, unreadable("piece", text, offset, cause)
	}
	if len(text) == 0 {
		return refuse(0, errShort)
	}
	p := Piece(strings.IndexByte(pieceLetters, text[0]))
	if !p.IsValid() {
		return refuse(0, errPiece)
	}
	if len(text) > 1 {
		return refuse(1, errLong)
	}
	return p, nil
}
