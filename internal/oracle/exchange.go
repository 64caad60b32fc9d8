package oracle

import "github.com/fianchetto-chess/fianchetto/bitboard"

// Values are what pieces are worth, by piece type.
type Values [bitboard.King + 1]int

// SEE returns the static exchange evaluation of a legal move by its definition: what the move wins if, after it, each
// side in turn may stop or recapture on the target with the least valuable piece that legally can, the one on the
// lowest square, as the side that plays m sees the board, among equal ones. Every capture is made on the board. A
// pawn that recaptures on the last rank becomes a queen; a castling wins nothing.
// Source: https://www.chessprogramming.org/Static_Exchange_Evaluation
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

// capture returns what a move wins if the other side replies as well as it can.
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

// recapture returns what the side to move wins by recapturing on the target, or 0 if it does better to stop.
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
