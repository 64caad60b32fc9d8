package simd

import (
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/core"
)

// origin is where a move of theirs comes from, in bits 0-5, then one bit for each set that the
// piece is in after the move, and bits for what else happens. The generator of the assembly has
// these bits, too.
type origin uint16

const (
	placesPawn origin = 1 << (6 + iota)
	placesKnight
	placesDiagonal   // a bishop or a queen
	placesOrthogonal // a rook or a queen
	placesKing
	capturesEnPassant
	castlesFirst  // with the rook of the first castling; the target is where the king goes
	castlesSecond // with the rook of the second
)

// maxMoves is more than the number of moves on any board, and leaves room for the stores of the
// assembly, which write up to 64 moves beyond the last. At most sixteen pieces may go to a square,
// one on each line and a knight's jump away; three pawns among them, promoting, have four moves
// each. k pieces leave 64-k squares to go to, so there are no more than 16*(64-k)+8*9 moves, and no
// more than 27 by each piece: less than 700.
const maxMoves = 1024

// moveList is a list of moves of theirs, as we see them. The first is the null move.
type moveList struct {
	to      [maxMoves]uint8
	origins [maxMoves]origin
	end     int
}

// add appends a move.
func (l *moveList) add(from, to Square, places origin) {
	i := l.end & (maxMoves - 1)
	l.to[i], l.origins[i] = uint8(to), places|origin(from)
	l.end++
}

// listSpecial begins the list with the null move, our name for a king that stays where it is, and
// the moves that the assembly does not list: promotions, captures en passant and castlings.
func (s *Scratch) listSpecial(b *core.Board) {
	king := s.theirKing.First()
	s.moves.end = 0
	s.moves.add(king, king, placesKing)
	t := &s.targets
	s.parts = 0
	s.enPassant = 0
	if (t.Push|t.CaptureWest|t.CaptureEast)&bitboard.Rank8Mask != 0 {
		s.listPromotions(t.Push, 8)
		s.listPromotions(t.CaptureWest, 9)
		s.listPromotions(t.CaptureEast, 7)
	}
	if t.EnPassant != 0 {
		s.listEnPassant(b.EnPassant().FlipVertical())
	}
	if t.Castling != 0 {
		s.listCastlings()
	}
	if len(t.Pieces()) > inLanes {
		s.listPieces()
	}
}

// inLanes is the number of pieces that the assembly lists.
const inLanes = 8

// listPromotions lists the promotions among moves of pawns, which come from step squares above.
func (s *Scratch) listPromotions(targets Bitboard, step Square) {
	promotions := targets.FlipVertical() & bitboard.Rank1Mask
	for x := promotions; x != 0; x &= x - 1 {
		to := x.First()
		s.moves.add(to+step, to, placesKnight)
		s.moves.add(to+step, to, placesDiagonal)
		s.moves.add(to+step, to, placesOrthogonal)
		s.moves.add(to+step, to, placesDiagonal|placesOrthogonal)
	}
	s.reach.knights |= promotions
	s.reach.diagonals |= promotions
	s.reach.orthogonals |= promotions
}

// listEnPassant lists the captures en passant, which go to the square to.
func (s *Scratch) listEnPassant(to Bitboard) {
	for x := s.targets.EnPassant.FlipVertical(); x != 0; x &= x - 1 {
		s.moves.add(x.First(), to.First(), placesPawn|capturesEnPassant)
	}
	s.enPassant = to << 8
	s.parts |= partEnPassant
}

// listCastlings lists the castlings. Each is a move of the king, and what it changes beyond that.
func (s *Scratch) listCastlings() {
	from := s.targets.King().From
	for x, i := s.targets.Castling, 0; x != 0; x, i = x&(x-1), i+1 {
		rook := x.First()
		kingTo, rookTo := core.CastlingTargets(from, rook)
		s.moves.add(from.FlipRank(), kingTo.FlipRank(), placesKing|castlesFirst<<i)
		s.castled[i&1] = s.castlingOf(from.FlipRank(), rook.FlipRank(), kingTo.FlipRank(), rookTo.FlipRank())
		s.reach.king = s.reach.king.With(kingTo.FlipRank())
		s.reach.orthogonals = s.reach.orthogonals.With(rookTo.FlipRank())
	}
	s.parts |= partCastled
}

// listPieces lists the moves of all pieces but the first eight.
func (s *Scratch) listPieces() {
	t, i := &s.targets, 0
	list := func(pieces []core.PieceTargets, places origin) (reached Bitboard) {
		for _, p := range pieces {
			if i++; i <= inLanes {
				continue
			}
			to := p.To.FlipVertical()
			reached |= to
			for x := to; x != 0; x &= x - 1 {
				s.moves.add(p.From.FlipRank(), x.First(), places)
			}
		}
		return reached
	}
	s.reach.knights |= list(t.Knights(), placesKnight)
	s.reach.diagonals |= list(t.Bishops(), placesDiagonal)
	s.reach.orthogonals |= list(t.Rooks(), placesOrthogonal)
	queens := list(t.Queens(), placesDiagonal|placesOrthogonal)
	s.reach.diagonals |= queens
	s.reach.orthogonals |= queens
	s.reach.king |= list([]core.PieceTargets{t.King()}, placesKing)
}
