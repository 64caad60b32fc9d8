package oracle

import "github.com/fianchetto-chess/fianchetto/bitboard"

// Apply returns the position after m, which must be one of b's pseudo-legal moves.
func (b Board) Apply(m Move) Board {
	next := b
	if b.isCastling(m) {
		next.castle(m)
	} else {
		next.shift(m)
	}
	next.castlingRook = b.rightsAfter(m)
	next.enPassant = b.skippedSquare(m)
	next.halfmoveClock = min(next.halfmoveClock+1, maxClock)
	if b.isPawn(m.From) || b.holds(m.To, b.sideToMove.Opponent()) {
		next.halfmoveClock = 0
	}
	if b.sideToMove == bitboard.Black {
		next.fullmoveNumber = min(next.fullmoveNumber+1, maxClock)
	}
	next.sideToMove = b.sideToMove.Opponent()
	return next
}

// shift moves one piece, and captures or promotes if m does.
func (b *Board) shift(m Move) {
	if captured := b.capturedEnPassant(m); captured != bitboard.NoSquare {
		b.lift(captured)
	}
	b.pieces[m.To] = b.lift(m.From)
	if m.Promotion != bitboard.NoPieceType {
		b.pieces[m.To] = bitboard.PieceOf(b.sideToMove, m.Promotion)
	}
}

// capturedEnPassant returns the square of the pawn that m captures en passant,
// NoSquare if m is another move. Only by such a capture does a pawn leave its file for an empty square;
// the captured pawn is beside the square it leaves.
func (b *Board) capturedEnPassant(m Move) bitboard.Square {
	if b.isPawn(m.From) && m.From.File() != m.To.File() && b.isEmpty(m.To) {
		return bitboard.SquareAt(m.To.File(), m.From.Rank())
	}
	return bitboard.NoSquare
}

// skippedSquare returns the square that a pawn skips if m is its double step, NoSquare if not.
func (b *Board) skippedSquare(m Move) bitboard.Square {
	from, to := m.From.Rank(), m.To.Rank()
	if b.isPawn(m.From) && max(from, to)-min(from, to) == 2 {
		return bitboard.SquareAt(m.From.File(), (from+to)/2)
	}
	return bitboard.NoSquare
}

// rightsAfter returns the castling rights after m. A move of the king ends both rights of its side; a move or
// capture of a rook ends the right of that rook.
func (b *Board) rightsAfter(m Move) [2][2]bitboard.Square {
	rights := b.castlingRook
	for c := range rights {
		for _, w := range castlingSides {
			rook := rights[c][w]
			if m.From == b.king(bitboard.Color(c)) || m.From == rook || m.To == rook {
				rights[c][w] = bitboard.NoSquare
			}
		}
	}
	return rights
}
