package fianchetto

import "github.com/fianchetto-chess/fianchetto/internal/core"

// After returns the position after m. m must be legal here, as every move that was generated here is:
// nothing is checked, and an illegal move gives a position without meaning.
func (p *Position) After(m Move) Position {
	var next Position
	p.CopyMake(&next, m)
	return next
}

// Undo is what Unmake needs to take a move back: the position before it.
type Undo struct {
	before Position
}

// Make plays m, which must be legal here, and returns what takes it back.
func (p *Position) Make(m Move) Undo {
	undo := Undo{*p}
	undo.before.CopyMake(p, m)
	return undo
}

// Unmake takes back the move whose Make returned undo.
func (p *Position) Unmake(undo Undo) { *p = undo.before }

// CopyMake puts the position after m, which must be legal here, into next, which may not be p. It is After
// without a copy of the result: an engine keeps one Position for each ply of its search.
// Source: https://www.chessprogramming.org/Copy-Make
func (p *Position) CopyMake(next *Position, m Move) {
	side, from, to, kind := p.side&1, m.From(), m.To(), core.Kind(m.Kind())
	turn := Square(side) * 56
	board := &p.board
	board.Make(&next.board, from^turn, to^turn, kind)

	// The key changes by what moved, what it became, what it captured, and seldom by rights and en passant.
	moved, placed, captured := movedCode[kind&15], placedCode[kind&15], codeAt(board, to^turn)
	mine, theirs := &keys.men[side], &keys.men[side^1]
	key := p.key ^ keys.side ^ mine[moved&15][from] ^ mine[placed&15][to]
	switch kind {
	case core.Castling:
		kingTo, rookTo := core.CastlingTargets(from^turn, to^turn)
		key ^= mine[codeKing][to] ^ mine[codeKing][kingTo^turn] ^ mine[codeRook][to] ^ mine[codeRook][rookTo^turn]
		captured = codeEmpty // the rook on the target is our own
	case core.EnPassant:
		key ^= theirs[codePawn][to^8]
	}
	key ^= theirs[captured&15][to]
	if (board.Rights|next.board.Rights)&core.EnPassantRank != 0 {
		key ^= p.enPassantKey() ^ next.enPassantKey()
	}
	if lost := board.CastlingRooks() &^ next.board.CastlingRooks().FlipVertical(); lost != 0 {
		key ^= p.castlingKey(lost)
	}
	next.key = key

	next.side, next.chess960 = side^1, p.chess960
	next.halfmove, next.fullmove = p.halfmove, p.fullmove
	next.tick(side)
	if moved == codePawn || captured != codeEmpty {
		next.halfmove = 0
	}
}
