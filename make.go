package fianchetto

import "github.com/fianchetto-chess/fianchetto/internal/core"

// After returns the position after m. m must be legal here, as every move that was generated here is:
// nothing is checked, and an illegal move gives a position without meaning.
func (p *Position) After(m Move) Position {
	var next Position
	p.makeInto(&next, m)
	return next
}

// Undo is what Unmake needs to take a move back: the position before it.
type Undo struct {
	before Position
}

// Make plays m, which must be legal here, and returns what takes it back.
func (p *Position) Make(m Move) Undo {
	undo := Undo{*p}
	undo.before.makeInto(p, m)
	return undo
}

// Unmake takes back the move whose Make returned undo.
func (p *Position) Unmake(undo Undo) { *p = undo.before }

// makeInto puts the position after m into next, which may not be p. The key is updated by what changes.
func (p *Position) makeInto(next *Position, m Move) {
	side, from, to := p.side&1, m.From(), m.To()
	relativeFrom, relativeTo, kind := core.Decode(uint16(m ^ flipMove[side]))
	board := &p.board
	board.Make(&next.board, relativeFrom, relativeTo, kind)
	next.side = side ^ 1
	next.chess960 = p.chess960

	moved, captured := codeAt(board, relativeFrom), codeAt(board, relativeTo)
	placed := moved
	if kind >= core.PromoteKnight {
		placed = placedCode[kind&7]
	}
	mine := &keys.men[side]
	key := p.key ^ keys.side ^ mine[moved][from] ^ mine[placed][to]
	switch kind {
	case core.Castling:
		kingTo, rookTo := core.CastlingTargets(relativeFrom, relativeTo)
		key ^= mine[codeKing][to] ^ mine[codeKing][p.relative(kingTo)]
		key ^= mine[codeRook][to] ^ mine[codeRook][p.relative(rookTo)]
	case core.EnPassant:
		key ^= keys.captured[side^1][codePawn][to^8]
		captured = codePawn
	default:
		key ^= keys.captured[side^1][captured][to]
	}
	if (board.Rights|next.board.Rights)&core.EnPassantRank != 0 {
		key ^= p.enPassantKey() ^ next.enPassantKey()
	}
	if lost := board.CastlingRooks() &^ next.board.CastlingRooks().FlipVertical(); lost != 0 {
		key ^= p.castlingKey(lost)
	}
	next.key = key

	next.fullmove = p.fullmove
	next.tick(side, p.halfmove)
	if moved == codePawn || captured != codeKing && kind != core.Castling {
		next.halfmove = 0
	}
}
