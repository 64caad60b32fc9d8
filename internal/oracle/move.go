package oracle

import "github.com/fianchetto-chess/fianchetto/bitboard"

// Move is a move from one square to another. Promotion is the piece type that a pawn
// becomes, NoPieceType for every other move. Castling is king takes own rook: From
// is the king's square and To the rook's, wherever the two end up.
type Move struct {
	From, To  bitboard.Square
	Promotion bitboard.PieceType
}

// promotions lists the piece types that a pawn may become, and their letters.
var promotions = []struct {
	kind   bitboard.PieceType
	letter string
}{
	{bitboard.Knight, "n"}, {bitboard.Bishop, "b"}, {bitboard.Rook, "r"}, {bitboard.Queen, "q"},
}

// String returns m as the UCI protocol writes it in Chess960: "e2e4", "e7e8q", and "e1h1" for castling.
func (m Move) String() string {
	text := m.From.String() + m.To.String()
	for _, p := range promotions {
		if p.kind == m.Promotion {
			text += p.letter
		}
	}
	return text
}

// LegalMoves returns every legal move, ordered by the square it leaves.
func (b Board) LegalMoves() []Move {
	var legal []Move
	for _, m := range b.PseudoLegalMoves() {
		if b.IsLegal(m) {
			legal = append(legal, m)
		}
	}
	return legal
}

// IsLegal reports whether m, one of b's PseudoLegalMoves, is legal: its own king is not attacked afterwards nor, if it
// castles, before and on its way.
func (b Board) IsLegal(m Move) bool {
	after := b.Apply(m)
	return !after.kingAttacked(b.sideToMove) && !(b.isCastling(m) && b.castlesThroughAttack(m))
}

// IsCheckmate reports whether the side to move is in check and has no legal move.
func (b Board) IsCheckmate() bool { return b.InCheck() && len(b.LegalMoves()) == 0 }

// IsStalemate reports whether the side to move is not in check and has no legal move.
func (b Board) IsStalemate() bool { return !b.InCheck() && len(b.LegalMoves()) == 0 }

// PseudoLegalMoves returns the moves of every piece of the side to move, ordered by the
// square it leaves, whether or not its king is attacked afterwards.
func (b Board) PseudoLegalMoves() []Move {
	moves := make([]Move, 0, 64)
	for s := bitboard.A1; s <= bitboard.H8; s++ {
		if b.holds(s, b.sideToMove) {
			moves = b.appendMovesFrom(moves, s)
		}
	}
	return moves
}

func (b *Board) appendMovesFrom(moves []Move, s bitboard.Square) []Move {
	switch b.pieces[s].Type() {
	case bitboard.Pawn:
		moves = b.appendPawnAdvances(moves, s)
		moves = b.appendPawnCaptures(moves, s)
	case bitboard.Knight:
		moves = b.appendSteps(moves, s, knightSteps)
	case bitboard.Bishop:
		moves = b.appendSlides(moves, s, bishopSteps)
	case bitboard.Rook:
		moves = b.appendSlides(moves, s, rookSteps)
	case bitboard.Queen:
		moves = b.appendSlides(moves, s, royalSteps)
	case bitboard.King:
		moves = b.appendSteps(moves, s, royalSteps)
		moves = b.appendCastlings(moves)
	}
	return moves
}

// appendSteps appends the moves of a piece that moves one step.
func (b *Board) appendSteps(moves []Move, s bitboard.Square, steps []step) []Move {
	for _, d := range steps {
		if to, ok := d.from(s); ok && !b.holds(to, b.sideToMove) {
			moves = append(moves, Move{From: s, To: to})
		}
	}
	return moves
}

// appendSlides appends the moves of a piece that goes on until something is in its way.
func (b *Board) appendSlides(moves []Move, s bitboard.Square, directions []step) []Move {
	for _, d := range directions {
		to, ok := d.from(s)
		for ok && b.isEmpty(to) {
			moves = append(moves, Move{From: s, To: to})
			to, ok = d.from(to)
		}
		if ok && b.holds(to, b.sideToMove.Opponent()) {
			moves = append(moves, Move{From: s, To: to})
		}
	}
	return moves
}

// appendPawnAdvances appends the pawn's step ahead, and from its first rank the double step.
func (b *Board) appendPawnAdvances(moves []Move, s bitboard.Square) []Move {
	ahead := forward(b.sideToMove)
	one, ok := ahead.from(s)
	if !ok || !b.isEmpty(one) {
		return moves
	}
	moves = b.appendPawnMove(moves, s, one)
	if s.Rank() != pawnRank(b.sideToMove) {
		return moves
	}
	if two, _ := ahead.from(one); b.isEmpty(two) {
		moves = append(moves, Move{From: s, To: two})
	}
	return moves
}

// appendPawnCaptures appends the pawn's captures, en passant among them.
func (b *Board) appendPawnCaptures(moves []Move, s bitboard.Square) []Move {
	for _, d := range pawnCaptures(b.sideToMove) {
		if to, ok := d.from(s); ok && (to == b.enPassant || b.holds(to, b.sideToMove.Opponent())) {
			moves = b.appendPawnMove(moves, s, to)
		}
	}
	return moves
}

// appendPawnMove appends the move, four times if it promotes.
func (b *Board) appendPawnMove(moves []Move, from, to bitboard.Square) []Move {
	if to.Rank() != backRank(b.sideToMove.Opponent()) {
		return append(moves, Move{From: from, To: to})
	}
	for _, p := range promotions {
		moves = append(moves, Move{From: from, To: to, Promotion: p.kind})
	}
	return moves
}
