package fianchetto

import "strings"

// LAN spells m, which must be legal here, in long algebraic notation: with the square it leaves, and a hyphen or, for a
// capture, an x between the two: e2-e4, Bb2-b3, e7xd8=Q+, O-O. Check and mate are marked as in SAN. NoMove is --.
// ParseSAN reads it.
// Source: https://www.chessprogramming.org/Algebraic_Chess_Notation#Long_Algebraic_Notation_.28LAN.29
func (p *Position) LAN(m Move) string {
	var buffer [16]byte
	return string(p.AppendLAN(buffer[:0], m))
}

// AppendLAN appends to text what LAN returns, at most eight bytes.
func (p *Position) AppendLAN(text []byte, m Move) []byte {
	switch {
	case m == NoMove:
		return append(text, noMoveSAN...)
	case m.Kind() == Castling:
		return p.appendMark(appendCastling(text, m), m)
	case m.Piece() != Pawn:
		text = append(text, pieceLetter(m.Piece()))
	}
	separator := byte('-')
	if m.Kind() == EnPassant || p.Occupancy().Has(m.To()) {
		separator = 'x'
	}
	text = append(appendSquare(text, m.From()), separator)
	text = appendPromotion(appendSquare(text, m.To()), m)
	return p.appendMark(text, m)
}

// FigurineSAN is SAN with the chess symbols of Unicode for the letters of the pieces, in the colour of the side that
// moves: ♗b3, ♝b3, exd8=♕. ParseSAN reads it.
// Source: https://www.chessprogramming.org/Algebraic_Chess_Notation#Figurine_Algebraic_Notation_.28FAN.29
func (p *Position) FigurineSAN(m Move) string {
	return figurinesOf[p.SideToMove()].Replace(p.SAN(m))
}

var figurinesOf = [2]*strings.Replacer{
	White: strings.NewReplacer("K", "♔", "Q", "♕", "R", "♖", "B", "♗", "N", "♘"),
	Black: strings.NewReplacer("K", "♚", "Q", "♛", "R", "♜", "B", "♝", "N", "♞"),
}
