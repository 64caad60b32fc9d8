package simd

import (
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/core"
)

// move is a move of theirs as the kernel reads it: the origin in bits 0-5, the target in bits 6-11, then one bit for
// each set that the piece is in after the move, and bits for what else happens. The generator of the kernel has these
// bits, too.
type move uint32

const toShift = 6

const (
	placesPawn move = 1 << (12 + iota)
	placesKnight
	placesDiagonal   // a bishop or a queen
	placesOrthogonal // a rook or a queen
	placesKing
	capturesEnPassant
	castlesFirst  // with the rook of the first castling; to is where the king goes
	castlesSecond // with the rook of the second
)

// maxMoves is more than the number of moves on any board. At most sixteen pieces may go to a square, one on each line
// and a knight's jump away; three pawns among them, promoting, have four moves each. k pieces leave 64-k squares to go
// to, so there are no more than 16*(64-k)+8*9 moves, and no more than 27 by each piece: less than 700.
const maxMoves = 1024

// moveList is a list of moves.
type moveList struct {
	moves [maxMoves]move
	end   int
}

func (l *moveList) all() []move { return l.moves[:l.end] }

// add appends the moves of a piece to the squares to.
func (l *moveList) add(from Square, to Bitboard, places move) {
	origin := places | move(from)
	end := l.end
	for x := to; x != 0; end++ {
		s := x.First()
		x &= x - 1
		l.moves[end&(maxMoves-1)] = origin | move(s)<<toShift
	}
	l.end = end
}

// addPawns appends the moves of pawns to the squares to. The pawns come from step squares above.
func (l *moveList) addPawns(to Bitboard, step Square, places move) {
	end := l.end
	for x := to; x != 0; end++ {
		s := x.First()
		x &= x - 1
		l.moves[end&(maxMoves-1)] = places | move(s+step) | move(s)<<toShift
	}
	l.end = end
}

// addPromotions appends the moves of pawns to the first rank, which is their last.
func (l *moveList) addPromotions(to Bitboard, step Square) {
	l.addPawns(to, step, placesKnight)
	l.addPawns(to, step, placesDiagonal)
	l.addPawns(to, step, placesOrthogonal)
	l.addPawns(to, step, placesDiagonal|placesOrthogonal)
}

// addPieces appends the moves of pieces of one type, and returns the squares that they reach.
func (l *moveList) addPieces(pieces []core.PieceTargets, places move) Bitboard {
	var reached Bitboard
	for i := range pieces {
		p := &pieces[i]
		to := p.To.FlipVertical()
		reached |= to
		l.add(p.From.FlipRank(), to, places)
	}
	return reached
}

// list puts all moves of the node into s.moves, as we see them, and the squares that they reach into s.reach.
func (s *Scratch) list(b *core.Board) {
	t, l := &s.targets, &s.moves
	l.end = 0
	knights := l.addPieces(t.Knights(), placesKnight)
	bishops := l.addPieces(t.Bishops(), placesDiagonal)
	rooks := l.addPieces(t.Rooks(), placesOrthogonal)
	queens := l.addPieces(t.Queens(), placesDiagonal|placesOrthogonal)
	king := t.King()
	kingTo := king.To.FlipVertical()
	l.add(king.From.FlipRank(), kingTo, placesKing)
	s.reach = reach{
		captures:    knights | bishops | rooks | queens | kingTo,
		king:        s.theirKing | kingTo,
		knights:     s.theirKnights | knights,
		diagonals:   s.theirDiagonals | bishops | queens,
		orthogonals: s.theirOrthogonals | rooks | queens,
	}
	s.listPawns()
	s.stages.enPassant = t.EnPassant != 0
	if t.EnPassant != 0 {
		s.listEnPassant(b.EnPassant().FlipVertical())
	}
	s.stages.castled = t.Castling != 0
	if t.Castling != 0 {
		s.listCastlings()
	}
}

// listPawns lists all moves of pawns except captures en passant.
func (s *Scratch) listPawns() {
	t, l := &s.targets, &s.moves
	push, west, east := t.Push.FlipVertical(), t.CaptureWest.FlipVertical(), t.CaptureEast.FlipVertical()
	s.reach.captures |= west | east
	if promotions := (push | west | east) & bitboard.Rank1Mask; promotions != 0 {
		l.addPromotions(push&promotions, 8)
		l.addPromotions(west&promotions, 9)
		l.addPromotions(east&promotions, 7)
		push, west, east = push&^promotions, west&^promotions, east&^promotions
		s.reach.knights |= promotions
		s.reach.diagonals |= promotions
		s.reach.orthogonals |= promotions
	}
	l.addPawns(push, 8, placesPawn)
	l.addPawns(west, 9, placesPawn)
	l.addPawns(east, 7, placesPawn)
	l.addPawns(t.DoublePush.FlipVertical(), 16, placesPawn)
}

// listEnPassant lists the captures en passant, which go to the square to.
func (s *Scratch) listEnPassant(to Bitboard) {
	for x := s.targets.EnPassant.FlipVertical(); x != 0; x &= x - 1 {
		s.moves.add(x.First(), to, placesPawn|capturesEnPassant)
	}
	s.reach.captures |= to << 8
}

// listCastlings lists the castlings. Each is a move of the king, and what it changes beyond that.
func (s *Scratch) listCastlings() {
	from := s.targets.King().From
	for x, i := s.targets.Castling, 0; x != 0; x, i = x&(x-1), i+1 {
		rook := x.First()
		kingTo, rookTo := core.CastlingTargets(from, rook)
		s.moves.add(from.FlipRank(), kingTo.FlipRank().Bitboard(), placesKing|castlesFirst<<i)
		s.castled[i&1] = s.castlingOf(from.FlipRank(), rook.FlipRank(), kingTo.FlipRank(), rookTo.FlipRank())
		s.reach.king = s.reach.king.With(kingTo.FlipRank())
		s.reach.orthogonals = s.reach.orthogonals.With(rookTo.FlipRank())
	}
}
