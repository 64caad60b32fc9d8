package difftest_test

import (
	"slices"
	"strings"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/oracle"
)

// isCastling reports whether m is a king's move onto its own rook.
func isCastling(b oracle.Board, m oracle.Move) bool {
	target := b.PieceAt(m.To)
	return b.PieceAt(m.From).Type() == fianchetto.King && target != fianchetto.NoPiece &&
		target.Color() == b.SideToMove()
}

// slowSAN writes a legal move in standard algebraic notation.
// Source: FIDE Laws of Chess, appendix C.
func slowSAN(b oracle.Board, m oracle.Move) string {
	text := ""
	switch piece := b.PieceAt(m.From); {
	case isCastling(b, m):
		if text = "O-O"; m.To < m.From {
			text = "O-O-O"
		}
	case piece.Type() == fianchetto.Pawn:
		if m.From.File() != m.To.File() {
			text = m.From.File().String() + "x"
		}
		text += m.To.String()
		if m.Promotion != fianchetto.NoPieceType {
			text += "=" + strings.ToUpper(string(m.Promotion.Letter()))
		}
	default:
		text = strings.ToUpper(piece.String()) + origin(b, m)
		if b.PieceAt(m.To) != fianchetto.NoPiece {
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
func origin(b oracle.Board, m oracle.Move) string {
	var others []string
	for _, other := range b.PseudoLegalMoves() {
		isRival := other.To == m.To && other.From != m.From && b.PieceAt(other.From) == b.PieceAt(m.From)
		if isRival && b.IsLegal(other) {
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

// slowExchange is the definition of static exchange evaluation. After the move each side in turn
// either stops or recaptures on the target with its least valuable piece that legally can. Among
// equal pieces it takes the one on the lowest square, as the side that plays m sees the board.
// Every capture is made on the board. A pawn that recaptures on the last rank becomes a queen.
// Castling wins nothing.
// Source: https://www.chessprogramming.org/Static_Exchange_Evaluation
type slowExchange struct {
	values *[7]int
	target fianchetto.Square
	isDown bool // whether the side that makes the initial capture plays down the board
}

func slowSEE(b oracle.Board, m oracle.Move, values *[7]int) int {
	if isCastling(b, m) {
		return 0
	}
	x := slowExchange{values, m.To, b.SideToMove() == fianchetto.Black}
	return x.capture(b, m)
}

// capture returns the gain of a move against the best reply.
func (x *slowExchange) capture(b oracle.Board, m oracle.Move) int {
	won := x.values[b.PieceAt(m.To).Type()]
	if m.To == b.EnPassant() && b.PieceAt(m.From).Type() == fianchetto.Pawn {
		won = x.values[fianchetto.Pawn]
	}
	if m.Promotion != fianchetto.NoPieceType {
		won += x.values[m.Promotion] - x.values[fianchetto.Pawn]
	}
	return won - x.recapture(b.Apply(m))
}

// recapture returns the gain from recapturing on the target, or 0 if stopping is better.
func (x *slowExchange) recapture(b oracle.Board) int {
	var least oracle.Move
	found := false
	for _, m := range b.PseudoLegalMoves() {
		isRecapture := m.To == x.target && !isCastling(b, m) && b.PieceAt(m.To) != fianchetto.NoPiece &&
			(m.Promotion == fianchetto.NoPieceType || m.Promotion == fianchetto.Queen)
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
func (x *slowExchange) order(b oracle.Board, m oracle.Move) int {
	from := m.From
	if x.isDown {
		from = from.FlipVertical()
	}
	return int(b.PieceAt(m.From).Type())<<6 + int(from)
}
