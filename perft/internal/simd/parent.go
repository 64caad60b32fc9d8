package simd

import (
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/core"
)

// parent holds what all children of a node share: the board before the move, seen by the replier.
// The assembly reads its fields: see Scratch.
type parent struct {
	replier, pawns, knights, diagonals, orthogonals                   Bitboard // of the replier, before any capture
	mover, moverPawns, moverKnights, moverDiagonals, moverOrthogonals Bitboard // of the mover, before the move
	moverKing                                                         Bitboard

	king        *kernelKing // the replier's
	zone        *kernelZone // of that king
	castlings   [2]castling // the replier's
	castled     [2]castled  // the mover's castling moves
	reach       reach
	knightCount int
	knightMoves [64]knightMoves // of the replier's knights
	parts       uint32          // parts of the kernel that matter to some child
}

// freeMoves is the result of the assembly for the free moves, which it does not list.
type freeMoves struct {
	free   int    // their number
	change [8]int // summands of their change of the number of replies
}

// castled is the difference between the mover's sets after a castling and after the king's move
// alone. A difference also serves Chess960, where king and rook may exchange their squares.
type castled struct{ mover, orthogonals Bitboard }

type knightMoves struct{ square, attacks Bitboard }

// reach contains the squares where the mover's pieces can be after a move that the assembly does
// not list.
type reach struct{ king, knights, diagonals, orthogonals Bitboard }

// partCastled is the bit of parts for castling moves of the mover. The assembly adds others.
const partCastled = 1 << 24

func (s *parent) setBoard(b *core.Board) {
	// Word by word, because turning a whole Board goes through memory and takes a tenth of all
	// time.
	replier, mover := b.Them.FlipVertical(), b.Us.FlipVertical()
	pawns, knights := b.Pawns.FlipVertical(), b.Knights.FlipVertical()
	diagonals, orthogonals := b.Diagonals.FlipVertical(), b.Orthogonals.FlipVertical()
	kings := (replier | mover) &^ (pawns | knights | diagonals | orthogonals)
	s.replier, s.pawns, s.knights = replier, pawns&replier, knights&replier
	s.diagonals, s.orthogonals = diagonals&replier, orthogonals&replier
	s.mover, s.moverPawns, s.moverKnights = mover, pawns&mover, knights&mover
	s.moverDiagonals, s.moverOrthogonals = diagonals&mover, orthogonals&mover
	s.moverKing = kings & mover
	s.reach = reach{s.moverKing, s.moverKnights, s.moverDiagonals, s.moverOrthogonals}
	king := (kings & replier).First()
	s.king, s.zone = &kernelKings[king&63], &kernelZones[king&63]
	n := 0
	for x := knights & replier; x != 0; n++ {
		square := x.First()
		s.knightMoves[n&63] = knightMoves{x & -x, attacks.Knight(square)}
		x &= x - 1
	}
	s.knightCount = n
	s.castlings = [2]castling{}
	if rooks := b.CastlingAndEnPassant.FlipVertical() & core.Rank1Mask; rooks != 0 {
		s.setCastlings(king, rooks)
	}
}

// setCastlings finds the castling moves that the replier may have after a move. The mover's pieces
// can leave the path. If a piece of the replier is captured there, the capturing piece blocks the
// path.
func (s *parent) setCastlings(king Square, rooks Bitboard) {
	n := 0
	paths := core.CastlingPathsOf(king, rooks)
	for _, path := range [...]*core.CastlingPath{&paths.West, &paths.East} {
		if path.Empty&s.replier == 0 {
			s.castlings[n&1] = castling{path.Rook, path.Empty, path.King.With(king)}
			s.zone = &castlingZones[king&7]
			n++
		}
	}
}

func (s *parent) castlingOf(king, rook, kingTo, rookTo Square) castled {
	moved := s.mover.Without(king).With(kingTo)
	orthogonals := s.moverOrthogonals.Without(kingTo)
	return castled{
		mover:       moved ^ s.mover.Without(king).Without(rook).With(kingTo).With(rookTo),
		orthogonals: orthogonals ^ s.moverOrthogonals.Without(rook).With(rookTo),
	}
}

// compass lists the directions clockwise from north. Opposite directions differ by four. The even
// ones are the rooks'.
var compass = [8]bitboard.Direction{
	bitboard.North, bitboard.NorthEast, bitboard.East, bitboard.SouthEast,
	bitboard.South, bitboard.SouthWest, bitboard.West, bitboard.NorthWest,
}

// kernelKing holds sets for the replier's king, which is on the same square in all children.
type kernelKing struct {
	rays    [8]Bitboard // lines from the king on an empty board, by compass
	square  Bitboard    // the king itself
	attacks Bitboard    // squares next to it
	knights Bitboard    // squares from which a knight checks it
	pawns   Bitboard    // squares from which a pawn of the mover checks it
}

// kernelZone contains the squares from which a knight or a king attacks a square that matters to
// the replier's king: its own, those next to it, and those it castles over.
type kernelZone struct{ knights, kings Bitboard }

var (
	kernelKings   [64]kernelKing
	kernelZones   [64]kernelZone
	castlingZones [8]kernelZone // for a king that may castle, by its file
)

func init() {
	for s := bitboard.A1; s <= bitboard.H8; s++ {
		k := kernelKing{square: s.Bitboard(), attacks: attacks.King(s), knights: attacks.Knight(s)}
		k.pawns = attacks.Pawn(bitboard.White, s)
		for i, d := range compass {
			k.rays[i] = bitboard.Walk(s, d, bitboard.Empty)
		}
		kernelKings[s] = k
	}
	for s := bitboard.A1; s <= bitboard.H8; s++ {
		kernelZones[s].add(kernelKings[s].square | kernelKings[s].attacks)
	}
	for king := bitboard.A1; king <= bitboard.H1; king++ {
		castlingZones[king] = kernelZones[king]
		paths := core.CastlingPathsOf(king, (bitboard.A1.Bitboard() | bitboard.H1.Bitboard()).Without(king))
		castlingZones[king].add(paths.East.King | paths.West.King)
	}
}

func (z *kernelZone) add(matter Bitboard) {
	for s := range matter.Squares() {
		z.knights |= kernelKings[s].knights
		z.kings |= kernelKings[s].attacks
	}
}

// castling contains the requirements of a castling of the replier. Without one, rook is empty.
type castling struct {
	rook       Bitboard // must still be there and not be pinned
	empty      Bitboard // must be empty, except for the king and the rook themselves
	unattacked Bitboard // squares that the king leaves, crosses and enters
}
