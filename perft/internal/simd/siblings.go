package simd

import (
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/core"
)

// siblings is what all children of a node have in common. It is the node's board before the move, but
// seen by the side that replies to it, as everything in this package: we are the side to reply, and
// they move. The kernel reads these fields where its generator found them: after a change, `make generate`.
type siblings struct {
	us, pawns, knights, diagonals, orthogonals                       Bitboard // ours, if not captured
	them, theirPawns, theirKnights, theirDiagonals, theirOrthogonals Bitboard // theirs, but for the piece that moves
	theirKing                                                        Bitboard

	king        *kingLookup // ours
	zone        *kingZone   // of our king
	castlings   [2]castling
	castled     [2]castled
	reach       reach
	stages      stages
	knightCount int
	knightMoves [64]knightMoves // of our knights; there is room for as many as fit on a board
}

// castled is by how much their sets after a castling differ from those after the king's move alone. That is one
// rule for all of Chess960, where king and rook may end where the other stood.
type castled struct{ them, orthogonals Bitboard }

// knightMoves is the square of a knight and the squares it attacks.
type knightMoves struct{ square, attacks Bitboard }

// reach is where their moves go.
type reach struct {
	captures                              Bitboard // has all pieces of ours that may be captured
	king, knights, diagonals, orthogonals Bitboard // where theirs may stand in some of the siblings
}

// stages are the parts of the kernel that matter to any of the siblings.
type stages struct {
	castled    bool // they may castle
	enPassant  bool // they may capture en passant
	knights    bool // their knights may attack our king or a square next to it
	king       bool // their king may attack a square next to ours
	promotions bool // our pawns may promote
	kingMoves  bool // our king may find a square to go to
}

// setBoard sets the board before the move.
func (s *siblings) setBoard(b *core.Board) {
	// Word by word: a Board turned around goes through memory, which costs a tenth of all the time.
	us, them := b.Them.FlipVertical(), b.Us.FlipVertical()
	pawns, knights := b.Pawns.FlipVertical(), b.Knights.FlipVertical()
	diagonals, orthogonals := b.Diagonals.FlipVertical(), b.Orthogonals.FlipVertical()
	kings := (us | them) &^ (pawns | knights | diagonals | orthogonals)
	s.us, s.pawns, s.knights, s.diagonals, s.orthogonals = us, pawns&us, knights&us, diagonals&us, orthogonals&us
	s.them, s.theirPawns, s.theirKnights, s.theirDiagonals, s.theirOrthogonals = them, pawns&them, knights&them, diagonals&them, orthogonals&them
	s.theirKing = kings & them
	king := (kings & us).First()
	s.king, s.zone = &kingLookups[king&63], &kingZones[king&63]
	n := 0
	for x := knights & us; x != 0; n++ {
		square := x.First()
		s.knightMoves[n&63] = knightMoves{x & -x, attacks.Knight(square)}
		x &= x - 1
	}
	s.knightCount = n
	s.castlings = [2]castling{}
	if rooks := b.CastlingAndEnPassant.FlipVertical() & bitboard.Rank1Mask; rooks != 0 {
		s.setCastlings(king, rooks)
	}
}

// setCastlings finds the castlings that some of the siblings may allow, by the rooks that have the right.
// Their pieces may leave the path of our king, ours do not: if one is captured there, the capturing piece blocks it.
func (s *siblings) setCastlings(king Square, rooks Bitboard) {
	n := 0
	for ; rooks != 0; rooks &= rooks - 1 {
		if c := &castlings[king&7][rooks.First()&7]; c.empty&s.us == 0 {
			s.castlings[n&1] = *c
			s.zone = &castlingZones[king&7]
			n++
		}
	}
}

// castlingOf returns what one castling of theirs changes.
func (s *siblings) castlingOf(king, rook, kingTo, rookTo Square) castled {
	moved := s.them.Without(king).With(kingTo)
	orthogonals := s.theirOrthogonals.Without(kingTo)
	return castled{
		them:        moved ^ s.them.Without(king).Without(rook).With(kingTo).With(rookTo),
		orthogonals: orthogonals ^ s.theirOrthogonals.Without(rook).With(rookTo),
	}
}

// plan finds the stages, by what the moves reach.
func (s *siblings) plan() {
	staying := s.us &^ s.reach.captures
	s.stages.knights = s.reach.knights&s.zone.knights != 0
	s.stages.king = s.reach.king&s.zone.kings != 0
	s.stages.promotions = s.pawns&bitboard.Rank7Mask != 0
	s.stages.kingMoves = s.king.attacks&^staying != 0 || s.castlings[0].rook != 0
}
