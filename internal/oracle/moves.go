package oracle

import (
	"slices"
	"strings"

	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// Move is a move from one square to another. Promotion is the piece type that a pawn becomes, or
// NoPieceType. Castling goes from the king's square to the rook's.
type Move struct {
	From, To  bitboard.Square
	Promotion bitboard.PieceType
}

var promotions = []bitboard.PieceType{bitboard.Knight, bitboard.Bishop, bitboard.Rook, bitboard.Queen}

// String returns m in UCI notation for Chess960: "e2e4", "e7e8q", and "e1h1" for castling.
func (m Move) String() string {
	text := m.From.String() + m.To.String()
	if m.Promotion != bitboard.NoPieceType {
		text += string(m.Promotion.Letter())
	}
	return text
}

// UCI returns m in UCI notation. If b's castling rights are standard, castling is written as the
// king's move ("e1g1").
func (b Board) UCI(m Move) string {
	if b.isCastling(m) && b.isOrthodox() {
		m.To, _ = castlingTargets(b.sideToMove, m.side())
	}
	return m.String()
}

// LegalMoves returns the legal moves, ordered by origin.
func (b Board) LegalMoves() []Move {
	var legal []Move
	for _, m := range b.PseudoLegalMoves() {
		if b.IsLegal(m) {
			legal = append(legal, m)
		}
	}
	return legal
}

// IsLegal reports whether m, one of b's PseudoLegalMoves, is legal: the king is not attacked
// afterwards and does not castle out of or through an attack.
func (b Board) IsLegal(m Move) bool {
	after := b.Apply(m)
	return !after.kingAttacked(b.sideToMove) && !(b.isCastling(m) && b.castlesThroughAttack(m))
}

// IsCheckmate reports whether the side to move is in check and has no legal move.
func (b Board) IsCheckmate() bool { return b.InCheck() && len(b.LegalMoves()) == 0 }

// PseudoLegalMoves returns the moves of the side to move, ordered by origin. They may leave the
// king attacked.
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

func (b *Board) appendSteps(moves []Move, s bitboard.Square, steps []step) []Move {
	for _, d := range steps {
		if to, ok := d.from(s); ok && !b.holds(to, b.sideToMove) {
			moves = append(moves, Move{From: s, To: to})
		}
	}
	return moves
}

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

func (b *Board) appendPawnAdvances(moves []Move, s bitboard.Square) []Move {
	ahead := forward[b.sideToMove]
	one, ok := ahead.from(s)
	if !ok || !b.isEmpty(one) {
		return moves
	}
	moves = b.appendPawnMove(moves, s, one)
	if s.Rank() != pawnRank[b.sideToMove] {
		return moves
	}
	if two, _ := ahead.from(one); b.isEmpty(two) {
		moves = append(moves, Move{From: s, To: two})
	}
	return moves
}

func (b *Board) appendPawnCaptures(moves []Move, s bitboard.Square) []Move {
	for _, d := range pawnCaptures(b.sideToMove) {
		if to, ok := d.from(s); ok && (to == b.enPassant || b.holds(to, b.sideToMove.Opponent())) {
			moves = b.appendPawnMove(moves, s, to)
		}
	}
	return moves
}

func (b *Board) appendPawnMove(moves []Move, from, to bitboard.Square) []Move {
	if to.Rank() != backRank[b.sideToMove.Opponent()] {
		return append(moves, Move{From: from, To: to})
	}
	for _, kind := range promotions {
		moves = append(moves, Move{From: from, To: to, Promotion: kind})
	}
	return moves
}

// appendCastlings appends the castling moves for which the side to move has the right, and king and
// rook a clear path.
func (b *Board) appendCastlings(moves []Move) []Move {
	king := b.king(b.sideToMove)
	for w, rook := range b.castlingRook[b.sideToMove] {
		if rook == bitboard.NoSquare {
			continue
		}
		kingTo, rookTo := castlingTargets(b.sideToMove, w)
		if b.pathIsClear(king, kingTo, king, rook) && b.pathIsClear(rook, rookTo, king, rook) {
			moves = append(moves, Move{From: king, To: rook})
		}
	}
	return moves
}

// castlingTargets returns the target squares of king and rook, also in Chess960.
func castlingTargets(c bitboard.Color, w int) (king, rook bitboard.Square) {
	if w == kingSide {
		return bitboard.SquareAt(bitboard.FileG, backRank[c]), bitboard.SquareAt(bitboard.FileF, backRank[c])
	}
	return bitboard.SquareAt(bitboard.FileC, backRank[c]), bitboard.SquareAt(bitboard.FileD, backRank[c])
}

// pathIsClear reports whether the squares of a rank from one to another, both included, are empty
// except for the castling king and rook.
func (b *Board) pathIsClear(from, to, king, rook bitboard.Square) bool {
	for s := min(from, to); s <= max(from, to); s++ {
		if s != king && s != rook && !b.isEmpty(s) {
			return false
		}
	}
	return true
}

// castlesThroughAttack reports whether the opponent attacks a square from the castling king's
// origin to its target. IsLegal checks the target again after the move, because the departing rook
// may open a line to it.
func (b *Board) castlesThroughAttack(m Move) bool {
	kingTo, _ := castlingTargets(b.sideToMove, m.side())
	for s := min(m.From, kingTo); s <= max(m.From, kingTo); s++ {
		if b.attacked(s, b.sideToMove.Opponent()) {
			return true
		}
	}
	return false
}

func (b *Board) isCastling(m Move) bool {
	return b.pieces[m.From].Type() == bitboard.King && b.holds(m.To, b.sideToMove)
}

func (m Move) side() int {
	if m.To < m.From {
		return queenSide
	}
	return kingSide
}

// castle removes king and rook before it places them, because in Chess960 either may arrive on the
// other's square.
func (b *Board) castle(m Move) {
	kingTo, rookTo := castlingTargets(b.sideToMove, m.side())
	king, rook := b.lift(m.From), b.lift(m.To)
	b.pieces[kingTo], b.pieces[rookTo] = king, rook
}

// Apply returns the position after m, one of b's pseudo-legal moves.
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

func (b *Board) shift(m Move) {
	if captured := b.capturedEnPassant(m); captured != bitboard.NoSquare {
		b.lift(captured)
	}
	b.pieces[m.To] = b.lift(m.From)
	if m.Promotion != bitboard.NoPieceType {
		b.pieces[m.To] = bitboard.PieceOf(b.sideToMove, m.Promotion)
	}
}

// capturedEnPassant returns the square of the pawn that m captures en passant, or NoSquare. Only
// such a capture takes a pawn from its file to an empty square.
func (b *Board) capturedEnPassant(m Move) bitboard.Square {
	if b.isPawn(m.From) && m.From.File() != m.To.File() && b.isEmpty(m.To) {
		return bitboard.SquareAt(m.To.File(), m.From.Rank())
	}
	return bitboard.NoSquare
}

func (b *Board) skippedSquare(m Move) bitboard.Square {
	from, to := m.From.Rank(), m.To.Rank()
	if b.isPawn(m.From) && max(from, to)-min(from, to) == 2 {
		return bitboard.SquareAt(m.From.File(), (from+to)/2)
	}
	return bitboard.NoSquare
}

func (b *Board) rightsAfter(m Move) [2][2]bitboard.Square {
	rights := b.castlingRook
	for c, rooks := range rights {
		for w, rook := range rooks {
			if m.From == b.king(bitboard.Color(c)) || m.From == rook || m.To == rook {
				rights[c][w] = bitboard.NoSquare
			}
		}
	}
	return rights
}

// Perft returns the number of sequences of depth legal moves from b, 1 at depth 0.
func (b Board) Perft(depth int) uint64 {
	if depth <= 0 {
		return 1
	}
	moves := b.LegalMoves()
	if depth == 1 {
		return uint64(len(moves))
	}
	var nodes uint64
	for _, m := range moves {
		nodes += b.Apply(m).Perft(depth - 1)
	}
	return nodes
}

// The kinds of moves in the encoding. Kinds 1 to 5, and 12 to 15 for promotions, follow the piece
// types.
const (
	kingMove   = 0
	doublePush = 6
	enPassant  = 7
	castling   = 8
	promotion  = 12
)

// Encode returns a move in package fianchetto's encoding: from in bits 0-5, to in bits 6-11, the
// kind in bits 12-15.
func (b Board) Encode(m Move) uint16 {
	kind := int(b.pieces[m.From].Type()-bitboard.Pawn) + 1
	switch {
	case b.isCastling(m):
		kind = castling
	case b.pieces[m.From].Type() == bitboard.King:
		kind = kingMove
	case m.Promotion != bitboard.NoPieceType:
		kind = promotion + int(m.Promotion-bitboard.Knight)
	case b.skippedSquare(m) != bitboard.NoSquare:
		kind = doublePush
	case b.capturedEnPassant(m) != bitboard.NoSquare:
		kind = enPassant
	}
	return uint16(m.From) | uint16(m.To)<<6 | uint16(kind)<<12
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
// kings, a single knight, or bishops on squares of one colour.
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
