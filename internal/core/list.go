package core

import "github.com/fianchetto-chess/fianchetto/bitboard"

// AppendMoves appends the moves of t to list, each xored with flip: 0 leaves them as the side to move
// sees them, FlipMove turns them around. enPassant is the en-passant target of the board.
func AppendMoves[M ~uint16](list []M, t *Targets, enPassant Bitboard, flip M) []M {
	for _, p := range t.Pieces() {
		from := M(p.From) ^ flip
		for x := p.To; x != 0; x &= x - 1 {
			list = append(list, from^M(x.First())<<toShift)
		}
	}
	list = appendPawnMoves(list, t.Push, 8, flip)
	list = appendPawnMoves(list, t.CaptureWest, 7, flip)
	list = appendPawnMoves(list, t.CaptureEast, 9, flip)
	for x := t.DoublePush; x != 0; x &= x - 1 {
		to := x.First()
		list = append(list, M(Encode(to-16, to, DoublePush))^flip)
	}
	if t.EnPassant|t.Castling != 0 {
		for x := t.EnPassant; x != 0; x &= x - 1 {
			list = append(list, M(Encode(x.First(), enPassant.First(), EnPassant))^flip)
		}
		for x := t.Castling; x != 0; x &= x - 1 {
			list = append(list, M(Encode(t.King().From, x.First(), Castling))^flip)
		}
	}
	return list
}

// appendPawnMoves appends the pawn moves onto targets from the squares step below them.
func appendPawnMoves[M ~uint16](list []M, targets Bitboard, step Square, flip M) []M {
	for x := targets &^ bitboard.Rank8Mask; x != 0; x &= x - 1 {
		to := x.First()
		list = append(list, M(Encode(to-step, to, Normal))^flip)
	}
	for x := targets & bitboard.Rank8Mask; x != 0; x &= x - 1 {
		to := x.First()
		for kind := PromoteQueen; kind >= PromoteKnight; kind-- {
			list = append(list, M(Encode(to-step, to, kind))^flip)
		}
	}
	return list
}
