package core

import "github.com/fianchetto-chess/fianchetto/bitboard"

// AppendMoves appends the moves of t to list, each xored with flip: 0 leaves them as the side to move
// sees them, FlipMove turns them around. enPassant is the en-passant target of the board.
func AppendMoves[M ~uint16](list []M, t *TargetSets, enPassant Bitboard, flip M) []M {
	list = appendPieceMoves(list, t.Knights(), KnightMove, flip)
	list = appendPieceMoves(list, t.Bishops(), BishopMove, flip)
	list = appendPieceMoves(list, t.Rooks(), RookMove, flip)
	list = appendPieceMoves(list, t.Queens(), QueenMove, flip)
	king := t.King()
	for x := king.To; x != 0; x &= x - 1 {
		list = append(list, M(Encode(king.From, x.First(), KingMove))^flip)
	}
	list = appendPawns(list, &t.PawnTargets, enPassant, flip)
	for x := t.Castling; x != 0; x &= x - 1 {
		list = append(list, M(Encode(king.From, x.First(), Castling))^flip)
	}
	return list
}

// appendPieceMoves appends the moves of pieces of one kind.
func appendPieceMoves[M ~uint16](list []M, pieces []PieceTargets, kind Kind, flip M) []M {
	for _, p := range pieces {
		origin := M(Encode(p.From, 0, kind)) ^ flip
		for x := p.To; x != 0; {
			to := x.First()
			x &= x - 1
			list = append(list, origin^M(to)<<toShift)
		}
	}
	return list
}

// appendPawns appends the moves of all pawns.
func appendPawns[M ~uint16](list []M, p *PawnTargets, enPassant Bitboard, flip M) []M {
	list = appendPawnMoves(list, p.Push, 8, flip)
	list = appendPawnMoves(list, p.CaptureWest, 7, flip)
	list = appendPawnMoves(list, p.CaptureEast, 9, flip)
	for x := p.DoublePush; x != 0; x &= x - 1 {
		to := x.First()
		list = append(list, M(Encode(to-16, to, DoublePush))^flip)
	}
	for x := p.EnPassant; x != 0; x &= x - 1 {
		list = append(list, M(Encode(x.First(), enPassant.First(), EnPassant))^flip)
	}
	return list
}

// appendPawnMoves appends the pawn moves onto targets from the squares step below them.
func appendPawnMoves[M ~uint16](list []M, targets Bitboard, step Square, flip M) []M {
	for x := targets &^ bitboard.Rank8Mask; x != 0; x &= x - 1 {
		to := x.First()
		list = append(list, M(Encode(to-step, to, PawnMove))^flip)
	}
	for x := targets & bitboard.Rank8Mask; x != 0; x &= x - 1 {
		to := x.First()
		for kind := PromoteQueen; kind >= PromoteKnight; kind-- {
			list = append(list, M(Encode(to-step, to, kind))^flip)
		}
	}
	return list
}
