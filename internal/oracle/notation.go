package oracle

import (
	"slices"
	"strings"

	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// SAN writes a legal move in standard algebraic notation.
// Source: FIDE Laws of Chess, appendix C.
func (b Board) SAN(m Move) string {
	text := ""
	switch {
	case b.isCastling(m):
		text = [...]string{kingSide: "O-O", queenSide: "O-O-O"}[m.side()]
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

// origin returns the shortest text (nothing, file, rank or square) that tells m from the legal
// moves of equal pieces to the same target.
func (b Board) origin(m Move) string {
	var others []string
	for _, other := range b.PseudoLegalMoves() {
		if other.To == m.To && other.From != m.From && b.pieces[other.From] == b.pieces[m.From] && b.IsLegal(other) {
			others = append(others, other.From.String())
		}
	}
	for _, text := range []string{"", m.From.File().String(), m.From.Rank().String()} {
		if !slices.ContainsFunc(others, func(square string) bool { return strings.Contains(square, text) }) {
			return text
		}
	}
	return m.From.String()
}

// Identity returns equal texts for positions that FIDE (9.2) calls the same: pieces, side to move,
// castling rights, and the en-passant square if a legal move captures there.
func (b Board) Identity() string {
	if !slices.ContainsFunc(b.LegalMoves(), func(m Move) bool { return b.capturedEnPassant(m) != bitboard.NoSquare }) {
		b.enPassant = bitboard.NoSquare
	}
	return strings.Join(strings.Fields(b.ShredderFEN())[:4], " ")
}

// HasInsufficientMaterial reports whether the material alone rules out checkmate (FIDE 5.2.2): bare
// kings, a single knight, or bishops that all stand on squares of one colour.
func (b Board) HasInsufficientMaterial() bool {
	knights, bishops := 0, [2]int{} // bishops by the colour of their squares
	for i, piece := range b.pieces {
		s := bitboard.Square(i)
		switch piece.Type() {
		case bitboard.Pawn, bitboard.Rook, bitboard.Queen:
			return false
		case bitboard.Knight:
			knights++
		case bitboard.Bishop:
			bishops[(int(s.File())+int(s.Rank()))%2]++
		}
	}
	if knights > 0 {
		return knights == 1 && bishops == [2]int{}
	}
	return bishops[0] == 0 || bishops[1] == 0
}

// Values holds the value of each piece type.
type Values [bitboard.King + 1]int

// SEE returns the static exchange evaluation of a legal move by its definition. After the move each
// side in turn either stops or recaptures on the target with its least valuable piece that legally
// can. Among equal pieces it takes the one on the lowest square, as the side that plays m sees the
// board. Every capture is made on the board. A pawn that recaptures on the last rank becomes a
// queen. Castling wins nothing. Source: https://www.chessprogramming.org/Static_Exchange_Evaluation
func (b Board) SEE(m Move, values *Values) int {
	if b.isCastling(m) {
		return 0
	}
	x := exchange{values: values, target: m.To}
	if b.sideToMove == bitboard.Black {
		x.flip = bitboard.A8
	}
	return x.capture(&b, m)
}

type exchange struct {
	values *Values
	target bitboard.Square
	flip   bitboard.Square // A8 if the side that makes the initial capture plays down the board
}

// capture returns the gain of a move against the best reply.
func (x *exchange) capture(b *Board, m Move) int {
	won := x.values[b.pieces[m.To].Type()]
	if b.capturedEnPassant(m) != bitboard.NoSquare {
		won = x.values[bitboard.Pawn]
	}
	if m.Promotion != bitboard.NoPieceType {
		won += x.values[m.Promotion] - x.values[bitboard.Pawn]
	}
	next := b.Apply(m)
	return won - x.recapture(&next)
}

// recapture returns the gain from recapturing on the target, or 0 if stopping is better.
func (x *exchange) recapture(b *Board) int {
	var least Move
	found := false
	for _, m := range b.PseudoLegalMoves() {
		isRecapture := m.To == x.target && b.holds(m.To, b.sideToMove.Opponent()) &&
			(m.Promotion == bitboard.NoPieceType || m.Promotion == bitboard.Queen)
		if isRecapture && (!found || x.order(b, m) < x.order(b, least)) && b.IsLegal(m) {
			least, found = m, true
		}
	}
	if !found {
		return 0
	}
	return max(0, x.capture(b, least))
}

// order returns a key by which recaptures are sorted, the least valuable piece first.
func (x *exchange) order(b *Board, m Move) int {
	return int(b.pieces[m.From].Type())<<6 + int(m.From^x.flip)
}
