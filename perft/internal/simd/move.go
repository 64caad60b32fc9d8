package simd

import (
	"github.com/fianchetto-chess/fianchetto/internal/core"
)

// origin describes a move without its target: its origin in bits 0 to 5, a bit for each set that
// contains the moved piece afterwards, and bits for castling. tools/asm defines the same bits.
type origin uint16

const (
	placesPawn origin = 1 << (6 + iota)
	placesKnight
	placesDiagonal   // a bishop or a queen
	placesOrthogonal // a rook or a queen
	placesKing
	castlesFirst  // the first castling of Scratch.castled; the target is the king's
	castlesSecond // the second
)

// maxMoves exceeds the number of moves on any board by more than 64, because the assembly writes up
// to 64 moves beyond the last. At most sixteen pieces reach a square, one on each line and knight's
// jump. Up to three of them are promoting pawns with four moves each. So k pieces have at most
// 16*(64-k)+8*9 moves, and each at most 27: fewer than 700.
const maxMoves = 1024

// moveList is a list of the mover's moves, the null move first.
type moveList struct {
	to      [maxMoves]uint8
	origins [maxMoves]origin
	end     int
}

func (l *moveList) add(from, to Square, places origin) {
	i := l.end & (maxMoves - 1)
	l.to[i], l.origins[i] = uint8(to), places|origin(from)
	l.end++
}

// listSpecial starts the list with a null move, encoded as the king staying put, and the moves that
// the assembly does not list.
func (s *Scratch) listSpecial() {
	king := s.moverKing.First()
	s.moves.end = 0
	s.moves.add(king, king, placesKing)
	t := &s.targets
	s.parts = 0
	if (t.Push|t.CaptureWest|t.CaptureEast)&core.Rank8Mask != 0 {
		s.listPromotions(t.Push, 8)
		s.listPromotions(t.CaptureWest, 9)
		s.listPromotions(t.CaptureEast, 7)
	}
	if t.Castling != 0 {
		s.listCastlings()
	}
	if len(t.Pieces()) > inLanes {
		s.listPieces()
	}
}

const inLanes = 8

// listPromotions lists the promotions of pawns from step squares above.
func (s *Scratch) listPromotions(targets Bitboard, step Square) {
	promotions := targets.FlipVertical() & core.Rank1Mask
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

// listCastlings lists each castling as a move of the king and a further change in castled.
func (s *Scratch) listCastlings() {
	from := s.targets.King().From
	for x, i := s.targets.Castling, 0; x != 0; x, i = x&(x-1), i+1 {
		rook := x.First()
		kingTo, rookTo := core.CastlingTargets(from, rook)
		s.moves.add(from.FlipVertical(), kingTo.FlipVertical(), placesKing|castlesFirst<<i)
		s.castled[i&1] = s.castlingOf(from.FlipVertical(), rook.FlipVertical(), kingTo.FlipVertical(), rookTo.FlipVertical())
		s.reach.king = s.reach.king.With(kingTo.FlipVertical())
		s.reach.orthogonals = s.reach.orthogonals.With(rookTo.FlipVertical())
	}
	s.parts |= partCastled
}

// listPieces lists the moves of all pieces except the first eight.
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
				s.moves.add(p.From.FlipVertical(), x.First(), places)
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
