package oracle

import (
	"strings"

	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// SAN writes a legal move in standard algebraic notation.
// Source: FIDE Laws of Chess, appendix C.
func (b Board) SAN(m Move) string {
	text := ""
	switch {
	case b.isCastling(m):
		text = [...]string{kingSide: "O-O", queenSide: "O-O-O"}[b.castlingSideOf(m)]
	case b.isPawn(m.From):
		if m.From.File() != m.To.File() {
			text = m.From.File().String() + "x"
		}
		text += m.To.String()
		if m.Promotion != bitboard.NoPieceType {
			text += "=" + strings.ToUpper(bitboard.PieceOf(bitboard.Black, m.Promotion).String())
		}
	default:
		text = strings.ToUpper(b.pieces[m.From].String()) + b.origin(m)
		if !b.isEmpty(m.To) {
			text += "x"
		}
		text += m.To.String()
	}
	switch after := b.Apply(m); {
	case after.IsCheckmate():
		text += "#"
	case after.InCheck():
		text += "+"
	}
	return text
}

// origin returns the shortest of nothing, file, rank and square that m shares with no legal move of another piece of
// its type to its target.
func (b Board) origin(m Move) string {
	others, onFile, onRank := 0, 0, 0
	for _, other := range b.PseudoLegalMoves() {
		if other.To != m.To || other.From == m.From || b.pieces[other.From] != b.pieces[m.From] || !b.IsLegal(other) {
			continue
		}
		others++
		if other.From.File() == m.From.File() {
			onFile++
		}
		if other.From.Rank() == m.From.Rank() {
			onRank++
		}
	}
	switch {
	case others == 0:
		return ""
	case onFile == 0:
		return m.From.File().String()
	case onRank == 0:
		return m.From.Rank().String()
	}
	return m.From.String()
}
