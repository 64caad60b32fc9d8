package simd

import (
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/core"
)

// siblings is what all children of a node have in common. It is the node's board before the move,
// seen by the side that replies, as everything in this package: we reply, they move. The kernel
// reads these fields where its generator found them: after a change, run make generate.
type siblings struct {
	us, pawns, knights, diagonals, orthogonals                       Bitboard // ours, if not captured
	them, theirPawns, theirKnights, theirDiagonals, theirOrthogonals Bitboard // theirs, but for the piece that moves
	theirKing                                                        Bitboard

	king        *kernelKing // ours
	zone        *kernelZone // of our king
	enPassant   Bitboard    // our pawn that some of the siblings capture en passant
	castlings   [2]castling
	castled     [2]castled
	reach       reach
	knightCount int
	knightMoves [64]knightMoves // of our knights; there is room for as many as fit on a board
	parts       uint32          // the parts of the kernel that matter to any of the siblings
}

// freeMoves is what the assembly finds about the moves that it does not list: see the package
// comment.
type freeMoves struct {
	free   int    // their number
	change [8]int // the sum is by how much all of them change the number of our replies
}

// castled is the difference between their sets after a castling and after the king's move alone. It
// is one rule for all of Chess960, where king and rook may end where the other stood.
type castled struct{ them, orthogonals Bitboard }

// knightMoves is the square of a knight and the squares it attacks.
type knightMoves struct{ square, attacks Bitboard }

// reach says where pieces of theirs may stand in some of the siblings, listed moves of pieces
// aside.
type reach struct{ king, knights, diagonals, orthogonals Bitboard }

// Bits of parts that are set here; the assembly adds its own above.
const (
	partEnPassant = 1 << (24 + iota) // they may capture en passant
	partCastled                      // they may castle
)

// setBoard sets the board before the move.
func (s *siblings) setBoard(b *core.Board) {
	// Word by word: a Board turned around goes through memory, which costs a tenth of all the time.
	us, them := b.Them.FlipVertical(), b.Us.FlipVertical()
	pawns, knights := b.Pawns.FlipVertical(), b.Knights.FlipVertical()
	diagonals, orthogonals := b.Diagonals.FlipVertical(), b.Orthogonals.FlipVertical()
	kings := (us | them) &^ (pawns | knights | diagonals | orthogonals)
	s.us, s.pawns, s.knights, s.diagonals, s.orthogonals = us, pawns&us, knights&us, diagonals&us, orthogonals&us
	s.them, s.theirPawns, s.theirKnights = them, pawns&them, knights&them
	s.theirDiagonals, s.theirOrthogonals = diagonals&them, orthogonals&them
	s.theirKing = kings & them
	s.reach = reach{s.theirKing, s.theirKnights, s.theirDiagonals, s.theirOrthogonals}
	king := (kings & us).First()
	s.king, s.zone = &kernelKings[king&63], &kernelZones[king&63]
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

// setCastlings finds the castlings that some of the siblings may allow, by the rooks that have the
// right. Their pieces may leave the path of our king, ours do not: if one is captured there, the
// capturing piece blocks it.
func (s *siblings) setCastlings(king Square, rooks Bitboard) {
	n := 0
	paths := core.CastlingPathsOf(king, rooks)
	for _, path := range [...]*core.CastlingPath{&paths.West, &paths.East} {
		if path.Empty&s.us == 0 {
			s.castlings[n&1] = castling{path.Rook, path.Empty, path.King.With(king)}
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

// compass has the directions clockwise from north, so that a direction and the opposite differ by
// four, even ones are a rook's and odd ones a bishop's.
var compass = [8]bitboard.Direction{
	bitboard.North, bitboard.NorthEast, bitboard.East, bitboard.SouthEast,
	bitboard.South, bitboard.SouthWest, bitboard.West, bitboard.NorthWest,
}

// kernelKing is what the kernel reads apart from siblings, for the king of the side to reply. That
// king stands on the same square in all siblings, because the other side moves.
type kernelKing struct {
	rays    [8]Bitboard // the lines of an empty board from the king, by compass
	square  Bitboard    // the king itself
	attacks Bitboard    // the squares next to it
	knights Bitboard    // squares from which a knight checks it
	pawns   Bitboard    // squares from which a pawn, coming down the board, checks it
}

// kernelZone has the squares from which a knight or a king attacks a square that matters to the
// king: its own, those next to it, and those it castles over.
type kernelZone struct{ knights, kings Bitboard }

var (
	kernelKings   [64]kernelKing
	kernelZones   [64]kernelZone
	castlingZones [8]kernelZone // for a king that may castle, by its file on the first rank
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

// add adds squares that matter to a king.
func (z *kernelZone) add(matter Bitboard) {
	for s := range matter.Squares() {
		z.knights |= kernelKings[s].knights
		z.kings |= kernelKings[s].attacks
	}
}

// castling is what castling with one rook requires of the board. Without a rook there is none.
type castling struct {
	rook       Bitboard // must still be there, and not be pinned
	empty      Bitboard // squares that must be empty, except for the king and the rook themselves
	unattacked Bitboard // squares the king stands on, crosses and lands on
}
